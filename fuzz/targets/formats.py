"""Other programs' files: a target for each format, and one for finding the format."""

from minewright.bullets import Puzzle
from minewright.formats import FORMATS, Bounds, Format, FormatError, Replay, read, text
from minewright.formats.registry import TEXT
from minewright.position import COVERED, MAX_NUMBER, MINED, SAFE, Position
from targets.promises import Target, check_refusal

CELLS = 10_000
NAMES = (None, *(f"a{ending}" for kind in FORMATS for ending in kind.extensions))
OPTIONS: tuple[tuple[int | None, str | None], ...] = (
    (None, None),
    (3, None),
    (None, "hex"),
    (0, "box"),
)
"""A mine total and a topology that are said beside a text."""


def reader(kind: Format) -> Target:
    """Make the target of one format."""

    def target(data: bytes) -> None:
        kind.matches(data)
        try:
            content = kind.read(data, Bounds(CELLS))
        except FormatError as error:
            check_refusal(error)
        else:
            check(content)

    return target


def find(data: bytes) -> None:
    """Find the format by the content; the first two bytes choose a name and options."""
    head, body = data[:2].ljust(2, b"\0"), data[2:]
    name = NAMES[head[0] % len(NAMES)]
    mines, topology = OPTIONS[head[1] % len(OPTIONS)]
    try:
        loaded = read(body, name, mines=mines, topology=topology, bounds=Bounds(CELLS))
    except FormatError as error:
        check_refusal(error)
    else:
        check(loaded.content)
        assert loaded.position.topology.size <= CELLS


def check(content: Position | Replay) -> None:
    """Check that what was read holds together, and is read again as it is written."""
    if isinstance(content, Position):
        check_position(content)
    else:
        check_replay(content)


def check_position(position: Position) -> None:
    """Write a position in every way there is, and read it again."""
    assert Position.parse(str(position)) == position
    try:
        written = text.write_mine(position)
    except FormatError:
        assert position.topology.name != "moore" or position.mines is None or SAFE in position.cells
    else:
        again = text.read(written, Bounds())
        assert again.covered == position.covered or MINED in position.cells
        assert again.mines == position.mines
    if position.topology.size > 1024:
        # Writing large ones adds nothing but time.
        return
    codes = {code for code in position.cells if code > MAX_NUMBER}
    if position.topology.name == "moore" and codes <= {COVERED}:
        check_link(position)
    for kind in FORMATS:
        if kind.write_position is not None:
            try:
                written = kind.write_position(position)
            except FormatError as error:
                check_refusal(error)
            else:
                found = kind.read(written, Bounds())
                assert isinstance(found, Position)
                assert numbers(found) == numbers(position), f"{kind.name} loses numbers"


def numbers(position: Position) -> list[tuple[int, int]]:
    """Return the cells that show a number, with it."""
    return [(cell, code) for cell, code in enumerate(position.cells) if code <= MAX_NUMBER]


def check_link(position: Position) -> None:
    """Write the numbers of a position as a link, and read that."""
    link = Puzzle(position.topology, tuple(numbers(position)), 0).link
    assert read(link.encode()).position.cells == position.cells


def check_replay(replay: Replay) -> None:
    """Play a replay, in two ways, and keep its minefield."""
    cells = bytearray(replay.position(0).cells)
    for changes in replay.changes():
        for cell, code in changes:
            cells[cell] = code
    assert bytes(cells) == replay.position(len(replay.moves)).cells
    assert 0 <= replay.last <= len(replay.moves)
    assert len(replay.player.splitlines()) <= 1
    assert len(replay.player) <= 80
    if replay.topology.size > 1_000 or len(replay.moves) > 50:
        # Writing long games adds nothing but time.
        return
    for kind in FORMATS:
        if kind.write_replay is not None:
            try:
                written = kind.write_replay(replay)
            except FormatError as error:
                check_refusal(error)
            else:
                again = kind.read(written, Bounds())
                assert isinstance(again, Replay)
                assert again.mined == replay.mined


TARGETS: dict[str, Target] = {
    **{kind.name: reader(kind) for kind in FORMATS if kind.matches is not TEXT.matches},
    "text": reader(TEXT),
    "any-format": find,
}
