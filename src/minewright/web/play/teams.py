"""How people who guess for MineBot do, all together, and MineBot alone."""

from typing import Final, Self

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from minewright.game import StartRule
from minewright.lab.statistics import wilson
from minewright.web.people.store import Store
from minewright.web.server.refusals import PROBLEMS
from minewright.web.shared.models import Chance

router = APIRouter(prefix="/api/teams", tags=["games"], responses=PROBLEMS)

ALONE: Final[dict[tuple[str, StartRule], tuple[int, int]]] = {
    ("9x9x10", "open"): (1770, 2_000),
    ("9x9x10", "safe"): (1483, 2_000),
    ("9x9x10", "any"): (1292, 2_000),
    ("16x16x40", "open"): (1366, 2_000),
    ("16x16x40", "safe"): (999, 2_000),
    ("16x16x40", "any"): (845, 2_000),
    ("30x16x99", "open"): (213, 2_000),
    ("30x16x99", "safe"): (112, 2_000),
    ("30x16x99", "any"): (240, 5_000),
}
"""Games that MineBot wins when it guesses for itself, at random, and how many it played.

Expert with the rule `any` is `minewright reproduce minebot-expert --scale paper`; the others are
`minewright simulate --board B --start S --strategy minebot --games 2000 --seed 0`.
"""


class Share(BaseModel):
    """Games won of those played, with the 95% interval of the share."""

    games: int
    won: int
    low: Chance
    high: Chance

    @classmethod
    def of(cls, won: int, games: int) -> Self:
        """Return the share of these games."""
        low, high = wilson(won, games)
        return cls(games=games, won=won, low=low, high=high)


class Team(BaseModel):
    """How people and MineBot did on a board, without help and without knowing the mines."""

    board: str
    start: StartRule
    together: Share
    guesses: int = Field(description="In all these games, the first openings included.")
    alone: Share | None = Field(description="MineBot with random guesses, in a simulation.")


@router.get("")
def teams(request: Request) -> list[Team]:
    """List how all people here and MineBot did, by board and start rule, the most played first."""
    store: Store = request.app.state.store
    return [
        Team(
            board=counts.board,
            start=counts.start,
            together=Share.of(counts.won, counts.games),
            guesses=counts.guesses,
            alone=Share.of(*ALONE[key]) if key in ALONE else None,
        )
        for counts in store.teams()
        for key in [(counts.board, counts.start)]
    ]
