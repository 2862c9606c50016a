"""Collecting patterns: games are played by the simplest steps, and the form of each is counted."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from minewright.board import Board
from minewright.deduction import Deduction, next_step
from minewright.game import Game
from minewright.inference import analyze
from minewright.patterns.book import Book, Pattern
from minewright.patterns.form import form_of
from minewright.position import COVERED, MINED
from minewright.work.crew import Crew
from minewright.work.executors import processes
from minewright.work.progress import Progress, Quiet
from minewright.work.tasks import Task

GAMES_PER_TASK: Final = 20
SHOWN: Final = 60
"""The patterns that are kept by default, most frequent first."""


@dataclass(slots=True)
class Count:
    """How often a form was met, and what came of it."""

    steps: int = 0
    games: int = 0
    safe: int = 0
    mined: int = 0
    opened: int = 0
    names: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Count") -> None:
        """Add what was counted elsewhere."""
        self.steps += other.steps
        self.games += other.games
        self.safe += other.safe
        self.mined += other.mined
        self.opened += other.opened
        self.names += other.names


@dataclass(frozen=True, slots=True)
class _Counted:
    """What was counted in the games so far.

    It never changes: an interrupt finds all the games of a round in it, or none.
    """

    games: int = 0
    """How many were played on each board."""
    counts: Mapping[str, Count] = field(default_factory=dict)

    def plus(self, games: int, parts: Iterable[Mapping[str, Count]]) -> "_Counted":
        """Return what is counted after one more round, which has a part for every board."""
        more: dict[str, Count] = {}
        for part in parts:
            for text, count in part.items():
                more.setdefault(text, Count()).add(count)
        for text, count in more.items():
            if text in self.counts:
                count.add(self.counts[text])
        return _Counted(self.games + games, {**self.counts, **more})

    def book(self, boards: Sequence[str], seed: int, most: int) -> Book:
        """Return the `most` frequent patterns."""
        ranked = sorted(self.counts.items(), key=lambda item: (-item[1].steps, item[0]))
        patterns = tuple(
            Pattern(
                text=text,
                names=dict(sorted(count.names.items())),
                steps=count.steps,
                games=count.games,
                safe=count.safe,
                mined=count.mined,
                opened=count.opened,
            )
            for text, count in ranked
        )
        return Book(
            boards=tuple(boards),
            games=len(boards) * self.games,
            seed=seed,
            steps=sum(pattern.steps for pattern in patterns),
            forms=len(patterns),
            patterns=patterns[:most],
        )


class Stopped(KeyboardInterrupt):
    """The collection was interrupted."""

    def __init__(self, book: Book | None) -> None:
        super().__init__()
        self.book = book
        """The book of the first games on each board, equally many; None if there are none."""


def collect(
    boards: Sequence[str] = ("9x9x10", "16x16x40", "30x16x99"),
    games: int = 100,
    seed: int = 0,
    *,
    workers: int = 1,
    most: int = SHOWN,
    progress: Progress | None = None,
) -> Book:
    """Play `games` games on each board, and return the `most` frequent patterns.

    On an interrupt, raise Stopped with the book of fewer games: the one that a smaller `games`
    gives.
    """
    told = progress or Quiet()
    # The boards take turns, so that a book of fewer games has as many of each.
    tasks = (
        (board, first, min(GAMES_PER_TASK, games - first))
        for first in range(0, games, GAMES_PER_TASK)
        for board in boards
    )
    counted = _Counted()
    parts: list[dict[str, Count]] = []
    try:
        told.begin(len(boards) * games, 0)
        with Crew(partial(processes, workers)) as crew:
            work = (
                Task(number, count, read_games, (board, seed, first, count))
                for number, (board, first, count) in enumerate(tasks)
            )
            for task, found in crew.perform(work, told, in_order=True):
                parts.append(found)
                if len(parts) == len(boards):
                    counted = counted.plus(int(task.effort), parts)
                    parts = []
    except KeyboardInterrupt:
        raise Stopped(counted.book(boards, seed, most) if counted.games else None) from None
    return counted.book(boards, seed, most)


def read_games(board: str, seed: int, first: int, count: int) -> dict[str, Count]:
    """Play some games of a seed, and count the forms of all steps."""
    counts: dict[str, Count] = {}
    for number in range(first, first + count):
        met: set[str] = set()
        for step, opened in read(Game(Board.parse(board), "open", seed, stream=number)):
            form = form_of(step)
            if form is None:
                continue
            own = counts.setdefault(form.text, Count())
            own.steps += 1
            own.safe += len(step.safe)
            own.mined += len(step.mined)
            own.opened += opened
            if step.pattern:
                own.names[step.pattern] += 1
            if form.text not in met:
                met.add(form.text)
                own.games += 1
    return counts


def read(game: Game) -> Iterator[tuple[Deduction, int]]:
    """Play a game by the simplest steps; yield each one and the number of cells it opened.

    It begins in the middle. Where nothing is certain, the safest cell is opened.
    """
    topology = game.topology
    game.open(topology.cell(*(side // 2 for side in reversed(topology.shape))))
    mined: set[int] = set()
    while not game.over:
        position = game.position.with_cells(dict.fromkeys(mined, MINED))
        step = next_step(position)
        if step is None:
            best = analyze(position).best
            assert best is not None
            game.open(best)
            continue
        mined.update(step.mined)
        opened = 0
        for cell in step.safe:
            if game.position[cell] == COVERED:
                opened += len(game.open(cell))
        yield step, opened
