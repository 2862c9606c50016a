"""The formats there are, and how a file's own is found."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from minewright.formats import avf, evf, mbf, mvf, puzzlink, rawvf, rmv, tatham, text
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
    read: Callable[[bytes], Position | Replay]


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
    data: bytes, name: str | None = None, *, mines: int | None = None, topology: str | None = None
) -> Loaded:
    """Read a file, whatever its format; its name only helps to say what is wrong.

    `mines` and `topology` stand for what the header of a text would say. Raises FormatError.
    """
    found = _find(data, name)
    if found is TEXT:
        return Loaded(TEXT, text.read(data, mines, topology))
    if mines is not None or topology is not None:
        raise FormatError(
            f"this is a file of the format {found.name}, which knows its mines and which cells"
            " touch; leave them out"
        )
    return Loaded(found, found.read(data))


def _find(data: bytes, name: str | None) -> Format:
    if not data:
        return TEXT
    found = next((kind for kind in FORMATS if kind.matches(data)), None)
    extension = PurePath(name or "").suffix.lower()
    named = next((kind for kind in FORMATS if extension in kind.extensions), None)
    if named not in (None, TEXT) and found in (None, TEXT):
        # Its own reader can say best what is wrong with it.
        return named
    if found is None:
        known = ", ".join(kind.name for kind in FORMATS)
        raise FormatError(f"this is a binary file in no format that is read ({known})")
    return found
