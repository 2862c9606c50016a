"""Pictures of positions: `terminal` for a text screen, `svg` for pages and print."""


def percent(chance: float) -> str:
    """Write a probability that is neither 0 nor 1 as whole percents that are neither, too."""
    return str(min(99, max(1, round(chance * 100))))
