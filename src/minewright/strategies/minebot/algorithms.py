"""MineBot's four algorithms and those that it planned: each looks at a whole position."""

from collections.abc import Callable
from functools import partial
from itertools import combinations
from math import inf

from minewright._kernel import Sums, Support
from minewright.inference import Budget
from minewright.strategies.constraints import cells_of, set_of
from minewright.strategies.minebot.chain import by_exhaustion, by_refutation, by_the_total
from minewright.strategies.minebot.numbers import Numbers, too_many
from minewright.strategies.strategy import Conclusion, Finding

Algorithm = Callable[[Numbers], Conclusion]

NODES = 100_000
"""The most nodes of a search over the whole board, before it gives up."""


def truth(numbers: Numbers) -> Conclusion:
    """Look at each number alone: all its mines are marked, or all its unknown cells are mined."""
    findings = []
    for clue, cells, mines in numbers.constraints:
        if mines == 0:
            reason = f"{numbers.describe(clue)} has all its mines: truth"
            findings.append(Finding(cells_of(cells), (), reason))
        elif mines == cells.bit_count():
            reason = f"{numbers.describe(clue)} needs all its cells: truth"
            findings.append(Finding((), cells_of(cells), reason))
    return Conclusion(tuple(findings))


def contrapositive(numbers: Numbers) -> Conclusion:
    """Assume one mark next to each number, and call its cell safe if that leads to a contradiction.

    The text says that marks are placed "so as to fulfill" a number, and then that "the location
    that was marked must be safe", after at most eight assumptions. Refuting several marks together
    does not prove that any one of them is wrong, so each mark is assumed alone.
    """
    if not numbers.consistent:
        return Conclusion()
    findings = []
    found = 0
    for clue, cells, _ in numbers.constraints:
        for cell in cells_of(cells & ~found):
            if numbers.refutes(clue, (cell,)):
                found |= 1 << cell
                where, near = numbers.describe(cell), numbers.describe(clue)
                reason = f"a mine in {where} contradicts the numbers from {near} on: contrapositive"
                findings.append(Finding((cell,), (), reason))
    return Conclusion(tuple(findings), how=partial(by_refutation, numbers))


def exhaustion(numbers: Numbers) -> Conclusion:
    """Try all mark configurations of each number, and keep what the valid ones have in common."""
    if not numbers.consistent:
        return Conclusion()
    findings = []
    gave_up = False
    for clue, cells, mines in numbers.constraints:
        if too_many(cells, mines):
            gave_up = True
            continue
        valid, always, ever = 0, cells, 0
        for marks in combinations(cells_of(cells), mines):
            if not numbers.refutes(clue, marks):
                valid += 1
                always &= set_of(marks)
                ever |= set_of(marks)
                if not always and ever == cells:
                    break  # nothing is in common any more, whatever follows
        else:
            if valid:
                where = numbers.describe(clue)
                reason = f"true in every valid marking of {where} ({valid}): exhaustion"
                findings.append(Finding(cells_of(cells & ~ever), cells_of(always), reason))
    return Conclusion(tuple(findings), gave_up=gave_up, how=partial(by_exhaustion, numbers))


def burnout(numbers: Numbers, nodes: int = NODES) -> Conclusion:
    """Call all cells beyond the numbers safe if the numbers need all remaining mines.

    The text admits a flaw "that prevents all safe locations from being identified", but does not
    say which. The one we see is that it concludes only about cells "beyond the neighborhoods of
    these unsatisfied locations"; so does this.
    """
    beyond = numbers.seen.unknown
    for _, cells, mines in numbers.constraints:
        if mines > 0:
            beyond &= ~cells
    burnt = burnt_out(numbers, nodes) if beyond else False
    findings = (Finding(cells_of(beyond), (), _BURNT),) if burnt else ()
    return Conclusion(findings, gave_up=burnt is None, how=partial(by_the_total, numbers))


def mended_burnout(numbers: Numbers, nodes: int = NODES) -> Conclusion:
    """Find every cell that no configuration with the fewest mines marks (Further Research).

    If the fewest mines are all the remaining ones, there are no other configurations.
    """
    burnt = burnt_out(numbers, nodes)
    if not burnt:
        return Conclusion(gave_up=burnt is None)
    safe = numbers.seen.unknown & ~numbers.near
    found = search(numbers.together(numbers.boxes, numbers.seen.mines), nodes)
    for box, high in zip(numbers.boxes, found.high, strict=True):
        if high == 0:
            safe |= box
    findings = (Finding(cells_of(safe), (), _BURNT),) if safe else ()
    return Conclusion(findings, gave_up=not found.complete, how=partial(by_the_total, numbers))


_BURNT = "the numbers need all remaining mines: burnout"


def burnt_out(numbers: Numbers, nodes: int) -> bool | None:
    """Return True if the numbers need all remaining mines; None if it takes too long to find out.

    The text's tree branches over the configurations of one number after another. The kernel's tree
    prunes what cannot be the minimum, and the search stops as soon as fewer mines are enough.
    """
    mines = numbers.seen.mines
    if mines is None:
        return False
    found = numbers.together(numbers.boxes).fewest(mines, Budget(nodes, inf))
    return found.fewest == mines if found.complete else None


def similarity(numbers: Numbers, nodes: int = NODES) -> Conclusion:
    """Keep what all ways to place the remaining mines have in common (Further Research)."""
    mines = numbers.seen.mines
    rest = numbers.seen.unknown & ~numbers.near
    boxes = [*numbers.boxes, rest] if rest and mines is not None else numbers.boxes
    found = search(numbers.together(boxes, mines), nodes)
    if not found.consistent:
        return Conclusion()
    safe = mined = 0
    for box, low, high in zip(boxes, found.low, found.high, strict=True):
        if high == 0:
            safe |= box
        elif low == box.bit_count():
            mined |= box
    reason = "true in every way to place the remaining mines: similarity"
    findings = (Finding(cells_of(safe), cells_of(mined), reason),) if safe or mined else ()
    return Conclusion(findings, gave_up=not found.complete)


def search(system: Sums, nodes: int) -> Support:
    """Return the least and the greatest value of each variable over all solutions."""
    return system.support("gac", "constrained", Budget(nodes, inf))
