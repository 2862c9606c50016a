"""The profile of one person, worked out game by game, and as far as time allows."""

from collections.abc import Iterator
from threading import Lock
from time import monotonic
from typing import Final, NamedTuple

from minewright.formats import Replay
from minewright.inference import Budget
from minewright.ledger import Ledger, Opening
from minewright.profile import Choice, Entry, Profile, enter, weigh
from minewright.profile.reviews import openings, starts_safely
from minewright.web.people.recent import Recent

MOVE_SECONDS: Final = 0.4
"""Seconds spent on one move before it is called too hard."""
FILES: Final = 300
"""The most files that one person may have."""
MEMORY: Final = 32 * 2**20
_BYTES: Final = 1_500
_BYTES_PER_CHOICE: Final = 250
"""What a game that is worked out and each of its choices take in memory, rounded up.

By tracemalloc, over 55 games from 8x8 to 60x40: 680 to 960 per game, 160 to 220 per choice.
"""
_BYTES_PER_MOVE: Final = 600
_BYTES_PER_CELL: Final = 300
"""What a game takes in addition while it is in progress."""
_AT_ONCE: Final = 4
"""Moves that are analysed together: few, so that no request takes much longer than it may."""


class Source(NamedTuple):
    """Where a game comes from: its ID, when it was played, and its name if it is a file."""

    id: str
    at: float
    file: str | None = None


class _Begun(NamedTuple):
    source: Source
    replay: Replay
    budget: Budget
    weighing: Iterator[Choice | None]
    choices: list[Choice]
    openings: Iterator[Opening]
    ledger: Ledger


class Work:
    """The games of one person; whoever uses it holds its lock.

    At most one game is in progress: it is finished before another begins.
    """

    def __init__(self) -> None:
        self.lock = Lock()
        self._done: dict[str, tuple[Source, Entry]] = {}
        self._empty: set[str] = set()
        self._begun: _Begun | None = None

    def __contains__(self, game: str) -> bool:
        """Return True if a game is done, or there is nothing to do about it."""
        return game in self._done or game in self._empty

    @property
    def idle(self) -> bool:
        """Whether no game is in progress."""
        return self._begun is None

    @property
    def files(self) -> int:
        """How many files there are, including the one in progress."""
        sources = [source for source, _ in self._done.values()]
        if self._begun is not None:
            sources.append(self._begun.source)
        # A file that is sent again is both in progress and done.
        return len({source.id for source in sources if source.file is not None})

    @property
    def weight(self) -> int:
        """About how many bytes it takes."""
        choices = sum(len(entry.choices) for _, entry in self._done.values())
        done = _BYTES * (1 + len(self._done)) + _BYTES_PER_CHOICE * choices
        if self._begun is None:
            return done
        replay = self._begun.replay
        return done + _BYTES_PER_MOVE * len(replay.moves) + _BYTES_PER_CELL * replay.topology.size

    def begin(self, source: Source, replay: Replay | None, states: int) -> None:
        """Begin work on a game, if there is anything in it; the one before must be finished."""
        assert self._begun is None
        if replay is None:
            self._empty.add(source.id)
        else:
            budget = Budget(states, MOVE_SECONDS)
            ledger = Ledger(replay.topology, replay.truth, free=starts_safely(replay))
            weighing = weigh(replay, budget, _AT_ONCE)
            self._begun = _Begun(source, replay, budget, weighing, [], openings(replay), ledger)

    def go_on(self, end: float) -> bool:
        """Work on the game in progress until `end`; return True if none is left."""
        if self._begun is None:
            return True
        source, replay, budget, weighing, choices, moves, ledger = self._begun
        for choice in weighing:
            # Safe moves add nothing to any figure.
            if choice is not None and choice.risk:
                choices.append(choice)
            if monotonic() > end:
                return False
        for opening in moves:
            ledger.judge(opening, budget)
            if monotonic() > end:
                return False
        self._done[source.id] = source, enter(source.id, replay, choices, ledger.sums)
        self._begun = None
        return True

    def drop_files(self) -> None:
        """Forget all files."""
        self._done = {key: done for key, done in self._done.items() if done[0].file is None}
        if self._begun is not None and self._begun.source.file is not None:
            self._begun = None

    def profile(self, own: set[str]) -> tuple[Profile, dict[str, Source]]:
        """Return the profile of the games `own` and of all files, and where each comes from."""
        chosen = [
            done for done in self._done.values() if done[0].file is not None or done[0].id in own
        ]
        chosen.sort(key=lambda done: (done[0].at, done[0].id))
        sources = {source.id: source for source, _ in chosen}
        return Profile(tuple(entry for _, entry in chosen)), sources


class Profiles:
    """The latest profiles; any other starts over when it is asked for."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._works: Recent[Work] = Recent(MEMORY, MEMORY)

    def find(self, person: str) -> Work:
        """Return a person's profile, as far as it has come."""
        with self._lock:
            found = self._works.get(person) or Work()
            self._works.put(person, person, found, found.weight)
            return found

    def forget(self, person: str) -> None:
        """Drop the profile of a person."""
        with self._lock:
            self._works.drop(person)
