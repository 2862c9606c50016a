"""Strategies play in processes of their own: a turn that takes too long can be ended there.

Engines of others' also keep interrupts to themselves, and take as much memory as they like. The
process plays the whole game and tells each turn; who asked plays the turns again on the same
board. One process is always ready, since beginning one takes longer than most games.
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

from minewright.inference import Budget, BudgetExceeded, analyze
from minewright.lab.plan import Plan
from minewright.position import COVERED, Position
from minewright.strategies import Choice, Finding, Record, Turn, strategies
from minewright.strategies.strategy import NOTHING

if sys.platform != "win32":
    import resource

if TYPE_CHECKING:
    # Not more than it needs is there in the other process.
    from minewright.web.server.bounds import Gone

MEMORY: Final = 2 << 30
"""Bytes of address space a player has, where the system can bound it."""
RISK: Final = Budget(2_000_000, 0.5)
"""How much may be spent on the exact risk of one guess."""

Seen = tuple[float | None, float | None, tuple[int, ...]]
UNSEEN: Final[Seen] = (None, None, ())


class PlayedTurn(NamedTuple):
    """One turn, and what exact inference says of its guess."""

    findings: tuple[Finding, ...]
    guess: Choice | None
    gave_up: bool
    """Whether a budget of the strategy's ran out."""
    risk: float | None
    """The exact chance that the guessed cell is mined; None without a guess, or if too hard."""
    least: float | None
    """The least such chance on the board."""
    missed: tuple[int, ...]
    """Cells that were certainly safe where the strategy guessed."""
    seconds: float
    """How long the strategy thought."""

    @property
    def turn(self) -> Turn:
        """The turn as the game takes it."""
        return Turn(self.findings, self.guess, NOTHING)


class Failed(NamedTuple):
    """Why a game was not played to its end, in one line."""

    why: str


def perform(plan: Plan, seconds: float, gone: "Gone") -> Iterator[PlayedTurn | Record | Failed]:
    """Let a strategy play game 0 of its seed, and give each turn as it comes.

    The last one is the record, or why there is none: the player is stopped after so many seconds,
    and when nobody is there any more to see it.
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
        pickle.dump((plan, seconds), process.stdin)
        process.stdin.flush()
        if pickle.load(process.stdout) is None:
            # It is there: from now on the time is the player's.
            stop.start()
        while True:
            told: PlayedTurn | Record | Failed = pickle.load(process.stdout)
            yield told
            if not isinstance(told, PlayedTurn):
                return
    except (EOFError, OSError, pickle.UnpicklingError):
        why = (
            f"takes too long: it was stopped after {seconds:g} seconds"
            if stopped.is_set()
            else "failed: its process ended, perhaps for want of memory"
        )
        yield Failed(f"{plan.recipe} {why}")
    finally:
        stop.cancel()
        _end(process)


class _Bench:
    """Where the next player waits."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._next: Popen[bytes] | None = None

    def take(self) -> Popen[bytes]:
        """Give the process that waits, or a new one, and let another come."""
        with self._lock:
            taken = self._next
            self._next = self._begin()
        if taken is not None and taken.poll() is None:
            return taken
        if taken is not None:
            _end(taken)
        return self._begin()

    def clear(self) -> None:
        """Send away who waits."""
        with self._lock:
            taken, self._next = self._next, None
        if taken is not None:
            _end(taken)

    @staticmethod
    def _begin() -> Popen[bytes]:
        # Not as a copy of the server, which has threads; and an interrupt is for the server.
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
    """Wait for a game, play it, and tell of it."""
    told = os.fdopen(os.dup(1), "wb")
    # What a strategy prints is not for those who listen.
    os.dup2(2, 1)
    strategies()
    try:
        plan, seconds = pickle.load(sys.stdin.buffer)
    except EOFError:
        return  # nobody needs this player any more
    _bound(seconds)

    def tell(what: PlayedTurn | Record | Failed | None) -> None:
        pickle.dump(what, told)
        told.flush()

    # Nobody listens any more when the pipe is broken.
    with suppress(BrokenPipeError):
        tell(None)
        try:
            tell(_play(plan, tell))
        except BrokenPipeError:
            raise
        except Exception as error:  # whatever a strategy may do wrong
            tell(Failed(f"{plan.recipe} failed: {type(error).__name__}: {error}"))


def _play(plan: Plan, tell: Callable[[PlayedTurn], None]) -> Record:
    began = perf_counter()

    def watch(position: Position, turn: Turn) -> None:
        nonlocal began
        thought = perf_counter() - began
        guess, gave_up = turn.guess, turn.conclusion.gave_up
        seen = _look(plan, position, guess.cell) if guess else UNSEEN
        tell(PlayedTurn(turn.findings, guess, gave_up, *seen, thought))
        began = perf_counter()

    return plan.play(plan.game(0), 0, watch)


def _look(plan: Plan, position: Position, cell: int) -> Seen:
    """Say what a guess risks, the least risk there was, and which cells were safe."""
    if position.cells.count(COVERED) == len(position.cells):
        risk = plan.board.mines / plan.board.size if plan.start == "any" else 0.0
        return risk, risk, ()
    try:
        analysis = analyze(position, budget=RISK)
        chances = analysis.chances
    except BudgetExceeded:
        return UNSEEN
    return chances[cell], min(p for p in chances if p is not None), analysis.safe


def _bound(seconds: float) -> None:
    """Bound this process by itself too, in case nobody is left to end it."""
    if sys.platform != "win32":
        for what, most in ((resource.RLIMIT_CPU, ceil(seconds) + 5), (resource.RLIMIT_AS, MEMORY)):
            with suppress(ValueError, OSError):
                resource.setrlimit(what, (most, resource.getrlimit(what)[1]))
