"""Games under way: what the server holds of each, and the table where all of them lie."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from secrets import randbelow, token_urlsafe
from threading import Lock
from time import monotonic, time
from typing import Final
from weakref import WeakValueDictionary

from minewright._kernel import MARKED, MAX_NUMBER, MINED
from minewright.board import Board
from minewright.game import Game, GameError, Move, MoveKind
from minewright.web.bounds import check_size
from minewright.web.engines import Helper
from minewright.web.models import (
    End,
    GameView,
    Help,
    MoveAsked,
    MoveMade,
    NewGame,
    SwitchAsked,
    Switches,
)
from minewright.web.scores import bbbv
from minewright.web.settings import Settings
from minewright.web.store import Result, Row, Store, Stroke

RANDOM_SEEDS: Final = 2**32
"""Seeds nobody chose stay short enough to be read out."""

MOVES_A_CELL: Final = 10
MORE_MOVES: Final = 1_000
"""A game has at most so many moves: nobody fills the disk by marking to and fro."""


class Live:
    """One game of one person. Whoever works on it holds its lock."""

    def __init__(self, row: Row, strokes: Sequence[Stroke], settings: Settings) -> None:
        self.lock = Lock()
        self._row = row
        self._settings = settings
        self.switches = Switches.model_validate_json(row.switches)
        self.game = Game(Board.parse(row.board), row.start, row.seed, row.topology)
        self.game.play(Move(stroke.kind, stroke.cell) for stroke in strokes)
        self.strokes = list(strokes)
        """The moves, each with who made it and when."""
        self.told: set[int] = set()
        """Mined cells that a hint told of."""
        self._help: Help | None = None
        self._end: End | None = None

    @property
    def id(self) -> str:
        """The name of the game."""
        return self._row.id

    @property
    def person(self) -> str:
        """Whose game it is."""
        return self._row.person

    @property
    def helped(self) -> bool:
        """Whether the assistant, a hint or undo was used."""
        return self._row.helped

    @property
    def seconds(self) -> float:
        """How long it has been played: from the first opening to the end, or until now."""
        if self._row.begun is None:
            return 0.0
        return max(0.0, (self._row.ended or time()) - self._row.begun)

    def move(self, asked: MoveAsked, store: Store) -> MoveMade:
        """Make a move, let the autoplayer go on from there, and keep it.

        Raises GameError if the rules do not allow it, LookupError if the game was deleted.
        """
        before = self._seen(asked.known)
        kept = len(self.strokes)
        with self._whole():
            if asked.kind == "undo":
                kept = self._undo()
            else:
                self._check_room(asked.kind)
                # Opening an open cell does nothing, even after the end; before it, it is a click.
                clicked = asked.kind != "give up" and not self.game.over
                self.game.play([Move(asked.kind, asked.cell)])
                self._row = self._row._replace(clicks=self._row.clicks + clicked)
                self._note(auto=False)
            return self._made(before, kept, store, autoplay=asked.kind != "undo")

    def switch(self, asked: SwitchAsked, store: Store) -> MoveMade:
        """Switch parts of the assistant on and off; an autoplayer switched on plays at once."""
        before = self._seen(asked.known)
        kept = len(self.strokes)
        with self._whole():
            self.switches = asked.switches
            self._row = self._row._replace(switches=self.switches.model_dump_json())
            return self._made(before, kept, store)

    def used_help(self, store: Store) -> None:
        """Note that a question about the position was answered."""
        if not self.helped and not self.game.over:
            with self._whole():
                self._row = self._row._replace(helped=True)
                self._save(len(self.strokes), store)

    def view(self) -> GameView:
        """Show the game as its player may see it."""
        game, row = self.game, self._row
        cells = game.position.cells
        return GameView(
            id=row.id,
            board=row.board,
            topology=row.topology,
            shape=list(game.topology.shape),
            mines=game.mines,
            start=game.start,
            seed=row.seed,
            undo=row.undo,
            cells=list(cells),
            assistant=self.switches,
            state=game.state,
            mines_left=game.mines - cells.count(MARKED) - cells.count(MINED),
            moves=len(self.strokes),
            seconds=self.seconds,
            help=self._helping(self._helper()),
            end=self._ending(),
        )

    def _check_room(self, kind: MoveKind) -> None:
        most = MOVES_A_CELL * self.game.topology.size + MORE_MOVES
        if len(self.strokes) >= most and kind != "give up":
            raise GameError(f"a game has at most {most:,} moves here; give it up or begin another")

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """Leave all as it was if what is done here ends in an error, as on a full disk."""
        game, moves = self.game, len(self.game.moves)
        was = self.strokes.copy(), self._row, self.switches, self._help, self._end
        try:
            yield
        except BaseException:
            self.game = game.again(game.moves[:moves]) if len(game.moves) > moves else game
            self.strokes, self._row, self.switches, self._help, self._end = was
            raise

    def _seen(self, known: int | None) -> bytes | None:
        """Give the cells as the page shows them; None if it missed something."""
        missed = known is not None and known != len(self.strokes)
        return None if missed else self.game.position.cells

    def _made(
        self, before: bytes | None, kept: int, store: Store, *, autoplay: bool = True
    ) -> MoveMade:
        """Let the autoplayer go on, keep all, and tell what changed."""
        game = self.game
        helper = self._helper()
        if autoplay and self.switches.autoplay and game.state == "playing":
            helper.autoplay(game)
            self._note(auto=True)
        if self.switches.any and (len(self.strokes) > kept or game.state == "playing"):
            self._row = self._row._replace(helped=True)
        over = game.over
        if over and self._row.ended is None:
            self._row = self._row._replace(ended=time())
        self._help = self._end = None
        self._save(kept, store)
        cells = game.position.cells
        changes = [
            (cell, code)
            for cell, code in enumerate(cells)
            if before is None or before[cell] != code
        ]
        return MoveMade(
            changes=changes,
            state=game.state,
            mines_left=game.mines - cells.count(MARKED) - cells.count(MINED),
            moves=len(self.strokes),
            seconds=self.seconds,
            help=self._helping(helper),
            end=self._ending(),
        )

    def _undo(self) -> int:
        """Take the player's last move back, and what the autoplayer made of it."""
        if not self._row.undo:
            raise GameError("this game was begun without undo; a new one may allow it")
        if self.game.state in ("won", "given up"):
            raise GameError(f"the game is {self.game.state}: there is nothing to take back")
        own = [number for number, stroke in enumerate(self.strokes) if not stroke.auto]
        if not own:
            raise GameError("there is no move to take back")
        kept = own[-1]
        self.game = self.game.again(self.game.moves[:kept])
        del self.strokes[kept:]
        begun = None if self.game.state == "ready" else self._row.begun
        self._row = self._row._replace(helped=True, ended=None, begun=begun)
        return kept

    def _note(self, *, auto: bool) -> None:
        """Write down the moves that the game has and the strokes have not."""
        if self._row.begun is None and self.game.state != "ready":
            self._row = self._row._replace(begun=time())
        at = self.seconds
        self.strokes += [
            Stroke(move.kind, move.cell, auto, at) for move in self.game.moves[len(self.strokes) :]
        ]

    def _save(self, kept: int, store: Store) -> None:
        row = self._row = self._row._replace(state=self.game.state)
        end = self._ending()
        # A game that was given up before it began is no game.
        counts = end is not None and any(stroke.kind == "open" for stroke in self.strokes)
        result = Result(row.state == "won", end.seconds, end.bbbv) if end and counts else None
        store.save(row, kept, self.strokes[kept:], result)

    def _helper(self) -> Helper:
        return Helper(self.switches, self._settings.help_seconds, self._settings.states)

    def _helping(self, helper: Helper) -> Help:
        if self._help is None:
            helping = self.switches.any and not self.game.over
            self._help = helper.look(self.game.position) if helping else Help()
        return self._help

    def _ending(self) -> End | None:
        if self._end is None and self.game.over:
            game, row = self.game, self._row
            truth = game.show().cells
            seen = game.position.cells
            opened = {cell for cell, code in enumerate(seen) if code <= MAX_NUMBER}
            solved = bbbv(game.topology, truth, opened)
            self._end = End(
                truth=list(truth),
                mined=sorted(game.minefield),
                exploded=[cell for cell, code in enumerate(seen) if code == MINED],
                bbbv=bbbv(game.topology, truth),
                solved=solved,
                clicks=row.clicks,
                efficiency=solved / row.clicks if row.clicks else None,
                seconds=self.seconds,
                helped=row.helped,
                seeded=row.seeded,
            )
        return self._end


