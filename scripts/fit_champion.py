"""Measures what the champion's guesses are worth, and fits the weights of its scores.

scripts/fit_champion.py collect guesses.jsonl --games 2000       (continues where it stopped)
scripts/fit_champion.py tell guesses.jsonl
scripts/fit_champion.py gain gain.jsonl --player champion:deep --games 500   (continues, too)

At each guess of the champion, each of the best candidates is opened, and `champion:fast` plays the
game on many times, on the same minefields for all candidates as far as these allow. The mean safety
of these games is what the candidate is worth. This shows how much the champion gives away, and
where; a regression of the worth on the parts of the score gives the weights.

`gain` measures how much stronger than `champion:fast` a player is that is too slow for many games.
In its games, wherever `champion:fast` would have guessed another cell, it plays on after both
cells. The differences, added up over a game, have the difference of the win rates as their mean:
each swaps one choice of the player for that of `champion:fast`, from the last guess to the first.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

import minewright as mw
from minewright import _kernel
from minewright.board import Board
from minewright.lab.arm import Arm

# The candidates score at least this share of the best. A smaller share would add cells that nobody
# would open.
CLOSE = 0.86
PARTS = ("own safety", "next safety", "cells that become safe", "any at all", "rules out a dilemma")

# Stages of a game, by the number of open cells.
STAGES = tuple(pairwise((0, 10, 40, 300, 10**6)))
PLENTY = mw.Budget(10**13, 3600.0)

Guess = dict[str, object]


def guesses(arm: Arm, seed: int, stream: int) -> Iterator[tuple[mw.Position, int]]:
    """Yield each position of a game in which the player guesses, and the cell it opens."""
    size = Board.parse(arm.board)
    first = arm.first_cell
    assert first is not None
    player = mw.strategies.Recipe(arm.strategy).native
    match = _kernel.Match(size.mines, arm.start, player, first, seed, PLENTY, record=True)
    game = mw.Game(size, start=arm.start, seed=seed, stream=stream)
    [moves] = _kernel.play_games(game.topology.graph, match, stream, 1).moves
    for cell, guess in moves:
        if guess:
            yield game.position, cell
        game.open(cell)


def judge(position: mw.Position, chosen: int, most: int, rollouts: int, seed: int) -> Guess | None:
    """Play on after the best candidates; return None where the champion needs no score."""
    graph, cells, mines = position.topology.graph, bytes(position.cells), position.mines
    assert mines is not None
    budget = PLENTY
    usual = _kernel.champion(graph, cells, mines, "usual", -1, budget)
    fast = _kernel.champion(graph, cells, mines, "fast", chosen, budget)
    if usual is None or usual.solved or fast is None or fast.solved:
        return None
    factors = _kernel.dilemma_factors(graph, cells, mines, budget)
    options = sorted(fast.options, key=lambda option: -option.score * factors[option.cell])
    least = CLOSE * options[0].score * factors[options[0].cell]
    kept = [option for option in options if option.score * factors[option.cell] >= least][:most]
    kept += [option for option in options if option.cell == chosen and option not in kept]
    scores = {option.cell: option.score for option in usual.options}
    kept = [option for option in kept if option.cell in scores]
    if len(kept) < 2 or all(option.cell != chosen for option in kept):
        return None
    match = _kernel.Match(mines, "any", "champion:fast", 0, seed, budget, safety=True)
    choices = [option.cell for option in kept]
    played = _kernel.play_on(graph, match, cells, choices, 0, rollouts)
    return {
        "open": sum(code < 9 for code in cells),
        "chosen": choices.index(chosen),
        "score": [scores[cell] for cell in choices],
        "parts": [
            [
                float(np.log(1 - option.risk)),
                float(np.log(option.next)),
                option.gain,
                option.progress,
                float(np.log(factors[option.cell])),
            ]
            for option in kept
        ],
        # Even and odd games separately: one half decides which is best, the other how good it is.
        "worth": [[float(one.safety[half::2].mean()) for half in (0, 1)] for one in played],
    }


def collect(args: argparse.Namespace) -> None:
    """Write one line per game: its number, and its guesses."""
    arm = Arm("champion", args.board, args.start)
    with resumed(args) as (file, done):
        for stream in range(done, args.games):
            found = []
            for at, (position, cell) in enumerate(guesses(arm, args.seed, stream)):
                if sum(code < 9 for code in position.cells) < args.least:
                    continue
                judged = judge(position, cell, args.most, args.rollouts, 1000 * stream + at)
                if judged is not None:
                    found.append(judged)
            file.write(json.dumps({"game": stream, "guesses": found}) + "\n")
            file.flush()


@contextmanager
def resumed(args: argparse.Namespace) -> Iterator[tuple[TextIO, int]]:
    """Open a file of one line per game to continue it; yield it and how many games it holds.

    Its first line holds the options that it was made with, and they must be the same. A last line
    without a line end is what a kill has left of a game; it is cut off.
    """
    options = {
        name: value for name, value in vars(args).items() if name not in ("run", "file", "games")
    }
    text = args.file.read_text() if args.file.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        args.file.write_text(whole)
    lines = whole.splitlines()
    if lines and json.loads(lines[0]) != options:
        sys.exit(f"{args.file}: was made with other options: {lines[0]}")
    with args.file.open("a") as file:
        if not lines:
            file.write(json.dumps(options) + "\n")
            file.flush()
        yield file, max(0, len(lines) - 1)


def gain(args: argparse.Namespace) -> None:
    """Write one line per game: how much more each guess is worth than that of `champion:fast`."""
    arm = Arm(args.player, args.board, args.start)
    with resumed(args) as (file, done):
        for stream in range(done, args.games):
            found = []
            for at, (position, cell) in enumerate(guesses(arm, args.seed, stream)):
                graph, cells, mines = position.topology.graph, bytes(position.cells), position.mines
                assert mines is not None
                other = _kernel.champion(graph, cells, mines, "fast", -1, PLENTY)
                if other is None or other.cell == cell:
                    continue
                seed = 10**6 + 1000 * stream + at
                match = _kernel.Match(mines, "any", "champion:fast", 0, seed, PLENTY, safety=True)
                own, its = _kernel.play_on(
                    graph, match, cells, [cell, other.cell], 0, args.rollouts
                )
                opened = sum(code < 9 for code in cells)
                found.append((opened, float(own.safety.mean() - its.safety.mean())))
            file.write(json.dumps({"game": stream, "gains": found}) + "\n")
            file.flush()
    games = [json.loads(line)["gains"] for line in args.file.read_text().splitlines()[1:]]
    for low, high in [*STAGES, (0, 10**6)]:
        own_gains = np.array([sum(g for opened, g in one if low <= opened < high) for one in games])
        half = 196 * own_gains.std() / np.sqrt(len(games))
        print(f"{low:4} to {high - 1:6} cells open: {100 * own_gains.mean():+.3f} ± {half:.3f}")
    print(f"points more than champion:fast, in {len(games):,} games")


def tell(args: argparse.Namespace) -> None:
    """Print how much is given away per guess, and the weights with 95% intervals."""
    try:
        lines = args.file.read_text().splitlines()[1:]
        found = [guess for line in lines for guess in json.loads(line)["guesses"]]
    except (OSError, ValueError, KeyError) as problem:
        sys.exit(f"{args.file}: not a file of `collect` ({problem})")
    if not found:
        sys.exit(f"{args.file}: there are no guesses in it")
    worths = [np.array(guess["worth"]) for guess in found]
    lost = np.array(
        [
            sum(w[w[:, own].argmax(), 1 - own] - w[guess["chosen"], 1 - own] for own in (0, 1)) / 2
            for guess, w in zip(found, worths, strict=True)
        ]
    )
    opened = np.array([guess["open"] for guess in found])
    print("what the best candidate wins more often than the champion's, in points per guess:")
    for low, high in [*STAGES, (0, 10**6)]:
        own = lost[(opened >= low) & (opened < high)]
        if len(own) > 1:
            half = 196 * own.std() / np.sqrt(len(own))
            print(
                f"  {low:4} to {high - 1:6} cells open: {100 * own.mean():+.3f} ± {half:.3f}"
                f"  ({len(own):,} guesses)"
            )
    share, half, error = score_error([np.array(guess["score"]) for guess in found], worths)
    print(f"differences of worth are {share:.2f} ± {half:.2f} of those of scores, which are off by")
    print(f"{error:.1%} of the worth beside that")
    print("weights, in the logarithm of the chance to win:")
    values, halves = fit([np.array(guess["parts"]) for guess in found], worths)
    for part, value, half in zip(PARTS, values, halves, strict=True):
        print(f"  {part:<24}{value:+.3f} ± {half:.3f}   over own safety: {value / values[0]:+.3f}")


def score_error(
    scores: list[NDArray[np.float64]], worths: list[NDArray[np.float64]]
) -> tuple[float, float, float]:
    """Return which share of a difference in score is one in worth, its interval, and the rest.

    The two halves of the games have nothing in common but the worth, so luck cancels out.
    """
    pairs = []
    for score, worth in zip(scores, worths, strict=True):
        if worth.mean() < 0.03:
            continue
        x = np.log(score)
        pairs.append((x - x.mean(), (worth - worth.mean(0)) / worth.mean()))
    squares = sum(float(x @ x) for x, _ in pairs)
    share = sum(float(x @ y.mean(1)) for x, y in pairs) / squares
    ends = np.array([float(x @ (y.mean(1) - share * x)) for x, y in pairs]) / squares
    left = sum(float((y[:, 0] - share * x) @ (y[:, 1] - share * x)) for x, y in pairs)
    count = sum(len(x) - 1 for x, _ in pairs)
    return share, 1.96 * float(np.sqrt(ends @ ends)), float(np.sqrt(max(0.0, left / count)))


def fit(
    parts: list[NDArray[np.float64]], worths: list[NDArray[np.float64]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the weights of the parts, and half of their intervals.

    Only differences within a position count: a good cell also stands in a good position. The
    candidates of a position share their minefields, so the intervals are those of positions.
    """
    gram = np.zeros((len(PARTS), len(PARTS)))
    sums = []
    for part, worth in zip(parts, worths, strict=True):
        value = worth.mean(1)
        if value.mean() < 0.03:
            continue
        x, y = part - part.mean(0), value / value.mean() - 1
        weight = np.sqrt(value.mean())
        gram += weight * x.T @ x
        sums.append((weight, x, y))
    inverse = np.linalg.pinv(gram)
    weights = inverse @ sum(weight * x.T @ y for weight, x, y in sums)
    errors = np.array([weight * x.T @ (y - x @ weights) for weight, x, y in sums])
    return weights, 1.96 * np.sqrt(np.diag(inverse @ errors.T @ errors @ inverse))


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("collect", help="play on after the candidates of each guess")
    one.add_argument("file", type=Path)
    one.add_argument("--games", type=int, default=1000)
    one.add_argument("--board", default="30x16x99")
    one.add_argument("--start", default="safe", choices=("safe", "open"))
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--most", type=int, default=6, help="candidates of a guess")
    one.add_argument("--least", type=int, default=10, help="cells that are open at a guess")
    one.add_argument("--rollouts", type=int, default=64, help="games after each candidate")
    one.set_defaults(run=collect)
    two = commands.add_parser("tell", help="print what the file tells")
    two.add_argument("file", type=Path)
    two.set_defaults(run=tell)
    three = commands.add_parser("gain", help="tell how much stronger than champion:fast it is")
    three.add_argument("file", type=Path)
    three.add_argument("--player", default="champion:deep")
    three.add_argument("--games", type=int, default=100)
    three.add_argument("--board", default="30x16x99")
    three.add_argument("--start", default="safe", choices=("safe", "open"))
    three.add_argument("--seed", type=int, default=1)
    three.add_argument("--rollouts", type=int, default=512, help="games after each choice")
    three.set_defaults(run=gain)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
