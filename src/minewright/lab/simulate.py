"""Many games of one strategy, and what came of them; or one game, turn by turn.

Game number k of a seed is always the same, whoever plays it and however the work is shared out.
All that is counted is whole numbers, so the sums are the same for any number of workers.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import astuple, dataclass, replace
from itertools import compress
from json import dumps
from math import isfinite
from multiprocessing import parent_process
from operator import add
from threading import Thread
from time import perf_counter
from typing import Final

from minewright import _kernel
from minewright.board import Board, counted
from minewright.game import Game, StartRule
from minewright.inference import BudgetExceeded, analyze
from minewright.lab.statistics import wilson
from minewright.position import Position
from minewright.strategies import Choice, Recipe, Record, Turn, play
from minewright.strategies.play import begin, own_numbers
from minewright.topology import Topology

MAX_GAMES: Final = 10**9
MAX_WORKERS: Final = 256

_CHUNK: Final = 0.25
"""How many seconds one piece of work takes: little is lost when somebody stops it."""
_MOST: Final = 20_000
"""How many games a piece has at most."""
_STATES: Final = 10**9
_SECONDS: Final = 60.0
"""A native player gives a game up beyond these, so that none goes on for ever."""
_AHEAD: Final = 8
"""How many pieces each worker has waiting: one slow game stops nobody else."""


class SimulationError(ValueError):
    """A wish that cannot be met, in one line."""


class WorkerLost(RuntimeError):  # noqa: N818 - like BudgetExceeded, it says what happened
    """A process that played was ended by somebody else, in one line."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """What came of many games. Shares and means are over all games but where it says otherwise."""

    board: Board
    start: StartRule
    topology: str
    strategy: str
    guesser: str
    first: str
    seed: int
    games: int
    wins: int
    win_rate: float
    ci95: tuple[float, float]
    """Wilson's interval of the win rate."""
    cleared: float
    """The share of the safe cells that was opened."""
    found: float
    """The share of the mines that was called so; all of them in a won game."""
    guesses: float
    """Per game. The first opening counts only under the start rule `any`."""
    guesses_won: float | None
    """Per won game; None if there is none."""
    guesses_lost: float | None
    """Per game that was not won; None if there is none."""
    cpu_seconds: float
    """Of the processor, per game."""
    timeouts: int
    """Games that were ended because they took too long."""
    gave_up: int
    """Turns in which a budget ran out, so that there might have been more to find."""
    blunders: int
    """Games in which something was called certain that was not so."""
    seconds: float
    """From the beginning to the end, for all games together."""
    games_per_second: float
    workers: int
    native: bool
    """Whether the kernel played, not the strategy's Python; the moves are the same."""

    def json(self) -> str:
        """Write the result as one JSON object."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__} | {
            "board": str(self.board),
            "cpu_seconds": round(self.cpu_seconds, 9),
            "seconds": round(self.seconds, 3),
            "games_per_second": round(self.games_per_second, 1),
        }
        return f"{dumps(fields, allow_nan=False)}\n"

    def __str__(self) -> str:
        low, high = self.ci95
        per_game = [
            f"{mean:.2f} {what}"
            for mean, what in (
                (self.guesses, "a game"),
                (self.guesses_won, "a won one"),
                (self.guesses_lost, "a lost one"),
            )
            if mean is not None
        ]
        trouble = [
            f"{number:,} {what}"
            for number, what in (
                (self.blunders, "with a blunder"),
                (self.timeouts, "timed out"),
                (self.gave_up, "turns beyond the budget"),
            )
            if number
        ]
        who = f"{counted(self.workers, 'worker')}{', native' if self.native else ''}"
        rows = {
            "strategy": f"{self.strategy}, guesser {self.guesser}, first move {self.first}",
            "board": f"{self.board} {self.topology}, start {self.start}",
            "games": f"{self.games:,} of seed {self.seed}",
            "won": f"{self.wins:,}, {self.win_rate:.2%} (95% interval {low:.2%} to {high:.2%})",
            "cleared": f"{self.cleared:.2%} of the safe cells",
            "found": f"{self.found:.2%} of the mines",
            "guesses": ", ".join(per_game),
            "trouble": ", ".join(trouble),
            "time": f"{1000 * self.cpu_seconds:,.3g} ms of the processor a game",
            "speed": f"{self.games_per_second:,.0f} games a second in {self.seconds:.2f} s, {who}",
        }
        return "".join(f"{name:<12}{text}\n" for name, text in rows.items() if text)


class Stopped(KeyboardInterrupt):
    """Somebody stopped it. What was played until then, the first games of the seed, is kept."""

    def __init__(self, simulation: Simulation | None) -> None:
        super().__init__()
        self.simulation = simulation
        """None if no game was over."""


Progress = Callable[[Simulation], None]
"""Called now and then with what came of the games so far."""


def simulate(
    board: Board,
    strategy: str,
    games: int,
    seed: int = 0,
    *,
    start: StartRule = "safe",
    topology: str | Topology = "moore",
    guesser: str = "",
    first: str = "",
    workers: int = 1,
    timeout: float | None = None,
    native: bool = True,
    progress: Progress | None = None,
) -> Simulation:
    """Let a strategy play games 0, 1, 2... of a seed, in so many processes.

    `timeout` ends a game after so many seconds of the processor, between two turns; it is not won
    then. Where the kernel has a player that plays the same it does the work, unless `native` is
    False.

    Raises StrategyError, TopologyError, GameError or SimulationError for what cannot be,
    WorkerLost if a process died, and Stopped, with what was played so far, on an interrupt.
    """
    if not 1 <= games <= MAX_GAMES:
        raise SimulationError(f"the number of games is 1 to {MAX_GAMES:,}, not {games:,}")
    if not 1 <= workers <= MAX_WORKERS:
        raise SimulationError(f"the number of workers is 1 to {MAX_WORKERS}, not {workers:,}")
    plan = Plan.of(board, strategy, seed, start, topology, guesser, first, timeout, native)
    workers = min(workers, games)
    began = perf_counter()
    total = Tally()
    try:
        for tally in _share(plan, games, workers):
            total += tally
            if progress is not None:
                progress(_summary(plan, total, workers, perf_counter() - began))
    except BrokenProcessPool:
        raise WorkerLost(
            f"a worker process died after {counted(total.games, 'game')}, perhaps for want of "
            "memory; try fewer workers"
        ) from None
    except KeyboardInterrupt:
        so_far = _summary(plan, total, workers, perf_counter() - began) if total.games else None
        raise Stopped(so_far) from None
    return _summary(plan, total, workers, perf_counter() - began)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played: all that a worker needs to know, but for which games."""

    board: Board
    start: StartRule
    topology: Topology
    recipe: Recipe
    seed: int
    timeout: float | None = None
    first_cell: int | None = None
    """Where the kernel's player begins; None if the strategy's own Python plays."""

    @classmethod
    def of(
        cls,
        board: Board,
        strategy: str,
        seed: int,
        start: StartRule,
        topology: str | Topology,
        guesser: str = "",
        first: str = "",
        timeout: float | None = None,
        native: bool = False,
    ) -> "Plan":
        """Check every wish before anything is played."""
        if timeout is not None and not (timeout > 0 and isfinite(timeout)):
            raise SimulationError(f"a timeout is more than 0 seconds, not {timeout:g}")
        recipe = Recipe(strategy, guesser, first, start)
        game = Game(board, start, seed, topology)
        cell = _first_cell(game, recipe) if native and recipe.native else None
        return cls(board, start, game.topology, recipe, seed, timeout, cell)

    @property
    def guesser(self) -> str:
        """The guesser's name."""
        return self.recipe.guesser or self.recipe.kind.guesser

    @property
    def first(self) -> str:
        """The first move's name."""
        return self.recipe.begins

    def game(self, number: int) -> Game:
        """Begin a game of this seed."""
        return Game(self.board, self.start, self.seed, self.topology, stream=number)

    def play(
        self, game: Game, number: int, watch: Callable[[Position, Turn], None] | None = None
    ) -> Record:
        """Let the strategy play it."""
        player = self.recipe.player(own_numbers(self.seed, number))
        return play(game, player, seconds=self.timeout, watch=watch)


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over some games."""

    games: int = 0
    wins: int = 0
    cleared: int = 0
    found: int = 0
    guesses_won: int = 0
    guesses_lost: int = 0
    timeouts: int = 0
    gave_up: int = 0
    blunders: int = 0
    cpu_seconds: float = 0.0
    seconds: float = 0.0
    """How long the one who played them took."""

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(*map(add, astuple(self), astuple(other)))


def play_some(plan: Plan, first: int, count: int) -> Tally:
    """Play games of a seed, from the first on so many."""
    began = perf_counter()
    if plan.first_cell is None:
        total = _by_strategy(plan, first, count)
    else:
        total = _by_kernel(plan, plan.first_cell, first, count)
    return total + Tally(seconds=perf_counter() - began)


def _by_strategy(plan: Plan, first: int, count: int) -> Tally:
    records = [plan.play(plan.game(number), number) for number in range(first, first + count)]
    return Tally(
        games=count,
        wins=sum(record.won for record in records),
        cleared=sum(record.cleared for record in records),
        found=sum(record.found for record in records),
        guesses_won=sum(record.guesses for record in records if record.won),
        guesses_lost=sum(record.guesses for record in records if not record.won),
        timeouts=sum(record.timed_out for record in records),
        gave_up=sum(record.gave_up for record in records),
        blunders=sum(record.blunder for record in records),
        cpu_seconds=sum(record.seconds for record in records),
    )


def _by_kernel(plan: Plan, cell: int, first: int, count: int) -> Tally:
    played = _kernel.play_games(
        plan.topology.graph,
        plan.board.mines,
        plan.start,
        plan.recipe.native,
        cell,
        plan.seed,
        first,
        count,
        _STATES,
        plan.timeout or _SECONDS,
    )
    guesses_won = sum(compress(played.guesses, played.won))
    return Tally(
        games=count,
        wins=sum(played.won),
        cleared=sum(played.cleared),
        found=sum(played.found),
        guesses_won=guesses_won,
        guesses_lost=sum(played.guesses) - guesses_won,
        timeouts=sum(played.timed_out),
        gave_up=sum(played.gave_up),
        cpu_seconds=sum(played.nanoseconds) / 1e9,
    )


@dataclass(frozen=True, slots=True)
class Step:
    """One turn of a game: the position before it, what was done, and what that risked."""

    position: Position
    turn: Turn
    risk: float | None
    """The exact chance that the guessed cell is mined; None without a guess, or if too hard."""
    missed: int
    """How many cells exact inference knows to be safe where the strategy guessed."""

    @property
    def first(self) -> bool:
        """Whether the board was still all covered."""
        return self.position.cells.count(_kernel.COVERED) == len(self.position.cells)


@dataclass(frozen=True, slots=True)
class Trace:
    """One game from beginning to end."""

    plan: Plan
    number: int
    steps: tuple[Step, ...]
    record: Record
    end: Position
    """What the player saw at the end."""
    minefield: frozenset[int]


def trace(plan: Plan, number: int = 0) -> Trace:
    """Play one game of a seed and keep its turns."""
    steps: list[Step] = []
    game = plan.game(number)
    record = plan.play(game, number, lambda position, turn: steps.append(_step(game, turn)))
    if steps:
        steps[0] = _as_begun(steps[0], game)
    return Trace(plan, number, tuple(steps), record, game.position, game.minefield)


def _step(game: Game, turn: Turn) -> Step:
    position = game.position
    if turn.guess is None:
        return Step(position, turn, None, 0)
    if game.state == "ready":
        certain = game.start != "any"
        return Step(position, turn, 0.0 if certain else game.mines / game.topology.size, 0)
    try:
        analysis = analyze(position)
    except BudgetExceeded:
        return Step(position, turn, None, 0)
    return Step(position, turn, analysis.chances[turn.guess.cell], len(analysis.safe))


def _as_begun(step: Step, game: Game) -> Step:
    """Name the cell that the game began with, if the start rule did not allow the one chosen."""
    chosen, cell = step.turn.guess, game.moves[0].cell
    if chosen is None or cell is None or chosen.cell == cell:
        return step
    guess = Choice(cell, f"the start rule does not allow {game.topology.describe(chosen.cell)}")
    return replace(step, turn=step.turn._replace(guess=guess))


def _first_cell(game: Game, recipe: Recipe) -> int | None:
    """Find the cell that every game of a native player begins with; None if there is no move."""
    if game.over:
        return None
    begin(game, recipe.first_move().choose(game.position, own_numbers(0, 0)).cell)
    return game.moves[0].cell


def _share(plan: Plan, games: int, workers: int) -> Iterator[Tally]:
    """Play in pieces, and give what came of them in order."""
    pace = _Pace(games, workers)
    # Engines of others' keep an interrupt to themselves: they never play in this process.
    if workers == 1 and not plan.recipe.kind.needs:
        while piece := pace.piece():
            tally = play_some(plan, *piece)
            pace.saw(tally)
            yield tally
        return
    with _pool(workers) as pool:
        waiting: deque[Future[Tally]] = deque()
        while True:
            while len(waiting) < _AHEAD * workers and (piece := pace.piece()):
                waiting.append(pool.submit(play_some, plan, *piece))
            if not waiting:
                return
            tally = waiting.popleft().result()
            pace.saw(tally)
            yield tally


class _Pace:
    """Cuts the work into pieces of about the same time, as far as the games show how long."""

    def __init__(self, games: int, workers: int) -> None:
        self._games = games
        self._workers = workers
        self._next = 0
        self._count = 1
        self._seen = Tally()

    def piece(self) -> tuple[int, int] | None:
        """Give the first game of the next piece and how many it has; None if all are given."""
        left = self._games - self._next
        if not left:
            return None
        # Towards the end pieces are smaller, so that all workers end together.
        count = max(1, min(self._count, -(-left // self._workers)))
        self._next += count
        return self._next - count, count

    def saw(self, tally: Tally) -> None:
        """Learn how long games take."""
        self._seen += tally
        fitting = int(self._seen.games * _CHUNK / max(self._seen.seconds, 1e-9))
        self._count = max(1, min(fitting, 4 * self._count, _MOST))


@contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    # Started as the system does it by default: where that is by copying this process, strategies
    # that were registered in it are known to the workers.
    pool = ProcessPoolExecutor(workers, initializer=_begin_worker)
    try:
        yield pool
    except BaseException:
        # A worker may be in the midst of a long game, which nobody waits for any more.
        for process in tuple((pool._processes or {}).values()):
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin_worker() -> None:
    # An interrupt is for the parent: the others would each add a traceback of their own.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    """End with the parent: if that is killed nobody else ends this process."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _summary(plan: Plan, total: Tally, workers: int, seconds: float) -> Simulation:
    games, lost = total.games, total.games - total.wins
    mines, safe = plan.board.mines, plan.board.size - plan.board.mines
    return Simulation(
        board=plan.board,
        start=plan.start,
        topology=plan.topology.name,
        strategy=plan.recipe.strategy,
        guesser=plan.guesser,
        first=plan.first,
        seed=plan.seed,
        games=games,
        wins=total.wins,
        win_rate=total.wins / games,
        ci95=wilson(total.wins, games, 0.95),
        cleared=total.cleared / (games * safe) if safe else 1.0,
        found=total.found / (games * mines) if mines else 1.0,
        guesses=(total.guesses_won + total.guesses_lost) / games,
        guesses_won=total.guesses_won / total.wins if total.wins else None,
        guesses_lost=total.guesses_lost / lost if lost else None,
        cpu_seconds=total.cpu_seconds / games,
        timeouts=total.timeouts,
        gave_up=total.gave_up,
        blunders=total.blunders,
        seconds=seconds,
        games_per_second=games / max(seconds, 1e-9),
        workers=workers,
        native=plan.first_cell is not None,
    )
