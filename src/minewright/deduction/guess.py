"""When nothing is certain: the safest cell, its risk, and whether waiting could help."""

from dataclasses import dataclass
from fractions import Fraction

from minewright.deduction.forced import Group
from minewright.deduction.phrases import number_word, places
from minewright.inference import DEFAULT_BUDGET, Budget, BudgetExceeded, analyze
from minewright.position import SAFE, Position


@dataclass(frozen=True, slots=True)
class Guess:
    """The safest cell when nothing is certain.

    `risk` is its chance of a mine. `fraction` is the same as an exact fraction, or None if that
    was beyond the budget. `cells` is the group of the cell: the forced group, or else the
    uncertain cells that clues link to it. `forced` is:

    - True if the group is *forced*: in no consistent minefield does any safe cell of the group
      ever become certain, whatever cells outside the group are opened. Waiting does not help.
    - False if the guess is *early*: there is a consistent minefield where this very cell becomes
      certain once the safe cells outside its group are open.
    - None if neither was found within the limits.

    To be exact: fix all mines outside the group. Two arrangements of mines in the group look
    alike if three things hold. Both fit the clues. Every cell outside the group that is neither
    certainly mined nor among the fixed mines would show the same number with both. And, if the
    mine total is known, both have the same number of mines. A group is forced if each arrangement
    looks like some other one, and no cell is safe in all arrangements that look alike.
    """

    cell: int
    risk: float
    fraction: Fraction | None
    forced: bool | None
    cells: tuple[int, ...]
    sentence: str


def guess(position: Position, *, budget: Budget = DEFAULT_BUDGET) -> Guess | None:
    """Return where to guess if a guess is needed.

    Return None if a covered cell is certainly safe, if no covered cell can be safe at all, or if
    no minefield fits the position. Raise BudgetExceeded if exact inference does.
    """
    analysis = analyze(position, budget=budget)
    cell = analysis.best
    certain = len(analysis.safe) + len(analysis.mined)
    if not analysis.consistent or analysis.safe or cell is None:
        return None
    if certain == len(position.covered):
        return None
    risk = analysis.chances[cell]
    assert risk is not None
    try:
        fraction = analysis.fractions[cell]
    except BudgetExceeded:
        fraction = None
    group = Group(analysis, cell, budget)
    try:
        forced, cells = group.decide()
    except BudgetExceeded:
        forced, cells = None, group.cells
    # If the total is known, two cells that look alike always hold the same number of mines: one.
    one_mine = len(cells) == 2 and (group.paired or position.mines is not None)
    sentence = _sentence(position, cell, _risk(risk, fraction), forced, cells, one_mine)
    return Guess(cell, risk, fraction, forced, cells, sentence)


def _sentence(
    position: Position,
    cell: int,
    risk: str,
    forced: bool | None,
    cells: tuple[int, ...],
    one_mine: bool,
) -> str:
    topology = position.topology
    head = "Nothing is certain"
    if SAFE in position.cells:
        head = "Nothing more is certain until the safe cells are opened"
    text = f"{head}. The safest cell is {topology.describe(cell)}, with a risk of {risk}."
    if forced is None:
        return f"{text} It is not clear whether waiting would help."
    if not forced:
        return f"{text} You could wait: opening other cells may settle this one."
    where = places(topology, cells)
    if one_mine:
        return (
            f"{text} The guess is forced: {where} hold one mine between them, and no number will"
            " ever show which."
        )
    them = "it" if len(cells) == 1 else f"any of {where}"
    return f"{text} The guess is forced: opening other cells will never prove {them} safe."


def _risk(risk: float, fraction: Fraction | None) -> str:
    if fraction is not None and fraction.denominator <= 12:
        return f"{number_word(fraction.numerator)} in {number_word(fraction.denominator)}"
    percent = 100 * risk
    if percent < 0.1:
        return "less than 0.1%"
    return f"{min(percent, 99.9):.1f}%"
