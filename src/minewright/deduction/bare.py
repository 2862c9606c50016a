"""A step without words: the clues used, and what follows from them alone."""

from collections.abc import Iterator
from dataclasses import dataclass

from minewright.position import MAX_NUMBER, MINED, SAFE, Position


@dataclass(frozen=True)
class BareStep:
    """One human-sized step in a position.

    `kind` is Neller and Tran's type: 0 for a single clue, 1 for several, 2 if the mine total is
    needed. `clues` is minimal: without any one of them the conclusion is lost. `safe` and `mined`
    are all covered cells that follow from these clues (and the total, for kind 2) in `position`,
    where cells known from earlier steps are SAFE or MINED.
    """

    position: Position
    kind: int
    clues: tuple[int, ...]
    safe: tuple[int, ...]
    mined: tuple[int, ...]

    @property
    def total(self) -> bool:
        """Whether the mine total was needed."""
        return self.kind == 2

    @property
    def order(self) -> int:
        """The number of clues it follows from."""
        return len(self.clues)

    @property
    def cells(self) -> tuple[int, ...]:
        """All concluded cells, in order."""
        return tuple(sorted(self.safe + self.mined))

    @property
    def after(self) -> Position:
        """The position after the conclusions."""
        known = dict.fromkeys(self.safe, SAFE) | dict.fromkeys(self.mined, MINED)
        return self.position.with_cells(known)

    def check(self, position: Position | None = None) -> bool:
        """Return True if the conclusions hold in every minefield that fits the clues.

        It tries them one by one and trusts nothing but counting: it shares no code with the
        reasoner that found the step. Cells in the same clues are interchangeable, so they are
        counted together.
        """
        position = position or self.position
        near = {clue: set(position.topology.neighbours(clue)) for clue in self.clues}
        covered = position.covered
        groups: dict[tuple[int, ...], list[int]] = {}
        for cell in covered:
            groups.setdefault(tuple(c for c in self.clues if cell in near[c]), []).append(cell)
        # Cells in no clue come last: they get the mines that are left.
        boxes = sorted(groups.items(), key=lambda box: not box[0])
        left = {
            clue: position[clue] - sum(position[cell] == MINED for cell in near[clue])
            for clue in self.clues
            if position[clue] <= MAX_NUMBER
        }
        known = position.cells.count(MINED)
        mines = position.mines - known if self.total and position.mines is not None else None
        if len(left) < len(self.clues) or not self.cells or (self.total and mines is None):
            return False

        # The room in each box and all later ones, per clue and for the total (the clue None).
        room = [dict.fromkeys([None, *self.clues], 0)]
        for clues, cells in reversed(boxes):
            room.append(room[-1] | {c: room[-1][c] + len(cells) for c in (None, *clues)})
        room.reverse()

        def ways(at: int, left: dict[int, int], mines: int | None) -> Iterator[tuple[int, ...]]:
            """Yield all ways to mine the boxes from `at` on, as the mines in each."""
            if any(not 0 <= need <= room[at][clue] for clue, need in left.items()):
                return
            if mines is not None and not 0 <= mines <= room[at][None]:
                return
            if at == len(boxes):
                yield ()
                return
            clues, cells = boxes[at]
            if not clues and mines is None:
                yield from ((-1, *rest) for rest in ways(at + 1, left, mines))
                return
            for held in range(len(cells) + 1):
                then = left | {clue: left[clue] - held for clue in clues}
                spare = None if mines is None else mines - held
                yield from ((held, *rest) for rest in ways(at + 1, then, spare))

        safe, mined = set(self.safe), set(self.mined)
        if not safe | mined <= set(covered):
            return False
        found = False
        for way in ways(0, left, mines):
            found = True
            for held, (_, cells) in zip(way, boxes, strict=True):
                # If a cell of this box can be either, no claim about the box is true.
                if (held != 0 and safe & set(cells)) or (held != len(cells) and mined & set(cells)):
                    return False
        return found
