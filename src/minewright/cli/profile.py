"""`minewright profile`: what a player's replays say about them."""

from collections.abc import Sequence
from os import fsencode
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Annotated, Final

import typer

from minewright.cli.bars import watched
from minewright.cli.streams import (
    BEYOND_BUDGET,
    MAX_BYTES,
    CommandError,
    complain,
    in_json,
    write,
    write_file,
)
from minewright.cli.unused import refuse

if TYPE_CHECKING:
    from minewright.formats import Replay

    Games = list[tuple[str, Replay]]


_SQLITE: Final = b"SQLite format 3\0"


def profile(
    context: typer.Context,
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER",
            help="A folder with replays of any format, its folders included; or the file of the"
            " web app's games, minewright.sqlite3.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Also write a page with pictures, and all games as CSV."),
    ] = None,
    names: Annotated[
        bool, typer.Option("--names", help="Keep the players' names, which are left out otherwise.")
    ] = False,
    person: Annotated[
        int,
        typer.Option(
            min=1, metavar="N", help="Whose games in the web app's file; 1 is whoever played most."
        ),
    ] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Show how fast, efficient and risky somebody's games were, and which deserve a look.

    Games are taken in the order they were played, replays by their files' dates.
    docs/profile.md defines every figure.
    """
    from minewright import profile as maker
    from minewright.profile.report import page, pictures, table, text

    if folder.is_dir():
        refuse(context, "goes with the web app's games; leave it out for a folder", "person")
        games, note = _in_folder(folder)
    elif _is_database(folder):
        games, note = _in_app(folder, person)
    elif folder.is_file():
        raise CommandError(
            f"{folder}: give a folder of replays, or the web app's file minewright.sqlite3; "
            "`minewright review FILE` looks at a single replay"
        )
    else:
        raise CommandError(
            f"{folder}: this is not a folder; give one with replays, or the web app's games"
        )
    if out is not None:
        # Before the work, which can take minutes.
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(f"--out {out}: cannot be made ({error.strerror})") from None
    with watched("profile", "games") as bar:
        bar.begin(len(games), 0)
        found = maker.make(games, lambda _: bar.advance(1))
    if out is not None:
        write_file("--out", str(out / "index.html"), page(found).encode())
        write_file("--out", str(out / "games.csv"), table(found, names).encode())
        for name, picture in pictures(found).items():
            write_file("--out", str(out / f"{name}.svg"), picture.encode())
    write(in_json(found.as_data(names)) if json else text(found))
    if note:
        complain(note, 0)
    return 0


def _in_folder(folder: Path) -> "tuple[Games, str]":
    """Return the replays in a folder, and a note on what was left out."""
    games, refused = replays_below(folder)
    return games, left_out(refused)


def _is_database(file: Path) -> bool:
    """Return True for a file of SQLite's, and for one that should be but is damaged or unreadable.

    Whoever reads such a file says what is wrong.
    """
    # To open a pipe would be to wait for somebody to write to it.
    if not file.is_file():
        return False
    try:
        with file.open("rb") as opened:
            return file.suffix == ".sqlite3" or opened.read(len(_SQLITE)) == _SQLITE
    except OSError:
        return True


def _in_app(file: Path, person: int) -> "tuple[Games, str]":
    """Return one person's games in the web app's file, and a note on other people."""
    from minewright.game import MoveTooHard
    from minewright.web.people import reading
    from minewright.web.people.database import DatabaseError
    from minewright.web.people.replays import replays

    def find(ask: reading.Ask) -> "tuple[int, Games | None]":
        people = reading.people(ask)
        return len(people), replays(ask, people[person - 1]) if person <= len(people) else None

    try:
        people, games = reading.look(file, find)
    except DatabaseError as error:
        raise CommandError(str(error)) from None
    except MoveTooHard:
        raise CommandError(
            f"{file}: playing a game again takes too long; try again when the machine is less busy",
            BEYOND_BUDGET,
        ) from None
    if not people:
        raise CommandError(f"{file}: nobody has played here yet")
    if games is None:
        count = "is one person" if people == 1 else f"are {people} people"
        raise CommandError(f"--person {person}: there {count} in {file}")
    if not games:
        raise CommandError(f"{file}: this person has not finished a game without help yet")
    others = "" if people == 1 else f"{people:,} people play here; choose with --person"
    return games, others


def left_out(refused: Sequence[str]) -> str:
    """Return a note on files that are not replays; nothing if there are none."""
    if not refused:
        return ""
    if len(refused) == 1:
        return f"1 file is not a replay and was left out: {refused[0]}"
    return f"{len(refused):,} files are not replays and were left out, such as {refused[0]}"


def replays_below(folder: Path) -> "tuple[Games, list[str]]":
    """Return the replays below a folder in the order of their dates, and the names of other files.

    A replay without moves is a board, not a game, and is silently left out. Raise
    CommandError if there is no game at all.
    """
    from minewright import formats

    games: Games = []
    refused = []
    with watched("reading", "files") as bar:
        bar.begin(0, 0)
        paths = _files(folder)
        bar.begin(len(paths), 0)
        for path in paths:
            name = shown(path.relative_to(folder).as_posix())
            try:
                with path.open("rb") as file:
                    data = file.read(MAX_BYTES)
                replay = formats.read(data, path.name).replay
            except (formats.FormatError, OSError):
                replay = None
            if replay is None:
                refused.append(name)
            elif replay.moves:
                games.append((name, replay))
            bar.advance(1)
    if not games:
        found = "none of its files is a replay" if refused else "there is no replay in it"
        raise CommandError(f"{folder}: {found} (see minewright formats)")
    return games, refused


def shown(name: str) -> str:
    """Return a file's name as text that can be written anywhere: it may be in any encoding."""
    return fsencode(name).decode(errors="replace")


def _files(folder: Path) -> list[Path]:
    """Return the files below a folder in the order of their dates, without hidden ones."""
    found = []
    for path in folder.rglob("*"):
        if any(part.startswith(".") for part in path.relative_to(folder).parts):
            continue
        try:
            known = path.stat()
        except OSError:
            # It is gone, or in a folder that may not be entered: whoever opens it will say so.
            found.append((0.0, path.as_posix(), path))
            continue
        if S_ISREG(known.st_mode):
            found.append((known.st_mtime, path.as_posix(), path))
    return [path for *_, path in sorted(found)]
