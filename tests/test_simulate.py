"""Simulations: the same games everywhere, figures that add up, and every mistake."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict
from math import inf, nan
from multiprocessing import active_children
from multiprocessing.process import BaseProcess
from pathlib import Path

import numpy as np
import pytest
from processes import HANG, started, wait_until
from test_cli import run

import minewright as mw
from minewright.board import Board, BoardError
from minewright.game import Game, GameError, StartRule
from minewright.lab import simulate as lab
from minewright.lab.simulate import Simulation, SimulationError, Stopped, WorkerLost
from minewright.strategies import Recipe, StrategyError, play, strategies
from minewright.strategies.play import own_numbers
from minewright.topology import Moore, TopologyError
from minewright.work.progress import Quiet

PROMISED = (
    *("board", "start", "strategy", "seed", "games", "wins", "win_rate", "ci95", "cleared"),
    *("guesses", "seconds", "games_per_second"),
)
CLOCKED = ("cpu_total", "seconds", "workers", "native")
SMALL = Board.parse("6x6x6")


def results(simulation: Simulation) -> dict[str, object]:
    """Return everything in a simulation that depends on neither the clock nor the workers."""
    return {name: value for name, value in asdict(simulation).items() if name not in CLOCKED}


# Figures


def test_the_figures_are_those_of_the_games_played_one_by_one() -> None:
    found = mw.simulate(SMALL, "single-point", 40, 7, start="any", guesser="local", first="corner")
    recipe = Recipe("single-point", "local", "corner")
    records = [
        play(Game(SMALL, "any", 7, stream=number), recipe.player(own_numbers(7, number)))
        for number in range(40)
    ]
    wins = sum(record.won for record in records)
    assert 0 < wins < 40
    assert (found.games, found.wins, found.win_rate) == (40, wins, wins / 40)
    assert found.ci95[0] < found.win_rate < found.ci95[1]
    assert found.cleared == pytest.approx(sum(r.cleared / 30 for r in records) / 40)
    assert found.found == pytest.approx(sum(r.found / 6 for r in records) / 40)
    assert found.guesses == sum(r.guesses for r in records) / 40
    assert found.guesses_won == sum(r.guesses for r in records if r.won) / wins
    assert found.guesses_lost == sum(r.guesses for r in records if not r.won) / (40 - wins)
    assert (found.blunders, found.timeouts, found.gave_up, found.native) == (0, 0, 0, False)
    assert 0 < found.cpu_seconds < found.seconds


@pytest.mark.parametrize("strategy", ["single-point", "exact"])
def test_any_number_of_workers_plays_the_same_games(strategy: str) -> None:
    alone = mw.simulate(SMALL, strategy, 150, 3)
    together = mw.simulate(SMALL, strategy, 150, 3, workers=3)
    assert results(alone) == results(together)
    assert (alone.workers, together.workers) == (1, 3)


@pytest.mark.parametrize(
    ("strategy", "board", "start", "topology", "games"),
    [
        ("exact", "9x9x10", "safe", "moore", 200),
        ("exact", "8x8x12", "any", "hex", 100),
        ("exact", "8x7x6", "open", "knight", 100),
        ("exact-corner", "9x9x12", "open", "torus", 200),
        ("pseq", "6x6x8", "safe", "moore", 100),
    ],
)
def test_the_kernel_plays_what_the_strategy_plays(
    strategy: str, board: str, start: StartRule, topology: str, games: int
) -> None:
    size = Board.parse(board)
    native, python = (
        mw.simulate(size, strategy, games, 1, start=start, topology=topology, native=native)
        for native in (True, False)
    )
    assert (native.native, python.native) == (True, False)
    assert results(native) == results(python)


def test_every_native_player_is_in_the_registry_for_a_strategy_that_uses_it() -> None:
    for kind in strategies().values():
        assert mw.simulate(SMALL, kind.name, 1).native == bool(kind.native)


@pytest.mark.parametrize(("guesser", "first"), [("", "random"), ("local", ""), ("random", "edge")])
def test_another_guesser_or_a_changing_first_move_is_never_played_natively(
    guesser: str, first: str
) -> None:
    assert not mw.simulate(SMALL, "exact", 1, guesser=guesser, first=first).native


def test_a_native_player_begins_where_the_start_rule_lets_it() -> None:
    # With so many mines there is room around a corner, but not around the centre.
    crowded = Board.parse("3x3x5")
    found = [
        mw.simulate(crowded, "exact", 20, start="open", first="centre", native=native)
        for native in (True, False)
    ]
    assert results(found[0]) == results(found[1])


@pytest.mark.parametrize("board", ["4x4x0", "3x3x9"])
def test_a_board_without_mines_or_without_safe_cells_is_always_won(board: str) -> None:
    simulation = mw.simulate(Board.parse(board), "exact", 3, start="any")
    assert (simulation.win_rate, simulation.cleared, simulation.found) == (1.0, 1.0, 1.0)
    assert simulation.guesses_lost is None
    assert json.loads(simulation.json())["guesses_lost"] is None


def test_a_game_beyond_its_time_is_counted_and_not_won() -> None:
    found = mw.simulate(mw.EXPERT, "exact", 3, timeout=1e-9, native=False)
    assert (found.timeouts, found.wins) == (3, 0)
    assert "3 timed out" in str(found)


class Told(Quiet):
    """Progress that is written down, and that may interrupt after some games."""

    def __init__(self, enough: float = inf) -> None:
        self.begun: list[tuple[float, float]] = []
        self.steps: list[float] = []
        self.notes: list[str] = []
        self._enough = enough

    def begin(self, effort: float, done: float) -> None:
        self.begun.append((effort, done))

    def advance(self, effort: float) -> None:
        self.steps.append(effort)
        if sum(self.steps) >= self._enough:
            raise KeyboardInterrupt

    def note(self, words: str) -> None:
        self.notes.append(words)


@pytest.mark.parametrize("workers", [1, 2])
def test_progress_counts_up_to_all_the_games(workers: int) -> None:
    told = Told()
    found = mw.simulate(SMALL, "single-point", 50, workers=workers, progress=told)
    assert told.begun == [(50, 0)]
    assert min(told.steps) >= 0
    assert sum(told.steps) == 50
    assert told.notes[-1] == f"{found.win_rate:.1%} won"


def test_numbers_of_numpy_are_taken_as_ordinary_ones() -> None:
    numbers = np.array([3, 7, 1], np.uint8)
    found = mw.simulate("5x5x3", "exact", numbers[0], numbers[1], workers=numbers[2])
    assert json.loads(found.json())["seed"] == 7
    plain = mw.simulate("5x5x3", "exact", 3, 7)
    assert (found.games, found.wins) == (plain.games, plain.wins)


# Mistakes


@pytest.mark.parametrize(
    ("wish", "error"),
    [
        ({"games": 0}, SimulationError),
        ({"games": 10**10}, SimulationError),
        ({"workers": 0}, SimulationError),
        ({"games": 10**5000}, SimulationError),
        ({"games": 1.5}, SimulationError),
        ({"games": nan}, SimulationError),
        ({"games": True}, SimulationError),
        ({"games": "3"}, SimulationError),
        ({"workers": 257}, SimulationError),
        ({"workers": 1.0}, SimulationError),
        ({"workers": True}, SimulationError),
        ({"measure": "luck"}, SimulationError),
        ({"timeout": 0.0}, SimulationError),
        ({"timeout": nan}, SimulationError),
        ({"timeout": inf}, SimulationError),
        ({"strategy": "exat"}, StrategyError),
        ({"guesser": "best"}, StrategyError),
        ({"first": "last"}, StrategyError),
        ({"topology": "flat"}, TopologyError),
        ({"board": Board.parse("3x3x9")}, GameError),
        ({"board": "3x3"}, BoardError),
        ({"seed": -1}, GameError),
        ({"seed": 1.5}, GameError),
        ({"seed": True}, GameError),
        ({"seed": None}, GameError),
        ({"start": "now"}, GameError),
    ],
)
def test_a_wish_that_cannot_be_met_is_refused_before_anything_is_played(
    wish: dict[str, object], error: type[Exception]
) -> None:
    wishes: dict[str, object] = {"board": SMALL, "strategy": "exact", "games": 10} | wish
    with pytest.raises(error) as refused:
        mw.simulate(**wishes)  # type: ignore[arg-type]
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--strategy exat", "did you mean exact"),
        ("--strategy exact:colour=red", "no option 'colour'"),
        ("--strategy exact --guesser best", "no guesser 'best'"),
        ("--strategy exact --first last", "no first move 'last'"),
        ("--strategy exact --board 9x9", "WIDTHxHEIGHTxMINES"),
        ("--strategy exact --board 3x3x9", "leaves room for at most 8"),
        ("--strategy exact --topology flat", "no topology 'flat'"),
        ("--strategy exact --start now", "'any', 'safe', 'open'"),
        ("--strategy exact --games 0", "1 to 1,000,000,000"),
        ("--strategy exact --workers 1000", "1 to 256"),
        ("--strategy exact --timeout -1", "more than 0 seconds"),
        ("--strategy exact --game 3", "--game works only with --trace"),
        ("--strategy exact --trace - --json", "--json does not go with --trace"),
        ("--strategy exact --trace - --games 5", "--games does not go with --trace"),
        ("--strategy exact --trace - --workers 2", "--workers does not go with --trace"),
        ("--strategy exact --trace - --measure safety", "--measure does not go with --trace"),
        ("--strategy exact --trace game.png", "text (.txt) or a picture (.svg)"),
        ("--strategy exact --trace /nowhere/game.txt", "cannot be written"),
        ("--games 5", "--strategy"),
    ],
)
def test_a_mistake_is_one_line_that_says_how_to_mend_it(options: str, words: str) -> None:
    assert words in run("simulate", *options.split()).mistake()


# The front door


def test_simulate_prints_the_promised_object() -> None:
    options = "--board 6x6x6 --start open --strategy single-point --guesser local --games 30"
    ran = run("simulate", *options.split(), "--seed", "5", "--json")
    assert (ran.code, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert set(PROMISED) <= set(found)
    assert (found["board"], found["start"], found["seed"]) == ("6x6x6", "open", 5)
    assert (found["strategy"], found["guesser"]) == ("single-point", "local")
    again = mw.simulate(SMALL, "single-point", 30, 5, start="open", guesser="local")
    assert json.loads(again.json())["wins"] == found["wins"]


def test_the_words_say_start_rule_interval_and_who_played() -> None:
    shown = run("simulate", *["--board", "6x6x6", "--strategy", "exact", "--games", "30"])
    assert (shown.code, shown.err) == (0, "")
    for words in ("6x6x6 moore, start safe", "30 of seed 0", "95% interval", "1 worker, native"):
        assert words in shown.out
    plain = run("simulate", "--board", "6x6x6", "--strategy", "exact", "--games=3", "--no-native")
    assert "native" not in plain.out


def test_every_strategy_guesser_and_first_move_is_listed() -> None:
    found = json.loads(run("strategies", "--json").out)
    assert list(found) == ["strategies", "guessers", "first_moves"]
    kinds = {row["name"]: row for row in found["strategies"]}
    assert list(kinds) == list(strategies())
    assert kinds["exact"]["complete"] == "yes"
    assert kinds["exact"]["native"] is True
    assert kinds["max-breakearly"]["sound"] is False
    assert kinds["max-exists"]["options"]["engine"]["choices"] == ["z3", "minisat"]
    shown = run("strategies").out
    for rows in found.values():
        for row in rows:
            assert f"\n{row['name']} " in shown or f"\n{row['name']}\n" in shown
            assert row["summary"] in shown
            assert row["title"]
    assert kinds["max-checkall"]["title"] == "Max Check All"
    assert "Max Check All: finds every solution" in shown


def test_importing_minewright_loads_no_strategy_and_no_lab() -> None:
    code = "import sys, minewright; print(*sys.modules); minewright.simulate"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "minewright.lab" not in done.stdout
    assert "minewright.strategies" not in done.stdout


# What is stopped


def test_an_interrupt_keeps_the_first_games_played() -> None:
    with pytest.raises(Stopped) as stopped:
        mw.simulate(SMALL, "single-point", 10**6, 2, progress=Told(enough=20))
    so_far = stopped.value.simulation
    assert so_far
    assert results(so_far) == results(mw.simulate(SMALL, "single-point", so_far.games, 2))


# The command itself, but it makes a file as soon as games are over.
TELLING = """
import pathlib, sys
from minewright.cli import bars, main
def tell(self, words):
    pathlib.Path(sys.argv[1]).touch()
