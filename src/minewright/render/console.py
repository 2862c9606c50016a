"""A game on a text screen: the cells as its player sees them, a cursor, and cells lit by a hint."""

from collections.abc import Collection, Iterator, Sequence

from minewright.game import Game
from minewright.position import MARKED, MAX_NUMBER, MINED
from minewright.render import percent
from minewright.render.terminal import COVERED_STYLE, Cell, Run, Screen, number, picture, shade

CURSOR = "bold #ffffff on #1d4ed8"
_CLUE = "bold #000000 on #ffd24a"
_SAFE = "bold #ffffff on #12813b"
_MINED = "bold #ffffff on #b3142a"


def board(
    game: Game,
    cursor: int,
    screen: Screen,
    *,
    clues: Collection[int] = (),
    safe: Collection[int] = (),
    mined: Collection[int] = (),
    chances: Sequence[float | None] = (),
) -> list[list[Run]]:
    """Return the lines of a game; after its end, with the mines that were left.

    The cursor stands in brackets, so that it can be seen without colours.
    """
    drawn = list(_cells(game, screen, clues, safe, mined, chances))
    here = drawn[cursor]
    drawn[cursor] = here._replace(front="[", text=f"{here.text}]", style=CURSOR)
    narrow = "make the window wider, or play on a narrower board"
    return picture(game.topology, drawn, screen, otherwise=narrow)


def _cells(
    game: Game,
    screen: Screen,
    clues: Collection[int],
    safe: Collection[int],
    mined: Collection[int],
    chances: Sequence[float | None],
) -> Iterator[Cell]:
    left = game.minefield if game.over else frozenset[int]()
    for cell, code in enumerate(game.position.cells):
        if code <= MAX_NUMBER:
            yield number(code)._replace(**({"style": _CLUE} if cell in clues else {}))
        elif code == MINED:
            yield Cell("X", _MINED)
        elif code == MARKED:
            wrong = game.over and cell not in left
            yield Cell("x" if wrong else "F", _MINED if wrong else f"bold {COVERED_STYLE}")
        elif cell in left:
            yield Cell(screen.mined, COVERED_STYLE)
        elif cell in safe:
            yield Cell(screen.safe, _SAFE)
        elif cell in mined:
            yield Cell(screen.mined, _MINED)
        elif chances and (chance := chances[cell]) is not None:
            yield Cell(percent(chance).zfill(2), shade(chance, cell % 2), short="#")
        else:
            yield Cell("#", COVERED_STYLE)
