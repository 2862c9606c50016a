"""The names that players have for some steps."""

from collections.abc import Iterator

from minewright.deduction.bare import BareStep
from minewright.position import MAX_NUMBER, MINED, Position

PATTERNS = ("1-1", "1-2", "1-2-1", "1-2-2-1", "subset", "overlap", "last mines")


def name(step: BareStep) -> str | None:
    """Return the name of a step's pattern, or None if players have no name for it.

    A clue's *left* is its number minus the known mines around it. Its *cells* are the covered cells
    around it. Names made of digits are for `moore` boards only. There the clues form a *run*:
    adjacent cells in one row or column, whose left, in this order or reversed, is what the name
    says. The first name that fits is used:

    - `1-2-1`: a run of three where every cell of the 2 is also a cell of one of the 1s. So each 1
      has its mine next to the 2. Cells of all three are safe, and so are cells of a 1 that do not
      touch the 2. The step uses all three clues, or is a `1-2` of two of them.
    - `1-2-2-1`: a run of four. The cells of each 2 that do not touch its own 1 are cells of the
      other 2 and of the other 1. So those hold one mine each and satisfy both 1s. The step uses
      both 1s and one 2, or is a `1-2` of a 1 and the 2 next to it.
    - `1-2`: a run of two. One cell of the 2 does not touch the 1, so it is mined, and all cells of
      the 1 that do not touch the 2 are safe.
    - `1-1`: a run of two. All cells of one are cells of the other, whose remaining cells are safe.
    - `subset`: two clues on any board, where the cells of one are all cells of the other.
    - `overlap`: two clues on any board that share cells, where each has other cells too.
    - `last mines`: the total is needed, and no two clues of the step share a cell (there may be
      none or one clue). The mines left on the board minus the sum of their left are either none,
      so that all other covered cells are safe, or as many as there are other covered cells.
    """
    board = _Board(step.position)
    if step.kind == 2:
        return "last mines" if _adds_up(step, board) else None
    if step.kind == 1 and 2 <= step.order <= 3:
        return _run(step, board) or _pair(step, board)
    return None


class _Board:
    """The clues of a position: what each has left, and its cells."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.covered = frozenset(position.covered)

    def left(self, clue: int) -> int:
        near = self.position.topology.neighbours(clue)
        return self.position[clue] - sum(self.position[cell] == MINED for cell in near)

    def cells(self, clue: int) -> frozenset[int]:
        return self.covered.intersection(self.position.topology.neighbours(clue))

    def runs(self, clues: tuple[int, ...], length: int) -> Iterator[tuple[int, ...]]:
        """Yield the runs of `length` clues that begin with one of `clues` and contain them all."""
        topology, cells = self.position.topology, self.position.cells
        width, height = topology.shape
        for clue in (clues[0], clues[-1]):
            row, column = topology.coordinates(clue)
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                end_row, end_column = row + down * (length - 1), column + right * (length - 1)
                if 0 <= end_row < height and 0 <= end_column < width:
                    run = tuple(clue + at * (down * width + right) for at in range(length))
                    if set(clues) <= set(run) and all(cells[cell] <= MAX_NUMBER for cell in run):
                        yield run


def _run(step: BareStep, board: _Board) -> str | None:
    if step.position.topology.name != "moore":
        return None
    for title in ("1-2-1", "1-2-2-1", "1-2", "1-1"):
        wanted = [int(digit) for digit in title.split("-")]
        for run in board.runs(step.clues, len(wanted)):
            if [board.left(clue) for clue in run] != wanted:
                continue
            # In a longer run, the step may use a 1, its 2, and the 1 at the other end.
            if set(step.clues) in ({*run[:2]}, {*run[:2], run[-1]}):
                sets = [board.cells(clue) for clue in run]
                if _fits(title, sets) and _concludes(step, sets, title):
                    return title
    return None


def _fits(title: str, sets: list[frozenset[int]]) -> bool:
    match title:
        case "1-2-1":
            return sets[1] <= sets[0] | sets[2]
        case "1-2-2-1":
            first, second = sets[1] - sets[0], sets[2] - sets[3]
            return first <= sets[2] & sets[3] and second <= sets[0] & sets[1]
        case "1-2":
            return len(sets[1] - sets[0]) == 1
        case _:
            return sets[0] < sets[1]


def _concludes(step: BareStep, sets: list[frozenset[int]], title: str) -> bool:
    """Return True if the step concludes what the pattern implies, as far as its clues go."""
    safe, mined = set(step.safe), set(step.mined)
    if len(step.clues) == 2:
        if title == "1-1":
            return safe == sets[1] - sets[0] and not mined
        outside = sets[1] - sets[0]
        return len(outside) == 1 and mined == outside and safe == sets[0] - sets[1]
    if title == "1-2-1":
        return safe >= (sets[0] & sets[1] & sets[2]) | ((sets[0] | sets[2]) - sets[1])
    return safe >= (sets[0] - sets[1]) | (sets[3] - (sets[1] - sets[0]))


def _pair(step: BareStep, board: _Board) -> str | None:
    if len(step.clues) != 2:
        return None
    one, other = (board.cells(clue) for clue in step.clues)
    if one <= other or other <= one:
        return "subset"
    return "overlap" if one & other else None


def _adds_up(step: BareStep, board: _Board) -> bool:
    sets = [board.cells(clue) for clue in step.clues]
    near = frozenset[int]().union(*sets)
    if step.position.mines is None or len(near) < sum(map(len, sets)):
        return False
    away = board.covered - near
    spare = step.position.mines - step.position.cells.count(MINED)
    spare -= sum(board.left(clue) for clue in step.clues)
    return bool(away) and (
        (spare == 0 and away <= set(step.safe)) or (spare == len(away) and away <= set(step.mined))
    )
