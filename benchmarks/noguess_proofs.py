"""Checks boards without guesses, and the checker of their proofs, in large numbers.

`boards` makes boards. Exact inference, which knows nothing of the search that made them, opens
each, and `minewright verify`, which shares no code with the kernel, checks its proof. `mutations`
changes proofs in one place and counts how many of them `verify` still accepts: there should be
none. Both write one line of JSON per finished part to --out, and continue there when started again.
"""

import json
import random
import sys
from pathlib import Path
from time import process_time
from typing import Annotated

import typer

import minewright as mw
from minewright import noguess

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from changed_proofs import changes

PRESETS = "9x9x10,16x16x40,30x16x99"
PART = 250
"""Boards per line of the output."""

app = typer.Typer(help="Boards without guesses and their proofs, checked in large numbers.")


def needs_no_guess(made: noguess.NoGuessBoard) -> bool:
    """Play by exact inference: open what is certainly safe until nothing is."""
    game = made.game()
    game.open(made.first)
    while not game.over:
        safe = mw.analyze(game.position).safe
        if not safe:
            return False
        for cell in safe:
            game.open(cell)
    return game.state == "won"


def done(out: Path) -> list[dict[str, int | float | str]]:
    """Return the parts that an earlier run has finished."""
    return [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []


def append(out: Path, row: dict[str, int | float | str]) -> None:
    """Note a finished part."""
    with out.open("a") as file:
        file.write(f"{json.dumps(row)}\n")


@app.command()
def boards(
    out: Annotated[Path, typer.Option(help="a file of JSON lines")],
    presets: Annotated[str, typer.Option(help="separated by commas")] = PRESETS,
    count: Annotated[int, typer.Option(min=1, help="boards of each preset")] = 10_000,
    seed: int = 1,
) -> None:
    """Make boards, open each by exact inference, and have its proof verified."""
    parts = [(name, first) for name in presets.split(",") for first in range(0, count, PART)]
    finished = {(row["board"], row["first"]) for row in done(out)}
    for name, first in parts:
        if (name, first) in finished:
            continue
        begun, guesses, refused = process_time(), 0, 0
        streams = range(first, min(first + PART, count))
        for stream in streams:
            made = noguess.make(name, seed=seed, stream=stream)
            guesses += not needs_no_guess(made)
            try:
                noguess.verify(made.proof.json())
            except noguess.ProofError:
                refused += 1
        append(
            out,
            {
                "board": name,
                "first": first,
                "boards": len(streams),
                "guesses": guesses,
                "refused": refused,
                "seconds": round(process_time() - begun, 1),
            },
        )
    for name in presets.split(","):
        rows = [row for row in done(out) if row["board"] == name]
        checked, guessed, wrong, seconds = (
            sum(float(row[key]) for row in rows)
            for key in ("boards", "guesses", "refused", "seconds")
        )
        print(
            f"{name}: {checked:,.0f} boards, {guessed:.0f} needed a guess, {wrong:.0f} proofs were"
            f" refused ({seconds:,.0f} s)"
        )


@app.command()
def mutations(
    out: Annotated[Path, typer.Option(help="a file of JSON lines")],
    presets: Annotated[str, typer.Option(help="separated by commas")] = "9x9x10,10x10x22,16x16x40",
    count: Annotated[int, typer.Option(min=1, help="changed proofs of each board")] = 5_000,
    seed: int = 1,
) -> None:
    """Change proofs in one place, and count those that `verify` still accepts."""
    finished = {row["board"]: row for row in done(out)}
    for name in presets.split(","):
        if name not in finished:
            chance = random.Random(f"{name} {seed}")
            tried = accepted = stream = 0
            while tried < count:
                made = noguess.make(name, seed=seed, stream=stream)
                stream += 1
                for wrong in changes(made.proof, made.topology.size, chance):
                    tried += 1
                    try:
                        noguess.verify(wrong.json())
                        accepted += 1
                    except noguess.ProofError:
                        pass
            finished[name] = {"board": name, "tried": tried, "accepted": accepted}
            append(out, finished[name])
        row = finished[name]
        print(f"{name}: {row['tried']:,} changed proofs, {row['accepted']} accepted")


if __name__ == "__main__":
    app()
