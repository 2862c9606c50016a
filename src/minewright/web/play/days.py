"""The days of the daily game over the wire: which were played, and the table of a day."""

from datetime import date, timedelta
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from pydantic import BaseModel, Field

from minewright.deduction.effort import Level
from minewright.noguess.days import FIRST_DAY, board_of
from minewright.web.people.cookies import Person
from minewright.web.people.days import NameTaken
from minewright.web.people.names import NameRefused, read_name
from minewright.web.people.rows import DayResult
from minewright.web.people.store import Store
from minewright.web.server.bounds import Asker
from minewright.web.server.rates import Buckets
from minewright.web.server.refusals import PROBLEMS
from minewright.web.server.settings import Settings
from minewright.web.shared.days import day_asked
from minewright.web.shared.models import Asked

LINES: Final = 50
"""The most lines of a table."""

router = APIRouter(prefix="/api/daily", tags=["daily"], responses=PROBLEMS)


class Day(BaseModel):
    """A day, and how I did."""

    day: date
    board: str
    level: Level
    outcome: Literal["won", "lost", "left"] | None = Field(description="Null if not finished.")
    seconds: float | None
    helped: bool = Field(description="With help, or with the mines known.")


class Days(BaseModel):
    """Some days, latest first."""

    streak: int = Field(
        description="Days in a row whose board I cleared without help on the day itself, up to the "
        "last one asked for, or up to the day before."
    )
    days: list[Day]


class Line(BaseModel):
    """A line in the table of a day."""

    name: str
    seconds: float
    no_flags: bool
    mine: bool


class Table(BaseModel):
    """The fastest wins of a day: without help, without a break, and on the day itself."""

    day: date
    name: str | None = Field(description="The name I chose; null: I am in no table.")
    lines: list[Line]


class NameAsked(Asked):
    """A name for the tables."""

    name: str = Field(max_length=100)


class NameRates:
    """Limits how often names are chosen: per person, and per address that people share."""

    def __init__(self, settings: Settings) -> None:
        self._person = Buckets(settings.name_rate, settings.name_burst)
        self._address = Buckets(settings.address_name_rate, settings.address_name_burst)

    def take(self, asker: Asker) -> None:
        """Count a name; answer 429 if there were too many."""
        if self._person.take(asker.person) or self._address.take(asker.address):
            raise HTTPException(429, "too many new names; try again later")


def _has_table(request: Request) -> None:
    settings: Settings = request.app.state.settings
    if not settings.has_table:
        raise HTTPException(404, "this server has no table of the day; see `serve --table`")


HasTable = Depends(_has_table)


@router.get("")
def days(
    request: Request,
    person: Person,
    last: Annotated[date | None, Query(description="Today if absent.")] = None,
    count: Annotated[int, Query(ge=1, le=60)] = 14,
) -> Days:
    """List days of the daily game, and how I did."""
    store: Store = request.app.state.store
    day = day_asked(last, FIRST_DAY, "game")
    mine = store.days(person)
    some = (day - timedelta(days=ago) for ago in range(count))
    return Days(
        streak=_streak(mine, day),
        days=[_day(each, mine.get(each)) for each in some if each >= FIRST_DAY],
    )


def _day(day: date, result: DayResult | None) -> Day:
    board, level = board_of(day)
    return Day(
        day=day,
        board=str(board),
        level=level,
        outcome=result and result.outcome,
        seconds=result.seconds if result and result.outcome == "won" else None,
        helped=bool(result and result.helped),
    )


def _streak(mine: dict[date, DayResult], last: date) -> int:
    def cleared(day: date) -> bool:
        result = mine.get(day)
        return bool(result and result.in_time and result.outcome == "won" and not result.helped)

    first = last if cleared(last) else last - timedelta(days=1)
    day = first
    while cleared(day):
        day -= timedelta(days=1)
    return (first - day).days


@router.get("/{day}/table", dependencies=[HasTable])
def table(request: Request, person: Person, day: date) -> Table:
    """Return the table of a day."""
    store: Store = request.app.state.store
    day = day_asked(day, FIRST_DAY, "game")
    lines = [
        Line(name=name, seconds=seconds, no_flags=no_flags, mine=who == person)
        for who, name, seconds, no_flags in store.table(day, LINES)
    ]
    return Table(day=day, name=store.name(person), lines=lines)


@router.put("/name", status_code=204, dependencies=[HasTable])
def choose_name(request: Request, person: Person, asked: NameAsked) -> None:
    """Choose a name: my games appear under it in the tables."""
    store: Store = request.app.state.store
    rates: NameRates = request.app.state.name_rates
    try:
        name = read_name(asked.name)
        if name != store.name(person):
            rates.take(Asker.of(request))
            store.set_name(person, name)
    except NameRefused as error:
        raise HTTPException(422, str(error)) from None
    except NameTaken as error:
        raise HTTPException(409, str(error)) from None


@router.delete("/name", status_code=204)
def drop_name(request: Request, person: Person) -> None:
    """Take my name, and with it my games, out of the tables."""
    store: Store = request.app.state.store
    store.drop_name(person)
