"""A hand with a mouse: presses and releases become openings, marks and chords.

The programs agree on the rules. The left button opens where it is released, the right one marks
where it is pressed. Both together, the middle one, or the left one with Shift make a chord where
the first of them is released; the other then does nothing more.
"""

from dataclasses import replace
from typing import Final

from minewright.formats.model import Action, Clicks, Press, Recorder, Replay
from minewright.topology import Topology

NUMBERED: Final[dict[int, Action]] = {
    1: "move",
    2: "left down",
    3: "left up",
    4: "right down",
    5: "right up",
    6: "middle down",
    7: "middle up",
}
"""The event numbers of RMV, which EVF took over."""


class Hand:
    """The buttons, and the game they play."""

    def __init__(
        self, topology: Topology, mined: frozenset[int], questions: bool = False, square: int = 16
    ) -> None:
        self._recorder = Recorder(topology, mined)
        self._width, self._height = topology.shape
        self._square = square
        # A right click on a mark then makes a question mark, and only the next one removes it.
        self._questions = questions
        self._asked: set[int] = set()
        self._left = self._right = self._middle = self._shift = False
        # A chord was made, and one of its buttons is still down.
        self._chorded = False
        # The right button went down where it marks nothing; in a chord, that is not a click.
        self._idle = False
        self._counts = {"left": 0, "right": 0, "chords": 0}
        self._presses: list[Press] = []

    @property
    def begun(self) -> bool:
        """Whether a cell was opened."""
        return bool(self._recorder.opened)

    def act(self, seconds: float, action: Action, x: int, y: int) -> None:
        """Perform an action at a place, in pixels from the top left corner of the board."""
        column, row = x // self._square, y // self._square
        self.at(seconds, action, column, row)

    def at(self, seconds: float, action: Action, column: int, row: int) -> None:
        """Perform an action at a cell, or outside the board."""
        if action == "move":
            return
        if self._recorder.over:
            return
        if action not in ("left", "right", "middle", "mark"):
            self._presses.append(Press(seconds, action, column, row))
        inside = 0 <= column < self._width and 0 <= row < self._height
        cell = row * self._width + column if inside else None
        match action:
            case "left down" | "shift down":
                self._press_left(shift=action == "shift down")
            case "left up":
                self._release_left(seconds, cell)
            case "right down":
                self._press_right(seconds, cell)
            case "right up":
                self._release_right(seconds, cell)
            case "middle down":
                self._press_middle()
            case "middle up":
                self._release_middle(seconds, cell)
            case "both down":
                self._left = self._right = True
            case "mark":
                # Recorded without its press and release.
                self.at(seconds, "right down", column, row)
                self.at(seconds, "right up", column, row)
            case "left":
                self.at(seconds, "left up" if self._left else "left down", column, row)
            case "right":
                self.at(seconds, "right up" if self._right else "right down", column, row)
            case "middle":
                self.at(seconds, "middle up" if self._middle else "middle down", column, row)

    def replay(self, player: str = "", program: str = "") -> Replay:
        """Return the game that was played."""
        return replace(
            self._recorder.replay(player, program),
            clicks=Clicks(**self._counts),
            presses=() if self._questions else tuple(self._presses),
        )

    def _press_left(self, shift: bool) -> None:
        if not self._middle:
            self._left, self._shift = True, shift

    def _release_left(self, seconds: float, cell: int | None) -> None:
        if not self._left:
            return
        chord, rest = self._right or self._shift, self._chorded
        self._left = self._shift = False
        self._chorded = self._right and cell is not None
        if chord:
            self._chord(seconds, cell)
        elif not rest:
            self._counts["left"] += 1
            if cell is not None:
                self._recorder.open(seconds, cell)

    def _press_right(self, seconds: float, cell: int | None) -> None:
        if self._middle:
            return
        self._right, self._shift = True, False
        if self._left:
            return
        self._counts["right"] += 1
        self._idle = cell is None or cell in self._recorder.opened
        if cell is not None and cell not in self._recorder.opened:
            self._chorded = False
            self._mark(seconds, cell)

    def _release_right(self, seconds: float, cell: int | None) -> None:
        if not self._right:
            return
        self._right = self._shift = False
        self._chorded = self._left
        if self._left:
            self._chord(seconds, cell)
        self._idle = False

    def _press_middle(self) -> None:
        self._left = self._right = self._shift = self._chorded = False
        self._middle = True

    def _release_middle(self, seconds: float, cell: int | None) -> None:
        if self._middle:
            self._chord(seconds, cell)
        self._middle = False

    def _chord(self, seconds: float, cell: int | None) -> None:
        if self._idle:
            self._counts["right"] -= 1
            self._idle = False
        if cell is not None:
            self._counts["chords"] += 1
            self._recorder.chord(seconds, cell)

    def _mark(self, seconds: float, cell: int | None) -> None:
        if cell is None:
            return
        if cell in self._asked:
            self._asked.discard(cell)
            return
        if self._questions and cell in self._recorder.marked:
            self._asked.add(cell)
        self._recorder.mark(seconds, cell)
