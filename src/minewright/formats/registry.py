"""All formats, and how the format of a file is recognised."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path, PurePath
from typing import Final

from minewright.formats import avf, evf, link, mbf, mvf, own, puzzlink, rawvf, rmv, tatham, text
from minewright.formats.bounds import Bounds
from minewright.formats.model import FormatError, Replay
from minewright.position import Position


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: its name, file extensions, what it holds and which programs write it.

    `write_position` and `write_replay` say what can be written; either may be missing.
    """

    name: str
    extensions: tuple[str, ...]
    holds: str
    origin: str
    matches: Callable[[bytes], bool]
    read: Callable[[bytes, Bounds], Position | Replay]
    write_position: Callable[[Position], bytes] | None = None
    write_replay: Callable[[Replay], bytes] | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a file held, and its format."""

    format: Format
    content: Position | Replay

    @property
    def replay(self) -> Replay | None:
        """The game, if it is one."""
        return self.content if isinstance(self.content, Replay) else None

    @property
    def position(self) -> Position:
        """The position; for a game, the last one with a decision to make."""
        if isinstance(self.content, Position):
            return self.content
        return self.content.position(self.content.last)


_REPLAY: Final = "a replay"
TEXT: Final = Format(
    "text",
    (".txt",),
    "a position, one line per row",
    "Minewright; text copied from elsewhere",
    text.matches,
    text.read,
    text.write,
)
_HILL: Final = replace(
    TEXT, name="mine", extensions=(".mine",), origin="JSMinesweeper", write_position=text.write_mine
)
_TABLE: Final = replace(
    TEXT,
    name="csv",
    extensions=(".csv",),
    holds="a position, with commas between cells",
    origin="spreadsheets",
    write_position=text.write_csv,
)
# Formats with a signature come first, then those that are recognised by their structure, then text.
# All text is read as `text`; what it is called decides only how it is written.
FORMATS: Final = (
    Format(
        "rmv",
        (".rmv",),
        _REPLAY,
        "Viennasweeper",
        rmv.matches,
        rmv.read,
        write_replay=rmv.write,
    ),
    Format(
        "mvf",
        (".mvf",),
        _REPLAY,
        "Minesweeper Clone 0.97",
        mvf.matches,
        mvf.read,
        write_replay=mvf.write,
    ),
    Format(
        "json",
        (".json",),
        "a position or a replay",
        "Minewright",
        own.matches,
        own.read,
        own.write_position,
        own.write_replay,
    ),
    Format(
        "rawvf",
        (".rawvf",),
        "a replay, as text",
        "minesweeper-rawvf",
        rawvf.matches,
        rawvf.read,
        write_replay=rawvf.write,
    ),
    Format(
        "tatham",
        (".sav",),
        "a game ID, or a saved game",
        "Mines, from Simon Tatham's Portable Puzzle Collection",
        tatham.matches,
        tatham.read,
        write_replay=tatham.write,
    ),
    Format(
        "puzz.link",
        (),
        "a link to a puzzle: clues without a total",
        "puzz.link, type mines",
        puzzlink.matches,
        puzzlink.read,
        puzzlink.write,
    ),
    Format(
        "link",
        (),
        "a link to a minefield, ?b=…&m=…",
        "JSMinesweeper, LlamaSweeper, minesweeper.online",
        link.matches,
        link.read,
        write_replay=link.write,
    ),
    Format(
        "avf",
        (".avf",),
        _REPLAY,
        "Minesweeper Arbiter",
        avf.matches,
        avf.read,
        write_replay=avf.write,
    ),
    Format("evf", (".evf",), _REPLAY, "Metasweeper", evf.matches, evf.read, write_replay=evf.write),
    Format(
        "mbf",
        (".mbf",),
        "a minefield",
        "Arbiter, JSMinesweeper",
        mbf.matches,
        mbf.read,
        write_replay=mbf.write,
    ),
    TEXT,
    _HILL,
    _TABLE,
)


# How PNG, JPEG and GIF files begin: what people save as a picture of a game.
_IMAGES: Final = (b"\x89PNG", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")


def read(
    source: bytes | str | PathLike[str],
    name: str | None = None,
    *,
    mines: int | None = None,
    topology: str | None = None,
    bounds: Bounds | None = None,
) -> Loaded:
    """Read a file of any known format: a path, or the content of a file as bytes.

    `name` is the name of a file given as bytes; it only helps to say what is wrong. `mines` and
    `topology` replace what the header of a text would say. `bounds` limits the work. Raise
    FormatError for content that cannot be read, and OSError for a file that cannot be opened.
    """
    if isinstance(source, bytes):
        data = source
    else:
        if "\n" in (name := fspath(source)):
            raise FormatError("this is a text, not the name of a file; use Position.parse for it")
        data = Path(name).read_bytes()
    bounds = bounds or Bounds()
    if data.startswith(_IMAGES):
        raise FormatError("this looks like an image, not a game file; open a replay or a position")
    found, named = _find(data), _named(name)
    if found is TEXT:
        try:
            return Loaded(TEXT, text.read(data, bounds, mines, topology))
        except FormatError:
            if named is None or not data:
                raise
            # Its own reader knows best what is wrong with it.
            found = named
    found = found or named
    if found is None:
        known = ", ".join(kind.name for kind in FORMATS if kind.matches is not text.matches)
        raise FormatError(f"this is a binary file of an unknown format; known are {known}")
    if mines is not None or topology is not None:
        raise FormatError(
            f"the format {found.name} already says how many mines there are and which cells"
            " touch; leave them out"
        )
    return Loaded(found, found.read(data, bounds))


def _find(data: bytes) -> Format | None:
    """Return the first format that recognises the content, or None; text recognises any text."""
    return next((kind for kind in FORMATS if kind.matches(data)), None)


def _named(name: str | None) -> Format | None:
    """Return the format that a file name suggests, unless it is text."""
    extension = PurePath(name or "").suffix.lower()
    return next(
        (
            kind
            for kind in FORMATS
            if kind.matches is not text.matches and extension in kind.extensions
        ),
        None,
    )


def write(content: Position | Replay, name: str, *, moves: int | None = None) -> bytes:
    """Return a position or a replay as a file of a format, given by its name.

    A format that holds positions gets that of a replay after `moves` moves, by default the last one
    with a decision to make. Raise FormatError if the format cannot hold the content, or is unknown.
    """
    kind = find_format(name)
    if isinstance(content, Replay):
        if kind.write_replay is not None and moves is None:
            return kind.write_replay(content)
        if kind.write_position is None:
            raise FormatError(f"{kind.name} holds no positions; write a position as text or json")
        return kind.write_position(content.position(content.last if moves is None else moves))
    if kind.write_position is None:
        raise FormatError(
            f"{kind.name} holds {kind.holds}, and a position does not say where the mines are"
        )
    return kind.write_position(content)


def find_format(name: str) -> Format:
    """Return the format of this name, or of this file's extension. Raise FormatError if unknown."""
    extension = PurePath(name).suffix.lower()
    for kind in FORMATS:
        if kind.name == name or (extension and extension in kind.extensions):
            return kind
    known = ", ".join(kind.name for kind in FORMATS)
    raise FormatError(f"there is no format for {name!r}; choose from {known}")
