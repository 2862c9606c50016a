"""The chance to win over replays: one game move by move, or many together."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from minewright.formats import Replay
from minewright.ledger import BUDGET, Entry, Ledger, Opening, Sums, points, tell, tell_mean
from minewright.messages import counted, write_sides
from minewright.position import COVERED, MINED
from minewright.profile.measures import measure
from minewright.topology import Topology

COSTLIEST: Final = 10
"""How many of the costliest moves are told."""


@dataclass(frozen=True)
class Reviewed:
    """A game with its ledger."""

    name: str
    board: str
    result: str
    """Won, lost or not finished."""
    topology: Topology = field(repr=False)
    entries: tuple[Entry, ...] = field(repr=False)
    sums: Sums
    free: bool = True
    """Whether the first opening could not explode, as for the ledger."""

    def as_data(self) -> dict[str, object]:
        """Return the game as JSON data."""
        place = self.topology.coordinates
        return {
            "game": self.name,
            "board": self.board,
            "result": self.result,
            "start": self.sums.start,
            "missed_proofs": self.sums.missed_proofs,
            "bad_guesses": self.sums.bad_guesses,
            "luck": self.sums.luck,
            "end": self.sums.end,
            "hard": self.sums.hard,
            "moves": [
                {
                    "number": entry.number,
                    "cell": place(entry.cell),
                    "risk": entry.risk,
                    "fault": entry.fault,
                    "before": entry.before,
                    "given": entry.given,
                    "luck": entry.luck,
                    "after": entry.after,
                    "best": None if entry.best is None else place(entry.best),
                }
                for entry in self.entries
            ],
        }


def judge(replay: Replay) -> Ledger:
    """Judge all moves of a replay. Its first opening is not judged, unless it was the last."""
    ledger = Ledger(replay.topology, replay.truth, free=starts_safely(replay))
    for opening in openings(replay):
        ledger.judge(opening, BUDGET)
    return ledger


def review(name: str, replay: Replay) -> Reviewed:
    """Return a replay with all its moves judged."""
    ledger = judge(replay)
    result = "not finished"
    if replay.ended:
        result = "won" if measure(replay).won else "lost"
    board = f"{write_sides(replay.topology.shape)}x{len(replay.mined)}"
    if replay.topology.name != "moore":
        board += f" {replay.topology.name}"
    entries, free = tuple(ledger.entries), starts_safely(replay)
    return Reviewed(name, board, result, replay.topology, entries, ledger.sums, free)


def starts_safely(replay: Replay) -> bool:
    """Return whether the first opening, about which nobody can know anything, is no mine."""
    first = next(openings(replay), None)
    return first is None or first.cell not in replay.mined


def openings(replay: Replay) -> Iterator[Opening]:
    """Yield the moves that open something."""
    cells = bytearray(replay.position(0).cells)
    for number, (made, changes) in enumerate(zip(replay.moves, replay.changes(), strict=True), 1):
        cell = made.move.cell
        assert cell is not None
        if made.move.kind != "mark":
            around = (cell,) if made.move.kind == "open" else replay.topology.neighbours(cell)
            targets = tuple(near for near in around if cells[near] == COVERED)
            yield Opening(number, cell, targets, tuple(changed for changed, _ in changes))
        for changed, code in changes:
            if code != MINED:
                cells[changed] = code


def text(games: list[Reviewed]) -> str:
    """Return the games for the terminal: where the chance to win went, and the costliest moves."""
    if len(games) == 1:
        (game,) = games
        lines = [f"{game.name}: {game.board}, {game.result}", tell(game.sums, free=game.free)]
    else:
        won = sum(game.result == "won" for game in games)
        lines = [
            f"{counted(len(games), 'game')}, {won:,} won",
            tell_mean([game.sums for game in games]),
        ]
        lines += ["", _row(_HEAD)]
        lines += [_row(_figures(game)) for game in games]
    costly = sorted(
        ((entry.given, game, entry) for game in games for entry in game.entries if entry.given),
        key=lambda found: -found[0],
    )[:COSTLIEST]
    if costly:
        lines += ["", "Costliest moves:"]
        lines += [f"  {_tell_move(game, entry, len(games) > 1)}" for _, game, entry in costly]
    return "".join(f"{line}\n" for line in lines)


def as_data(games: list[Reviewed]) -> dict[str, object]:
    """Return the games as JSON data, with their sums."""
    return {
        "games": [game.as_data() for game in games],
        "won": sum(game.result == "won" for game in games),
        "missed_proofs": sum(game.sums.missed_proofs for game in games),
        "bad_guesses": sum(game.sums.bad_guesses for game in games),
        "luck": sum(game.sums.luck for game in games),
        "hard": sum(game.sums.hard for game in games),
    }


_HEAD: Final = ("start", "missed", "guesses", "luck", "result", "game")


def _figures(game: Reviewed) -> tuple[str, ...]:
    start = "-" if game.sums.start is None else f"{game.sums.start:.1%}"
    shares = (-game.sums.missed_proofs, -game.sums.bad_guesses, game.sums.luck)
    return start, *(f"{100 * share or 0:+.1f}" for share in shares), game.result, game.name


def _row(cells: tuple[str, ...]) -> str:
    *numbers, result, name = cells
    return "".join(f"{cell:>9}" for cell in numbers) + f"  {result:<14}{name}"


def _tell_move(game: Reviewed, entry: Entry, named: bool) -> str:
    describe = game.topology.describe
    assert entry.before is not None
    assert entry.given is not None
    where = f"{game.name}, move {entry.number}" if named else f"move {entry.number}"
    said = (
        f"{where}: {entry.fault} at {describe(entry.cell)}, {points(entry.given)} of a "
        f"{entry.before:.1%} chance to win"
    )
    return said if entry.best is None else f"{said}; {describe(entry.best)} was better"