class Table:
    """All games: the recent ones in memory, any other replayed from the store when asked for."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self._settings = settings
        self._lock = Lock()
        self._recent: OrderedDict[str, tuple[Live, float]] = OrderedDict()
        # Who works on a game while it leaves the memory must not meet a second one like it.
        self._alive: WeakValueDictionary[str, Live] = WeakValueDictionary()

    def begin(self, person: str, asked: NewGame) -> Live:
        """Begin a game.

        Raises BoardError, TopologyError or GameError for a game that cannot be.
        """
        board = Board.parse(asked.board)
        check_size(board.shape, self._settings.max_cells)
        row = Row(
            id=token_urlsafe(12),
            person=person,
            board=str(board),
            topology=asked.topology,
            start=asked.start,
            seed=randbelow(RANDOM_SEEDS) if asked.seed is None else asked.seed,
            undo=asked.undo,
            made=time(),
            begun=None,
            ended=None,
            state="ready",
            clicks=0,
            helped=False,
            switches=asked.assistant.model_dump_json(),
            seeded=asked.seed is not None,
        )
        live = Live(row, (), self._settings)
        self.store.add(row, self._settings.games)
        with self._lock:
            self._remember(live)
        return live

    def find(self, person: str, game: str) -> Live:
        """Give a person's game; raises LookupError if there is none."""
        with self._lock:
            live = self._alive.get(game)
            if live is None:
                loaded = self.store.load(person, game)
                if loaded is None:
                    raise LookupError(game)
                live = Live(*loaded, self._settings)
            elif live.person != person:
                raise LookupError(game)
            self._remember(live)
            return live

    def delete(self, person: str, game: str) -> None:
        """Delete a game; raises LookupError if there is none."""
        live = self.find(person, game)
        with live.lock:
            self.store.delete(person, game)
        with self._lock:
            self._drop(game)

    def forget(self, person: str) -> None:
        """Delete a person with all games."""
        self.store.forget(person)
        with self._lock:
            for game in [live.id for live in self._alive.values() if live.person == person]:
                self._drop(game)

    def _remember(self, live: Live) -> None:
        now = monotonic()
        self._alive[live.id] = live
        self._recent[live.id] = live, now
        self._recent.move_to_end(live.id)
        oldest = now - self._settings.session_hours * 3_600
        while len(self._recent) > self._settings.sessions or (
            next(iter(self._recent.values()))[1] < oldest
        ):
            self._recent.popitem(last=False)

    def _drop(self, game: str) -> None:
        self._recent.pop(game, None)
        self._alive.pop(game, None)
