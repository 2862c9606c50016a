"""What a move has changed on the board, as a page is told."""

from base64 import b64encode
from typing import Final, NamedTuple

MANY: Final = 1_000
"""More changes than this are packed if that is asked for: a list takes longer to send and read."""


class Changes(NamedTuple):
    """The cells that changed with their codes, or all cells packed."""

    changes: list[tuple[int, int]]
    packed: str | None = None


def compare(before: bytes | None, cells: bytes, *, pack: bool) -> Changes:
    """Return what `cells` show that the page does not: everything if it missed a move."""
    changed = [cell for cell, code in enumerate(cells) if not before or before[cell] != code]
    if pack and len(changed) > MANY:
        return Changes([], b64encode(cells).decode())
    return Changes([(cell, cells[cell]) for cell in changed])
