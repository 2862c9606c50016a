"""`minewright formats` and `minewright convert`: the file formats, and turning one into another."""

from typing import TYPE_CHECKING, Annotated

import typer

from minewright.cli.streams import CommandError, in_json, read, write, write_bytes, write_file

if TYPE_CHECKING:
    from minewright.formats import Format


def formats(
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List the file formats that can be read, and what can be written in them."""
    from minewright.formats import FORMATS

    if json:
        rows = {
            kind.name: {
                "extensions": list(kind.extensions),
                "holds": kind.holds,
                "origin": kind.origin,
                "writes": _writes(kind),
            }
            for kind in FORMATS
        }
        write(in_json(rows))
        return
    wide = max(len(kind.name) for kind in FORMATS)
    for kind in FORMATS:
        endings = f" ({', '.join(kind.extensions)})" if kind.extensions else ""
        write(f"{kind.name:{wide}}  {kind.holds}{endings}\n{'':{wide}}  {kind.origin}\n")


def _writes(kind: "Format") -> list[str]:
    """Return what can be written in a format."""
    can = {"position": kind.write_position, "replay": kind.write_replay}
    return [name for name, how in can.items() if how is not None]


def convert(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="A file of any format; - for standard input.")
    ],
    target: Annotated[
        str, typer.Argument(metavar="OUT", help="The file to write; - for standard output.")
    ],
    to: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The format, if the name of OUT does not say it."),
    ] = None,
    move: Annotated[
        int | None,
        typer.Option(metavar="N", help="Write the position of a replay after N moves."),
    ] = None,
) -> int:
    """Read a file, whatever its format, and write it in another one.

    A replay keeps what the new format can hold of its minefield, its moves with
    their times, and the player's name; `minewright formats` lists the formats.
    """
    from minewright import formats

    name = "standard input" if source == "-" else source
    if target == "-" and to is None:
        raise CommandError("--to NAME says which format to write to standard output")
    try:
        loaded = formats.read(read(source, name), source)
    except formats.FormatError as error:
        raise CommandError(f"{name}: {error}") from None
    if move is not None:
        if loaded.replay is None:
            raise CommandError("--move: the file holds a position, not a replay; leave it out")
        last = len(loaded.replay.moves)
        if not 0 <= move <= last:
            raise CommandError(f"--move: expected 0 to {last}, the moves of the replay")
    try:
        content = formats.write(loaded.content, to or target, moves=move)
    except formats.FormatError as error:
        raise CommandError(f"{target}: {error}") from None
    if target == "-":
        write_bytes(content)
    else:
        write_file("OUT", target, content)
    return 0
