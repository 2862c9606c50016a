"""Makes positions for the benchmarks, the same ones for the same seed.

first_stuck: a game opened as far as certain cells go, then stopped.
midgame: the same, but wherever it would stop, the safest cell that is not in fact a mine is
    opened, until half of the safe cells are open and nothing is certain.
sparse: a given share of the safe cells opened one by one, at random, without cascades.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Annotated, Literal, TypedDict

import numpy as np
import typer

from minewright import topology as topologies
from minewright.board import Board
from minewright.game import Game
from minewright.inference import analyze
from minewright.position import COVERED, Position

Kind = Literal["first_stuck", "midgame", "sparse"]
KINDS: tuple[Kind, ...] = ("first_stuck", "midgame", "sparse")


class Item(TypedDict):
    """One entry of positions.json."""

    id: str
    kind: str
    text: str


def make(board: Board, kind: Kind, count: int, seed: int, share: float = 0.3) -> list[Item]:
    """Make `count` positions of a board; `share` is the open share of a sparse one."""
    name = f"{kind} {board}" + (f" {share:.0%}" if kind == "sparse" else "")
    random = Random(f"{name} {seed}")
    found: Iterator[Position] = (
        _sparse(board, random, share) if kind == "sparse" else _played(board, random, kind)
        for _ in iter(int, 1)
    )
    return [
        Item(id=f"{name} seed {seed} #{number}", kind=kind, text=str(position))
        for number, position in zip(range(count), found, strict=False)
    ]


def _sparse(board: Board, random: Random, share: float) -> Position:
    topology = topologies.get("moore", board.shape)
    mined = set(random.sample(range(board.size), board.mines))
    safe = [cell for cell in range(board.size) if cell not in mined]
    codes = bytearray([COVERED] * board.size)
    for cell in random.sample(safe, round(share * len(safe))):
        codes[cell] = sum(n in mined for n in topology.neighbours(cell))
    return Position(topology, bytes(codes), board.mines)


def _played(board: Board, random: Random, kind: Kind) -> Position:
    """Play until stuck; a game that is won on the way is thrown away."""
    topology = topologies.get("moore", board.shape)
    while True:
        start = random.randrange(board.size)
        clear = {start, *topology.neighbours(start)}
        others = [cell for cell in range(board.size) if cell not in clear]
        mined = set(random.sample(others, board.mines))
        game = Game.from_minefield(topology, mined, start="any")
        game.open(start)
        opened = 0.0
        while game.state == "playing":
            analysis = analyze(game.position)
            for cell in analysis.safe:
                if game.position[cell] == COVERED:
                    game.open(cell)
            if analysis.safe:
                continue
            opened = 1 - game.position.cells.count(COVERED) / board.size
            if kind == "first_stuck" or opened >= (1 - board.mines / board.size) / 2:
                return game.position
            order = np.argsort(np.nan_to_num(analysis.probability, nan=2.0), kind="stable")
            game.open(next(int(cell) for cell in order if int(cell) not in mined))


def main(
    board: Annotated[str, typer.Argument(help="WIDTHxHEIGHTxMINES")],
    kind: Annotated[str, typer.Option(help=", ".join(KINDS))] = "midgame",
    count: Annotated[int, typer.Option(min=1)] = 1,
    seed: int = 1,
    share: Annotated[float, typer.Option(help="open share of a sparse position")] = 0.3,
) -> None:
    """Print positions as the JSON that benchmarks/positions.json holds."""
    known = next((name for name in KINDS if name == kind), None)
    if known is None:
        raise typer.BadParameter(f"expected one of {', '.join(KINDS)}", param_hint="--kind")
    print(json.dumps(make(Board.parse(board), known, count, seed, share), indent=1))


if __name__ == "__main__":
    typer.run(main)