bars.Bar.note = tell
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.skipif(os.name == "nt", reason="needs signals of POSIX")
@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt_shows_what_was_played_so_far(tmp_path: Path, workers: int) -> None:
    played = tmp_path / "played"
    options = ["--strategy=exact", "--no-native", "--games=1000000", f"--workers={workers}"]
    command = [sys.executable, "-c", TELLING, str(played), "simulate", "--json", *options]
    with started(command) as process:
        assert wait_until(played.exists)
        # As a terminal does: the workers hear it too.
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=HANG)
    found = json.loads(out)
    assert process.returncode == 130
    assert found["games"] > 0
    assert err == f"minewright: stopped after {found['games']:,} of 1,000,000 games\n"


class Deadly(Moore):
    """Ends every process that unpickles it."""

    def __reduce__(self) -> tuple[object, ...]:
        return os._exit, (1,)


def test_a_worker_that_dies_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(WorkerLost, match="a worker process died after 0 games") as lost:
        mw.simulate(SMALL, "exact", 10, workers=2, topology=Deadly((6, 6)))

    def lose(*_: object, **__: object) -> None:
        raise lost.value

    monkeypatch.setattr(lab, "simulate", lose)
    ran = run("simulate", "--strategy", "exact")
    assert (ran.code, ran.out, ran.err) == (3, "", f"minewright: {lost.value}\n")


