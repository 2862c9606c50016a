"""Oz Minesweeper: Collet, *Playing the Minesweeper with Constraints* (2004).

The digital assistant as an architecture, to be read beside the text:

    field        section 4.1   the symbolic field, which engines ask and tell
    collector    section 4.3   the symbolic constraints, built as numbers appear
    propagators  4.2, 3.1      the zero propagator and the simple propagators
    sets         section 3.2   the set propagators
    solvers      3.3, 3.4      the binary solver and the set solver, tables 1 and 2
    assistant    section 4     all of these; each engine can be switched on and off
    autoplayer   section 4.2   the strategy: plays what the field knows to be safe
    kinds        its names in the registry

The text says nothing about the first move. About guesses it says only that the lowest chance is the
conservative choice. Solvers guess in this way, and engines without chances guess anywhere.
"""

from minewright.strategies.oz.assistant import ENGINES, Assistant, Known
from minewright.strategies.oz.autoplayer import Autoplayer
from minewright.strategies.oz.field import CellState, Contradiction, SymbolicField
from minewright.strategies.oz.solvers import SolutionTable, solutions_needed, table

__all__ = [
    "ENGINES",
    "Assistant",
    "Autoplayer",
    "CellState",
    "Contradiction",
    "Known",
    "SolutionTable",
    "SymbolicField",
    "solutions_needed",
    "table",
]
