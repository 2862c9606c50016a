"""The formats there are, and how a file's own is found."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from minewright.formats import avf, evf, mbf, mvf, puzzlink, rawvf, rmv, tatham, text
from minewright.formats.bounds import Bounds
from minewright.formats.model import FormatError, Replay
from minewright.position import Position


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file: its name, how names of such files end, what it holds, who writes it."""

    name: str
    extensions: tuple[str, ...]
    holds: str
    origin: str
    matches: Callable[[bytes], bool]
    read: Callable[[bytes, Bounds], Position | Replay]


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a file held, and in which format."""

    format: Format
    content: Position | Replay

    @property
    def replay(self) -> Replay | None:
        """The game, if it is one."""
        return self.content if isinstance(self.content, Replay) else None

    @property
    def position(self) -> Position:
        """The position; of a game the last in which there was something to decide."""
        if isinstance(self.content, Position):
            return self.content
        return self.content.position(self.content.last)


TEXT: Final = Format(
    "text",
    (".txt", ".mine"),
    "a position, one line a row",
    "Minewright; JSMinesweeper of David Hill; texts copied from elsewhere",
    text.matches,
    text.read,
)
# Those with a mark of their own come first, those that only hold together later, text last.
FORMATS: Final = (
    Format("rmv", (".rmv",), "a replay", "Viennasweeper", rmv.matches, rmv.read),
    Format("mvf", (".mvf",), "a replay", "Minesweeper Clone 0.97", mvf.matches, mvf.read),
    Format(
        "rawvf", (".rawvf",), "a replay, as text", "minesweeper-rawvf", rawvf.matches, rawvf.read
    ),
    Format(
        "tatham",
        (".sav",),
        "a game ID, or a saved game",
        "Mines of Simon Tatham's Portable Puzzle Collection",
        tatham.matches,
        tatham.read,
    ),
    Format(
        "puzz.link",
        (),
        "a link to a puzzle: clues without a total",
        "puzz.link, kind mines",
        puzzlink.matches,
        puzzlink.read,
    ),
    Format("avf", (".avf",), "a replay", "Minesweeper Arbiter", avf.matches, avf.read),
    Format("evf", (".evf",), "a replay", "Metasweeper", evf.matches, evf.read),
    Format("mbf", (".mbf",), "a minefield", "Arbiter, JSMinesweeper", mbf.matches, mbf.read),
    TEXT,
)


def read(
    data: bytes,
    name: str | None = None,
    *,
    mines: int | None = None,
    topology: str | None = None,
    bounds: Bounds | None = None,
) -> Loaded:
    """Read a file, whatever its format; its name only helps to say what is wrong.

    `mines` and `topology` stand for what the header of a text would say; `bounds` is what the
    reading may cost. Raises FormatError.
    """
    bounds = bounds or Bounds()
    found, named = _find(data), _named(name)
    if found is TEXT:
        try:
            return Loaded(TEXT, text.read(data, bounds, mines, topology))
        except FormatError:
            if named is None or not data:
                raise
            # Its own reader can say best what is wrong with it.
            found = named
    found = found or named
    if found is None:
        known = ", ".join(kind.name for kind in FORMATS)
        raise FormatError(f"this is a binary file in no format that is read ({known})")
    if mines is not None or topology is not None:
        raise FormatError(
            f"this is a file of the format {found.name}, which knows its mines and which cells"
            " touch; leave them out"
        )
    return Loaded(found, found.read(data, bounds))


def _find(data: bytes) -> Format | None:
    """Tell the format by the content; text is what is no other."""
    return next((kind for kind in FORMATS if kind.matches(data)), None)


def _named(name: str | None) -> Format | None:
    """Give the format whose files are called so, unless it is text."""
    extension = PurePath(name or "").suffix.lower()
    return next(
        (kind for kind in FORMATS if kind is not TEXT and extension in kind.extensions), None
    )
