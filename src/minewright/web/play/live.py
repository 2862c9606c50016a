"""A game in memory: its moves, its clock, and what its player may see."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from time import time
from typing import Final

from minewright.board import NAMED, Board
from minewright.game import Game, GameError, Move, MoveKind, MoveTooHard, State
from minewright.modes import SafeBetGame, UnfixedGame
from minewright.noguess import DailyGame, NoGuessGame
from minewright.position import MARKED, MINED
from minewright.web.people.clock import Clock
from minewright.web.people.replays import repeat, restored
from minewright.web.people.rows import TEAM, GameOutcome, GameResult, Row, Stroke
from minewright.web.people.store import Store
from minewright.web.play import oz, partner
from minewright.web.play.changes import compare
from minewright.web.play.endings import ending
from minewright.web.play.engines import Found, Helper
from minewright.web.play.models import (
    ClockAsked,
    ClockView,
    End,
    GameProgress,
    GameView,
    Help,
    MoveAsked,
    MoveMade,
    SolveAsked,
    Solved,
    SwitchAsked,
    Switches,
)
from minewright.web.server.settings import Settings
from minewright.web.shared.models import inside

MOVES_PER_CELL: Final = 2
MORE_MOVES: Final = 1_000
"""The most moves of a game, so that nobody fills disk and memory: enough to mark and open every
cell, with some back and forth."""

_BYTES: Final = 10_000
_BYTES_PER_CELL: Final = 15
_BYTES_PER_MOVE: Final = 300
"""What a game takes in memory, rounded up (measured with tracemalloc)."""

_OUTCOMES: Final[dict[State, GameOutcome]] = {"won": "won", "lost": "lost", "given up": "left"}


class Live:
    """One game of one person. Whoever uses it has it `held`."""

    def __init__(self, row: Row, strokes: Sequence[Stroke], settings: Settings) -> None:
        self.lock = Lock()
        self._settings = settings
        self.switches = Switches.model_validate_json(row.switches)
        self._team = row.mode == TEAM
        self.game = restored(row, strokes)
        if self._team:
            partner.check_room(self.game.topology)
        if isinstance(self.game, UnfixedGame):
            self.game.budget = settings.budget
        elif isinstance(self.game, NoGuessGame):
            self.game.budget = settings.laying
        self._row = row._replace(state=self.game.state)
        self.strokes = list(strokes)
        """The moves, each with who made it and when."""
        self.told: set[int] = set()
        """Mines that a hint has named."""
        self._found = Found(set(), set())

    @contextmanager
    def held(self) -> Iterator[None]:
        """Have the game for oneself.

        Raise MoveTooHard if it has moves that could not be kept, and taking them back takes too
        long.
        """
        with self.lock:
            self._take_back()
            yield

    @property
    def id(self) -> str:
        """The ID of the game."""
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
    def settled(self) -> bool:
        """Whether the game is over for good: a loss that may be undone is not."""
        return self._row.settled

    @property
    def thinks(self) -> bool:
        """Whether a move takes inference: for the assistant, MineBot or the rules of the mode."""
        unlaid = isinstance(self.game, NoGuessGame) and self.game.state == "ready"
        return self.switches.any or self._team or unlaid or isinstance(self.game, UnfixedGame)

    @property
    def weight(self) -> int:
        """About how many bytes it takes; what follows from it is not kept."""
        cells, moves = self.game.topology.size, len(self.strokes)
        return _BYTES + _BYTES_PER_CELL * cells + _BYTES_PER_MOVE * moves

    def move(self, asked: MoveAsked, store: Store) -> MoveMade:
        """Make a move, let the autoplayer and MineBot continue, and save the game.

        Raise GameError if the rules do not allow the move, LookupError if the game was deleted.
        """
        before = self._seen(asked.known)
        kept = len(self.strokes)
        if asked.kind in ("undo", "give up") and asked.cell is not None:
            raise GameError(f"the move '{asked.kind}' takes no cell")
        with self._whole():
            if asked.kind == "undo":
                kept = self._undo()
            elif asked.kind == "give up" and self.game.over and not self.settled:
                self._row = self._row._replace(shown=True)
            else:
                self._check_room(asked.kind)
                # Opening an open cell does nothing, but during the game it counts as a click.
                clicked = asked.kind != "give up" and not self.game.over
                self.game.play([Move(asked.kind, asked.cell)])
                self._row = self._row._replace(clicks=self._row.clicks + clicked)
                self._note(auto=False)
            undo = asked.kind == "undo"
            return self._made(before, kept, store, autoplay=not undo, pack=asked.packed)

    def switch(self, asked: SwitchAsked, store: Store) -> MoveMade:
        """Switch parts of the assistant on and off; the autoplayer plays as soon as it is on."""
        before = self._seen(asked.known)
        kept = len(self.strokes)
        with self._whole():
            self.switches = asked.switches
            self._row = self._row._replace(switches=self.switches.model_dump_json())
            return self._made(before, kept, store)

    def solve(self, asked: SolveAsked, store: Store) -> Solved:
        """Run one of Collet's solvers; what it finds stays known, and the autoplayer may use it.

        Raise BudgetExceeded if that takes too long.
        """
        before = self._seen(asked.known)
        kept = len(self.strokes)
        if self.game.state != "playing":
            raise GameError("there is nothing to solve: open a cell first")
        helper = self._helper()
        seen = helper.look(self.game.position)
        solved = oz.run(
            self.game.position, helper.propagators, asked.kind, self._settings.help_seconds
        )
        news = bool(solved.safe - set(seen.safe) or solved.mined - set(seen.mined))
        with self._whole():
            self._found.safe.update(solved.safe)
            self._found.mined.update(solved.mined)
            self._row = self._row._replace(helped=True)
            made = self._made(before, kept, store)
        if not news:
            known = dict.fromkeys(solved.safe, 0.0) | dict.fromkeys(solved.mined, 1.0)
            made.help.chances = {cell: inside(p) for cell, p in (solved.chances | known).items()}
        return Solved(**dict(made), news=news, solutions=solved.solutions)

    def keep_time(self, asked: ClockAsked, store: Store) -> ClockView:
        """Note that somebody is there, or that the player pauses or goes on."""
        if self.game.state == "playing":
            with self._whole():
                clock = self._row.clock
                heard = {None: clock.beat, True: clock.tick, False: clock.pause}[asked.runs]
                self._row = self._row.with_clock(heard(time()))
                self._save(len(self.strokes), store)
        return ClockView(
            seconds=self._seconds,
            paused=self._paused,
            moves=len(self.strokes),
            state=self.game.state,
        )

    @property
    def known_mines(self) -> set[int]:
        """Mines that the player has been told of, by a hint or by what the assistant shows now."""
        shown = self._helper().look(self.game.position).mined if self.switches.any else []
        return self.told.union(shown)

    def used_help(self, store: Store) -> None:
        """Note that the player asked about the position."""
        if not self.helped and not self.game.over:
            with self._whole():
                self._row = self._row._replace(helped=True)
                self._save(len(self.strokes), store)

    def share(self, store: Store) -> None:
        """Reveal the seed before the end: from now on the player may know the mines."""
        if self._row.known_seed is None:
            with self._whole():
                self._row = self._row._replace(seeded=True)
                self._save(len(self.strokes), store, self._ending())

    def view(self) -> GameView:
        """Return the game as its player may see it."""
        game, row = self.game, self._row
        return GameView(
            **dict(self._progress(self._helper(), self._ending())),
            id=row.id,
            mode=row.mode,
            board=row.board,
            topology=row.topology,
            shape=list(game.topology.shape),
            mines=game.mines,
            start=game.start,
            undo=row.undo,
            first=game.first if isinstance(game, DailyGame) else None,
            day=game.day if isinstance(game, DailyGame) else None,
            cells=list(game.position.cells),
            assistant=self.switches,
        )

    @property
    def _seconds(self) -> float:
        return self._row.clock.seconds(time())

    @property
    def _paused(self) -> bool:
        return self.game.state == "playing" and self._row.clock.stands(time())

    def _progress(self, helper: Helper, end: End | None) -> GameProgress:
        """Return the state of the game. It is not cached, since it outweighs the game itself."""
        game = self.game
        cells = game.position.cells
        bets = game.bets if isinstance(game, SafeBetGame) else None
        helping = (self.switches.any or any(self._found)) and not game.over
        return GameProgress(
            state=game.state,
            mines_left=game.mines - cells.count(MARKED) - cells.count(MINED),
            moves=len(self.strokes),
            seconds=self._seconds,
            paused=self._paused,
            seed=self._row.known_seed,
            help=helper.look(game.position) if helping else Help(),
            ruling=game.ruling if isinstance(game, UnfixedGame) else None,
            bet=float(bets[-1].safety) if bets else None,
            score=float(game.score) if isinstance(game, SafeBetGame) else None,
            end=end if self.settled else None,
        )

    def _check_room(self, kind: MoveKind) -> None:
        most = MOVES_PER_CELL * self.game.topology.size + MORE_MOVES
        if len(self.strokes) >= most and kind != "give up":
            raise GameError(f"a game may have at most {most:,} moves; give up or start another")

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """Restore the game if the context ends in an error, such as a full disk."""
        was = self.game, self.strokes.copy(), self._row, self.switches
        try:
            yield
        except BaseException:
            self.game, self.strokes, self._row, self.switches = was
            # Whoever has it next tries again.
            with suppress(MoveTooHard):
                self._take_back()
            raise

    def _take_back(self) -> None:
        """Take back the moves of the game that were not kept."""
        if len(self.game.moves) > len(self.strokes):
            self.game = self._again(self.game, len(self.strokes))

    @staticmethod
    def _again(game: Game, moves: int) -> Game:
        """Return a game after so many of its moves."""
        again = game.again()
        repeat(again, game.moves[:moves])
        return again

    def _seen(self, known: int | None) -> bytes | None:
        """Return the cells as the page shows them, or None if it missed a move."""
        missed = known is not None and known != len(self.strokes)
        return None if missed else self.game.position.cells

    def _made(
        self,
        before: bytes | None,
        kept: int,
        store: Store,
        *,
        autoplay: bool = True,
        pack: bool = False,
    ) -> MoveMade:
        """Let the autoplayer and MineBot continue, save the game, and return what changed."""
        game = self.game
        helper = self._helper()
        if autoplay and self.switches.autoplay and game.state == "playing":
            helper.autoplay(game)
            self._note(auto=True)
        if autoplay and self._team and game.state == "playing":
            partner.go_on(game, self._flagged)
            self._note(auto=True)
        if self.switches.any and (len(self.strokes) > kept or game.state == "playing"):
            self._row = self._row._replace(helped=True)
        self._beat()
        end = self._ending()
        self._save(kept, store, end)
        news = compare(before, game.position.cells, pack=pack)
        return MoveMade(**dict(self._progress(helper, end)), **news._asdict())

    def _beat(self) -> None:
        """Note a move: the clock runs while the game does."""
        row, now = self._row, time()
        if self.game.state == "ready":
            self._row = row.with_clock(Clock())
        elif not self.game.over:
            self._row = row.with_clock(row.clock.tick(now))
        elif row.ended is None:
            self._row = row.with_clock(row.clock.stop(now))._replace(ended=now)

    def _undo(self) -> int:
        """Undo the player's last move and all after it; return how many moves stay."""
        if not self._row.undo:
            raise GameError("undo is off for this game; you can allow it in a new one")
        if self.game.state in ("won", "given up"):
            raise GameError("the game is over: there is nothing to undo")
        if self._row.shown:
            raise GameError("the mines were shown: it is too late to undo")
        own = [number for number, stroke in enumerate(self.strokes) if not stroke.auto]
        if not own:
            raise GameError("there is no move to undo")
        kept = own[-1]
        self.game = self._again(self.game, kept)
        del self.strokes[kept:]
        if self.game.state == "ready" or isinstance(self.game, UnfixedGame):
            # The next opening may lay the mines elsewhere.
            self._found = Found(set(), set())
            self.told = set()
        self._row = self._row._replace(helped=True, ended=None)
        return kept

    def _note(self, *, auto: bool) -> None:
        """Add the game's new moves to the strokes."""
        at = round(self._seconds, 3)
        self.strokes += [
            Stroke(move.kind, move.cell, auto, at) for move in self.game.moves[len(self.strokes) :]
        ]

    def _save(self, kept: int, store: Store, end: End | None = None) -> None:
        row = self._row = self._row._replace(state=self.game.state)
        # A game that was given up before its first opening does not count.
        counts = end is not None and any(stroke.kind == "open" for stroke in self.strokes)
        result = None
        if end and counts:
            # MineBot made most of the moves, so there is no efficiency to keep.
            bbbv = end.bbbv if row.settled and not self._team else None
            outcome = _OUTCOMES[row.state]
            guesses = end.guesses if self._pooled else None
            result = GameResult(outcome, end.seconds, bbbv, end.score, end.flags, guesses)
        store.save(row, kept, self.strokes[kept:], result)

    @property
    def _flagged(self) -> list[int]:
        """The cells that MineBot has flagged."""
        marks = (one.cell for one in self.strokes if one.auto and one.kind == "mark")
        return [cell for cell in marks if cell is not None]

    @property
    def _pooled(self) -> bool:
        """Whether the game may count in the common statistics of all people and MineBot."""
        row = self._row
        usual = row.topology == "moore" and Board.parse(row.board) in NAMED.values()
        return usual and not (row.helped or row.seeded)

    def _helper(self) -> Helper:
        settings = self._settings
        return Helper(self.switches, settings.help_seconds, settings.states, self._found)

    def _ending(self) -> End | None:
        if not self.game.over:
            return None
        return ending(self.game, self._row, self.strokes, self._seconds)
