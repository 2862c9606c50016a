"""Writes a game of every strategy to tests/golden, so that any change of play shows there."""

import io
import sys
from contextlib import redirect_stdout
from pathlib import Path

from minewright.cli import main
from minewright.strategies import strategies

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"

# Which solution Z3 finds first may change from version to version, and only this strategy depends
# on that. MiniSat comes with python-sat and does not change.
WRITTEN_AS = {"max-breakearly": "max-breakearly:engine=minisat"}


def playthrough(name: str) -> str:
    """Play the same game, on a small dense board, with a strategy; return its trace."""
    written = WRITTEN_AS.get(name, name)
    options = ["--board", "8x8x13", "--start", "open", "--seed", "5", "--game", "37"]
    shown = io.StringIO()
    with redirect_stdout(shown):
        code = main(["simulate", *options, "--strategy", written, "--trace", "-"])
    assert code == 0, f"{name}: exit code {code}"
    return shown.getvalue()


if __name__ == "__main__":
    wanted = sys.argv[1:] or list(strategies())
    GOLDEN.mkdir(exist_ok=True)
    for name in wanted:
        (GOLDEN / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")
    if not sys.argv[1:]:
        for old in GOLDEN.glob("*.txt"):
            if old.stem not in wanted:
                old.unlink()
