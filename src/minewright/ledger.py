"""The chance to win over a finished game: what each move gave away, and what luck gave or took.

A chance is the champion's estimate once everything provable is open. Opening what is certainly safe
costs nothing, so on average this is the chance of the position itself. The minefield is known, so
the ledger can look: it plays on from what the player saw until nothing more is provable, and asks
the champion there.

A move that risks something gives away part of that chance, whatever happens then:

- If the proofs that were left would have settled its cells, the risk was not needed. The move gives
  away its risk (a missed proof).
- Otherwise the guess was due. It gives away the amount by which the champion's choice is better (a
  bad guess), which may be nothing.

Luck is the rest: what the chance becomes, less what the move had left of it. So the end is the
start, less all that was given away, plus luck.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Final, Literal, NamedTuple

from minewright.champion import EVEN, ChampionError, best_move, regret
from minewright.inference import Analysis, Budget, BudgetExceeded, analyze
from minewright.messages import counted
from minewright.position import COVERED, MINED, Position
from minewright.topology import Topology

BUDGET: Final = Budget(states=1_000_000, seconds=20.0)
"""What one question about a position may cost; whatever costs more stays unknown.

The states decide that, and run out long before the seconds do. The seconds are for a whole move,
and are only a safety net.
"""

Fault = Literal["none", "missed proof", "bad guess"]


class Opening(NamedTuple):
    """A move that opens cells."""

    number: int
    """Its number in the game, from 1."""
    cell: int
    """Where the player clicked."""
    targets: tuple[int, ...]
    """The cells that it opens directly, without those that a 0 opens."""
    opened: tuple[int, ...]
    """All cells that it opened."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One opening: the chance to win before and after it, and why it changed.

    Chances are None where the position was too hard.
    """

    number: int
    cell: int
    risk: float | None
    """The chance, given what the player saw, that it explodes."""
    fault: Fault
    before: float | None
    given: float | None
    """How much of the chance to win it gave away."""
    luck: float | None
    """How much luck gave, or took if negative."""
    after: float | None
    best: int | None = None
    """A better cell, if it gave something away."""

    @property
    def sentence(self) -> str:
        """What the move did to the chance to win, in a sentence."""
        if self.before is None or self.given is None:
            return "The chance to win was too hard to estimate here."
        if self.fault == "none":
            return f"The chance to win was {_percent(self.before)}, and the move gave nothing away."
        what = "A missed proof" if self.fault == "missed proof" else "A bad guess"
        return (
            f"{what}: it gave away {points(self.given)} of a {_percent(self.before)} chance to win."
        )


@dataclass(frozen=True, slots=True)
class Sums:
    """A game's ledger in a few figures. All but the counts are shares of the chance to win."""

    start: float | None
    """The chance to win after the first opening if that is free, otherwise before it."""
    missed_proofs: float
    bad_guesses: float
    luck: float
    end: float | None
    hard: int
    """Moves that could not be judged."""

    @property
    def given(self) -> float:
        """All that was given away."""
        return self.missed_proofs + self.bad_guesses


class _Known(NamedTuple):
    """A position in which everything provable is open, with the champion's chance to win."""

    cells: bytes
    mined: frozenset[int]
    value: float | None


class _Purse:
    """A budget for several questions: each has its states, and all share the seconds."""

    def __init__(self, budget: Budget) -> None:
        self._states = budget.states
        self._end = monotonic() + budget.seconds

    def __call__(self) -> Budget:
        """Return the budget of the next question; raise BudgetExceeded if no time is left."""
        left = self._end - monotonic()
        if left <= 0:
            raise BudgetExceeded("too long: the move was not judged within the budget")
        return Budget(self._states, left)


