"""Pictures of positions: `terminal` for a text screen, `svg` for pages and print."""


def percent(chance: float) -> str:
    """Return a probability strictly between 0 and 1 in whole percents, never as 0 or 100."""
    return str(min(99, max(1, round(chance * 100))))
