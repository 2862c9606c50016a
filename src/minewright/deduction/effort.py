"""How much thought a board or a puzzle takes: its steps, counted by the clues they need."""

from collections import Counter
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, get_args

from minewright.messages import counted

Level = Literal["easy", "medium", "hard"]
"""How hard something is: `easy` if one clue at a time is enough, `medium` if some step needs two
at once, and `hard` if some step needs three or more."""
LEVELS: Final[tuple[Level, ...]] = get_args(Level)


class Effort(NamedTuple):
    """How many steps need one clue, how many need two, and so on.

    The clues of a step are the numbers that it follows from, none of which can be spared; the
    total counts as one. Each step is the simplest there is at its point.

    >>> effort = Effort.of([1, 1, 2, 1, 3])
    >>> effort.counts, effort.workload, effort.hardest, effort.level
    ((3, 1, 1), 3, 3, 'hard')
    >>> print(effort)
    5 steps: 3 need 1 clue, 1 needs 2, 1 needs 3
    """

    counts: tuple[int, ...]

    @classmethod
    def of(cls, needs: Iterable[int]) -> "Effort":
        """Return the effort of steps, given how many clues each of them needs."""
        found = Counter(max(1, need) for need in needs)
        return cls(tuple(found[need] for need in range(1, max(found, default=0) + 1)))

    @property
    def steps(self) -> int:
        """The number of steps."""
        return sum(self.counts)

    @property
    def hardest(self) -> int:
        """The most clues that any step needs; 0 if there is no step."""
        return len(self.counts)

    @property
    def workload(self) -> int:
        """The sum over all steps of the clues beyond the first."""
        return sum(beyond * steps for beyond, steps in enumerate(self.counts))

    @property
    def by_clues(self) -> dict[int, int]:
        """The number of steps that need one clue, two clues, and so on."""
        return {need: steps for need, steps in enumerate(self.counts, 1) if steps}

    @property
    def level(self) -> Level:
        """How hard it is, in a word."""
        return LEVELS[min(max(self.hardest, 1), len(LEVELS)) - 1]

    def __str__(self) -> str:
        if not self.steps:
            return "no steps"
        needs = [
            f"{steps:,} {'needs' if steps == 1 else 'need'} {clues}"
            for clues, steps in self.by_clues.items()
        ]
        needs[0] += " clue" if needs[0].endswith(" 1") else " clues"
        return f"{counted(self.steps, 'step')}: {', '.join(needs)}"
