"""All games: the recent ones in memory, others replayed from the store when needed."""

import secrets
from contextlib import nullcontext, suppress
from datetime import date
from threading import Lock
from time import time
from weakref import WeakValueDictionary

from minewright.errors import MinewrightError
from minewright.game import MoveTooHard
from minewright.noguess import DailyGame
from minewright.web.people.recent import Recent
from minewright.web.people.rows import Row
from minewright.web.people.store import Store
from minewright.web.play.live import Live
from minewright.web.play.models import NewGame, Switches
from minewright.web.server.bounds import read_board
from minewright.web.server.settings import Settings
from minewright.web.shared.models import RANDOM_SEEDS


class LiveGames:
    """All games: the recent ones in memory, others replayed from the store when needed."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self._settings = settings
        self._lock = Lock()
        self._recent: Recent[Live] = Recent(
            settings.memory, settings.person_memory, settings.session_hours * 3_600
        )
        # While somebody uses a game that leaves the memory, there must be no second copy of it.
        self._alive: WeakValueDictionary[str, Live] = WeakValueDictionary()
        # Replaying a long game takes a while: one thread does it, and other games go on.
        self._loaders: WeakValueDictionary[str, Lock] = WeakValueDictionary()
        self._deletions = 0
        self._dailies = Lock()

    def begin(self, person: str, asked: NewGame, *, secret: bool = False) -> Live:
        """Begin a game; raise BoardError, TopologyError or GameError if it is impossible.

        A seed that was asked for is known to the player, unless it is `secret`.
        """
        board = read_board(asked.board, self._settings.max_cells)
        row = Row(
            id=secrets.token_urlsafe(12),
            person=person,
            mode=asked.mode,
            board=str(board),
            topology=asked.topology,
            start=asked.start,
            seed=secrets.randbelow(RANDOM_SEEDS) if asked.seed is None else asked.seed,
            seeded=asked.seed is not None and not secret,
            undo=asked.undo,
            made=time(),
            switches=asked.assistant.model_dump_json(),
        )
        live = Live(row, (), self._settings)
        self.store.add(row, self._settings.games)
        with self._lock:
            self._remember(live)
        return live

    def daily(self, person: str, day: date, switches: Switches) -> Live:
        """Return a person's game of a day: the latest one, or a new one."""
        game = DailyGame.of(day)
        # Two requests at once must not begin two games: the second would profit from the first.
        with self._dailies:
            return self._daily(person, day, game, switches)

    def _daily(self, person: str, day: date, game: DailyGame, switches: Switches) -> Live:
        for row, _ in self.store.games(person, self._settings.games):
            if (row.mode, row.seed) == ("daily", game.seed):
                # One that is damaged is as good as deleted.
                with suppress(LookupError):
                    return self.find(person, row.id)
        asked = NewGame(
            mode="daily",
            board=str(game.board),
            start=game.start,
            seed=game.seed,
            assistant=switches,
        )
        # Whoever has a result, but has deleted the game, has seen its mines.
        return self.begin(person, asked, secret=day not in self.store.days(person))

    def find(self, person: str, game: str) -> Live:
        """Return a person's game; raise LookupError if there is none."""
        live = self.recall(person, game)
        if live is None:
            with self._lock:
                loader = self._loaders.setdefault(game, Lock())
            with loader:
                live = self.recall(person, game) or self._load(person, game)
        return live

    def recall(self, person: str, game: str) -> Live | None:
        """Return a person's game if it is in memory; raise LookupError if it is somebody else's."""
        with self._lock:
            live = self._alive.get(game)
            if live is None:
                return None
            if live.person != person:
                raise LookupError(game)
            self._remember(live)
            return live

    def _load(self, person: str, game: str) -> Live:
        deletions = self._deletions
        loaded = self.store.load(person, game)
        if loaded is None:
            raise LookupError(game)
        try:
            live = Live(*loaded, self._settings)
        except MoveTooHard:
            raise
        except (MinewrightError, ValueError) as error:
            self.store.leave_out(game, error)
            raise LookupError(game) from None
        while True:
            with self._lock:
                if deletions == self._deletions:
                    self._remember(live)
                    return live
                deletions = self._deletions
            # What was deleted meanwhile may have been this game.
            if self.store.load(person, game) is None:
                raise LookupError(game)

    def delete(self, person: str, game: str) -> None:
        """Delete a game; raise LookupError if there is none."""
        live = self.recall(person, game)
        try:
            with live.lock if live else nullcontext():
                self.store.delete(person, game)
        except LookupError:
            # The store may have made room by deleting it.
            if live is not None:
                self._deleted(game)
            raise
        self._deleted(game)

    def forget(self, person: str) -> None:
        """Delete a person with all their games."""
        self.store.forget(person)
        with self._lock:
            self._deletions += 1
            for game in [live.id for live in self._alive.values() if live.person == person]:
                self._drop(game)

    def _deleted(self, game: str) -> None:
        with self._lock:
            self._deletions += 1
            self._drop(game)

    def _remember(self, live: Live) -> None:
        self._alive[live.id] = live
        self._recent.put(live.id, live.person, live, live.weight)

    def _drop(self, game: str) -> None:
        self._recent.drop(game)
        self._alive.pop(game, None)
