"""The parts of a strategy: a deducer that concludes, a guesser that chooses, and a first move.

A strategy sees a `Position` and nothing else, so it cannot use what it is not shown. Deducer and
guesser know nothing about each other, so any deducer plays with any guesser. Marks in a position
are the strategy's own, from earlier turns, and are treated as mines.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from minewright import _kernel
from minewright.errors import MinewrightError
from minewright.game import Move
from minewright.position import COVERED, MARKED, SAFE, Position

Random = _kernel.Random
"""The source of random numbers: the same seed and stream give the same numbers everywhere."""


class StrategyError(MinewrightError, ValueError):
    """One line about a strategy, a guesser or an option that does not exist."""


class Finding(NamedTuple):
    """Cells called safe, cells called mined, and why."""

    safe: tuple[int, ...]
    mined: tuple[int, ...]
    reason: str


class Scene(NamedTuple):
    """One step on the way to a finding: a sentence, and the cells that it is about.

    Cells are called safe or mined here as an assumption has it, until the last step.
    """

    words: str
    clues: tuple[int, ...] = ()
    safe: tuple[int, ...] = ()
    mined: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What a deducer concludes from a position."""

    findings: tuple[Finding, ...] = ()
    chances: Mapping[int, float] | None = None
    """The chance of a mine in each covered cell, if the deducer computes it."""
    among: tuple[int, ...] = ()
    """The cells to guess among, if the deducer says so.

    It may know that waiting will not help there, or want to open cells that it has marked.
    """
    gave_up: bool = False
    """Whether a budget ran out, so that there may be more to find."""
    solutions: int | None = None
    """The number of solutions the deducer computed, if it works that way."""
    how: Callable[[Finding], tuple[Scene, ...]] | None = field(
        default=None, compare=False, repr=False
    )
    """Shows step by step how it came to a finding, if its reason does not say it all."""


NOTHING = Conclusion()


class Deducer(ABC):
    """Finds cells that are safe or mined. One object plays one game, so it may keep a memory."""

    @abstractmethod
    def conclude(self, position: Position) -> Conclusion:
        """Return all it can conclude; without any finding, a guess is needed."""


class Choice(NamedTuple):
    """A guess: the cell, why this one, and whether its mark has to be removed first."""

    cell: int
    reason: str
    marked: bool = False


class Guesser(ABC):
    """Chooses a cell to open when nothing is certain."""

    @abstractmethod
    def choose(
        self, position: Position, cells: Sequence[int], conclusion: Conclusion, random: Random
    ) -> Choice:
        """Return one of the cells, which are covered; there is at least one."""


class Turn(NamedTuple):
    """What a strategy does in a position: act on its findings, or guess."""

    findings: tuple[Finding, ...]
    guess: Choice | None
    conclusion: Conclusion

    def chain(self, finding: Finding) -> tuple[Scene, ...]:
        """Return how the deducer came to a finding, if it can show more than its reason says."""
        return self.conclusion.how(finding) if self.conclusion.how else ()

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of this turn: marks first, then openings."""
        if self.guess:
            opening = Move("open", self.guess.cell)
            return (Move("mark", self.guess.cell), opening) if self.guess.marked else (opening,)
        marks = [Move("mark", cell) for finding in self.findings for cell in finding.mined]
        opens = [Move("open", cell) for finding in self.findings for cell in finding.safe]
        return (*dict.fromkeys(marks), *dict.fromkeys(opens))


class FirstMove(ABC):
    """Chooses the cell that begins a game."""

    @abstractmethod
    def choose(self, position: Position, random: Random) -> Choice:
        """Return a cell of a fully covered board."""


class Strategy:
    """A player of one game: asks its deducer, and its guesser if the deducer finds nothing."""

    def __init__(
        self, name: str, deducer: Deducer, guesser: Guesser, first: FirstMove, random: Random
    ) -> None:
        self.name = name
        self.deducer = deducer
        self.guesser = guesser
        self.first = first
        self.random = random

    def turn(self, position: Position) -> Turn | None:
        """Return what to do in a position, or None if only marked cells are left to open."""
        cells = position.cells
        if cells.count(COVERED) == len(cells):
            return Turn((), self.first.choose(position, self.random), NOTHING)
        if SAFE in cells:
            known = tuple([cell for cell, code in enumerate(cells) if code == SAFE])
            return Turn((Finding(known, (), "known to be safe"),), None, NOTHING)
        if COVERED not in cells:
            return None
        conclusion = self.deducer.conclude(position)
        findings = tuple(_news(conclusion.findings, cells))
        if findings:
            return Turn(findings, None, conclusion)
        among = [cell for cell in conclusion.among if cells[cell] in (COVERED, MARKED)]
        among = among or [cell for cell, code in enumerate(cells) if code == COVERED]
        guess = self.guesser.choose(position, among, conclusion, self.random)
        return Turn((), guess._replace(marked=cells[guess.cell] == MARKED), conclusion)


def _news(findings: Sequence[Finding], cells: bytes) -> list[Finding]:
    """Return the findings without cells already open or marked, or called both safe and mined.

    A cell is called both only in an impossible position, perhaps because of a wrong mark, and
    nothing can be concluded from that.
    """
    all_safe = {cell for finding in findings for cell in finding.safe}
    both = all_safe.intersection(cell for finding in findings for cell in finding.mined)
    news = []
    for safe, mined, reason in findings:
        safe = tuple([cell for cell in safe if cells[cell] == COVERED and cell not in both])
        mined = tuple([cell for cell in mined if cells[cell] == COVERED and cell not in both])
        if safe or mined:
            news.append(Finding(safe, mined, reason))
    return news
