"""Runs of `minewright lab`: how far they are and what they show, live while one is played.

The files in the lab directory are read, never run: an experiment may bring strategies of its own
as Python, which only `minewright lab` itself takes in. What is broken or foreign is said so and
left alone.
"""

import asyncio
import json
from collections.abc import AsyncGenerator
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from time import monotonic, time
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi import Path as InPath
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field, ValidationError

from minewright.board import Board, BoardError
from minewright.game import StartRule
from minewright.web import bounds
from minewright.web.models import PROBLEMS, Chance
from minewright.web.settings import Settings

if TYPE_CHECKING:
    from minewright.lab.run import Run

router = APIRouter(prefix="/api/lab", tags=["lab"], responses=PROBLEMS)

DEFINITION: Final = "experiment.json"
ABOUT: Final = "about.json"
PROGRESS: Final = "progress.json"
MAX_RUNS: Final = 200
"""How many runs are listed, those heard of last."""
MAX_JSON: Final = 8 << 20
MAX_SHARDS: Final = 256 << 20
"""Bytes of a run's files that are read."""
QUIET: Final = 30.0
"""A run that was not heard of for so many seconds is not being played."""
STREAMS: Final = 32
LIFE: Final = 600.0
"""Seconds that a stream lasts; the page asks for another then."""
PULSE: Final = 1.0
BEAT: Final = 15.0

State = Literal["complete", "playing", "stopped", "broken"]


class RunLine(BaseModel):
    """A run in the list."""

    name: str = Field(description="Its directory.")
    title: str
    state: State
    games: int
    played: int
    per_second: float | None = Field(description="Games a second, as it last said.")
    heard: float = Field(description="When it last wrote something, in seconds since 1970.")
    problem: str | None = Field(description="What is wrong with it, if it is broken.")


class Runs(BaseModel):
    """The runs in the lab directory, those being played first, then the latest."""

    directory: str
    runs: list[RunLine]
    more: int = Field(description="How many are not listed.")


class TableView(BaseModel):
    """A table as `minewright lab report` writes it."""

    head: list[str]
    rows: list[list[str]]


class Share(BaseModel):
    """What share of its games a player won, with the 95% interval."""

    player: str
    board: str
    won: Chance
    low: Chance
    high: Chance


class About(BaseModel):
    """Where and when a run began."""

    minewright: str = "?"
    python: str = "?"
    machine: str = "?"
    cores: int | None = None
    began: str = "?"


class Arms(BaseModel):
    """A player on a board, and how many of its games are played."""

    arm: str
    played: int


class RunView(RunLine):
    """A run with all its figures."""

    seed: int
    about: About
    arms: list[Arms]
    players: TableView
    shares: list[Share]
    comparisons: TableView
    verdict: str | None = Field(description="What the duel has shown, if it is one.")
    notes: list[str]
    plot: bool = Field(description="Whether the plot can be had as a file.")


@router.get("")
def runs(request: Request) -> Runs:
    """List the runs in the lab directory; /api/lab/events sends the same whenever it changes."""
    return _runs(request.app.state.settings)


# Not in the schema: what tries out every endpoint would wait for the end of a stream.
@router.get("/events", response_class=StreamingResponse, include_in_schema=False)
async def events(request: Request) -> StreamingResponse:
    """Tell whenever the list changes, as server-sent events; each holds the whole list."""
    state = request.app.state
    if state.lab_streams >= STREAMS:
        raise HTTPException(
            429, "too many people watch the lab; try again later", {"Retry-After": "30"}
        )
    return StreamingResponse(stream(state), media_type="text/event-stream")


async def stream(state: Any, life: float = LIFE, pulse: float = PULSE) -> AsyncGenerator[str, None]:
    """Give an event for each change of the list, and a sign of life now and then."""
    state.lab_streams += 1
    try:
        last, at, end = "", monotonic(), monotonic() + life
        while monotonic() < end:
            found = (await run_in_threadpool(_runs, state.settings)).model_dump_json()
            if found != last:
                yield f"data: {found}\n\n"
                last, at = found, monotonic()
            elif monotonic() - at > BEAT:
                yield ": still here\n\n"
                at = monotonic()
            await asyncio.sleep(pulse)
    finally:
        state.lab_streams -= 1


Name = Annotated[str, InPath(min_length=1, max_length=255)]


@router.get("/runs/{name}")
def run(request: Request, name: Name, _: bounds.Turn) -> RunView:
    """Show a run: what each player did, and who is stronger on the same games."""
    directory = _find(request.app.state.settings, name)
    line = _line(name, directory)
    if line.problem:
        raise HTTPException(422, line.problem)
    experiment = _experiment(directory)
    figures = _figures(directory)
    return RunView(
        **line.model_dump(),
        seed=experiment.seed,
        about=_about(directory),
        arms=figures.arms,
        players=figures.players,
        shares=figures.shares,
        comparisons=figures.comparisons,
        verdict=figures.verdict,
        notes=figures.notes,
        plot=find_spec("matplotlib") is not None and bool(figures.shares),
    )


