"""QR codes (ISO/IEC 18004): a link on paper that a telephone can follow.

Text is written as bytes, at the error correction level M, which survives the loss of 15%. Sizes 1
to 20 are enough for 666 bytes.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, groupby, pairwise, product
from typing import Final

Code = tuple[tuple[bool, ...], ...]
"""The modules of a code, row by row; true is dark."""

QUIET: Final = 4
"""How many light modules a code needs around it."""

_BLOCKS: Final = (1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16)
"""Into how many blocks the data of each size are cut."""
_CHECKS: Final = (
    *(10, 16, 26, 18, 24, 16, 18, 22, 22, 26),
    *(30, 22, 22, 24, 24, 28, 28, 26, 26, 26),
)
"""How many bytes check each block."""
_LONG_COUNT: Final = 10
"""From this size on, the number of bytes takes two bytes itself."""
_LEVEL_M: Final = 0b00


@lru_cache(maxsize=64)
def code(text: str) -> Code | None:
    """Return the smallest code for a text, or None if it is too long for any."""
    data = text.encode()
    for size in range(1, len(_BLOCKS) + 1):
        if len(data) <= _room(size) - (3 if size >= _LONG_COUNT else 2):
            return _Grid(size).best(_with_checks(size, _framed(size, data)))
    return None


# Bytes


def _framed(size: int, data: bytes) -> list[int]:
    """Return the data with their kind and number in front, and padding behind."""
    count = 16 if size >= _LONG_COUNT else 8
    bits = f"{0b0100:04b}{len(data):0{count}b}" + "".join(f"{byte:08b}" for byte in data) + "0000"
    framed = [int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)]
    padding = _room(size) - len(framed)
    return framed + [0xEC, 0x11] * (padding // 2) + [0xEC] * (padding % 2)


def _bytes(size: int) -> int:
    """Return how many bytes a code of a size holds: its modules without all patterns."""
    return sum(row.count(None) for row in _Grid(size).modules) // 8


@cache
def _room(size: int) -> int:
    """Return how many of its bytes are left for data."""
    return _bytes(size) - _BLOCKS[size - 1] * _CHECKS[size - 1]


def _with_checks(size: int, data: Sequence[int]) -> list[int]:
    """Cut data into blocks, add what checks each, and interleave them."""
    count, checks = _BLOCKS[size - 1], _CHECKS[size - 1]
    # The last blocks are longer by one if the data do not split evenly.
    short, longer = divmod(len(data), count)
    ends = [short * at + max(0, at - (count - longer)) for at in range(count + 1)]
    blocks = [data[begin:end] for begin, end in pairwise(ends)]
    checked = [remainder(block, checks) for block in blocks]
    return [*_interleaved(blocks), *_interleaved(checked)]


def _interleaved(blocks: Sequence[Sequence[int]]) -> Iterator[int]:
    for at in range(max(map(len, blocks))):
        yield from (block[at] for block in blocks if at < len(block))


def _times(one: int, other: int) -> int:
    """Multiply two bytes as polynomials over bits, modulo x^8 + x^4 + x^3 + x^2 + 1."""
    product_ = 0
    while other:
        if other & 1:
            product_ ^= one
        one = one << 1 ^ (0x11D if one & 0x80 else 0)
        other >>= 1
    return product_


def _generator(degree: int) -> list[int]:
    """Return the coefficients of (x - 1)(x - 2)(x - 4)… without the first, which is 1."""
    factors, root = [1], 1
    for _ in range(degree):
        shifted = [*factors, 0]
        factors = [a ^ _times(b, root) for a, b in zip(shifted, [0, *factors], strict=True)]
        root = _times(root, 2)
    return factors[1:]


def remainder(data: Sequence[int], checks: int) -> list[int]:
    """Return the bytes that check a block (Reed and Solomon)."""
    divisor = _generator(checks)
    rest = [0] * checks
    for byte in data:
        factor = byte ^ rest[0]
        rest = [a ^ _times(b, factor) for a, b in zip([*rest[1:], 0], divisor, strict=True)]
    return rest


# Modules


class _Grid:
    """The modules of a code: None where data go."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.side = side = 17 + 4 * size
        self.modules: list[list[bool | None]] = [[None] * side for _ in range(side)]
        for at in range(side):
            self.modules[6][at] = self.modules[at][6] = at % 2 == 0
        for row, column in ((3, 3), (3, side - 4), (side - 4, 3)):
            self._rings(row, column, 4)
        places = _alignments(size)
        corners = {(6, 6), (6, side - 7), (side - 7, 6)}
        for row, column in set(product(places, places)) - corners:
            self._rings(row, column, 2)
        self._write_mask(0)
        self._write_size()

    def _rings(self, row: int, column: int, reach: int) -> None:
        """Draw a square with rings around it: dark, light, dark, and light if there is room."""
        for down, right in product(range(-reach, reach + 1), repeat=2):
            y, x = row + down, column + right
            if 0 <= y < self.side and 0 <= x < self.side:
                distance = max(abs(down), abs(right))
                light = (2, 4) if reach == 4 else (1,)
                self.modules[y][x] = distance not in light

    def _write_mask(self, mask: int) -> None:
        """Write twice which mask is used, at which level."""
        value = _LEVEL_M << 3 | mask
        bits = (value << 10 | _cyclic(value, 0x537, 10)) ^ 0x5412
        last = self.side - 1
        for at in range(15):
            dark = bool(bits >> at & 1)
            # Down the left column and up from below, past the lines of dots.
            down = at if at < 6 else at + 1 if at < 8 else last - 14 + at
            self.modules[down][8] = dark
            right = last - at if at < 8 else 15 - at if at == 8 else 14 - at
            self.modules[8][right] = dark
        self.modules[last - 7][8] = True

    def _write_size(self) -> None:
        """Write twice how large the code is, from size 7 on."""
        if self.size < 7:
            return
        bits = self.size << 12 | _cyclic(self.size, 0x1F25, 12)
        for at in range(18):
            far, near = self.side - 11 + at % 3, at // 3
            self.modules[far][near] = self.modules[near][far] = bool(bits >> at & 1)

    def places(self) -> list[tuple[int, int]]:
        """Return where data go: up and down in columns of two, from the right."""
        found = []
        rows = range(self.side)
        columns = chain(range(self.side - 1, 6, -2), range(5, 0, -2))
        for turn, column in enumerate(columns):
            for row in rows if turn % 2 else reversed(rows):
                found += [(row, at) for at in (column, column - 1) if self.modules[row][at] is None]
        return found

    def best(self, data: Sequence[int]) -> Code:
        """Return the code with the mask that is easiest to read."""
        places = self.places()
        bits = [byte >> 7 - at & 1 for byte in data for at in range(8)]
        bits += [0] * (len(places) - len(bits))
        found = []
        for mask, flips in enumerate(_MASKS):
            self._write_mask(mask)
            for (row, column), bit in zip(places, bits, strict=True):
                self.modules[row][column] = bool(bit) != flips(row, column)
            found.append(tuple(tuple(map(bool, row)) for row in self.modules))
        return min(found, key=_penalty)


