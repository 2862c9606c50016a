"""`minewright profile`: what a player's replays say about them."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from minewright.cli.bars import watched
from minewright.cli.streams import MAX_BYTES, CommandError, complain, in_json, write, write_file

if TYPE_CHECKING:
    from minewright.formats import Replay


def profile(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="A folder with replays of any format, its folders included."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Also write a page with pictures, and all games as CSV."),
    ] = None,
    names: Annotated[
        bool, typer.Option("--names", help="Keep the players' names, which are left out otherwise.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Show how fast, efficient and risky the games in a folder were, and which deserve a look.

    Games count in the order of their files' dates. docs/profile.md defines every figure.
    """
    from minewright import profile as maker
    from minewright.profile.report import page, pictures, table, text

    if not folder.is_dir():
        raise CommandError(f"{folder}: this is not a folder; give one with replays")
    games, refused = replays_below(folder)
    with watched("profile", "games") as bar:
        bar.begin(len(games), 0)
        found = maker.make(games, lambda _: bar.advance(1))
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(f"--out {out}: cannot be made ({error.strerror})") from None
        write_file("--out", str(out / "index.html"), page(found).encode())
        write_file("--out", str(out / "games.csv"), table(found, names).encode())
        for name, picture in pictures(found).items():
            write_file("--out", str(out / f"{name}.svg"), picture.encode())
    write(in_json(found.as_data(names)) if json else text(found))
    if refused:
        files = "file is not a replay" if len(refused) == 1 else "files are not replays"
        complain(f"{len(refused):,} {files} and left out, such as {refused[0]}", 0)
    return 0


def replays_below(folder: Path) -> "tuple[list[tuple[str, Replay]], list[str]]":
    """Return the replays below a folder in the order of their dates, and the names of other files.

    A replay without moves is a board, not a game, and is left out without a word. Raise
    CommandError if there is no game at all.
    """
    from minewright import formats

    games: list[tuple[str, Replay]] = []
    refused = []
    for path in _files(folder):
        name = path.relative_to(folder).as_posix()
        try:
            with path.open("rb") as file:
                data = file.read(MAX_BYTES)
            replay = formats.read(data, path.name).replay
        except (formats.FormatError, OSError):
            refused.append(name)
            continue
        if replay is None:
            refused.append(name)
        elif replay.moves:
            games.append((name, replay))
    if not games:
        known = "; none of its files is one" if refused else ""
        raise CommandError(f"{folder}: there is no replay in it{known} (see minewright formats)")
    return games, refused


def _files(folder: Path) -> Iterator[Path]:
    found = [
        path
        for path in folder.rglob("*")
        if path.is_file() and not any(p.startswith(".") for p in path.relative_to(folder).parts)
    ]
    yield from sorted(found, key=lambda path: (path.stat().st_mtime, path.as_posix()))
