"""Max Minesweeper (Kofford): the numbers as boolean constraints, for Z3 or MiniSat to solve."""

from minewright.strategies.max_minesweeper.engines import MODULES
from minewright.strategies.max_minesweeper.methods import BreakEarly, CheckAll, Exists
from minewright.strategies.registry import Kind, Option, register

__all__ = ["BreakEarly", "CheckAll", "Exists"]

_ENGINE = "z3"
_ANY = {
    "engine": Option(_ENGINE, ("z3", "minisat"), "the solver"),
    "encoding": Option("paper", ("paper", "compact"), "every n-choose-k combination, or a counter"),
    "total": Option("no", ("no", "yes"), "whether to use the mine total"),
}
_SEVERAL = {
    "grouping": Option(
        "components", ("components", "board"), "solve each component, or the whole board at once"
    ),
    "limit": Option("5000", summary="the most solutions of a group before giving up"),
}
_PATIENCE = {
    "patience": Option("10", summary="the most solutions in a row without a new change"),
}
_QUESTIONS = {
    "questions": Option("open", ("open", "all"), "ask what is still open, or twice for every cell"),
}

register(
    Kind(
        "max-checkall",
        "Kofford, section 2, method 1",
        "finds every solution and concludes what is the same in all",
        CheckAll,
        title="Max Check All",
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
        "like Check All, but stops once new solutions change nothing for a while",
        BreakEarly,
        title="Max Break Early",
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
        "asks for each cell whether there is a solution with a mine there, and one without",
        Exists,
        title="Max Exists",
        complete="numbers",
        guesser="best-neighbour",
        options=_ANY | _QUESTIONS,
        needs=(MODULES[_ENGINE],),
    )
)
