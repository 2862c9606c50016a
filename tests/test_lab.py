"""The lab: what an experiment may say, where its rows go, and that they are always the same."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar, cast

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lab_runs import SMALL, edit, played, same
from polars.testing import assert_frame_equal

from minewright.cli import main
from minewright.game import StartRule
from minewright.lab import report
from minewright.lab.experiment import Arm, Duel, Experiment, ExperimentError
from minewright.lab.files import StoreError, locked
from minewright.lab.games import Measure, PlayError, own_version, play_games
from minewright.lab.run import Run, RunError, play_batch
from minewright.lab.statistics import wilson
from minewright.work import crew
from minewright.work.executors import Here, processes
from minewright.work.losses import WorkersLost
from minewright.work.tasks import Task

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
P = ParamSpec("P")
T = TypeVar("T")


# What an experiment says


GOOD = {"strategies": '["exact"]', "boards": '["9x9x10"]', "games": "10"}


def toml(**changed: str) -> str:
    return "\n".join(f"{key} = {value}" for key, value in (GOOD | changed).items() if value)


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("x.toml", toml(strategies='["exat"]'), "there is no strategy 'exat'; did you mean exact"),
        ("x.toml", toml(guessers='["psychic"]'), "there is no guesser 'psychic'"),
        ("x.toml", toml(first_moves='["nowhere"]'), "there is no first move 'nowhere'"),
        ("x.toml", toml(games="0"), "games is a whole number from 1 to 1000000000, not 0"),
        ("x.toml", toml(games="1.5"), "games is a whole number, not '1.5'"),
        ("x.toml", toml(games="true"), "games is a whole number, not 'True'"),
        ("x.toml", toml(games=""), "the key 'games' is missing"),
        ("x.toml", toml(boards='["9x9x100"]'), "board '9x9x100': 81 cells cannot hold 100"),
        ("x.toml", toml(boards='["9x9x81"]'), "9x9x81 has 81 mines, but the start rule 'safe'"),
        ("x.toml", toml(boards='"9x9x10"'), "boards is a list of names, not '9x9x10'"),
        ("x.toml", toml(boards="[9]"), "boards is a list of names"),
        ("x.toml", toml(boards="[]"), "at least one strategy and one board"),
        ("x.toml", toml(boards="[{width = 9}]"), "boards is a list of names"),
        ("x.toml", toml(boards='["9x9x10", "9x9x10"]'), "an arm is there twice: exact on 9x9x10"),
        ("x.toml", toml(starts='["gentle"]'), "a start rule is 'any', 'safe' or 'open'"),
        ("x.toml", toml(topologies='["moebius"]'), "moebius"),
        ("x.toml", toml(strategies='[{strategy = "exact", gueser = "random"}]'), "no key 'gueser'"),
        ("x.toml", toml(strategies='[{strategy = "exact", guesser = 3}]'), "guesser is text"),
        ("x.toml", toml(strategies='[{guesser = "random"}]'), "there is no strategy ''"),
        ("x.toml", toml(seed="-1"), "seed is a whole number from 0"),
        ("x.toml", toml(timeout="0"), "timeout is a number of seconds above 0"),
        ("x.toml", toml(timeout="nan"), "timeout is a number of seconds above 0"),
        ("x.toml", toml(game="3"), "there is no key 'game'"),
        ("x.toml", toml(duel="{}"), "duel: there is no arm 1; the arms are 0 to 0"),
        ("x.toml", toml(duel="{arm = 1}"), "duel has no key 'arm'"),
        ("x.toml", toml(duel='{share = "half"}'), "duel: share is a number"),
        ("x.toml", toml(strategies='["exact", "random"]', duel="{share = 0.5}"), "share is betw"),
        ("x.toml", toml(strategies='["exact", "random"]', duel="{round = 0}"), "duel: round"),
        ("x.toml", "games = = 3", "line 1"),
        ("x.toml", None, "no such file; name a TOML or Python file"),
        ("x.py", "1 / 0", "ZeroDivisionError: division by zero (experiment.py, line 1)"),
        ("x.py", "import sys; sys.exit(3)", "SystemExit: 3"),
        ("x.py", "experiment = (", "SyntaxError"),
        ("x.py", "import nothing_of_the_kind", "ModuleNotFoundError"),
        ("x.py", "experiment = 3", "it defines no `experiment`"),
    ],
)
def test_a_bad_definition_is_one_line_that_says_what_to_mend(
    name: str,
    text: str | None,
    problem: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / name
    if text is not None:
        path.write_text(text, encoding="utf-8")
    code = main(["lab", "run", str(path), "--out", str(tmp_path / "out")])
    output, complaints = capsys.readouterr()
    assert (code, output, complaints.count("\n")) == (2, "", 1)
    assert problem in complaints
    assert not (tmp_path / "out").exists()


def test_a_grid_has_an_arm_for_every_combination_and_each_once() -> None:
    text = toml(
        strategies='["single-point", {strategy = "exact", guesser = "random"}]',
        boards='["9x9x10", "8x8x10"]',
        starts='["safe", "any"]',
        guessers='["random", "safest"]',
    )
    experiment = Experiment.from_toml(text, "x")
    players = Counter(arm.player for arm in experiment.arms)
    assert players == {
        "single-point + random": 4,
        "single-point + safest": 4,
        "exact + random": 4,
    }
    assert Experiment.read(experiment.written()) == experiment


@given(st.integers(1, 5000), st.integers(0, 700), st.sampled_from(["exact", "random"]))
def test_batches_hold_every_game_of_every_arm_once(games: int, size: int, second: str) -> None:
    arms = (Arm("single-point", "5x5x3"), Arm(second, "5x5x3"))
    duel = Duel(round=size) if size else None
    experiment = Experiment("x", arms, games, duel=duel)
    batches = list(experiment.batches())
    assert [batch.number for batch in batches] == list(range(len(batches)))
    for arm in (0, 1):
        own = [batch for batch in batches if batch.arm == arm]
        streams = [batch.first + at for batch in own for at in range(batch.games)]
        assert streams == list(range(games))


# Where the rows go


def test_a_directory_takes_one_experiment_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = tmp_path / "one.toml", tmp_path / "other.toml"
    one.write_text(toml(games="3"), encoding="utf-8")
    other.write_text(toml(games="4"), encoding="utf-8")
    out = str(tmp_path / "out")
    assert main(["lab", "run", str(one), "--out", out, "--workers", "1"]) == 0
    before = Run.open(Path(out)).rows()
    capsys.readouterr()
    assert main(["lab", "run", str(other), "--out", out, "--workers", "1"]) == 2
    assert main(["lab", "resume", str(tmp_path)]) == 2
    output, complaints = capsys.readouterr()
    another, no_run = complaints.splitlines()
    assert "holds another experiment, 'one'" in another
    assert "holds no run" in no_run
    assert output == ""
    assert_frame_equal(Run.open(Path(out)).rows(), before)


def test_a_directory_with_other_things_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(RunError, match="is not empty and holds no run"):
        Run.create(tmp_path, SMALL)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_run_killed_in_its_first_moments_can_begin_again(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", SMALL)
    (run.directory / "experiment.json").rename(run.directory / ".experiment.json.1.2")
    assert played(run.directory, SMALL).complete


def test_a_run_is_played_by_one_process_at_a_time(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", SMALL)
    with locked(run.directory), pytest.raises(StoreError, match="is being played by another"):
        run.play(Here)


def test_rows_written_just_before_an_interrupt_are_written_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run.create(tmp_path / "run", SMALL)
    batch = next(SMALL.batches())
    run._store.batches = {batch.number: batch}
    run._store.keep(batch.number, play_games(SMALL.arms[0], 4, 0, batch.games), batch.games)

    def write_and_be_interrupted(path: Path, content: bytes) -> None:
        path.write_bytes(content)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("minewright.lab.store.write_whole", write_and_be_interrupted)
        with pytest.raises(KeyboardInterrupt):
            run._store.flush()
    run._store.flush()
    assert run.rows().height == batch.games
    assert len(run.shards()) == 1


# The same rows whoever plays


def test_two_processes_give_the_same_rows_as_one(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "two", SMALL)
    run.play(partial(processes, 2))
    same(run.rows(), played(tmp_path / "one", SMALL).rows())


class Broken(Executor):
    """Does a given number of tasks, then breaks."""

    ahead = 3

    def __init__(self, tasks: int, *, late: bool) -> None:
        self._tasks = tasks
        self._late = late

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        self._tasks -= 1
        if self._tasks >= 0:
            return Here().submit(fn, *args, **kwargs)
        if not self._late:
            raise BrokenExecutor
        future: Future[T] = Future()
        future.set_exception(BrokenExecutor())
        return future


@pytest.mark.parametrize("late", [False, True])
def test_a_pool_that_breaks_at_any_task_loses_and_doubles_nothing(
    late: bool, tmp_path: Path
) -> None:
    pools = iter([Broken(tasks, late=late) for tasks in (1, 0, 3, 2, 0, 0, 1, 100)])

    @contextmanager
    def next_pool() -> Iterator[Broken]:
        yield next(pools)

    run = Run.create(tmp_path / "run", SMALL)
    run.play(next_pool)
    same(run.rows(), played(tmp_path / "whole", SMALL).rows())


def test_workers_that_always_die_end_the_run_in_one_line(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", SMALL)
    with pytest.raises(WorkersLost, match=r"the workers keep dying .* what is done is kept$"):
        run.play(partial(Broken, 0, late=True))


def test_workers_that_die_again_and_again_after_some_work_end_it_too() -> None:
    opened = 0

    @contextmanager
    def next_pool() -> Iterator[Broken]:
        nonlocal opened
        opened += 1
        assert opened < 20, "new workers are opened without end"
        yield Broken(2 if opened == 1 else 0, late=True)

    tasks = [Task(number, 1.0, abs, (-number,)) for number in range(9)]
    done: list[int] = []
    with crew.Crew(next_pool) as workers, pytest.raises(WorkersLost, match="keep dying"):
        done.extend(result for _, result in workers.perform(tasks))
    assert done == [0, 1]
    assert opened == 1 + crew.MAX_DEATHS


def test_a_crew_that_keeps_the_order_waits_for_the_first_task_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    awaited: list[Future[int]] = []

    def note(futures: Iterable[Future[int]], timeout: float, return_when: str) -> None:
        awaited.extend(futures)

    monkeypatch.setattr(crew, "wait", note)
    task = Task(0, 1.0, int)
    under_way, ended = Future[int](), Future[int]()
    ended.set_result(0)
    jobs = [crew._Job(task, under_way), crew._Job(task, ended)]
    assert crew._wait(jobs, in_order=True) == []
    # If the second one were awaited too, this would return at once, again and again.
    assert awaited == [under_way]
    assert crew._wait(jobs, in_order=False) == [(jobs[1], ended)]


@pytest.mark.parametrize("strategy", ["exact", "exact-corner", "pseq"])
@pytest.mark.parametrize(
    ("board", "topology", "start"),
    [
        ("9x9x10", "moore", "safe"),
        ("8x8x20", "moore", "any"),
        ("4x4x13", "hex", "open"),
        ("4x4x5", "torus", "open"),
        ("3x3x9", "moore", "any"),
    ],
)
def test_the_kernel_gives_the_same_rows_as_the_strategy_in_python(
    strategy: str, board: str, topology: str, start: StartRule
) -> None:
    arm = Arm(strategy, board, start, topology)
    assert arm.recipe.native
    native, python = (
        pl.DataFrame(play_games(arm, 7, 100, 25, native=native)) for native in (True, False)
    )
    same(native, python)


STRANGER = '''
from dataclasses import dataclass

from minewright import Position
from minewright.lab.experiment import Experiment
from minewright.strategies import Conclusion, Deducer, Kind, register


@dataclass
class Nothing(Deducer):
    """Concludes nothing."""

    limit: "int" = 10**9

    def conclude(self, position: Position) -> Conclusion:
        """Conclude nothing."""
        if position.cells.count(0) > self.limit:
            raise ArithmeticError("too many zeros")
        return Conclusion(())


register(Kind("nothing", "nobody", "concludes nothing", Nothing, guesser="safest"))
register(Kind("clumsy", "nobody", "fails", lambda: Nothing(limit=20)))
experiment = Experiment.grid(
    "stranger", strategies=STRATEGIES, boards=["8x8x10"], games=120, seed=2
)
'''


def lab(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own, so that a strategy of this file stays there."""
    command = [sys.executable, "-m", "minewright", "lab", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_strangers_strategy_takes_one_file_on_any_executor_and_after_a_stop(
    tmp_path: Path,
) -> None:
    path = tmp_path / "own.py"
    path.write_text(STRANGER.replace("STRATEGIES", '["nothing", "exact"]'), encoding="utf-8")
    one, two = tmp_path / "one", tmp_path / "two"
    assert lab("run", path, "--out", one, "--workers", "1").returncode == 0
    assert lab("run", path, "--out", two, "--workers", "2").returncode == 0
    # As if it had been stopped after some tasks.
    for shard in sorted((two / "shards").iterdir()):
        edit(shard, lambda rows: rows.filter(pl.col("task") != 1))
    refused = lab("resume", two, "--workers", "2")
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert f"`minewright lab run FILE.py --out {two}`" in refused.stderr
    resumed = lab("run", path, "--out", two, "--workers", "2")
    assert resumed.returncode == 0
    assert "nothing" in resumed.stdout
    order = ["arm", "stream"]
    rows = [pl.read_parquet(out / "shards" / "*.parquet").sort(order) for out in (one, two)]
    assert rows[0].height == 240
    same(*rows)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_strategy_that_fails_is_one_line_that_names_the_game(
    workers: str, tmp_path: Path
) -> None:
    path = tmp_path / "own.py"
    path.write_text(STRANGER.replace("STRATEGIES", '["clumsy"]'), encoding="utf-8")
    done = lab("run", path, "--out", tmp_path / "out", "--workers", workers)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "clumsy on 8x8x10, start safe, game " in done.stderr
    assert "ArithmeticError: too many zeros (experiment.py, line 18)" in done.stderr


# What is shown


def test_a_duel_stops_when_it_is_decided_and_says_the_same_after_a_stop(tmp_path: Path) -> None:
    experiment = Experiment.grid(
        "duel",
        strategies=["single-point", "random"],
        boards=["8x8x10"],
        games=5000,
        seed=1,
        duel=Duel(share=0.7, round=30),
    )
    run = played(tmp_path / "run", experiment)
    verdict = run.verdict()
    assert verdict is not None
    assert verdict.stronger == "first"
    assert run.complete
    assert run.rows().height == 2 * 30
    assert "single-point is the stronger of the two" in report.page(run).markdown()
    before = run.rows()
    # Half of it is lost.
    (shard,) = run.shards()
    edit(shard, lambda rows: rows.filter(pl.col("arm") == 0))
    assert run.verdict() is None
    run.play(Here)
    assert run.verdict() == verdict
    same(run.rows(), before)


def test_the_report_says_what_the_rows_say(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = played(tmp_path / "run", SMALL)
    assert main(["lab", "report", str(run.directory), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    rows = run.rows().to_dicts()
    for at, player in enumerate(told["players"]):
        own = [row for row in rows if row["arm"] == at]
        wins = sum(row["outcome"] == "won" for row in own)
        assert (player["games"], player["wins"]) == (120, wins)
        assert player["ci95"] == pytest.approx(wilson(wins, 120, 0.95))
        assert player["guesses"] == pytest.approx(sum(row["guesses"] for row in own) / 120)
    won = {(row["arm"], row["stream"]): row["outcome"] == "won" for row in rows}
    # Two boards with two players each: one pair per board.
    assert len(told["comparisons"]) == 2
    for (one, other), compared in zip([(0, 1), (2, 3)], told["comparisons"], strict=True):
        alone = sum(won[one, game] and not won[other, game] for game in range(120))
        assert compared["paired"]["first_only"] == alone


def test_a_report_is_written_as_pages_with_a_plot(tmp_path: Path) -> None:
    run = played(tmp_path / "run", SMALL)
    page = report.write(run, tmp_path / "report")
    names = {path.name for path in page.parent.iterdir()}
    assert names == {"report.html", "report.md", "won.png", "won.svg"}
    assert 'src="won.svg"' in page.read_text(encoding="utf-8")


def test_status_tells_how_far_a_run_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run.create(tmp_path / "run", SMALL)
    main(["lab", "status", str(run.directory), "--json"])
    run.play(Here)
    main(["lab", "status", str(run.directory), "--json"])
    before, after = map(json.loads, capsys.readouterr().out.splitlines())
    assert (before["complete"], before["played"], before["games"]) == (False, 0, 480)
    assert (after["complete"], after["played"], after["last"]["played"]) == (True, 480, 480)
    assert [arm["played"] for arm in after["arms"]] == [120] * 4


def test_an_experiment_that_cannot_be_read_is_one_line() -> None:
    with pytest.raises(ExperimentError, match="cannot be read"):
        Experiment.read("[]")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.name)
def test_the_examples_of_the_documents_are_experiments(path: Path) -> None:
    Experiment.load(path)


def test_the_strategy_on_the_page_of_the_lab_runs_as_written(tmp_path: Path) -> None:
    text = (EXAMPLES.parent / "lab.md").read_text(encoding="utf-8")
    shown = next(part for part in text.split("```python\n")[1:] if not part.startswith(">>>"))
    path = tmp_path / "own.py"
    path.write_text(shown.split("```")[0], encoding="utf-8")
    done = lab("run", path, "--out", tmp_path / "out", "--workers", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "satisfied" in done.stdout
    compare = (EXAMPLES / "compare.toml").read_text(encoding="utf-8").split("\n", 1)[1]
    assert compare in text


def test_a_run_of_another_version_is_read_but_not_played_on(tmp_path: Path) -> None:
    Run.create(tmp_path / "run", SMALL).play(Here)
    about = tmp_path / "run" / "about.json"
    about.write_text(about.read_text().replace(own_version(), "0.0.1"))
    old = Run.open(tmp_path / "run")
    assert old.rows().height == SMALL.games * len(SMALL.arms)
    with pytest.raises(RunError, match=r"begun by version 0\.0\.1"):
        old.play(Here)


def test_a_worker_of_another_version_is_refused() -> None:
    with pytest.raises(PlayError, match="install the same version"):
        play_batch("0.0.1", "", SMALL.arms[0], 0, 0, 1, None)


@pytest.mark.parametrize("about", ["[]", "null", "{"])
def test_a_run_whose_papers_are_odd_is_one_line(tmp_path: Path, about: str) -> None:
    Run.create(tmp_path / "run", SMALL)
    (tmp_path / "run" / "about.json").write_text(about)
    with pytest.raises(RunError, match="cannot be read"):
        Run.open(tmp_path / "run")


def test_an_experiment_is_checked_before_a_directory_is_made() -> None:
    with pytest.raises(ExperimentError, match="timeout"):
        replace(SMALL, timeout=float("inf"))
    with pytest.raises(ExperimentError, match="name"):
        replace(SMALL, name="")


def test_a_run_that_measures_safety_keeps_it_and_compares_by_it(tmp_path: Path) -> None:
    experiment = Experiment.grid(
        "safe",
        strategies=["exact-corner", "pseq"],
        boards=["9x9x10"],
        games=400,
        seed=1,
        measure="safety",
    )
    assert Experiment.read(experiment.written()) == experiment
    run = Run.create(tmp_path / "safe", experiment)
    run.play(Here)
    rows = run.rows()
    own = [play_games(arm, 1, 0, 400, measure="safety")["safety"] for arm in experiment.arms]
    for at, safety in enumerate(own):
        assert rows.filter(pl.col("arm") == at)["safety"].to_list() == safety.tolist()
    data = json.loads(report.as_json(run))["safety"]
    assert [one["safety"] for one in data["players"]] == pytest.approx([s.mean() for s in own])
    (pair,) = data["comparisons"]
    less = own[0] - own[1]
    assert pair["difference"] == pytest.approx(less.mean())
    half = 1.959964 * less.std(ddof=1) / 20
    assert pair["ci95"] == pytest.approx([less.mean() - half, less.mean() + half])
    assert pair["always"][0] < pair["ci95"][0]
    assert "By safety" in report.page(run).markdown()
    with pytest.raises(ExperimentError, match="single-point is not one of them"):
        replace(experiment, arms=(Arm("single-point", "9x9x10", "safe"),)).check()
    with pytest.raises(ExperimentError, match="'wins' or 'safety'"):
        replace(experiment, measure=cast("Measure", "luck"))
