"""A game at the terminal: where the cursor is, what a key does, what the screen shows.

Nothing here reads a key or writes to a screen, so that a test can play a game.
"""

from collections.abc import Callable
from textwrap import wrap
from typing import Final

from minewright.assistant import Deduction, guess, hint, what_is_left
from minewright.game import Game, GameError
from minewright.inference import Analysis, Budget, BudgetExceeded, analyze
from minewright.messages import counted
from minewright.modes import SafeBetGame
from minewright.noguess import DailyGame
from minewright.noguess.maker import middle
from minewright.position import COVERED, MARKED, MAX_NUMBER
from minewright.render.console import CURSOR, board
from minewright.render.terminal import DIM, Run, Screen

BUDGET: Final = Budget(seconds=2.0)
"""What a hint may cost: the player is waiting for it."""
KEYS: Final = (
    ("arrows", "move"),
    ("enter", "open, or chord on a number"),
    ("f", "flag"),
    ("h", "hint"),
    ("c", "chances"),
    ("u", "take back"),
    ("n", "new game"),
    ("q", "quit"),
)
_BETWEEN: Final = 3
"""Rows for neither board nor words: one above it, one below, and where the cursor rests."""
_LEAST: Final = 5
"""The keys are shown only if the board keeps at least this many rows."""
_MOVES: Final = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class TerminalGame:
    """A game, its cursor, and what the assistant says.

    `deal` makes the next game; it is called for the first one, too.
    """

    def __init__(self, deal: Callable[[], Game]) -> None:
        self.deal = deal
        self.done = False
        self.start()

    def start(self) -> None:
        """Begin a new game, with the cursor where it has to begin, or in the middle."""
        self.game = self.deal()
        self.cursor = middle(self.game.topology) if self.first is None else self.first
        self.assisted = self.chances_shown = False
        self.told: set[int] = set()
        self.quiet()

    def renew(self) -> None:
        """Begin a new game, unless it cannot be made now, as the one of a new day may not."""
        try:
            self.start()
        except GameError as error:
            self.refuse(error)

    @property
    def first(self) -> int | None:
        """The cell that must be opened first, if there is one."""
        return self.game.first if isinstance(self.game, DailyGame) else None

    def quiet(self) -> None:
        """Forget what the assistant said: it was about another position."""
        self.message = ""
        self.hint: Deduction | None = None

    def press(self, key: str) -> None:
        """Do what a key asks for; a key that means nothing changes nothing."""
        if key in _MOVES:
            self.move(*_MOVES[key])
        elif key in _ACTS:
            _ACTS[key](self)

    def move(self, down: int, right: int) -> None:
        """Move the cursor to the nearest cell in a direction, as the screen shows them."""
        place = self.game.topology.place
        line, half = place(self.cursor)

        def distance(cell: int) -> tuple[int, int] | None:
            lines, halves = place(cell)[0] - line, place(cell)[1] - half
            ahead, aside = (lines * down, halves) if down else (halves * right, lines)
            return (abs(aside), ahead) if ahead > 0 and (down or not aside) else None

        found = [
            (far if not down else (far[1], far[0]), cell)
            for cell in range(self.game.topology.size)
            if (far := distance(cell)) is not None
        ]
        if found:
            self.cursor = min(found)[1]

    def act(self) -> None:
        """Open the cell at the cursor, or all around it if it is a number with its flags set."""
        code = self.game.position[self.cursor]
        if code == MARKED:
            self.say("This cell is flagged. Press f to remove the flag first.")
        elif code <= MAX_NUMBER:
            self.attempt(lambda: self.game.chord(self.cursor))
        else:
            self.attempt(lambda: self.game.open(self.cursor))

    def flag(self) -> None:
        """Set or remove a flag."""
        if self.game.position[self.cursor] in (COVERED, MARKED):
            self.attempt(lambda: self.game.mark(self.cursor))

    def attempt(self, move: Callable[[], object]) -> None:
        """Make a move; say why if the rules do not allow it."""
        self.quiet()
        if self.game.over:
            self.say("This game is over. Press n for a new one.")
            return
        try:
            move()
        except GameError as error:
            self.refuse(error)

    def refuse(self, error: GameError) -> None:
        """Say why something is not possible."""
        self.say(f"{str(error)[0].upper()}{str(error)[1:]}.")

    def take_back(self) -> None:
        """Take back the last move, even one that lost the game."""
        if not self.game.moves:
            self.say("There is no move to take back.")
            return
        self.quiet()
        try:
            self.game = self.game.again(self.game.moves[:-1])
        except GameError as error:
            self.refuse(error)
            return
        self.assisted = True
        # In games without a fixed minefield, a mine may be certain only because of that move.
        self.told.clear()

    def ask(self) -> None:
        """Show the next step, or where to guess if nothing is certain."""
        self.quiet()
        if self.game.over:
            return
        position, self.assisted = self.game.position, True
        if self.game.state == "ready":
            self.say(f"Nothing is known yet. {self.beginning().capitalize()}.")
            return
        try:
            self.hint = hint(position, known=self.told, budget=BUDGET)
            if self.hint:
                self.told.update(self.hint.mined)
                self.say(self.hint.sentence)
                return
            guessed = guess(position, budget=BUDGET)
        except BudgetExceeded:
            self.say("This position is too hard to explain in two seconds.")
            return
        self.say(what_is_left(position, guessed))
        if guessed:
            self.cursor = guessed.cell

    def show_chances(self) -> None:
        """Switch the chances on or off."""
        self.chances_shown = not self.chances_shown
        self.assisted |= self.chances_shown

    def leave(self) -> None:
        """Quit."""
        self.done = True

    def say(self, sentence: str) -> None:
        """Set the line under the board."""
        self.message = sentence

    def lines(self, screen: Screen) -> list[list[Run]]:
        """Return what the screen shows: how the game stands, the board, the assistant, the keys."""
        known = self.hint or (self.analysis() if self.chances_shown else None)
        cells = board(
            self.game,
            self.cursor,
            screen,
            clues=self.hint.clues if self.hint else (),
            safe=known.safe if known else (),
            mined=known.mined if known else (),
            chances=known.chances if isinstance(known, Analysis) else (),
        )
        said: list[list[Run]] = [[(line, "")] for line in wrap(self.message, screen.columns or 80)]
        stands: list[list[Run]] = [
            [(line, "bold")] for line in wrap(self.status(), screen.columns or 80)
        ]
        legend = [[], *_legend(screen)]
        between: list[Run] = []
        if screen.rows is not None:
            room = screen.rows - _BETWEEN - len(stands) - len(said)
            if room - len(legend) < min(_LEAST, len(cells)):
                # The keys give way to the board where there is hardly room for either.
                legend = []
            cells, between = _around_cursor(cells, max(1, room - len(legend)))
        return [*stands, [], *cells, between, *said, *legend]

    def analysis(self) -> Analysis | None:
        """Return what is known about the position; None if it is over or too hard."""
        if self.game.over:
            return None
        try:
            return analyze(self.game.position, budget=BUDGET)
        except BudgetExceeded:
            self.say("This position is too hard to count in two seconds.")
            return None

    def status(self) -> str:
        """Return one line: the board, the mines left to flag, and how the game stands."""
        game = self.game
        left = game.mines - game.position.cells.count(MARKED)
        words = {
            "ready": self.beginning(),
            "playing": f"{counted(game.covered_safe, 'safe cell')} to go",
            "won": "you won" + (", with help" if self.assisted else "") + self.score(),
            "lost": "that was a mine",
            "given up": "given up",
        }
        return f"{game.board}  {counted(left, 'mine')} left  {words[game.state]}"

    def beginning(self) -> str:
        """Return what to do first."""
        if self.first is None:
            return "open any cell"
        return f"open {self.game.topology.describe(self.first)}"

    def score(self) -> str:
        """Return the score of a safe-bet game in words; nothing for any other game."""
        if not isinstance(self.game, SafeBetGame):
            return ""
        return f" with a score of {float(self.game.score):.1%}"


