"""Reading a curve: what it has at a density, and where it falls through a value."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from minewright.documents.estimates import Share
from minewright.documents.phase.games import Curve, Spot


def at(curve: Curve, density: float) -> Spot:
    """Return the games whose density is nearest to this one."""
    return min(curve, key=lambda spot: abs(spot.density - density))


Crossing = tuple[float, float, float]


def through(
    curve: Curve,
    share: float,
    confidence: float = 0.95,
    what: Callable[[Spot], Share] = lambda spot: spot.won,
) -> Crossing | None:
    """Return the density where a share falls through a value, and the least and most it may be."""
    ends = [what(spot).ends(confidence) for spot in curve]
    densities = [spot.density for spot in curve]
    middle = falls_through(densities, [what(spot).value for spot in curve], share)
    low = falls_through(densities, [low for low, _ in ends], share)
    high = falls_through(densities, [high for _, high in ends], share)
    if middle is None:
        return None
    return middle, densities[0] if low is None else low, densities[-1] if high is None else high


def falls_through(
    places: Sequence[float], values: Sequence[float], threshold: float
) -> float | None:
    """Return the first place where straight lines between the values fall through a threshold."""
    for (place, value), (later, lower) in pairwise(zip(places, values, strict=True)):
        if lower < threshold <= value:
            return place + (later - place) * (value - threshold) / (value - lower)
    return None