@pytest.mark.parametrize(
    "command",
    [
        ("simulate", "--strategy", "exact", "--board", "6x6x6"),
        ("bullets", "make", "--size", "5", "--count", "9"),
        ("lab", "run", "experiment.toml", "--out", "out"),
        ("patterns", "collect", "--boards", "6x6x6", "--out", "book.json"),
        ("bench",),
        ("reproduce", "bullets-samples", "--out", "out"),
        ("reproduce", "report-winrate", "--out", "out"),
    ],
    ids=lambda command: " ".join(command[:2]),
)
@pytest.mark.parametrize("refused", ["a lock", "the second process"])
def test_workers_that_cannot_be_started_are_told_in_one_line_and_none_is_left(
    command: tuple[str, ...],
    refused: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    start = BaseProcess.start

    def refuse_second(process: BaseProcess) -> None:
        if active_children():
            refuse()
        start(process)

    if refused == "a lock":
        monkeypatch.setattr("multiprocessing.synchronize.SemLock.__init__", refuse)
    else:
        monkeypatch.setattr(BaseProcess, "start", refuse_second)
    monkeypatch.chdir(tmp_path)
    facts = 'boards = ["6x6x6"]\nstrategies = ["exact"]\ngames = 9\nseed = 1\n'
    Path("experiment.toml").write_text(facts)
    ran = run(*command, "--workers", "2")
    assert (ran.code, ran.out) == (3, "")
    assert "worker processes cannot be started on this machine" in ran.err
    assert "; use one worker" in ran.err
    assert ran.err.count("\n") == 1
    assert active_children() == []


@pytest.mark.parametrize("workers", ["1", "2"])
def test_one_worker_is_not_advised_where_that_needs_a_process_too(
    workers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("multiprocessing.synchronize.SemLock.__init__", refuse)
    ran = run("simulate", "--strategy", "max-exists", "--board", "6x6x6", "--workers", workers)
    assert (ran.code, ran.out) == (3, "")
    assert "worker processes cannot be started on this machine" in ran.err
    assert ran.err.endswith("; this strategy cannot play without them\n")
