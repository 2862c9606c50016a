"""A position as an array of colours, drawn with numpy alone, on any topology."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from minewright.position import COVERED, MARKED, MAX_NUMBER, MINED, Position
from minewright.topology import Point

CELL: Final = 24
"""The width of a cell in pixels."""

Colour = tuple[int, int, int]
Stamp = NDArray[np.bool_]

_PAPER: Final = (255, 255, 255)
_OPEN: Final = (230, 233, 238)
_COVERED: Final = (160, 168, 180)
_MINED: Final = (232, 112, 58)
_INK: Final = (20, 23, 28)
_NUMBERS: Final = (
    *((104, 111, 121), (0, 103, 165), (0, 112, 90), (179, 64, 0), (67, 48, 143)),
    *((143, 31, 91), (0, 107, 119), (17, 20, 24), (90, 96, 105)),
)
# Three columns and five rows per digit, row by row from the highest bit.
_DIGITS: Final = (0x7B6F, 0x2C97, 0x73E7, 0x73CF, 0x5BC9, 0x79CF, 0x79EF, 0x7292, 0x7BEF, 0x7BCF)


def picture(position: Position) -> NDArray[np.uint8]:
    """Return the picture: rows of pixels, each of red, green and blue."""
    topology = position.topology
    width, height = topology.extent
    pixels = np.empty((round(height * CELL) + 1, round(width * CELL) + 1, 3), np.uint8)
    pixels[:] = _PAPER
    tile = _tile(topology.outline)
    for cell, code in enumerate(position.cells):
        centre = topology.centre(cell)
        ground = _MINED if code == MINED else _OPEN if code <= MAX_NUMBER else _COVERED
        _press(pixels, tile, centre, ground)
        for stamp, colour in _face(code):
            _press(pixels, stamp, centre, colour)
    return pixels


def _face(code: int) -> Iterator[tuple[Stamp, Colour]]:
    """Yield what stands on a cell: nothing on a 0 or a covered cell."""
    if 0 < code <= MAX_NUMBER:
        yield _number(code), _NUMBERS[min(code, 8)]
    elif code == MINED:
        yield _disc(), _INK
    elif code not in (0, COVERED):
        yield (
            _tile(((-0.2, -0.25), (0.25, -0.05), (-0.2, 0.15))),
            _INK if code != MARKED else _MINED,
        )


def _press(pixels: NDArray[np.uint8], stamp: Stamp, centre: Point, colour: Colour) -> None:
    """Colour the pixels under a stamp, whose middle is put on the centre."""
    high, wide = stamp.shape
    top, left = round(centre[1] * CELL - high / 2), round(centre[0] * CELL - wide / 2)
    shown = stamp[max(-top, 0) :, max(-left, 0) :]
    top, left = max(top, 0), max(left, 0)
    window = pixels[top : top + shown.shape[0], left : left + shown.shape[1]]
    window[shown[: window.shape[0], : window.shape[1]]] = colour


@lru_cache
def _tile(outline: tuple[Point, ...]) -> Stamp:
    """Return the inside of a convex outline, whose corners go round clockwise."""
    side = np.arange(-CELL, CELL + 1) / CELL
    across, down = np.meshgrid(side, side)
    inside = np.ones_like(across, np.bool_)
    for (x, y), (to_x, to_y) in pairwise((*outline, outline[0])):
        # Half a pixel less than the outline, so that a line stays between two cells.
        inside &= (to_x - x) * (down - y) - (to_y - y) * (across - x) > 0.5 / CELL
    return inside


@lru_cache
def _disc() -> Stamp:
    side = np.arange(-CELL, CELL + 1) / CELL
    return np.hypot(*np.meshgrid(side, side)) < 0.25


@lru_cache
def _number(number: int) -> Stamp:
    bits = [
        [
            [_DIGITS[int(digit)] >> (14 - 3 * row - column) & 1 for column in range(3)] + [0]
            for row in range(5)
        ]
        for digit in str(number)
    ]
    glyphs = np.concatenate([np.array(rows, np.bool_) for rows in bits], axis=1)[:, :-1]
    scale = 3 if number < 10 else 2
    return glyphs.repeat(scale, 0).repeat(scale, 1)
