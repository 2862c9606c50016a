"""A player's profile over the wire: figures, pictures, and the games worth another look."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from time import monotonic
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request
from pydantic import BaseModel, Field

from minewright.errors import MinewrightError
from minewright.formats import Replay
from minewright.game import MoveTooHard
from minewright.profile import Entry, Profile
from minewright.profile.figures import FIGURES, Unit, headlines
from minewright.profile.profile import summary
from minewright.profile.report import luck, pictures, regret
from minewright.web.people.cookies import Person
from minewright.web.people.replays import as_replay, tells
from minewright.web.people.rows import Row
from minewright.web.people.store import Store
from minewright.web.profile.work import FILES, Profiles, Source
from minewright.web.server.bounds import Queued
from minewright.web.server.refusals import PROBLEMS
from minewright.web.server.settings import Settings
from minewright.web.shared.deadline import Deadline
from minewright.web.shared.uploads import Sent

router = APIRouter(prefix="/api/me/profile", tags=["profile"], responses=PROBLEMS)


class HeadlineView(BaseModel):
    """A figure of all my games, in plain words."""

    name: str
    value: str
    note: str
    board: str = Field(description="The board that it is about; empty if it is about all.")


class FigureView(BaseModel):
    """A figure of a board: what players call it, and what it is."""

    group: str = Field(description="The heading it stands under.")
    name: str
    meaning: str = Field(description="What it is, for somebody who has never heard of it.")
    formula: str = Field(description="How it is computed; empty if the meaning says it.")
    unit: Unit


class BoardFigures(BaseModel):
    """My games on one board: times are those of games won, other figures are means."""

    board: str
    games: int
    won: int
    figures: dict[str, float | None]


class Worth(BaseModel):
    """A game worth another look."""

    game: str | None = Field(description="Its ID, if it was played here.")
    name: str = Field(description="The file's name; empty for games played here.")
    board: str
    at: float = Field(description="When it was played, in seconds since 1970.")
    move: int = Field(description="The move with the most avoidable risk, from 1.")
    reason: str


class ProfileView(BaseModel):
    """What my games say about me."""

    games: int
    won: int
    files: int = Field(description="How many of them came as files.")
    total: int = Field(description="How many games there are to work out.")
    complete: bool = Field(description="If not, ask again: the work goes on.")
    headlines: list[HeadlineView] = Field(description="None without games.")
    luck: str
    regret: str = Field(description="Where the chance to win went in an average game.")
    figures: dict[str, FigureView]
    boards: list[BoardFigures]
    missed: dict[str, int] = Field(description="How often a proof of each kind was missed.")
    worth: list[Worth]
    pictures: dict[str, str] = Field(description="Trends and counts, as SVG.")


@router.get("")
def profile(request: Request, person: Person, _: Queued) -> ProfileView:
    """Return my profile: my finished games without help, and the files that I have added.

    While it is incomplete, asking again continues the work. Modes in which the mines give way are
    left out.
    """
    settings: Settings = request.app.state.settings
    store: Store = request.app.state.store
    profiles: Profiles = request.app.state.profiles
    end = monotonic() + settings.seconds
    rows = [row for row, moves in store.games(person, settings.games) if moves and tells(row)]
    work = profiles.find(person)
    late: set[str] = set()
    with work.lock:
        idle = work.go_on(end)
        for row in reversed(rows):
            if not idle:
                break
            if row.id not in work:
                try:
                    replay = _replay(store, person, row)
                except MoveTooHard:
                    # It is left out this time; asking again at once would hardly help.
                    late.add(row.id)
                    continue
                work.begin(Source(row.id, row.made), replay, settings.states)
                # Do something however little time is left, or the work would never end.
                idle = work.go_on(end) and monotonic() < end
        complete = work.idle and all(row.id in work or row.id in late for row in rows)
        total = len(rows) + work.files
        found, sources = work.profile({row.id for row in rows})
    profiles.find(person)  # It weighs more now.
    return _view(found, sources, complete, total)


@router.post("/files", status_code=204)
def add(
    request: Request,
    person: Person,
    _: Queued,
    sent: Sent,
    at: Annotated[float, Query(ge=0, le=1e11, description="When it was saved.")] = 0.0,
) -> None:
    """Add a replay saved by another program; it stays in memory and is never written to disk.

    If the one before is not worked out yet, the answer is 409: ask for the profile, then try again.
    """
    deadline = Deadline(request)
    settings: Settings = request.app.state.settings
    work = request.app.state.profiles.find(person)
    replay = sent.read(deadline).replay
    if replay is None or not replay.moves:
        raise HTTPException(422, "this holds a position, not a game with its moves")
    end = monotonic() + settings.seconds
    with work.lock:
        if work.files >= FILES:
            raise HTTPException(422, f"there are {FILES} files already; remove them first")
        if not work.go_on(end):
            raise HTTPException(409, "the game before is not worked out yet")
        source = Source(sha256(sent.data).hexdigest(), at, sent.name)
        # Nobody needs the player's name, so it is not kept.
        work.begin(source, replace(replay, player=""), settings.states)
        work.go_on(end)
    request.app.state.profiles.find(person)  # It weighs more now.


@router.delete("/files", status_code=204)
def remove(request: Request, person: Person) -> None:
    """Forget the files that I have added."""
    work = request.app.state.profiles.find(person)
    with work.lock:
        work.drop_files()


def _replay(store: Store, person: str, row: Row) -> Replay | None:
    """Return a game as a replay, or None if it is gone, damaged or empty; may raise MoveTooHard."""
    loaded = store.load(person, row.id)
    try:
        return as_replay(*loaded) if loaded else None
    except MoveTooHard:
        raise
    except MinewrightError as error:
        store.leave_out(row.id, error)
        return None


def _view(found: Profile, sources: Mapping[str, Source], complete: bool, total: int) -> ProfileView:
    return ProfileView(
        games=len(found.entries),
        won=found.won,
        files=sum(source.file is not None for source in sources.values()),
        total=total,
        complete=complete,
        headlines=[
            HeadlineView(**one._asdict()) for one in (headlines(found) if found.entries else ())
        ],
        luck=luck(found),
        regret=regret(found) if found.entries else "",
        figures={key: FigureView(**one._asdict()) for key, one in FIGURES.items()},
        boards=[_board(board, entries) for board, entries in found.boards.items()],
        missed=found.missed,
        worth=[_worth(entry, sources[entry.name]) for entry in found.worth],
        pictures=pictures(found) if found.entries else {},
    )


def _board(board: str, entries: Sequence[Entry]) -> BoardFigures:
    means = summary(entries)
    return BoardFigures.model_validate(
        {"board": board, "games": means["games"], "won": means["won"], "figures": means}
    )


def _worth(entry: Entry, source: Source) -> Worth:
    assert entry.worst is not None
    return Worth(
        game=source.id if source.file is None else None,
        name=source.file or "",
        board=entry.board,
        at=source.at,
        move=entry.worst.move,
        reason=entry.reason,
    )
