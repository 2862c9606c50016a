"""Does a fixed amount of work of every kind, and prints a digest of the results of each kind.

scripts/determinism.py runs it with many interpreters, compilers and numbers of workers. The tests
compare the digests with tests/golden/results.json; --write records them again.
"""

import argparse
import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

from minewright import _kernel as kernel
from minewright import bench, bullets, topology
from minewright.board import Board
from minewright.champion import best_move
from minewright.deduction import explain
from minewright.game import Game
from minewright.inference import Analysis, Budget, BudgetExceeded, analyze, enumerate_solutions
from minewright.lab.simulate import simulate
from minewright.position import Position

RECORD = Path(__file__).parents[1] / "tests" / "golden" / "results.json"

# Limited by states only, so that the same work is too much on every machine.
BUDGET = Budget(states=20_000_000, seconds=1e9)
# So few states that every component with a choice or two is sampled.
FEW_STATES = 40
BOARDS = (
    ("9x9x10", "moore"),
    ("16x16x40", "moore"),
    ("30x16x99", "moore"),
    ("50x50x480", "moore"),
    ("12x12x24", "neumann"),
    ("12x12x22", "hex"),
    ("12x12x22", "torus"),
    ("12x12x18", "knight"),
    ("5x5x5x12", "box"),
)
PLAYERS = ("exact", "exact-corner", "pseq")
PYTHON_STRATEGIES = ("single-point", "oz-set", "oz-sets", "minebot", "minebot-plus")


