"""Shows that the difficulty of boards means something: who fails on boards of which difficulty.

Boards of several difficulties are made, and every strategy plays them from their first cell. A
strategy fails on a board if it has to guess: reasoning alone opens all of them.
"""

import json
from math import atanh, sqrt, tanh
from pathlib import Path
from typing import Annotated

import typer

from minewright import noguess
from minewright.documents.charts import drawing
from minewright.lab.statistics import normal, wilson
from minewright.strategies import Recipe, own_numbers, play

STRATEGIES = "single-point,oz-simple,oz-set,minebot-truth,minebot-exhaustion,minebot,equation"
DIFFICULTIES = "0,1,2,4,6,9,12,16,20,25,30"


def failures(made: noguess.NoGuessBoard, strategy: str, seed: int) -> bool:
    """Return True if a strategy cannot open a board without a guess."""
    game = made.game()
    game.open(made.first)
    return play(game, Recipe(strategy).player(own_numbers(seed)), seconds=60.0).guesses > 0


def correlation(pairs: list[tuple[int, bool]]) -> tuple[float, float, float]:
    """Return Spearman's correlation of two columns, and its 95% interval by Fisher's rule."""

    def ranks(values: list[float]) -> list[float]:
        order = sorted(range(len(values)), key=values.__getitem__)
        found = [0.0] * len(values)
        at = 0
        while at < len(order):
            end = at
            while end < len(order) and values[order[end]] == values[order[at]]:
                end += 1
            for place in order[at:end]:
                found[place] = (at + end - 1) / 2
            at = end
        return found

    one = ranks([float(a) for a, _ in pairs])
    other = ranks([float(b) for _, b in pairs])
    middle = (len(pairs) - 1) / 2
    both = sum((a - middle) * (b - middle) for a, b in zip(one, other, strict=True))
    spread = sqrt(sum((a - middle) ** 2 for a in one) * sum((b - middle) ** 2 for b in other))
    if spread == 0:
        return 0.0, 0.0, 0.0
    rho = both / spread
    reach = normal(0.95) * 1.03 / sqrt(len(pairs) - 3)
    return rho, tanh(atanh(rho) - reach), tanh(atanh(rho) + reach)


def main(
    out: Annotated[Path, typer.Option(help="figures are kept here, and the picture beside them")],
    board: str = "16x16x40",
    difficulties: str = DIFFICULTIES,
    strategies: str = STRATEGIES,
    count: Annotated[int, typer.Option(min=2, help="boards of each difficulty")] = 40,
) -> None:
    """Play boards of several difficulties, print who fails how often, and draw it."""
    kept: dict[str, list[bool]] = json.loads(out.read_text()) if out.exists() else {}
    names, levels = strategies.split(","), [int(each) for each in difficulties.split(",")]
    for level in levels:
        missing = [name for name in names if f"{name} {level}" not in kept]
        boards = [
            noguess.make(board, seed=s, difficulty=level) for s in range(count * bool(missing))
        ]
        for name in missing:
            kept[f"{name} {level}"] = [failures(one, name, s) for s, one in enumerate(boards)]
            out.write_text(json.dumps(kept))
    with drawing(out.with_suffix(".svg"), (7, 4)) as (ax,):
        for name in names:
            failed = [kept[f"{name} {level}"] for level in levels]
            rho, low, high = correlation(
                [(level, one) for level, ones in zip(levels, failed, strict=True) for one in ones]
            )
            shares = [sum(ones) / len(ones) for ones in failed]
            print(
                f"{name}: correlation {rho:.2f} ({low:.2f} to {high:.2f}); fails on "
                + ", ".join(f"{s:.0%} at {level}" for level, s in zip(levels, shares, strict=True))
            )
            ax.plot(levels, shares, marker="o", markersize=3, label=name)
            bands = [wilson(sum(ones), len(ones), 0.95) for ones in failed]
            ax.fill_between(levels, [b[0] for b in bands], [b[1] for b in bands], alpha=0.12)
        ax.set_xlabel(f"difficulty of a {board} board without guesses")
        ax.set_ylabel("share of boards that take a guess")
        ax.legend(fontsize=8)
        ax.grid(alpha=0.3)


if __name__ == "__main__":
    typer.run(main)