def _around_cursor(cells: list[list[Run]], room: int) -> tuple[list[list[Run]], list[Run]]:
    """Return the lines of a board around its cursor that fit, and a line on what does not."""
    if room >= len(cells):
        return cells, []
    here = next(
        (at for at, line in enumerate(cells) if any(style == CURSOR for _, style in line)), 0
    )
    top = min(max(0, here - room // 2), len(cells) - room)
    more = ["above"] * (top > 0) + ["below"] * (top + room < len(cells))
    return cells[top : top + room], [(f"more {' and '.join(more)}", DIM)]


def _legend(screen: Screen) -> list[list[Run]]:
    """Return the keys and what they do, in as many lines as they need."""
    lines: list[list[Run]] = [[]]
    used = 0
    for key, meaning in KEYS:
        size = len(key) + len(meaning) + 3
        if screen.columns and used + size > screen.columns:
            lines.append([])
            used = 0
        used += size
        lines[-1] += [(key, "bold"), (f" {meaning}  ", DIM)]
    return lines


_ACTS: Final[dict[str, Callable[[TerminalGame], None]]] = {
    "enter": TerminalGame.act,
    " ": TerminalGame.act,
    "f": TerminalGame.flag,
    "h": TerminalGame.ask,
    "c": TerminalGame.show_chances,
    "u": TerminalGame.take_back,
    "n": TerminalGame.renew,
    "q": TerminalGame.leave,
}