class Ledger:
    """Judges the openings of a game, one after another."""

    def __init__(self, topology: Topology, truth: bytes, *, free: bool = True) -> None:
        """Begin with what each cell shows once it is open.

        `free` says that the first opening could not explode, so there is nothing to judge.
        """
        self.entries: list[Entry] = []
        self._topology = topology
        self._truth = truth
        self._mines = truth.count(MINED)
        self._free = free
        self._seen = bytearray([COVERED]) * topology.size
        self._safe: set[int] = set()
        """Cells that the player could prove safe; they stay so."""
        self._known: _Known | None = None

    def judge(self, opening: Opening, budget: Budget = BUDGET) -> Entry:
        """Judge the next opening of the game, and enter it."""
        purse = _Purse(budget)
        if not self.entries and self._free:
            self._open(opening.opened)
            self._known = self._prove(self._seen, purse)
            value = self._known.value
            nothing = None if value is None else 0.0
            entry = Entry(opening.number, opening.cell, 0.0, "none", value, nothing, nothing, value)
        else:
            entry = self._compare(opening, purse)
        self.entries.append(entry)
        return entry

    @property
    def sums(self) -> Sums:
        """What was given away and what luck did, over all openings judged so far."""
        missed, bad = (
            sum(entry.given or 0.0 for entry in self.entries if entry.fault == fault)
            for fault in ("missed proof", "bad guess")
        )
        return Sums(
            self.entries[0].before if self.entries else None,
            missed,
            bad,
            sum(entry.luck or 0.0 for entry in self.entries),
            self.entries[-1].after if self.entries else None,
            sum(entry.given is None for entry in self.entries),
        )

    def _compare(self, opening: Opening, purse: _Purse) -> Entry:
        """Judge an opening that may be a risk."""
        known = self._known = self._known or self._prove(self._seen, purse)
        analysis, risk = self._look(opening, purse)
        fault: Fault = "none"
        share: float | None = 0.0
        best: int | None = None
        if risk != 0.0:
            fault, share, best = self._weigh(opening, known, analysis, risk, purse)
        self._open(opening.opened)
        after: float | None = 0.0
        if not any(self._truth[cell] == MINED for cell in opening.opened):
            self._known = self._grow(known, opening.opened, purse)
            after = self._known.value
        if known.value is None or share is None or after is None:
            # What luck did is unknown, so what was given away cannot be set against it.
            return Entry(opening.number, opening.cell, risk, "none", known.value, None, None, after)
        given = known.value * share
        luck = after - (known.value - given)
        return Entry(
            opening.number, opening.cell, risk, fault, known.value, given, luck, after, best
        )

    def _look(self, opening: Opening, purse: _Purse) -> tuple[Analysis | None, float | None]:
        """Return what the player could know before a move, if that is needed, and its risk."""
        if self._safe.issuperset(opening.targets):
            return None, 0.0
        position = Position(self._topology, bytes(self._seen), self._mines)
        try:
            analysis = analyze(position, approximate=True, budget=purse())
            self._safe.update(analysis.safe)
            if self._safe.issuperset(opening.targets):
                return analysis, 0.0
            return analysis, min(1.0, max(0.0, analysis.risk(opening.targets)))
        except BudgetExceeded:
            return None, None

    def _weigh(
        self,
        opening: Opening,
        known: _Known,
        analysis: Analysis | None,
        risk: float | None,
        purse: _Purse,
    ) -> tuple[Fault, float | None, int | None]:
        """Return why a risk gives something away, which share of the chance, and a better cell."""
        if analysis is None or risk is None or known.value is None:
            return "none", None, None
        risky = [cell for cell in opening.targets if cell not in self._safe]
        left = [cell for cell in risky if known.cells[cell] == COVERED]
        if not left or known.mined.intersection(left):
            if analysis.safe:
                return "missed proof", risk, analysis.safe[0]
            return "bad guess", risk, analysis.best
        position = Position(self._topology, known.cells, self._mines)
        try:
            if len(left) == 1:
                found = regret(position, left[0], budget=purse())
                share, best = found.share, found.best
            else:
                # Cells that a chord opens together are judged by their common risk alone.
                move = best_move(position, budget=purse())
                joint = analyze(position, budget=purse()).risk(left)
                share, best = max(0.0, 1 - (1 - joint) / (1 - move.risk)), move.cell
        except (BudgetExceeded, ChampionError):
            return "none", None, None
        if share < EVEN:
            return "none", 0.0, None
        return "bad guess", share, analysis.safe[0] if analysis.safe else best

    def _open(self, cells: Sequence[int]) -> None:
        for cell in cells:
            if self._truth[cell] != MINED:
                self._seen[cell] = self._truth[cell]

    def _grow(self, known: _Known, opened: Sequence[int], purse: _Purse) -> _Known:
        """Return what is provable once these cells are open, too."""
        if all(known.cells[cell] != COVERED for cell in opened):
            return known
        cells = bytearray(known.cells)
        for cell in opened:
            cells[cell] = self._truth[cell]
        return self._prove(cells, purse)

    def _prove(self, given: bytearray, purse: _Purse) -> _Known:
        """Open all that is provable, until nothing more is, and ask the champion."""
        cells = bytearray(given)
        try:
            while True:
                position = Position(self._topology, bytes(cells), self._mines)
                analysis = analyze(position, approximate=True, budget=purse())
                if not analysis.safe:
                    break
                for cell in analysis.safe:
                    cells[cell] = self._truth[cell]
            mined = frozenset(analysis.mined)
            if cells.count(COVERED) == self._mines:
                return _Known(bytes(cells), mined, 1.0)
            return _Known(bytes(cells), mined, best_move(position, budget=purse()).win)
        except (BudgetExceeded, ChampionError):
            # It is tried again once the player has opened more.
            return _Known(bytes(self._seen), frozenset(), None)