_MASKS: Final[tuple[Callable[[int, int], bool], ...]] = (
    lambda row, column: (row + column) % 2 == 0,
    lambda row, column: row % 2 == 0,
    lambda row, column: column % 3 == 0,
    lambda row, column: (row + column) % 3 == 0,
    lambda row, column: (row // 2 + column // 3) % 2 == 0,
    lambda row, column: row * column % 2 + row * column % 3 == 0,
    lambda row, column: (row * column % 2 + row * column % 3) % 2 == 0,
    lambda row, column: ((row + column) % 2 + row * column % 3) % 2 == 0,
)
"""Where each mask turns light into dark and dark into light."""


def _cyclic(value: int, divisor: int, degree: int) -> int:
    """Return the remainder that checks a number, as polynomials over bits."""
    rest = value << degree
    while rest.bit_length() > degree:
        rest ^= divisor << rest.bit_length() - degree - 1
    return rest


def _alignments(size: int) -> list[int]:
    """Return the rows, and columns, of the small squares that help to read large codes."""
    if size == 1:
        return []
    gaps = size // 7 + 1
    last = 4 * size + 10
    # All gaps but the first are equal and even.
    step = -(-(last - 6) // (2 * gaps)) * 2
    return [6, *(last - step * at for at in reversed(range(gaps)))]


def _penalty(modules: Code) -> int:
    """Return how hard a code is to read, by the four rules of the standard."""
    side = len(modules)
    lines = [*modules, *zip(*modules, strict=True)]
    long = sum(
        length - 2
        for line in lines
        for length in (len(list(run)) for _, run in groupby(line))
        if length >= 5
    )
    squares = sum(
        a == b == c == d
        for above, below in pairwise(modules)
        for a, b, c, d in zip(above, above[1:], below, below[1:], strict=False)
    )
    texts = ["".join("01"[dark] for dark in line) for line in lines]
    finders = sum(
        text.startswith(pattern, at)
        for text in texts
        for pattern in ("10111010000", "00001011101")
        for at in range(side - 10)
    )
    dark = sum(map(sum, modules))
    off = abs(20 * dark - 10 * side * side) // (side * side)
    return long + 3 * squares + 40 * finders + 10 * off
