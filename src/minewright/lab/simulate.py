"""Many games of one strategy, and its score.

Game number k of a seed is always the same, whoever plays it and however the work is shared out.
Everything counted is a whole number, so the sums are the same for any number of workers.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import partial
from json import dumps
from math import isfinite
from time import perf_counter
from typing import Final, NamedTuple, get_args

from minewright.board import MAX_SEED, Board
from minewright.drawing import Drawn
from minewright.errors import MinewrightError
from minewright.game import GameError, StartRule
from minewright.lab.arm import Arm
from minewright.lab.games import Measure, play_games
from minewright.lab.score import Score
from minewright.messages import counted, whole_within
from minewright.topology import Topology
from minewright.work.crew import Crew
from minewright.work.executors import processes
from minewright.work.losses import NoWorkers, WorkersLost
from minewright.work.progress import Progress, Quiet
from minewright.work.tasks import Task

MAX_GAMES: Final = 10**9
MAX_WORKERS: Final = 256

_TASK_SECONDS: Final = 0.25
"""How long one task should take: so short that little is lost when the work is stopped."""
_TASK_GAMES: Final = 20_000
"""How many games a task has at most."""


class SimulationError(MinewrightError, ValueError):
    """A wish that cannot be fulfilled, in one line."""


class WorkerLost(WorkersLost):
    """Something else ended the processes that played, in one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation(Score, Drawn):
    """The score of a simulation, and how it was played."""

    seed: int
    seconds: float
    """From beginning to end, for all games together."""
    workers: int
    native: bool
    """Whether the kernel played instead of the strategy's Python; the moves are the same."""

    @property
    def board(self) -> Board:
        """The board."""
        return Board.parse(self.arm.board)

    @property
    def start(self) -> StartRule:
        """The start rule."""
        return self.arm.start

    @property
    def topology(self) -> str:
        """The name of the topology."""
        return self.arm.topology_name

    @property
    def strategy(self) -> str:
        """The strategy, with its options."""
        return self.arm.strategy

    @property
    def guesser(self) -> str:
        """The guesser, which may be the strategy's own."""
        return self.arm.chosen_guesser

    @property
    def first(self) -> str:
        """The first move, which may be the strategy's own."""
        return self.arm.chosen_first

    @property
    def games_per_second(self) -> float:
        """The speed of all workers together."""
        return self.games / max(self.seconds, 1e-9)

    def json(self) -> str:
        """Return the result as one JSON object."""
        written = {name: getattr(self, name) for name in _FIELDS} | {
            "board": str(self.board),
            "cpu_seconds": round(self.cpu_seconds, 9),
            "seconds": round(self.seconds, 3),
            "games_per_second": round(self.games_per_second, 1),
        }
        if self.measured:
            written |= {name: getattr(self, name) for name in ("safety", "safety_ci95", "worth")}
        return f"{dumps(written, allow_nan=False)}\n"

    def __str__(self) -> str:
        low, high = self.ci95
        per_game = [
            f"{mean:.2f} {what}"
            for mean, what in (
                (self.guesses, "per game"),
                (self.guesses_won, "per won game"),
                (self.guesses_lost, "per lost game"),
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
            "safety": _safety(self),
            "cleared": f"{self.cleared:.2%} of the safe cells",
            "found": f"{self.found:.2%} of the mines",
            "guesses": ", ".join(per_game),
            "trouble": ", ".join(trouble),
            "time": f"{_rounded(1000 * self.cpu_seconds)} ms of processor time per game",
            "speed": f"{_rounded(self.games_per_second)} games per second, "
            f"{self.seconds:.2f} s, {who}",
        }
        return "".join(f"{name:<12}{text}\n" for name, text in rows.items() if text)


def _rounded(number: float) -> str:
    """Return a number with three digits, or with all those before the point if there are more."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def _safety(score: Score) -> str:
    """Return the win rate that the safeties of the games give, or nothing if not measured."""
    if score.safety is None or score.safety_ci95 is None:
        return ""
    low, high = score.safety_ci95
    worth = f"; a game tells as much as {score.worth:.1f}" if score.worth else ""
    return f"{score.safety:.3%} (95% interval {low:.3%} to {high:.3%}){worth}"


_FIELDS: Final = (
    *("board", "start", "topology", "strategy", "guesser", "first", "seed", "games", "wins"),
    *("win_rate", "ci95", "cleared", "found", "guesses", "guesses_won", "guesses_lost"),
    *("cpu_seconds", "timeouts", "gave_up", "blunders", "seconds", "games_per_second"),
    *("workers", "native"),
)
"""The fields of the JSON object."""


class Stopped(KeyboardInterrupt):
    """The simulation was interrupted; the first games of the seed were played until then."""

    def __init__(self, simulation: Simulation | None) -> None:
        super().__init__()
        self.simulation = simulation
        """None if no game was finished."""


def simulate(
    board: Board | str,
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
    measure: Measure = "wins",
    progress: Progress | None = None,
) -> Simulation:
    """Let a strategy play games 0, 1, 2... of a seed, in `workers` processes.

    `timeout` ends a game after this many seconds of processor time, between two turns; the game
    does not count as won. The kernel plays where it makes the same moves, unless `native` is
    False. With `measure` "safety" the kernel also plays each game on past its loss, and the mean
    safety estimates the win rate from fewer games. `progress` is told how many games are over.

    Raise BoardError, StrategyError, TopologyError, GameError or SimulationError for a wish that
    cannot be fulfilled, WorkerLost if worker processes keep dying, and Stopped, with the games so
    far, on an interrupt.
    """
    arm = Arm(strategy, str(Board.of(board)), start, topology, guesser, first)
    games = whole_within("the number of games", games, 1, MAX_GAMES, SimulationError)
    workers = whole_within("the number of workers", workers, 1, MAX_WORKERS, SimulationError)
    seed = whole_within("a seed", seed, 0, MAX_SEED, GameError)
    check_timeout(timeout)
    if measure not in get_args(Measure):
        raise SimulationError(f"a measure is 'wins' or 'safety', not {measure!r}")
    arm.check(seed, native=native)
    if measure == "safety" and not (native and arm.first_cell is not None):
        raise SimulationError(
            f"safety is measured by the kernel's players, and {arm.player} is not one of them; "
            "choose a native strategy with its own guesser"
        )
    progress = progress or Quiet()
    workers = min(workers, games)
    began = perf_counter()
    score = Score(arm)

    def so_far() -> Simulation:
        return Simulation(
            *(getattr(score, field.name) for field in fields(Score)),
            seed=seed,
            seconds=perf_counter() - began,
            workers=workers,
            native=native and arm.first_cell is not None,
        )

    pace = _Pace(games, workers)
    # Engines from other projects do not pass interrupts on, so they never play in this process.
    apart = bool(arm.recipe.kind.needs)
    try:
        with Crew(partial(processes, workers, apart=apart, copied=True)) as crew:
            progress.begin(games, 0)
            tasks = (
                Task(begin, count, _play_some, (arm, seed, begin, count, timeout, native, measure))
                for begin, count in pace
            )
            for _, played in crew.perform(tasks, progress, in_order=True):
                pace.learn(played)
                score += played.score
                progress.note(f"{score.win_rate:.1%} won")
    except NoWorkers as error:
        raise WorkerLost(str(error)) from None
    except WorkersLost:
        raise WorkerLost(
            f"a worker process died after {counted(score.games, 'game')}, perhaps for want of "
            "memory; try fewer workers"
        ) from None
    except KeyboardInterrupt:
        raise Stopped(so_far() if score.games else None) from None
    return so_far()


def check_timeout(timeout: float | None) -> None:
    """Raise SimulationError if no game can have this time limit."""
    if timeout is not None and not (timeout > 0 and isfinite(timeout)):
        raise SimulationError(f"a timeout is a finite time of more than 0 seconds, not {timeout:g}")


class _Played(NamedTuple):
    """The score of a task, and how many seconds it took."""

    score: Score
    seconds: float


def _play_some(
    arm: Arm,
    seed: int,
    first: int,
    count: int,
    timeout: float | None,
    native: bool,
    measure: Measure,
) -> _Played:
    """Play `count` games of a seed, starting with game `first`."""
    began = perf_counter()
    rows = play_games(arm, seed, first, count, timeout, native=native, measure=measure)
    score = Score.of(arm, rows)
    return _Played(score, perf_counter() - began)


class _Pace:
    """Cuts the games into tasks that take about equally long, as it learns how long games take."""

    def __init__(self, games: int, workers: int) -> None:
        self._games = games
        self._workers = workers
        self._next = 0
        self._count = 1
        self._played = 0
        self._seconds = 0.0

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yield the first game of each task, and how many it has."""
        while left := self._games - self._next:
            # Towards the end tasks are smaller, so that all workers finish together.
            count = max(1, min(self._count, -(-left // self._workers)))
            self._next += count
            yield self._next - count, count

    def learn(self, played: _Played) -> None:
        """Learn how long games take."""
        self._played += played.score.games
        self._seconds += played.seconds
        fitting = int(self._played * _TASK_SECONDS / max(self._seconds, 1e-9))
        self._count = max(1, min(fitting, 4 * self._count, _TASK_GAMES))