def _percent(chance: float) -> str:
    """Return a chance with one decimal; only what is certain looks certain."""
    text = f"{chance:.1%}"
    return (
        {"0.0%": "<0.1%", "100.0%": ">99.9%"}.get(text, text) if 0 < chance < 1 else f"{chance:.0%}"
    )


def points(share: float) -> str:
    """Return part of a chance as percentage points: '4.5 points'."""
    text = f"{100 * share:.1f}"
    return f"{text} point" if text in ("1.0", "-1.0") else f"{text} points"


def tell(sums: Sums, *, free: bool = True) -> str:
    """Return where the chance to win went, in a sentence or two.

    `free` says that the first opening could not explode, as for the ledger.
    """
    if sums.start is None or sums.end is None:
        return "The chance to win was too hard to estimate."
    parts = [
        f"{name} gave away {points(amount)}"
        for name, amount in (
            ("missed proofs", sums.missed_proofs),
            ("bad guesses", sums.bad_guesses),
        )
        if amount >= EVEN / 2
    ]
    if abs(sums.luck) >= EVEN / 2:
        verb = "added" if sums.luck > 0 else "took"
        parts.append(f"luck {verb} {points(abs(sums.luck))}")
    when = "After the first opening and all that followed from it" if free else "At the start"
    head = f"{when}, the chance to win was {_percent(sums.start)}"
    if not parts:
        text = f"{head}, and nothing was given away."
    else:
        said = ", ".join(parts[:-1]) + " and " + parts[-1] if parts[1:] else parts[0]
        text = f"{head}. {said[0].upper()}{said[1:]}."
    if sums.hard:
        text += f" {counted(sums.hard, 'move')} could not be judged."
    return text


def tell_mean(games: Sequence[Sums]) -> str:
    """Return where the chance to win went in an average game, in a sentence or two."""
    count = len(games)
    missed = points(sum(game.missed_proofs for game in games) / count)
    bad = points(sum(game.bad_guesses for game in games) / count)
    luck = sum(game.luck for game in games) / count
    verb = "added" if luck >= 0 else "took"
    said = (
        f"In an average game, missed proofs gave away {missed} of the chance to win and bad guesses"
        f" {bad}; luck {verb} {points(abs(luck))}."
    )
    hard = sum(game.hard for game in games)
    return f"{said} {counted(hard, 'move')} could not be judged." if hard else said
