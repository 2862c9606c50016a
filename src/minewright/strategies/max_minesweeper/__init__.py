"""Max Minesweeper (Kofford): the numbers as boolean constraints, for Z3 or MiniSat to solve."""

from minewright.strategies.max_minesweeper.engines import MODULES
from minewright.strategies.max_minesweeper.methods import BreakEarly, CheckAll, Exists
from minewright.strategies.registry import Kind, Option, register

__all__ = ["BreakEarly", "CheckAll", "Exists"]

_ENGINE = "z3"
_ANY = {
    "engine": Option(_ENGINE, ("z3", "minisat"), "the solver"),
    "encoding": Option("paper", ("paper", "compact"), "every n-choose-k combination, or a counter"),
    "total": Option("no", ("no", "yes"), "whether the mine total counts"),
}
_SEVERAL = {
    "grouping": Option(
        "components", ("components", "board"), "find solutions part by part, or of the whole board"
    ),
    "limit": Option("5000", summary="how many solutions of a group are found before giving up"),
}
_PATIENCE = {
    "patience": Option("10", summary="how many solutions in a row may change nothing new"),
}

register(
    Kind(
        "max-checkall",
        "Kofford, section 2, method 1",
        "finds every solution; what is the same in all is concluded",
        CheckAll,
        complete="numbers",
        guesser="best-neighbour",
        options=_ANY | _SEVERAL,
        needs=(MODULES[_ENGINE],),
    )
)
register(
    Kind(
        "max-breakearly",
        "Kofford, section 2, method 2",
        "as max-checkall, but stops when solutions bring no change for a while",
        BreakEarly,
        sound=False,
        guesser="best-neighbour",
        options=_ANY | _SEVERAL | _PATIENCE,
        needs=(MODULES[_ENGINE],),
    )
)
register(
    Kind(
        "max-exists",
        "Kofford, section 3, method 3",
        "asks for each cell whether a solution exists with a mine there, and one without",
        Exists,
        complete="numbers",
        guesser="best-neighbour",
        options=_ANY,
        needs=(MODULES[_ENGINE],),
    )
)
