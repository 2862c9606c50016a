"""`minewright review`: where the chance to win went, in one replay or in a folder of them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from minewright.cli.bars import watched
from minewright.cli.profile import left_out, replays_below, shown
from minewright.cli.streams import (
    INTERRUPTED,
    CommandError,
    complain,
    file_of,
    in_json,
    read,
    write,
    write_file,
)

if TYPE_CHECKING:
    from minewright.formats import Replay


def review(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="FILE|FOLDER",
            help="A replay of any format, or a folder with replays, its folders included.",
        ),
    ],
    svg: Annotated[
        str | None,
        typer.Option(
            parser=file_of,
            metavar="FILE",
            help="Also draw the chance to win over the game as SVG.",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Show where the chance to win went: missed proofs, bad guesses and luck.

    docs/champion.md says what these mean.
    """
    from minewright.profile.pictures import chances
    from minewright.profile.reviews import as_data, text
    from minewright.profile.reviews import review as judge

    games, refused = _games(path)
    if svg is not None and len(games) > 1:
        raise CommandError("--svg draws one game; give a file, not a folder")
    found = []
    stopped = False
    with watched("review", "games") as bar:
        bar.begin(len(games), 0)
        try:
            for name, replay in games:
                found.append(judge(name, replay))
                bar.advance(1)
        except KeyboardInterrupt:
            stopped = True
    if svg is not None and found:
        (game,) = found
        title = f"{game.name}: chance to win"
        moves = len(games[0][1].moves)
        write_file("--svg", svg, chances(title, moves, game.sums.start, game.entries).encode())
    if found:
        write(in_json(as_data(found)) if json else text(found))
    if stopped:
        return complain(f"stopped after {len(found):,} of {len(games):,} games", INTERRUPTED)
    if refused:
        complain(left_out(refused), 0)
    return 0


def _games(path: Path) -> "tuple[list[tuple[str, Replay]], list[str]]":
    """Return the replays of a file or folder, and the names of files that are not replays."""
    if path.is_dir():
        return replays_below(path)
    from minewright import formats

    try:
        replay = formats.read(read(str(path), str(path)), path.name).replay
    except formats.FormatError as error:
        raise CommandError(f"{path}: this is not a replay of a game ({error})") from None
    if replay is None or not replay.moves:
        raise CommandError(f"{path}: this is not a replay of a game; review needs its moves")
    return [(shown(path.name), replay)], []
