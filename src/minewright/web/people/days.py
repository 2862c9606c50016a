"""The daily game: how people did on which day, and the names they chose for the tables of days."""

import sqlite3
from datetime import UTC, date, datetime, timedelta
from typing import Final

from minewright.errors import MinewrightError
from minewright.game import GameError
from minewright.noguess.days import day_of
from minewright.web.people.database import Database
from minewright.web.people.rows import DayResult, TableLine

_LAST_PLACE: Final = timedelta(days=1, hours=12)
"""How long after its start in UTC a day ends in the last time zone."""


class NameTaken(MinewrightError):
    """Somebody else has this name; the message says so."""


def number_of(day: date) -> int:
    """Return a day as it is kept: 31 January 2026 is 20260131."""
    return int(f"{day:%Y%m%d}")


def end_of(day: date) -> float:
    """Return when a day is over everywhere, in seconds since 1970."""
    # `date.max` has no day after it, so this adds seconds, not days.
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return midnight.timestamp() + _LAST_PLACE.total_seconds()


class Days(Database):
    """The part of the store that knows days and names."""

    def days(self, person: str) -> dict[date, DayResult]:
        """Return how a person did on each day: the best result, wins without help before others."""
        found: dict[date, DayResult] = {}
        for number, outcome, seconds, helped, at in self._all(
            "SELECT day, outcome, seconds, helped, at FROM results"
            " WHERE person = ? AND day IS NOT NULL ORDER BY outcome != 'won', helped, at",
            (person,),
        ):
            try:
                day = day_of(number)
            except (GameError, TypeError):
                continue  # It is damaged; so is the game, if it is still there.
            result = DayResult(outcome, seconds, bool(helped), at <= end_of(day))
            found.setdefault(day, result)
        return found

    def table(self, day: date, most: int) -> list[TableLine]:
        """Return the fastest wins of a day by people with a name, at most `most` of them.

        Only wins without help, without a break and before the day was over count. Nobody is
        listed twice: whoever plays a day again knows its mines.
        """
        return [
            TableLine(person, name, seconds, flags == 0)
            for person, name, seconds, flags in self._all(
                "SELECT person, name, seconds, flags FROM results JOIN names USING (person)"
                " WHERE day = ? AND outcome = 'won' AND NOT helped AND NOT interrupted AND at <= ?"
                " ORDER BY seconds, at LIMIT ?",
                (number_of(day), end_of(day), most),
            )
        ]

    def name(self, person: str) -> str | None:
        """Return the name that a person chose, or None."""
        rows = self._all("SELECT name FROM names WHERE person = ?", (person,))
        return str(rows[0][0]) if rows else None

    def set_name(self, person: str, name: str) -> None:
        """Give a person a name; raise NameTaken if somebody else has it, ignoring case."""
        with self._transaction() as db:
            self._need_room(db)
            self._see(db, person)
            try:
                db.execute(
                    "INSERT INTO names VALUES (?, ?, ?) ON CONFLICT (person) DO UPDATE"
                    " SET name = excluded.name, folded = excluded.folded",
                    (person, name, name.casefold()),
                )
            except sqlite3.IntegrityError:
                raise NameTaken(f"somebody else is called {name}; choose another name") from None

    def drop_name(self, person: str) -> None:
        """Remove a person's name, and with it all their lines, from the tables."""
        with self._transaction() as db:
            db.execute("DELETE FROM names WHERE person = ?", (person,))
