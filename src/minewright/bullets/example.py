"""The worked example of a book: a small puzzle whose solution shows every type of step."""

from typing import Final

from minewright.bullets.maker import make
from minewright.bullets.puzzle import PuzzleError
from minewright.bullets.solution import Solution, solve

_EXAMPLE: Final = (5, 7)
"""The side of the worked example's grid, and its number of bullets."""
_EXAMPLES: Final = 60
"""How many puzzles to try for a short example that shows every type of step."""


def worked_example(kind: str) -> Solution | None:
    """Return the solution of a small puzzle that shows every type of step in few words."""
    size, bullets = _EXAMPLE
    try:
        candidates = [
            solve(make(size, bullets, topology=kind, iterations=20, index=index), "refined")
            for index in range(_EXAMPLES)
        ]
    except PuzzleError:
        return None
    return min(candidates, key=_clumsiness)


def _clumsiness(solution: Solution) -> tuple[bool, int, int]:
    """Rate an example: it should be short, with several-clue steps and a last one by the total."""
    steps = len(solution.steps)
    return (
        solution.n1 < 2 or solution.n2 < 1,
        max(6 - steps, steps - 8, 0),
        max(len(step.sentence) for step in solution.steps),
    )