def positions() -> Iterator[Position]:
    """Yield the positions of one game on each board."""
    for board, name in BOARDS:
        game = Game(Board.parse(board), "open", 7, name)
        game.open(game.topology.size // 2)
        while not game.over:
            yield game.position
            analysis = analyze(game.position, budget=BUDGET)
            cells = analysis.safe or ([] if analysis.best is None else [analysis.best])
            for cell in cells:
                game.open(cell)


def rounded(analysis: Analysis) -> str:
    """Return the chances to nine digits, on which all C libraries agree."""
    return " ".join("-" if p is None else f"{p:.9f}" for p in analysis.chances)


def certainties(_: int) -> Iterator[str]:
    """Yield what is certain, how many minefields there are, and the chances."""
    for position in positions():
        analysis = analyze(position, budget=BUDGET)
        yield f"{analysis.safe} {analysis.mined} {analysis.solutions} {rounded(analysis)}"


def last_bits(_: int) -> Iterator[str]:
    """Yield every chance to its last bit. Only a C library with another exp() may differ here."""
    for position in positions():
        analysis = analyze(position, budget=BUDGET)
        yield " ".join("-" if p is None else p.hex() for p in analysis.chances)
        yield " ".join(p.hex() for p in analysis.numbers(position.covered[0]))


def fractions(_: int) -> Iterator[str]:
    """Yield exact fractions and the first minefields of some positions."""
    for number, position in enumerate(positions()):
        if number % 8 or position.topology.size > 300:
            continue
        yield " ".join(map(str, analyze(position, budget=BUDGET).fractions))
        yield str([sorted(mined) for mined in enumerate_solutions(position, 5, budget=BUDGET)])


def steps(_: int) -> Iterator[str]:
    """Yield the deductions of some positions, without their words."""
    for number, position in enumerate(positions()):
        if number % 16 == 0 and position.topology.size <= 500:
            yield str(
                [(step.kind, step.clues, step.safe, step.mined) for step in explain(position)]
            )


def scattered(name: str, shape: tuple[int, ...], mines: int, seed: int) -> Position:
    """Return a position that shows a third of its safe cells, here and there: a hard one."""
    board = topology.get(name, shape)
    minefield = kernel.Minefield(board.graph)
    random = kernel.Random(seed)
    minefield.reset(mines, "any", random)
    shown = (code != kernel.MINED and random.below(3) == 0 for code in minefield.truth)
    cells = (n if show else kernel.COVERED for n, show in zip(minefield.truth, shown, strict=True))
    return Position(board, bytes(cells), mines)


def sampled(_: int) -> Iterator[str]:
    """Yield chances that are sampled, because the states do not suffice to count."""
    for seed in range(3):
        for position in (
            scattered("moore", (12, 12), 40, seed),
            scattered("hex", (12, 12), 30, seed),
            scattered("box", (5, 5, 5), 20, seed),
        ):
            few = Budget(states=FEW_STATES, seconds=BUDGET.seconds)
            try:
                analysis = analyze(position, approximate=True, seed=seed, budget=few)
            except BudgetExceeded:
                yield "refused"
                continue
            yield f"{analysis.approximate} {rounded(analysis)}"


def native_games(_: int) -> Iterator[str]:
    """Yield every move of games that the kernel plays."""
    for board, name in BOARDS[:3] + BOARDS[4:]:
        graph = Game(Board.parse(board), "safe", 1, name).topology.graph
        for player in PLAYERS:
            match = kernel.Match(
                *(Board.parse(board).mines, "safe", player, 0, 3, BUDGET),
                record=True,
            )
            found = kernel.play_games(graph, match, 0, 6)
            yield f"{found.won.tolist()} {found.guesses.tolist()} {found.moves}"


def simulations(workers: int) -> Iterator[str]:
    """Yield the outcomes of many games, native ones and others."""
    for strategy in (*PLAYERS, *PYTHON_STRATEGIES):
        games = 60 if strategy in PLAYERS else 6
        found = simulate(Board.parse("9x9x12"), strategy, games, 5, workers=workers)
        yield f"{strategy} {found.wins} {found.cleared} {found.found} {found.guesses}"


def advice(_: int) -> Iterator[str]:
    """Yield the champion's moves where nothing is certain, and what it says of them."""
    for position in positions():
        if position.topology.size > 500:
            continue
        try:
            move = best_move(position, level="fast", budget=BUDGET)
        except BudgetExceeded:
            yield "refused"
            continue
        yield f"{move.cell} {move.proved} {move.win:.9f} {[option.cell for option in move.options]}"


def learnt(workers: int) -> Iterator[str]:
    """Yield the outcomes of games by players that compare floats: the champion and the network."""
    for strategy, board, games in (
        ("champion:fast", "16x16x40", 20),
        ("champion", "9x9x16", 20),
        ("champion:deep", "6x6x9", 6),
        ("neural", "9x9x10", 10),
    ):
        found = simulate(Board.parse(board), strategy, games, 5, workers=workers)
        yield f"{strategy} {found.wins} {found.cleared} {found.found} {found.guesses}"


def puzzles(_: int) -> Iterator[str]:
    """Yield puzzles of every kind of search."""
    for puzzle in (
        bullets.make(size=6, seed=1, iterations=40),
        bullets.make(size=5, seed=2, iterations=30, anneal=(2.0, 0.1)),
        bullets.make(size=5, seed=3, iterations=20, symmetry="rotation"),
        bullets.make(size=(9, 8), seed=4, iterations=3, topology="hex"),
    ):
        yield f"{sorted(puzzle.solution)} {puzzle.position.cells.hex()}"


def benchmark(workers: int) -> Iterator[str]:
    """Yield the signature of `minewright bench`."""
    yield bench.run(workers).signature


Work = Callable[[int], Iterator[str]]
QUICK: dict[str, Work] = {
    "certainties": certainties,
    "fractions": fractions,
    "native games": native_games,
    "puzzles": puzzles,
    "sampled": sampled,
    "simulations": simulations,
    "steps": steps,
}
"""Work that takes seconds in all, with the same results on every machine: the suite checks it."""
FULL: dict[str, Work] = {
    **QUICK,
    "advice": advice,
    "learnt": learnt,
    "last bits": last_bits,
    "bench": benchmark,
}


def digest(work: Work, workers: int = 1) -> str:
    """Return a digest of all results of one kind of work."""
    whole = sha256()
    for result in work(workers):
        whole.update(f"{result}\n".encode())
    return whole.hexdigest()[:16]


def main() -> None:
    """Print the digests as JSON, or record them."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="record tests/golden/results.json")
    parser.add_argument("--quick", action="store_true", help="only what the suite checks")
    wish = parser.parse_args()
    quick = wish.quick or wish.write
    found = {name: digest(work, wish.workers) for name, work in (QUICK if quick else FULL).items()}
    text = json.dumps(found, indent=1)
    if wish.write:
        RECORD.write_text(f"{text}\n", "utf-8")
    print(text)


if __name__ == "__main__":
    main()
