"""The words of a game: mines and safe cells in Minesweeper, bullets and empty cells in Bullets."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words in which a step is told."""

    mine: str
    safe: str
    covered: str
    is_mined: str
    """What is said of one mined cell."""
    are_mined: str
    """What is said of several."""
    were_mined: str
    """What is said of a cell that is only supposed to be mined."""
    so_is: str
    """How one more mined cell is added: "…, and so is row 1, column 2"."""
    so_are: str

    def verdict(self, subject: str, mined: bool, many: bool) -> str:
        """Return a clause that says of one cell, or of many, that it is mined or safe."""
        if mined:
            return f"{subject} {self.are_mined if many else self.is_mined}"
        return f"{subject} {'are' if many else 'is'} {self.safe}"

    def supposed(self, subject: str, mined: bool) -> str:
        """Return a clause that supposes a cell to be mined or safe."""
        return f"{subject} {self.were_mined if mined else f'were {self.safe}'}"

    def also(self, subject: str, mined: bool, many: bool) -> str:
        """Return a clause that says the same of further cells: "so are columns 2 and 3"."""
        if not mined:
            return f"so {'are' if many else 'is'} {subject}"
        return f"{self.so_are if many else self.so_is} {subject}"


MINESWEEPER: Final = Vocabulary(
    mine="mine",
    safe="safe",
    covered="covered",
    is_mined="is mined",
    are_mined="are mined",
    were_mined="were mined",
    so_is="so is",
    so_are="so are",
)
BULLETS: Final = Vocabulary(
    mine="bullet",
    safe="empty",
    covered="unknown",
    is_mined="holds a bullet",
    are_mined="hold bullets",
    were_mined="held a bullet",
    so_is="so does",
    so_are="so do",
)
