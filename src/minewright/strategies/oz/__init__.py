"""Oz Minesweeper: Collet, *Playing the Minesweeper with Constraints* (2004).

The digital assistant as an architecture. To be read beside the text:

    field        section 4.1   the symbolic field, which engines ask and tell
    collector    section 4.3   the symbolic constraints, built as numbers appear
    propagators  4.2, 3.1      the zero propagator and the simple propagators
    sets         section 3.2   the set propagators
    solvers      3.3, 3.4      the binary solver and the set solver, tables 1 and 2
    assistant    section 4     all of these, each engine with its switch
    autoplayer   section 4.2   plays what the field knows to be safe: the strategy

The text says nothing of the first move, and of guesses only that the lowest chance is the
conservative choice: solvers guess so, and engines that know no chances anywhere.
"""

from functools import partial

from minewright.strategies.oz.assistant import ENGINES, USUAL, Assistant, Known
from minewright.strategies.oz.autoplayer import Autoplayer
from minewright.strategies.oz.field import Contradiction, Entry, SymbolicField
from minewright.strategies.oz.solvers import Table, solutions_needed, table
from minewright.strategies.registry import Kind, Option, register

__all__ = [
    "ENGINES",
    "Assistant",
    "Autoplayer",
    "Contradiction",
    "Entry",
    "Known",
    "SymbolicField",
    "Table",
    "solutions_needed",
    "table",
]


def _chosen(engines: str) -> Autoplayer:
    return Autoplayer(engines.split("+"))


for _name, _engine, _section, _summary in (
    ("oz-zero", "zero", "4.2", "zero propagator: all around a 0 is safe"),
    ("oz-simple", "simple", "3.1", "simple propagators: one sum at a time, over single cells"),
    ("oz-set", "set", "3.2", "set propagators: sums share what they know of sets of cells"),
):
    register(
        Kind(_name, f"Collet 2004, section {_section}", _summary, partial(Autoplayer, (_engine,)))
    )
for _name, _engine, _section, _summary in (
    ("oz-binary", "binary", "3.3", "binary solver: all solutions, a variable for each cell"),
    ("oz-sets", "sets", "3.4", "set solver: all solutions, a variable for each box"),
):
    register(
        Kind(
            _name,
            f"Collet 2004, section {_section}",
            _summary,
            partial(Autoplayer, (_engine,)),
            complete="yes",
            guesser="safest",
        )
    )
register(
    Kind(
        "oz",
        "Collet 2004, section 4",
        "the assistant: engines in any combination, dear ones where cheap ones are silent",
        _chosen,
        complete="yes",
        guesser="safest",
        options={
            "engines": Option("+".join(USUAL), tuple(ENGINES), "the engines that are on", many=True)
        },
    )
)
