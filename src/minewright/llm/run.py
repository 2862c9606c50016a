"""Playing the games: a log of raw replies that can be continued, and judged again at any time.

The log is JSON lines: first the settings, then one line per reply, with null for the reply if the
first opening ended the game. Everything else follows from these by playing the replies again, so a
run continues where it was, and a better judge can judge old runs.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple, get_args

from minewright.board import Board
from minewright.game import Game, StartRule
from minewright.llm.answers import Answer, read_answer
from minewright.llm.errors import ModelLogError
from minewright.llm.model import Model
from minewright.llm.prompts import ENCODINGS, Encoding, question
from minewright.position import Position
from minewright.work.progress import Progress

VERSION: Final = 1
PATIENCE: Final = 3
"""How many replies in a row may be unusable before a game is given up."""
MOST_GAMES: Final = 100_000


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides which positions a model meets."""

    board: str
    start: StartRule
    seed: int
    encoding: Encoding
    model: str

    def game(self, number: int) -> Game:
        """Return a game with its first cell, the one in the middle, opened."""
        board = Board.parse(self.board)
        game = Game(board, self.start, self.seed, stream=number)
        game.open(game.topology.cell(board.height // 2, board.width // 2))
        return game


class Question(NamedTuple):
    """A position that a model was asked about, and what came of it."""

    position: Position
    answer: Answer | str
    """The answer, or what was wrong with the reply."""


class Play:
    """One game, as far as the replies go."""

    def __init__(self, settings: Settings, number: int) -> None:
        self.settings, self.number = settings, number
        self.game = settings.game(number)
        self.questions: list[Question] = []

    @property
    def over(self) -> bool:
        """Whether the game has ended, or the model failed too often in a row."""
        last = self.questions[-PATIENCE:]
        failed = len(last) == PATIENCE and all(isinstance(each.answer, str) for each in last)
        return self.game.over or failed

    @property
    def prompt(self) -> str:
        """The next prompt."""
        last = self.questions[-1].answer if self.questions else ""
        problem = last if isinstance(last, str) else ""
        return question(self.game.position, self.settings.encoding, problem)

    def take(self, reply: str) -> None:
        """Make the move that a reply asks for."""
        position = self.game.position
        answer = read_answer(reply, position)
        self.questions.append(Question(position, answer))
        if isinstance(answer, Answer):
            self.game.open(answer.cell)


def play(settings: Settings, games: int, model: Model, log: Path, progress: Progress) -> list[Play]:
    """Play games, or continue those of a log; it stays if the model fails with ModelError."""
    plays = resume(settings, log)
    _remove_half_line(log)
    progress.begin(games, sum(play.over for play in plays))
    with log.open("a", encoding="utf-8") as file:
        # Games over before a model was asked. They wait: a model that cannot be asked at all does
        # not claim the log.
        unasked: list[int] = []

        def note(**line: int | str | float | None) -> None:
            if file.tell() == 0:
                print(_header(settings), file=file)
            while unasked:
                print(json.dumps({"game": unasked.pop(0), "reply": None}), file=file)
            print(json.dumps(line), file=file, flush=True)

        for number in range(games):
            if number < len(plays) and plays[number].over:
                continue
            if number == len(plays):
                plays.append(Play(settings, number))
                if plays[number].over:
                    unasked.append(number)
            going = plays[number]
            while not going.over:
                began = monotonic()
                reply = model.ask(going.prompt)
                note(game=number, reply=reply, seconds=round(monotonic() - began, 3))
                going.take(reply)
                progress.advance(0)
            progress.advance(1)
        if unasked:
            note(game=unasked.pop(), reply=None)
    return plays[:games]


def resume(settings: Settings | None, log: Path) -> list[Play]:
    """Return the games of a log; none if it does not exist yet or has no first line.

    A last line that was cut off does not count. Older versions wrote no line for a game that the
    first opening ended; such a game is added if a later game has a line. Raise ModelLogError if the
    log is of another run.
    """
    if settings is not None and _is_unbegun(settings, log):
        return []
    kept, lines = read_log(log)
    if settings is not None and kept != settings:
        other = next(
            f"{name} is {value}, not {getattr(settings, name)}"
            for name, value in asdict(kept).items()
            if value != getattr(settings, name)
        )
        raise ModelLogError(f"{log} belongs to another run ({other}); give another --out")
    plays: list[Play] = []
    for number, reply in lines:
        known = len(plays)
        while len(plays) <= number < MOST_GAMES and (not plays or plays[-1].over):
            plays.append(Play(kept, len(plays)))
        follows = bool(plays) and number == len(plays) - 1
        if follows and reply is None:
            follows = number >= known and plays[number].over
        elif follows:
            follows = not plays[number].over
        if not follows:
            raise ModelLogError(f"{log} is not in order: game {number} cannot go on there")
        if reply is not None:
            plays[number].take(reply)
    return plays


def _header(settings: Settings) -> str:
    """Return the first line of a log."""
    return json.dumps({"version": VERSION, **asdict(settings)})


def _is_unbegun(settings: Settings, log: Path) -> bool:
    """Return True if a log of these settings does not exist yet, or was cut in its first line."""
    return not log.exists() or _header(settings).encode().startswith(_content(log))


def _content(log: Path) -> bytes:
    try:
        if log.exists() and not log.is_file():
            # A device may have no end.
            raise ModelLogError(f"{log}: this is not a regular file")
        return log.read_bytes()
    except OSError as error:
        raise ModelLogError(f"{log}: {error.strerror}") from None


def _remove_half_line(log: Path) -> None:
    """Remove a last line that was cut off, from what is known to be a log of this run."""
    if log.exists():
        with log.open("r+b") as file:
            file.truncate(file.read().rfind(b"\n") + 1)


def read_log(log: Path) -> tuple[Settings, Iterator[tuple[int, str | None]]]:
    """Return the settings and the replies of a log; None stands for a game that needed none."""
    data = _content(log)
    first, *rest = data[: data.rfind(b"\n") + 1].splitlines() or [b""]
    try:
        head = json.loads(first)
        settings = Settings(*(head[name] for name in Settings.__slots__))
        right = head["version"] == VERSION
        settings.game(0)
        if not isinstance(settings.model, str):
            raise TypeError("the name of a model is a text")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise ModelLogError(f"{log} is not a log of `minewright llm run`") from None
    right &= settings.encoding in ENCODINGS and settings.start in get_args(StartRule)
    if not right:
        raise ModelLogError(f"{log} was written by another version of Minewright")
    return settings, _replies(log, rest)


def _replies(log: Path, lines: list[bytes]) -> Iterator[tuple[int, str | None]]:
    for number, line in enumerate(lines, 2):
        try:
            found = json.loads(line)
            reply = found["reply"]
            yield int(found["game"]), None if reply is None else str(reply)
        except (ValueError, LookupError, TypeError, OverflowError, RecursionError):
            raise ModelLogError(f"{log}: line {number} is damaged") from None
