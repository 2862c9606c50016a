"""What each strategy concludes from the same positions, measured against exact inference.

A deducer is asked again and again, with what it has found so far marked as known, until it finds
nothing more. No cell is opened, so all it knows is the position.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from minewright.board import Board
from minewright.game import Game
from minewright.inference import analyze
from minewright.position import COVERED, MARKED, SAFE, Position
from minewright.strategies import Deducer, Random, Recipe, Turn

BOARDS: Final = ("9x9x10", "8x8x15", "16x16x40", "16x16x55", "30x16x99")
"""The boards that positions are taken from, one after another."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a deducer found in one position, and whether it gave up on the way."""

    safe: frozenset[int]
    mined: frozenset[int]
    gave_up: bool


def conclude(deducer: Deducer, position: Position) -> Found:
    """Ask a deducer until it finds nothing more."""
    safe: set[int] = set()
    mined: set[int] = set()
    gave_up = False
    while True:
        conclusion = deducer.conclude(position)
        gave_up |= conclusion.gave_up
        changes: dict[int, int] = {}
        for finding in conclusion.findings:
            changes |= dict.fromkeys(finding.safe, SAFE) | dict.fromkeys(finding.mined, MARKED)
        changes = {cell: code for cell, code in changes.items() if position[cell] == COVERED}
        if not changes:
            return Found(frozenset(safe), frozenset(mined), gave_up)
        safe |= {cell for cell, code in changes.items() if code == SAFE}
        mined |= {cell for cell, code in changes.items() if code == MARKED}
        position = position.with_cells(changes)


def positions(
    count: int, seed: int, boards: Sequence[str] = BOARDS, topology: str = "moore"
) -> Iterator[tuple[Position, bool]]:
    """Yield positions of games, and whether each is stuck: no single number settles a cell.

    Every second one is stuck. Each has a certain cell. A game provides at most one position.
    """
    single = Recipe("single-point")
    game = given = 0
    while given < count:
        board = Board.parse(boards[given % len(boards)])
        wanted = given % 2 == 1
        random = Random(seed, game)
        kept = [
            position
            for position in _of_game(Game(board, "safe", seed, topology, stream=game), random)
            if (not single.deducer().conclude(position).findings) == wanted
        ]
        game += 1
        if kept:
            yield kept[random.below(len(kept))], wanted
            given += 1


def _of_game(game: Game, random: Random) -> Iterator[Position]:
    """Play a game by exact inference; yield the positions in which something is certain.

    A turn acts only on about half of what is certain, so that something is left to find.
    """
    game.open(random.below(game.topology.size))
    while not game.over:
        position = game.position
        analysis = analyze(position)
        safe, mined = analysis.safe, _unmarked(position, analysis.mined)
        if safe or mined:
            yield position
        elif analysis.best is not None:
            game.open(analysis.best)
        some = [cell for cell in (*mined, *safe) if random.below(2)] or [*mined, *safe][:1]
        for cell in some:
            if cell in mined:
                game.mark(cell)
            else:
                game.open(cell)


def _unmarked(position: Position, cells: Iterable[int]) -> frozenset[int]:
    return frozenset(cell for cell in cells if position[cell] == COVERED)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the certain cells a strategy found over many positions."""

    strategy: str
    positions: int
    safe: int
    safe_all: int
    mined: int
    mined_all: int
    everything: int
    """Positions in which it found everything that is certain."""
    wrong: int
    """Cells it called safe or mined that are not certainly so."""
    gave_up: int

    @property
    def share(self) -> float:
        """The share of all certain cells that it found."""
        return (self.safe + self.mined) / max(1, self.safe_all + self.mined_all)


def coverage(recipe: Recipe, given: Iterable[Position], *, use_total: bool = True) -> Coverage:
    """Measure a strategy on positions; `use_total=False` leaves the mine total aside."""
    count = safe = safe_all = mined = mined_all = everything = wrong = gave_up = 0
    for position in given:
        truth = analyze(position, use_total=use_total)
        certain_safe = _unmarked(position, truth.safe)
        certain_mined = _unmarked(position, truth.mined)
        found = conclude(recipe.deducer(), position)
        count += 1
        safe += len(found.safe & certain_safe)
        mined += len(found.mined & certain_mined)
        safe_all += len(certain_safe)
        mined_all += len(certain_mined)
        wrong += len(found.safe - certain_safe) + len(found.mined - certain_mined)
        everything += found.safe >= certain_safe and found.mined >= certain_mined
        gave_up += found.gave_up
    return Coverage(
        str(recipe), count, safe, safe_all, mined, mined_all, everything, wrong, gave_up
    )


def unproved(position: Position, turn: Turn) -> tuple[int, ...]:
    """Return the cells that a turn opens or marks although exact inference does not prove them.

    A guess claims nothing. In a position that a wrong mark has made impossible, nothing is proved.
    """
    if not turn.findings:
        return ()
    truth = analyze(position)
    safe, mined = frozenset(truth.safe), frozenset(truth.mined)
    return tuple(
        cell
        for finding in turn.findings
        for cells, proved in ((finding.safe, safe), (finding.mined, mined))
        for cell in cells
        if cell not in proved
    )
