"""Minewright: a Minesweeper workbench that plays, explains, proves, measures and makes."""

from importlib import import_module
from typing import TYPE_CHECKING

from minewright.assistant import (
    Deduction,
    Guess,
    explain,
    guess,
    hint,
    mark_is_wrong,
    may_guess,
    next_step,
)
from minewright.board import BEGINNER, EXPERT, INTERMEDIATE, Board, BoardError
from minewright.drawing import Drawn, draw_with
from minewright.errors import MinewrightError
from minewright.game import Game, GameError, Move, MoveTooHard
from minewright.inference import (
    DEFAULT_BUDGET,
    Analysis,
    Budget,
    BudgetExceeded,
    Clash,
    analyze,
    analyze_many,
    enumerate_solutions,
    is_unique,
    random_solution,
)
from minewright.position import COVERED, MARKED, MAX_NUMBER, MINED, SAFE, Position, PositionError
from minewright.topology import Net, Topology, TopologyError, topologies

__version__ = "0.2.0"

if TYPE_CHECKING:
    from minewright import (
        assistant,
        bullets,
        formats,
        modes,
        noguess,
        patterns,
        rating,
        strategies,
    )
    from minewright.bullets.printed import BookError
    from minewright.bullets.puzzle import PuzzleError
    from minewright.champion import BestMove, ChampionError, Regret, best_move, regret
    from minewright.formats import FormatError, Loaded, Replay, read
    from minewright.lab.games import PlayError
    from minewright.lab.simulate import SimulationError, Stopped, WorkerLost, simulate
    from minewright.noguess import NoGuessError, ProofError, UnreadableProofError
    from minewright.rating import Rating, rate
    from minewright.render.notebook import svg
    from minewright.strategies import StrategyError

# Names that few programs use: what each needs is imported when it is first used.
_MODULES = (
    "assistant",
    "bullets",
    "formats",
    "modes",
    "noguess",
    "patterns",
    "rating",
    "strategies",
)
_LATER = {
    "BestMove": "minewright.champion",
    "BookError": "minewright.bullets.printed",
    "ChampionError": "minewright.champion",
    "Regret": "minewright.champion",
    "best_move": "minewright.champion",
    "regret": "minewright.champion",
    "FormatError": "minewright.formats",
    "Loaded": "minewright.formats",
    "NoGuessError": "minewright.noguess",
    "PlayError": "minewright.lab.games",
    "ProofError": "minewright.noguess",
    "PuzzleError": "minewright.bullets.puzzle",
    "Rating": "minewright.rating",
    "Replay": "minewright.formats",
    "SimulationError": "minewright.lab.simulate",
    "Stopped": "minewright.lab.simulate",
    "StrategyError": "minewright.strategies",
    "UnreadableProofError": "minewright.noguess",
    "WorkerLost": "minewright.lab.simulate",
    "rate": "minewright.rating",
    "read": "minewright.formats",
    "simulate": "minewright.lab.simulate",
    "svg": "minewright.render.notebook",
}

__all__ = [
    "BEGINNER",
    "COVERED",
    "DEFAULT_BUDGET",
    "EXPERT",
    "INTERMEDIATE",
    "MARKED",
    "MAX_NUMBER",
    "MINED",
    "SAFE",
    "Analysis",
    "BestMove",
    "Board",
    "BoardError",
    "BookError",
    "Budget",
    "BudgetExceeded",
    "ChampionError",
    "Clash",
    "Deduction",
    "FormatError",
    "Game",
    "GameError",
    "Guess",
    "Loaded",
    "MinewrightError",
    "Move",
    "MoveTooHard",
    "Net",
    "NoGuessError",
    "PlayError",
    "Position",
    "PositionError",
    "ProofError",
    "PuzzleError",
    "Rating",
    "Regret",
    "Replay",
    "SimulationError",
    "Stopped",
    "StrategyError",
    "Topology",
    "TopologyError",
    "UnreadableProofError",
    "WorkerLost",
    "__version__",
    "analyze",
    "analyze_many",
    "assistant",
    "best_move",
    "bullets",
    "enumerate_solutions",
    "explain",
    "formats",
    "guess",
    "hint",
    "is_unique",
    "mark_is_wrong",
    "may_guess",
    "modes",
    "next_step",
    "noguess",
    "patterns",
    "random_solution",
    "rate",
    "rating",
    "read",
    "regret",
    "simulate",
    "strategies",
    "svg",
    "topologies",
]


def __getattr__(name: str) -> object:
    """Import what a name needs when it is first used."""
    if name in _MODULES:
        return import_module(f"minewright.{name}")
    if name in _LATER:
        found: object = getattr(import_module(_LATER[name]), name)
        globals()[name] = found
        return found
    raise AttributeError(f"module 'minewright' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, and nothing that only happens to be imported here."""
    return sorted(__all__)


def _draw(thing: Drawn) -> str:
    from minewright.render.notebook import svg

    return svg(thing)


draw_with(_draw)
