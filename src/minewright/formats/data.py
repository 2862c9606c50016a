"""A file's bytes, read from the front; an error names the byte."""

from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from typing import Final

from minewright.formats.bounds import Bounds
from minewright.formats.model import FormatError
from minewright.messages import write_sides
from minewright.topology import Topology

ENCODINGS: Final = ("utf-8", "gb2312", "cp1252")
"""The encodings of players' names, which the programs do not record. Chinese ones beyond GB 2312
are left out: they accept nearly every Western European name, but read it as something else."""


class Data:
    """The bytes of a file, and how far they have been read."""

    def __init__(self, data: bytes, bounds: Bounds, at: int = 0) -> None:
        self.data, self.bounds, self.at = data, bounds, at

    def error(self, problem: str, back: int = 0) -> FormatError:
        """Return an error about what was read `back` bytes ago."""
        return FormatError(problem, self._place(back))

    def _place(self, back: int) -> str:
        return f"byte {self.at - back + 1:,}"

    def take(self, count: int) -> bytes:
        """Return the next `count` bytes."""
        found = self.data[self.at : self.at + count]
        if len(found) < count:
            raise FormatError("the file ends too early; it was cut off", f"byte {len(self.data):,}")
        self.at += count
        return found

    def number(self, size: int = 1, *, signed: bool = False) -> int:
        """Return the next number, `size` bytes long, most significant byte first."""
        return int.from_bytes(self.take(size), "big", signed=signed)

    def until(self, end: bytes) -> bytes:
        """Return everything before `end`, and skip both."""
        stop = self.data.find(end, self.at)
        if stop < 0:
            raise self.error(
                f"expected a text that ends with {end!r}, found none; the file was cut off"
            )
        found = self.data[self.at : stop]
        self.at = stop + len(end)
        return found

    def topology(self, width: int, height: int, back: int = 0) -> Topology:
        """Return the board with these sides."""
        return self.bounds.topology(width, height, self._place(back))

    def events(self) -> Iterator[int]:
        """Yield the first byte of each event; the caller reads the rest of it in between."""
        return self.bounds.each(iter(self.number, None))

    def pairs(self, topology: Topology, count: int, first: int = 0) -> frozenset[int]:
        """Read `count` mines, each as its column and row, counted from `first`."""
        return self.cells(
            topology, ((self.number() - first, self.number() - first) for _ in range(count))
        )

    def cells(self, topology: Topology, places: Iterable[tuple[int, int]]) -> frozenset[int]:
        """Return the cells at some columns and rows; none may occur twice."""
        width, height = topology.shape
        mined: set[int] = set()
        for column, row in places:
            cell = row * width + column
            if not (0 <= column < width and 0 <= row < height):
                raise self.error(
                    f"a mine in column {column + 1}, row {row + 1} is outside"
                    f" {write_sides(topology.shape)}; the file is damaged",
                    back=2,
                )
            if cell in mined:
                raise self.error(
                    f"two mines in column {column + 1}, row {row + 1}; the file is damaged", back=2
                )
            mined.add(cell)
        return frozenset(mined)

    def bits(self, topology: Topology, count: int) -> frozenset[int]:
        """Read one bit per cell, set for a mine; there must be `count` mines."""
        packed = self.take((topology.size + 7) // 8)
        mined = frozenset(
            cell for cell in range(topology.size) if packed[cell // 8] & 0x80 >> cell % 8
        )
        if len(mined) != count:
            raise self.error(
                f"the file says {count:,} mines and holds {len(mined):,}; it is damaged",
                back=len(packed),
            )
        return mined


def plain(data: bytes) -> str:
    """Return bytes that should be one line of plain letters and digits as text."""
    return data.removeprefix(BOM_UTF8).decode("ascii", "replace").strip()


def decode(name: bytes) -> str:
    """Return a name as text, whatever its encoding."""
    for encoding in ENCODINGS:
        try:
            return name.decode(encoding)
        except UnicodeDecodeError:
            continue
    return name.decode("latin-1")
