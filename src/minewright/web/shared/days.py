"""What comes once a day, and from which day to which it can be asked for."""

from datetime import UTC, date, datetime, timedelta

from fastapi import HTTPException


def day_asked(day: date | None, first: date, thing: str) -> date:
    """Return the day, today if it is None; answer 404 if it is not out yet or too early."""
    today = datetime.now(UTC).date()
    if today < first:
        raise HTTPException(
            404,
            f"the server's clock says {today}, but there is no daily {thing} before {first}; "
            "set the clock",
        )
    day = day or today
    # Somewhere it is already tomorrow.
    if not first <= day <= today + timedelta(days=1):
        when = "is not out yet" if day > today else "does not exist"
        raise HTTPException(404, f"the {thing} of {day} {when}; choose {first} to {today}")
    return day
