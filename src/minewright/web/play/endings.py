"""How a game ended."""

from collections.abc import Sequence

from minewright.clicks import bbbv
from minewright.game import Game
from minewright.modes import SafeBetGame
from minewright.position import MAX_NUMBER, MINED
from minewright.web.people.rows import TEAM, Row, Stroke
from minewright.web.play.models import End


def ending(game: Game, row: Row, strokes: Sequence[Stroke], seconds: float) -> End:
    """Return how a finished game ended, after `seconds` seconds."""
    truth = game.show().cells
    seen = game.position.cells
    opened = {cell for cell, code in enumerate(seen) if code <= MAX_NUMBER}
    solved = bbbv(game.topology, truth, opened)
    own = [stroke for stroke in strokes if not stroke.auto]
    alone = len(own) == len(strokes)
    return End(
        truth=list(truth),
        mined=sorted(game.minefield),
        exploded=[cell for cell, code in enumerate(seen) if code == MINED],
        bbbv=bbbv(game.topology, truth),
        solved=solved,
        clicks=row.clicks,
        flags=sum(stroke.kind == "mark" for stroke in own),
        efficiency=solved / row.clicks if row.clicks and alone else None,
        score=float(game.score) if isinstance(game, SafeBetGame) else None,
        guesses=sum(stroke.kind in ("open", "chord") for stroke in own)
        if row.mode == TEAM
        else None,
        seconds=seconds,
        helped=row.helped,
        seeded=row.seeded,
        interrupted=row.interrupted,
    )
