r"""The questions that a player asks an assistant, in one place.

| the player asks           | the assistant has                                             |
| ------------------------- | ------------------------------------------------------------- |
| What follows next?        | `next_step`: one deduction, or None if nothing is certain     |
| I am stuck: a hint?       | `hint`: the next step towards a safe cell that is news        |
| Why?                      | `explain`: deductions one after another, each in words        |
| Where should I guess?     | `guess`: the safest cell, its risk, whether waiting could help |
| May I guess?              | `may_guess`: yes or no, without saying where anything is safe |
| Is one of my marks wrong? | `mark_is_wrong`: yes or no, without saying which              |
| What is left to do?       | `what_is_left`: a sentence for a position without a next step |

>>> from minewright.position import Position
>>> position = Position.parse("3x3x2\n1##\n12#\n01#")
>>> print(next_step(position))
The 1 at row 1, column 1 has only one cell left for its mine, so row 1, column 2 is mined.
>>> may_guess(position), mark_is_wrong(position.with_cells({2: MARKED}))
(False, True)
"""

from collections.abc import Container

from minewright.deduction.guess import Guess, guess
from minewright.deduction.hint import helpful
from minewright.deduction.search import explain, next_step
from minewright.deduction.step import Deduction
from minewright.inference import DEFAULT_BUDGET, Budget, analyze
from minewright.position import MARKED, SAFE, Position

__all__ = [
    "Deduction",
    "Guess",
    "explain",
    "guess",
    "hint",
    "mark_is_wrong",
    "may_guess",
    "next_step",
    "what_is_left",
]


def hint(
    position: Position, *, known: Container[int] = (), budget: Budget = DEFAULT_BUDGET
) -> Deduction | None:
    """Return the first step towards a safe cell that the player does not know; None without one.

    A step that only finds mines which lead to no safe cell is no help. A mine that is marked, or
    among the `known` cells, is no news: with the mines of earlier hints there, the next hint goes
    on from them.
    """
    # Without a safe cell, steps lead to nothing but mines, and there may be many of them.
    if not analyze(position, budget=budget).safe:
        return None
    return helpful(position, explain(position, budget=budget), known)


def may_guess(position: Position, *, budget: Budget = DEFAULT_BUDGET) -> bool:
    """Return True if no covered cell is certainly safe. The answer gives nothing else away.

    Return False if no minefield fits the position: a guess cannot help then.
    """
    analysis = analyze(position, budget=budget)
    return analysis.consistent and not analysis.safe


def mark_is_wrong(position: Position, *, budget: Budget = DEFAULT_BUDGET) -> bool:
    """Return True if some mark is provably wrong, without saying which.

    Marks are wrong if no minefield that fits has mines at all of them. The simplest case is a
    mark on a cell that is certainly safe. If no minefield fits the position even without the
    marks, nothing is proved about them.
    """
    if MARKED not in position.cells:
        return False
    trusting = analyze(position, trust_marks=True, budget=budget)
    return not trusting.consistent and analyze(position, budget=budget).consistent


def what_is_left(position: Position, guessed: Guess | None) -> str:
    """Return what is left to do when nothing more is certain; `guessed` is the guess, if known.

    A safe cell that is still unopened comes first: its number may tell more.
    """
    if not position.covered:
        return "Every cell is known."
    safe = position.cells.count(SAFE)
    if safe:
        cells = "safe cell is" if safe == 1 else f"{safe:,} safe cells are"
        return f"Nothing more is certain until the {cells} opened."
    return guessed.sentence if guessed else "Nothing more is certain."
