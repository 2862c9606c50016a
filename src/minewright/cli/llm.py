"""`minewright llm`: hidden boards for language models, judged by exact inference."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from minewright.board import MAX_SEED
from minewright.cli.bars import watched
from minewright.cli.seeds import seed_of
from minewright.cli.streams import CommandError, in_json, write

if TYPE_CHECKING:
    from minewright.llm.model import Model
    from minewright.llm.run import Play, Settings
    from minewright.llm.score import Figure, Score

group = typer.Typer(
    name="llm",
    help="A benchmark for language models: hidden boards, judged by exact inference.",
)

BoardOption = Annotated[str, typer.Option(metavar="B", help="The board, such as 9x9x10.")]
StartOption = Annotated[
    Literal["any", "safe", "open"],
    typer.Option(help="What the first opening is guaranteed: nothing, no mine, or an opening."),
]
SeedOption = Annotated[
    int,
    typer.Option(parser=seed_of, metavar="S", help="The same seed gives the same boards."),
]
EncodingOption = Annotated[
    Literal["grid", "list"],
    typer.Option(help="The board in rows, or as a list of numbers with their neighbours."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]

_LONGEST = 86_400.0


@group.command()
def run(
    out: Annotated[Path, typer.Option(metavar="FILE", help="The log; an old one is continued.")],
    command: Annotated[
        str | None,
        typer.Option(metavar="COMMAND", help="Reads a prompt, writes a reply; run once per move."),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="An OpenAI-like address, such as http://HOST/v1."),
    ] = None,
    model: Annotated[str, typer.Option(metavar="NAME", help="The model at that address.")] = "",
    board: BoardOption = "9x9x10",
    start: StartOption = "open",
    games: Annotated[int, typer.Option(min=1, max=100_000, metavar="N", help="How many.")] = 10,
    seed: SeedOption = 1,
    encoding: EncodingOption = "grid",
    seconds: Annotated[
        float, typer.Option(min=0.1, help="The time limit per reply, in seconds.")
    ] = 120.0,
    as_json: JsonOption = False,
) -> None:
    """Have a model play, and score it. The key of an address is read from MINEWRIGHT_LLM_KEY."""
    from minewright.llm.errors import ModelError, ModelLogError
    from minewright.llm.run import play

    settings = _settings(board, start, seed, encoding, command or f"{model} at {url}")
    try:
        asked = _model(command, url, model, seconds)
        with watched("Playing", "games") as bar:
            plays = play(settings, games, asked, out, bar)
    except (ModelError, ModelLogError) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"--out: {out} cannot be written ({error.strerror})") from None
    _tell(settings, plays, as_json)


@group.command()
def report(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A log of `llm run`.")],
    as_json: JsonOption = False,
) -> None:
    """Judge the games of a log again."""
    from minewright.llm.errors import ModelLogError
    from minewright.llm.run import read_log, resume

    try:
        settings, _ = read_log(file)
        plays = resume(None, file)
    except ModelLogError as error:
        raise CommandError(str(error)) from None
    _tell(settings, plays, as_json)


@group.command()
def prompt(
    board: BoardOption = "9x9x10",
    start: StartOption = "open",
    seed: SeedOption = 1,
    game: Annotated[
        int, typer.Option(min=0, max=MAX_SEED, metavar="N", help="Which game, from 0.")
    ] = 0,
    encoding: EncodingOption = "grid",
) -> None:
    """Show the first prompt of a game."""
    from minewright.llm.run import Play

    write(Play(_settings(board, start, seed, encoding, ""), game).prompt)


def _settings(
    board: str,
    start: Literal["any", "safe", "open"],
    seed: int,
    encoding: Literal["grid", "list"],
    model: str,
) -> "Settings":
    from minewright.board import Board, BoardError
    from minewright.game import GameError
    from minewright.llm.run import Settings

    try:
        parsed = Board.parse(board)
        if len(parsed.shape) != 2:
            raise CommandError(
                "--board: a model plays on rows and columns; give WIDTHxHEIGHTxMINES"
            )
        if parsed.mines == parsed.size:
            raise CommandError("--board: every cell is mined: there is nothing to open")
        settings = Settings(str(parsed), start, seed, encoding, model)
        settings.game(0)
    except (BoardError, GameError) as error:
        raise CommandError(f"--board: {error}") from None
    return settings


def _model(command: str | None, url: str | None, model: str, seconds: float) -> "Model":
    from minewright.llm.model import Address, Command

    if (command is None) == (url is None):
        raise CommandError("give a model: either --command, or --url with --model")
    if command is not None and model:
        raise CommandError("--model is for --url; leave it out with --command")
    if not 0 < seconds <= _LONGEST:
        raise CommandError(f"--seconds must be from 0.1 to {_LONGEST:g}, not {seconds:g}")
    if command is not None:
        return Command(command, seconds)
    if not model:
        raise CommandError("--url needs --model, the name of the model at that address")
    return Address(url or "", model, seconds)


def _tell(settings: "Settings", plays: "list[Play]", as_json: bool) -> None:
    from minewright.inference import BudgetExceeded
    from minewright.llm.score import score

    try:
        found = score(plays)
    except BudgetExceeded as error:
        raise CommandError(str(error), 3) from None
    if as_json:
        figures = {name: figure._asdict() for name, figure in found.figures.items()}
        calibration = [each._asdict() for each in found.calibration]
        data = {**asdict(found), "figures": figures, "workload": found.workload._asdict()}
        write(in_json({**asdict(settings), **data, "calibration": calibration}))
    else:
        write(_text(settings, found))


_WORDS = {
    "won": "games won",
    "valid": "replies with a legal move",
    "needless": "guesses where a safe cell was provable",
    "regret": "regret: risk beyond the least, per move",
    "risk of a guess": "risk of a guess",
    "error of the stated chance": "error of the stated chance",
    "reason proved": "claims of certainty proved by the stated clues",
    "claim false": "claims of certainty that are false",
}


def _text(settings: "Settings", found: "Score") -> str:
    from minewright.messages import counted

    lines = [
        f"{settings.model}: {settings.board}, start {settings.start}, seed {settings.seed}, "
        f"encoding {settings.encoding}",
        f"{counted(found.games, 'game')} finished, {found.won:,} won, "
        f"{found.replies:,} {'reply' if found.replies == 1 else 'replies'}",
        "",
        *(f"{_WORDS[name]:<48}{_figure(figure)}" for name, figure in found.figures.items()),
    ]
    if found.workload.value is not None:
        lines.append(f"{'workload of the proofs not seen':<48}{found.workload.value:.2f}")
    if found.calibration:
        lines += ["", "stated up to   moves   stated    exact   exploded"]
    lines += [
        f"{each.up_to:>12.0%} {each.moves:>7} {each.stated:>8.1%} {each.exact:>8.1%}"
        f" {each.exploded / each.moves:>10.1%}"
        for each in found.calibration
    ]
    return "\n".join(lines) + "\n"


def _figure(figure: "Figure") -> str:
    if figure.value is None:
        return "none"
    if figure.low is None or figure.high is None:
        return f"{figure.value:.1%} of {figure.of}"
    return f"{figure.value:.1%} ({figure.low:.1%} to {figure.high:.1%}) of {figure.of}"
