"""Strategies play in processes of their own, where a turn that takes too long can be stopped.

Foreign engines also swallow interrupts and take as much memory as they like. The process plays the
whole game and reports each turn; the server replays the turns on the same board. One process is
always ready, since starting one takes longer than most games.
"""

import atexit
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from math import ceil
from subprocess import DEVNULL, PIPE, Popen
from threading import Event, Lock, Timer
from time import perf_counter
from typing import TYPE_CHECKING, Final, NamedTuple

from minewright.board import Board
from minewright.inference import Budget, BudgetExceeded, analyze
from minewright.lab.arm import Arm
from minewright.position import COVERED, Position
from minewright.strategies import Choice, Finding, Record, Scene, Turn, strategies
from minewright.strategies.strategy import NOTHING

if sys.platform != "win32":
    import resource

if TYPE_CHECKING:
    # The other process must not import more than it needs.
    from minewright.web.server.bounds import Gone

MEMORY: Final = 2 << 30
"""Bytes of address space for a player, where the system can limit it."""
MAX_CHAINS: Final = 24
"""The most findings of a turn that are shown step by step."""
RISK: Final = Budget(2_000_000, 0.5)
"""The budget for the exact risk of one guess."""

Seen = tuple[float | None, float | None, tuple[int, ...]]
UNSEEN: Final[Seen] = (None, None, ())


class PlayedTurn(NamedTuple):
    """One turn, and what exact inference says about its guess."""

    findings: tuple[Finding, ...]
    guess: Choice | None
    gave_up: bool
    """Whether the strategy's budget ran out."""
    risk: float | None
    """The exact chance that the guessed cell is a mine; None without a guess, or if too hard."""
    least: float | None
    """The smallest such chance on the board."""
    missed: tuple[int, ...]
    """Cells that were certainly safe when the strategy guessed."""
    seconds: float
    """How long the strategy thought."""
    chains: tuple[tuple[Scene, ...], ...] = ()
    """How it came to each finding, as far as it can show it."""

    @property
    def turn(self) -> Turn:
        """The turn as the game takes it."""
        return Turn(self.findings, self.guess, NOTHING)


class Failed(NamedTuple):
    """Why a game was not finished, in one line."""

    why: str


def perform(
    arm: Arm, seed: int, seconds: float, gone: "Gone"
) -> Iterator[PlayedTurn | Record | Failed]:
    """Let a strategy play game 0 of a seed, and yield each turn as it comes.

    The last item is the record, or why there is none. The player is stopped after `seconds`, and as
    soon as nobody is watching.
    """
    stopped = Event()
    process = _bench.take()

    def end() -> None:
        stopped.set()
        process.kill()

    gone.add_done_callback(lambda _: end())
    stop = Timer(seconds, end)
    stop.daemon = True
    assert process.stdin
    assert process.stdout
    try:
        pickle.dump((arm, seed, seconds), process.stdin)
        process.stdin.flush()
        if pickle.load(process.stdout) is None:
            # The process is ready, so the time limit starts now.
            stop.start()
        while True:
            told: PlayedTurn | Record | Failed = pickle.load(process.stdout)
            yield told
            if not isinstance(told, PlayedTurn):
                return
    except (EOFError, OSError, pickle.UnpicklingError):
        why = (
            f"took too long and was stopped after {seconds:g} seconds"
            if stopped.is_set()
            else "failed: its process ended, perhaps for lack of memory"
        )
        yield Failed(f"{arm.title} {why}")
    finally:
        stop.cancel()
        _end(process)


class _Bench:
    """The bench where the next player waits."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._next: Popen[bytes] | None = None

    def take(self) -> Popen[bytes]:
        """Return the waiting process, or a new one, and start the next."""
        with self._lock:
            taken = self._next
            self._next = self._begin()
        if taken is not None and taken.poll() is None:
            return taken
        if taken is not None:
            _end(taken)
        return self._begin()

    def clear(self) -> None:
        """End the waiting process."""
        with self._lock:
            taken, self._next = self._next, None
        if taken is not None:
            _end(taken)

    @staticmethod
    def _begin() -> Popen[bytes]:
        # A fork would copy a server with threads. In its own session it gets no interrupts.
        return Popen(
            [sys.executable, "-P", "-c", f"from {__name__} import main; main()"],
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            start_new_session=True,
        )


def _end(process: Popen[bytes]) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            if pipe:
                pipe.close()
    process.wait()


_bench: Final = _Bench()
atexit.register(_bench.clear)


# In the other process


def main() -> None:
    """Wait for a game, play it, and report each turn."""
    told = os.fdopen(os.dup(1), "wb")
    # What a strategy prints must not end up among the reports.
    os.dup2(2, 1)
    strategies()
    try:
        arm, seed, seconds = pickle.load(sys.stdin.buffer)
    except EOFError:
        return  # nobody needs this player any more
    _bound(seconds)

    def tell(what: PlayedTurn | Record | Failed | None) -> None:
        pickle.dump(what, told)
        told.flush()

    # A broken pipe means that nobody is listening any more.
    with suppress(BrokenPipeError):
        tell(None)
        try:
            tell(_play(arm, seed, tell))
        except BrokenPipeError:
            raise
        except Exception as error:  # whatever a strategy may do wrong
            tell(Failed(f"{arm.title} failed: {type(error).__name__}: {error}"))


def _play(arm: Arm, seed: int, tell: Callable[[PlayedTurn], None]) -> Record:
    began = perf_counter()

    def watch(position: Position, turn: Turn) -> None:
        nonlocal began
        thought = perf_counter() - began
        guess, gave_up = turn.guess, turn.conclusion.gave_up
        seen = _look(arm, position, guess.cell) if guess else UNSEEN
        chains = tuple(turn.chain(finding) for finding in turn.findings[:MAX_CHAINS])
        tell(PlayedTurn(turn.findings, guess, gave_up, *seen, thought, chains))
        began = perf_counter()

    return arm.play(arm.game(seed, 0), seed, 0, watch=watch)


def _look(arm: Arm, position: Position, cell: int) -> Seen:
    """Return the risk of a guess, the smallest risk there was, and the safe cells."""
    if position.cells.count(COVERED) == len(position.cells):
        board = Board.parse(arm.board)
        risk = board.mines / board.size if arm.start == "any" else 0.0
        return risk, risk, ()
    try:
        analysis = analyze(position, budget=RISK)
        chances = analysis.chances
    except BudgetExceeded:
        return UNSEEN
    return chances[cell], min(p for p in chances if p is not None), analysis.safe


def _bound(seconds: float) -> None:
    """Limit this process from the inside too, in case nobody is left to stop it."""
    if sys.platform != "win32":
        for what, most in ((resource.RLIMIT_CPU, ceil(seconds) + 5), (resource.RLIMIT_AS, MEMORY)):
            with suppress(ValueError, OSError):
                resource.setrlimit(what, (most, resource.getrlimit(what)[1]))