@router.get(
    "/runs/{name}/plot.svg",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {}}}},
)
def plot(request: Request, name: Name, _: bounds.Turn) -> Response:
    """Draw the shares of games won as `minewright lab report` does, to be kept."""
    from minewright.lab.reproduce import ReproductionError

    directory = _find(request.app.state.settings, name)
    _figures(directory)
    try:
        drawn = _draw(directory, _stamp(directory))
    except ReproductionError as error:
        raise HTTPException(422, str(error)) from None
    if not drawn:
        raise HTTPException(404, "there is nothing to draw in this run, or too much")
    kept = {"Content-Disposition": 'attachment; filename="won.svg"'}
    return Response(drawn, media_type="image/svg+xml", headers=kept)


# The list


def _runs(settings: Settings) -> Runs:
    lines = [_line(name, directory) for name, directory in _directories(settings.lab).items()]
    lines.sort(key=lambda line: (line.state != "playing", -line.heard, line.name))
    return Runs(
        directory=settings.lab.resolve().name,
        runs=lines[:MAX_RUNS],
        more=max(0, len(lines) - MAX_RUNS),
    )


def _directories(lab: Path) -> dict[str, Path]:
    """Find the directories that hold an experiment: the lab itself, or any just inside it."""
    found = {}
    try:
        for directory in (lab.resolve(), *sorted(lab.iterdir())):
            try:
                if (directory / DEFINITION).is_file():
                    found[directory.name or "lab"] = directory
            except OSError:
                continue  # not for us to look into
    except OSError:
        pass  # the directory may come later
    # A name that is no text cannot be asked for.
    return {name: path for name, path in found.items() if name.isprintable()}


def _find(settings: Settings, name: str) -> Path:
    """Give the directory of a run: one of those that are listed, whatever the name says."""
    try:
        return _directories(settings.lab)[name]
    except KeyError:
        raise HTTPException(404, "there is no such run in the lab directory") from None


def _line(name: str, directory: Path) -> RunLine:
    heard = _heard(directory)
    try:
        experiment = _experiment(directory)
        total = experiment.games * len(experiment.arms)
        last = _Progress.model_validate(_json(directory / PROGRESS, {}))
        played = min(last.played, total)
        over = played == total or (experiment.duel is not None and _decided(directory))
        state: State = (
            "complete" if over else "playing" if abs(time() - heard) < QUIET else "stopped"
        )
        problem = None
    except HTTPException as error:
        experiment, state, total, played = None, "broken", 0, 0
        last, problem = _Progress(), str(error.detail)
    except ValidationError:
        experiment, state, total, played = None, "broken", 0, 0
        last, problem = _Progress(), f"{PROGRESS} is not what `minewright lab` writes"
    return RunLine(
        name=name,
        title=experiment.name if experiment else name,
        state=state,
        games=total,
        played=played,
        per_second=last.games_per_second,
        heard=heard,
        problem=problem,
    )


def _decided(directory: Path) -> bool:
    """Tell whether a duel has its verdict, as far as that can be told."""
    try:
        return _figures(directory).decided
    except HTTPException:
        return False


def _heard(directory: Path) -> float:
    latest = 0.0
    for name in (PROGRESS, DEFINITION):
        try:
            latest = max(latest, (directory / name).stat().st_mtime)
        except OSError:
            continue
    return latest


# Files, none of which has to be what it should be


class _Progress(BaseModel):
    played: int = Field(default=0, ge=0, le=2**63)
    games_per_second: float | None = Field(default=None, ge=0, allow_inf_nan=False)


class _ArmFile(BaseModel):
    strategy: str
    board: str
    start: StartRule
    topology: str = "moore"
    guesser: str = ""
    first: str = ""


class _DuelFile(BaseModel):
    first: int = Field(ge=0)
    second: int = Field(ge=0)
    share: float = Field(gt=0.5, lt=1)
    error: float = Field(gt=0, lt=0.5)
    round: int = Field(ge=1)


class _File(BaseModel):
    """An experiment as it is written, without what it would run."""

    name: str
    arms: list[_ArmFile] = Field(min_length=1, max_length=10_000)
    games: int = Field(ge=1, le=1_000_000_000)
    seed: int = Field(ge=0, lt=2**64)
    timeout: float | None = None
    duel: _DuelFile | None = None


def _broken(what: str) -> HTTPException:
    return HTTPException(422, f"this is no run that can be shown: {what}")


def _read(path: Path) -> bytes:
    """Read a file that is not too large."""
    try:
        if not path.is_file():
            raise _broken(f"{path.name} is not there")
        with path.open("rb") as file:
            data = file.read(MAX_JSON + 1)
    except OSError as error:
        raise _broken(f"{path.name} cannot be read ({error.strerror})") from None
    if len(data) > MAX_JSON:
        raise _broken(f"{path.name} is too large")
    return data


def _json(path: Path, otherwise: object) -> object:
    try:
        return json.loads(_read(path))
    except (HTTPException, ValueError, RecursionError):
        return otherwise


