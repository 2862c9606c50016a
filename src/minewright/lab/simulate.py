"""Many games of one strategy, and what came of them.

Game number k of a seed is always the same, whoever plays it and however the work is shared out.
All that is counted is whole numbers, so the sums are the same for any number of workers.
"""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import astuple, dataclass
from json import dumps
from operator import add
from time import perf_counter
from typing import Final

from minewright.board import Board
from minewright.errors import MinewrightError
from minewright.game import StartRule
from minewright.lab.executors import processes
from minewright.lab.games import OUTCOMES, play_games
from minewright.lab.plan import Plan, PlanError
from minewright.lab.statistics import wilson
from minewright.messages import counted
from minewright.topology import Topology

MAX_GAMES: Final = 10**9
MAX_WORKERS: Final = 256

_CHUNK: Final = 0.25
"""How many seconds one piece of work takes: little is lost when somebody stops it."""
_MOST: Final = 20_000
"""How many games a piece has at most."""
_AHEAD: Final = 8
"""How many pieces each worker has waiting: one slow game stops nobody else."""


class WorkerLost(MinewrightError, RuntimeError):
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

    Raises StrategyError, TopologyError, GameError or PlanError for what cannot be,
    WorkerLost if a process died, and Stopped, with what was played so far, on an interrupt.
    """
    if not 1 <= games <= MAX_GAMES:
        raise PlanError(f"the number of games is 1 to {MAX_GAMES:,}, not {games:,}")
    if not 1 <= workers <= MAX_WORKERS:
        raise PlanError(f"the number of workers is 1 to {MAX_WORKERS}, not {workers:,}")
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
    rows = play_games(plan, first, count)
    won = rows["outcome"] == OUTCOMES.index("won")
    return Tally(
        games=count,
        wins=int(won.sum()),
        cleared=int(rows["cleared"].sum()),
        found=int(rows["found"].sum()),
        guesses_won=int(rows["guesses"][won].sum()),
        guesses_lost=int(rows["guesses"][~won].sum()),
        timeouts=int((rows["outcome"] == OUTCOMES.index("timed out")).sum()),
        gave_up=int(rows["gave_up"].sum()),
        blunders=int(rows["blunder"].sum()),
        cpu_seconds=float(rows["cpu_seconds"].sum()),
        seconds=perf_counter() - began,
    )


def _share(plan: Plan, games: int, workers: int) -> Iterator[Tally]:
    """Play in pieces, and give what came of them in order."""
    pace = _Pace(games, workers)
    # Engines of others' keep an interrupt to themselves: they never play in this process.
    apart = bool(plan.recipe.kind.needs)
    ahead = 1 if workers == 1 and not apart else _AHEAD * workers
    with processes(workers, apart=apart, copied=True) as pool:
        waiting: deque[Future[Tally]] = deque()
        while True:
            while len(waiting) < ahead and (piece := pace.piece()):
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