def _about(directory: Path) -> About:
    try:
        return About.model_validate(_json(directory / ABOUT, {}))
    except ValidationError:
        return About()


def _experiment(directory: Path) -> _File:
    path = directory / DEFINITION
    try:
        now = path.stat()
    except OSError as error:
        raise _broken(f"{path.name} cannot be read ({error.strerror})") from None
    return _definition(path, now.st_mtime_ns, now.st_size)


@lru_cache(maxsize=MAX_RUNS)
def _definition(path: Path, *_: int) -> _File:
    try:
        file = _File.model_validate_json(_read(path))
        for board in {arm.board for arm in file.arms}:
            Board.parse(board)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or path.name
        raise _broken(f"{where}: {first['msg']}") from None
    except BoardError as error:
        raise _broken(str(error)) from None
    if file.duel and max(file.duel.first, file.duel.second) >= len(file.arms):
        raise _broken("its duel is between arms that it does not have")
    return file


# The figures


class _Figures(NamedTuple):
    arms: list[Arms]
    players: TableView
    shares: list[Share]
    comparisons: TableView
    verdict: str | None
    decided: bool
    notes: list[str]


def _figures(directory: Path) -> _Figures:
    """Sum up a run; the same files are read once."""
    if find_spec("polars") is None:
        raise HTTPException(422, "figures need polars; pip install 'minewright[lab]'")
    _experiment(directory)
    stamp = _stamp(directory)
    if sum(size for _, _, size in stamp) > MAX_SHARDS:
        raise HTTPException(
            422, "this run is too large to be shown here; `minewright lab report` shows it"
        )
    return _summed(directory, stamp)


Stamp = tuple[tuple[str, int, int], ...]
"""Which files a run has: name, time and size of each."""


def _stamp(directory: Path) -> Stamp:
    found = []
    for path in (directory / DEFINITION, *sorted((directory / "shards").glob("*.parquet"))):
        try:
            now = path.stat()
        except OSError:
            continue
        found.append((path.name, now.st_mtime_ns, now.st_size))
    return tuple(found)


@lru_cache(maxsize=64)
def _summed(directory: Path, _: Stamp) -> _Figures:
    from polars.exceptions import PanicException, PolarsError

    try:
        return _sum(_run(directory))
    except (PolarsError, OSError, ValueError, LookupError, TypeError, ArithmeticError) as error:
        raise _broken(f"its rows do not fit ({str(error).splitlines()[0]})") from None
    except PanicException:
        # Nobody's error to handle, says the library; but the file is not ours.
        raise _broken("its rows cannot be read") from None


def _run(directory: Path) -> "Run":
    """Make a run to read from, without running what its definition brings."""
    from minewright.lab.experiment import Arm, Duel, Experiment
    from minewright.lab.run import Run

    class Named(Arm):
        """An arm by its names alone: a strategy of the definition's own is not known here."""

        def __post_init__(self) -> None:
            pass

    class Read(Experiment):
        """An experiment that nobody is going to play here."""

        def __post_init__(self) -> None:
            pass

    file = _experiment(directory)
    arms = tuple(Named(**arm.model_dump()) for arm in file.arms)
    duel = Duel(**file.duel.model_dump()) if file.duel else None
    return Run(directory, Read(file.name, arms, file.games, file.seed, file.timeout, duel))


def _sum(run: "Run") -> _Figures:
    from minewright.lab import report

    experiment = run.experiment
    rows = run.rows()
    played = dict(rows.group_by("arm").len().iter_rows())
    found = report.results(experiment, rows)
    lines = report.result_rows(found)
    compared = report.comparisons(experiment, rows)
    verdict = run.verdict()
    over = rows.height == experiment.games * len(experiment.arms)
    shares = [
        Share(player=line[0], board=line[1], won=one.win_rate, low=max(0, low), high=min(1, high))
        for one, line in zip(found, lines, strict=True)
        for low, high in (one.interval,)
    ]
    return _Figures(
        arms=[
            Arms(arm=str(arm), played=played.get(at, 0)) for at, arm in enumerate(experiment.arms)
        ],
        players=_table(report.RESULT_HEAD, lines),
        shares=shares if len(shares) <= report.MOST_DRAWN else [],
        comparisons=_table(report.COMPARISON_HEAD, report.comparison_rows(compared)),
        verdict=report.verdict_words(experiment, verdict, over) or None,
        decided=verdict is not None,
        notes=[report.OPTIONAL_STOP] if experiment.duel else [],
    )


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> TableView:
    return TableView(head=list(head), rows=list(map(list, rows)))


_drawing: Final = Lock()


@lru_cache(maxsize=16)
def _draw(directory: Path, _: Stamp) -> bytes:
    """Draw the plot as the report does; nothing if there is nothing to draw."""
    from minewright.lab import report
    from minewright.lab.plots import require_matplotlib

    require_matplotlib()
    # The drawing library has settings that all threads share.
    with _drawing, TemporaryDirectory() as place:
        report.write(_run(directory), Path(place))
        drawn = Path(place, "won.svg")
        return drawn.read_bytes() if drawn.is_file() else b""
