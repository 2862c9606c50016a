"""The champion: perfect endgames, best play on small boards, advice and regret."""

import json
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import exp, inf, log1p, prod, sqrt
from random import Random
from time import process_time
from typing import cast

import numpy as np
import pytest
from hard_positions import lattice
from processes import HANG
from test_cli import run

import minewright as mw
from minewright import _kernel
from minewright.board import Board
from minewright.champion import ChampionError, best_move, continuations, optimal, regret
from minewright.inference import Budget, BudgetExceeded, analyze, enumerate_solutions
from minewright.lab.arm import Arm
from minewright.lab.games import play_games
from minewright.levels import Level
from minewright.position import COVERED, Position
from minewright.strategies import Recipe
from minewright.topology import Topology, get

Shown = tuple[tuple[int, ...], ...]
"""What each cell shows in each layout, or -1 for a mine."""

UNBOUNDED = 2**62


def shown(topology: Topology, layouts: Sequence[Sequence[int]]) -> Shown:
    found = []
    for mined in map(set, layouts):
        near = topology.neighbours
        found.append(
            tuple(
                -1 if cell in mined else len(mined.intersection(near(cell)))
                for cell in range(topology.size)
            )
        )
    return tuple(found)


def plain_value(layouts: Shown) -> int:
    """Return how many layouts best play wins, by an exhaustive search without any shortcut."""

    @cache
    def value(left: frozenset[int]) -> int:
        if len(left) <= 1:
            return len(left)
        best = 0
        for cell in range(len(layouts[0])):
            parts: dict[int, set[int]] = {}
            for layout in left:
                parts.setdefault(layouts[layout][cell], set()).add(layout)
            parts.pop(-1, None)
            if len(parts) != 1 or next(iter(parts.values())) != left:
                best = max(best, sum(value(frozenset(part)) for part in parts.values()))
        return best

    return value(frozenset(range(len(layouts))))


def some_layouts(count: int) -> list[Shown]:
    """Return random sets of layouts of small boards of several topologies."""
    random = _kernel.Random(16)
    found = []
    for number in range(count):
        name, shape, mines = (
            ("moore", (3, 3), 3),
            ("moore", (5, 2), 3),
            ("hex", (3, 3), 3),
            ("torus", (3, 3), 4),
            ("neumann", (4, 3), 5),
        )[number % 5]
        topology = get(name, shape)
        every = list(combinations(range(topology.size), mines))
        chosen = {every[random.below(len(every))] for _ in range(2 + random.below(7))}
        found.append(shown(topology, sorted(chosen)))
    return found


def test_the_endgame_equals_a_plain_exhaustive_search() -> None:
    sets = some_layouts(3000)
    won = [_kernel.solve_layouts(layouts, UNBOUNDED) for layouts in sets]
    assert [lower for lower, _, _ in won] == [plain_value(layouts) for layouts in sets]
    assert all(lower == upper for lower, upper, _ in won)
    # The sets are worth testing: some are won whole, most are not.
    assert 0.05 < np.mean([won[i][0] == len(sets[i]) for i in range(len(sets))]) < 0.7


def test_the_cell_of_the_endgame_wins_what_it_promises() -> None:
    for layouts in some_layouts(500):
        lower, _, cell = _kernel.solve_layouts(layouts, UNBOUNDED)
        if cell < 0:
            assert lower == 1
            continue
        parts: dict[int, list[tuple[int, ...]]] = {}
        for layout in layouts:
            parts.setdefault(layout[cell], []).append(layout)
        parts.pop(-1, None)
        assert sum(plain_value(tuple(part)) for part in parts.values()) == lower


def test_bounds_contain_the_truth_however_little_is_searched() -> None:
    topology = get("moore", (3, 4))
    layouts = shown(topology, list(combinations(range(12), 3)))
    truth, upper, _ = _kernel.solve_layouts(layouts, UNBOUNDED)
    assert truth == upper == optimal(Board.parse("3x4x3")).best.won
    bounds = [_kernel.solve_layouts(layouts, 2**power) for power in range(4, 22)]
    assert all(low <= truth <= high for low, high, _ in bounds)
    assert bounds[0][1] > truth > bounds[0][0]
    assert bounds[-1][:2] == (truth, truth)


@pytest.mark.parametrize(
    ("board", "won", "total", "corner"),
    [
        ("4x4x2", 102, 120, True),
        ("4x4x3", 400, 560, True),
        ("4x4x4", 961, 1820, False),
        ("4x4x5", 1461, 4368, False),
        ("5x5x3", 1798, 2300, True),
    ],
)
def test_best_play_wins_as_often_as_published(
    board: str, won: int, total: int, corner: bool
) -> None:
    found = optimal(Board.parse(board))
    assert (found.best.won, found.best.minefields) == (won, total)
    assert (found.best.cell == 0) == corner


def test_start_rules_change_which_minefields_count() -> None:
    board = Board.parse("4x4x4")
    kept, opened = optimal(board, "safe"), optimal(board, "open")
    assert kept.best.share == Fraction(961, 1365)
    assert all(move.minefields <= 495 for move in opened.first_moves)
    # A topology with other symmetries is solved without using any, and nothing is lost.
    assert optimal(Board.parse("4x3x3"), topology="hex").best.minefields == 220


@pytest.mark.parametrize("most_sets", [1, 7, 100, 1000])
def test_best_play_is_the_same_however_few_sets_are_remembered(most_sets: int) -> None:
    graph = get("moore", (4, 4)).graph

    def won(most_sets: int) -> list[int]:
        found = _kernel.solve_board(graph, 4, [], range(16), Budget(UNBOUNDED, HANG), most_sets)
        return [first.won for first in found]

    assert won(most_sets) == won(2**20)


MEMORY = """
import re
from pathlib import Path
from minewright import Budget, _kernel
from minewright.topology import get

def most():
    return int(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])

graph = get("moore", (16, 16)).graph
before = most()
try:
    _kernel.solve_board(graph, 3, [], [0], Budget(100_000_000, 60.0))
except _kernel.TooHard:
    print(most() - before)
"""
"""Prints kilobytes. `getrusage` would count from the memory of the process that starts this one."""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")
def test_a_board_beyond_the_budget_takes_no_memory() -> None:
    # The numbers of its 2.8 million minefields take 700 MB.
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True)
    assert int(done.stdout) < 100_000, done.stderr


def test_the_champion_plays_a_small_board_perfectly() -> None:
    corner = next(m for m in optimal(Board.parse("4x4x3")).first_moves if m.cell == 0)
    rows = play_games(Arm("champion", "4x4x3", "any"), 2, 0, 300, measure="safety")
    error = rows["safety"].std() / sqrt(300)
    assert abs(rows["safety"].mean() - float(corner.share)) < 4 * error
    weaker = play_games(Arm("exact", "4x4x3", "any"), 2, 0, 300, measure="safety")
    assert weaker["safety"].mean() < rows["safety"].mean()


@pytest.mark.parametrize(
    ("strategy", "board", "topology"),
    [
        ("champion:fast", "8x8x12", "moore"),
        ("champion", "9x9x16", "moore"),
        ("champion:level=deep", "4x4x3", "torus"),
        ("champion", "7x7x9", "hex"),
        ("champion:fast", "4x4x4x9", "box"),
    ],
)
def test_the_kernel_and_python_make_the_same_moves(
    strategy: str, board: str, topology: str
) -> None:
    arm = Arm(strategy, board, "safe", topology)
    native, plain = (play_games(arm, 4, 0, 12, native=way) for way in (True, False))
    assert np.array_equal(native["signature"], plain["signature"])


def test_a_value_of_a_single_option_needs_no_name() -> None:
    assert Recipe("champion:fast").native == Recipe("champion:level=fast").native == "champion:fast"
    assert Recipe("champion").native == "champion:usual"
    assert Recipe("champion", guesser="random").native == ""
    with pytest.raises(mw.StrategyError, match="has no option 'quick'; its options are level"):
        Recipe("champion:quick")


def truth(position: Position) -> Fraction:
    layouts = list(enumerate_solutions(position, limit=1000))
    assert len(layouts) < 1000
    own, _, _ = _kernel.solve_layouts(
        shown(position.topology, [sorted(layout) for layout in layouts]), UNBOUNDED
    )
    return Fraction(own, len(layouts))


def guessing_positions(board: str, games: int, most: float = 300) -> list[Position]:
    """Return positions of games in which no cell is safe and fewer than `most` minefields fit."""
    found = []
    for stream in range(games):
        game = mw.Game(Board.parse(board), seed=9, stream=stream)
        game.open(0)
        while not game.over:
            analysis = analyze(game.position)
            if not analysis.safe and analysis.solutions < most:
                found.append(game.position)
            assert analysis.best is not None
            game.open(analysis.best)
    return found


def test_proved_moves_and_bounds_are_true() -> None:
    positions = guessing_positions("6x6x9", 60)
    assert len(positions) > 30
    for position in positions:
        best = truth(position)
        move = best_move(position)
        assert move.proved
        assert move.lower == pytest.approx(float(best))
        assert move.upper == pytest.approx(float(best))
        assert move.win == pytest.approx(float(best))
        quick = best_move(position, level="fast")
        assert quick.lower <= float(best) + 1e-12
        assert quick.upper >= float(best) - 1e-12
        assert quick.lower <= quick.win <= quick.upper


@pytest.mark.parametrize(
    ("board", "won", "total"),
    [("4x4x3", 400, 560), ("4x4x4", 961, 1820), ("4x4x5", 1461, 4368), ("5x5x3", 1798, 2300)],
)
def test_bounds_before_the_first_move_contain_the_published_chance(
    board: str, won: int, total: int
) -> None:
    width, height, mines = map(int, board.split("x"))
    covered = Position(get("moore", (width, height)), bytes([COVERED]) * width * height, mines)
    for level in ("fast", "usual"):
        move = best_move(covered, level=level)
        assert move.lower - 1e-12 <= won / total <= move.upper + 1e-12
        # The first cell is itself a risk.
        assert move.upper <= 1 - mines / (width * height) + 1e-12
        assert move.lower <= move.win <= move.upper


def test_an_estimate_stays_within_the_proved_bounds() -> None:
    # Mines are sparse here, and weights fitted to other boards often promise too much.
    moves = [best_move(p, level="fast") for p in guessing_positions("10x10x10", 80, inf)]
    estimates = [move for move in moves if not move.proved]
    assert all(move.lower <= move.win <= move.upper for move in estimates)
    assert sum(move.win == move.upper for move in estimates) >= 10


def test_a_score_is_the_safety_now_and_next_with_the_documented_weights() -> None:
    exact = []
    for board in ("10x10x10", "9x9x12", "6x6x9"):
        for position in guessing_positions(board, 20, inf):
            graph, cells, mines = position.topology.graph, bytes(position.cells), position.mines
            assert mines is not None
            verdict = _kernel.champion(graph, cells, mines, "fast", -1, Budget())
            assert verdict is not None
            if verdict.solved:
                continue
            best = verdict.options[0]
            found = continuations(position, best.cell)
            safety = sum(one.chance for one in found)
            following = sum(one.chance * (1 - one.least) for one in found) / safety
            gain = sum(one.chance * log1p(one.safe) for one in found) / safety
            progress = sum(one.chance for one in found if one.safe) / safety
            unsure = [risk for risk in analyze(position).chances if risk is not None and risk < 1]
            # The weights of docs/champion.md fade where mines are sparser than on expert.
            zeal = min(1.0, max(0.0, (sum(unsure) / len(unsure) - 0.12) / 0.08))
            weights = exp(zeal * (0.066 * gain - 0.042 * progress))
            score = safety * following ** (1 + 0.07 * zeal) * weights
            # Parts of the board that the cell does not touch are taken to keep their chances.
            assert best.score == pytest.approx(score, rel=0.01)
            exact.append(best.score == pytest.approx(score, rel=1e-9))
    assert len(exact) > 60
    assert np.mean(exact) > 0.9


def test_a_cell_that_tells_a_touching_region_apart_settles_both() -> None:
    # The top row has one mine in its left half and one in its right. Each half alone is a coin
    # flip, and no number touches both. But an inner cell shows where the other half has its mine.
    move = best_move(Position.parse("4x3x4\n####\n2##2\n1221"))
    assert move.proved
    assert move.cell in (1, 2)
    assert (move.lower, move.win, move.upper) == pytest.approx((0.5, 0.5, 0.5))


def scattered_positions(count: int) -> list[Position]:
    """Return small positions with most cells open, in which no cell is safe."""
    boards = (
        ("moore", (4, 4), 6),
        ("neumann", (4, 4), 5),
        ("hex", (4, 4), 5),
        ("moore", (6, 3), 6),
    )
    random = Random(3)
    found: list[Position] = []
    for number in range(count):
        name, shape, mines = boards[number % len(boards)]
        topology = get(name, shape)
        order = list(range(topology.size))
        random.shuffle(order)
        mined = set(order[:mines])
        cells = bytearray([COVERED]) * topology.size
        for cell in order[mines + random.randrange(4) :]:
            cells[cell] = len(mined.intersection(topology.neighbours(cell)))
        position = Position(topology, bytes(cells), mines)
        analysis = analyze(position)
        if not analysis.safe and analysis.solutions > 1:
            found.append(position)
    return found


def test_a_position_of_several_regions_has_the_value_of_an_exhaustive_search() -> None:
    positions = scattered_positions(6000)
    assert len(positions) > 60
    for position in positions:
        best = float(truth(position))
        move = best_move(position)
        assert move.proved
        assert (move.lower, move.win, move.upper) == pytest.approx((best, best, best))


def possible_sides(
    position: Position, mined: list[float]
) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return pairs of uncertain cells that touch, and the halves of four that all touch."""
    near = [set(position.topology.neighbours(cell)) for cell in range(len(mined))]
    unsure = [cell for cell in range(len(mined)) if 0 < mined[cell] < 1]
    reached = {cell for cell in unsure if any(position.cells[n] < 9 for n in near[cell])}
    found: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
        ((a,), (b,)) for a, b in combinations(unsure, 2) if b in near[a]
    ]
    for four in combinations(unsure, 4):
        if all(b in near[a] for a, b in combinations(four, 2)) and reached & set(four):
            a, b, c, d = four
            found += [((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))]
    pairs = [(a, b) for a in unsure for b in near[a] & set(unsure)]
    for (a, b), (c, d) in product(pairs, pairs):
        # A number that would tell the first pair apart touches the opposite cell of the second.
        linked = any(position.cells[n] < 9 for n in (near[a] - near[b]) & (near[d] - near[c]))
        if linked and len({a, b, c, d}) == 4:
            found.append(((a, c), (b, d)))
    return found


def plain_factors(position: Position) -> list[float]:
    """Return what surviving each cell is worth, by counting layouts."""
    layouts = [set(layout) for layout in enumerate_solutions(position, limit=1000)]
    near = [set(position.topology.neighbours(cell)) for cell in range(position.topology.size)]
    mined = [sum(cell in layout for layout in layouts) / len(layouts) for cell in range(len(near))]
    factors = [1.0] * len(near)
    for one, other in possible_sides(position, mined):
        own = {*one, *other}
        telling = {
            cell
            for cell in range(len(near))
            if len(near[cell] & set(one)) != len(near[cell] & set(other))
            and cell not in own
            and mined[cell] < 1
        }
        most = min(1.0, *(2 * mined[cell] for cell in own)) * prod(mined[cell] for cell in telling)
        if len(telling) > 6 or most < 0.02:
            continue
        sides = (set(one), set(other))
        count = sum(telling <= layout and layout & own in sides for layout in layouts)
        if count / len(layouts) >= 0.02:
            for cell in own | telling:
                factors[cell] = max(factors[cell], 1 / (1 - count / len(layouts) / 2))
    return factors


def test_the_chances_of_dilemmas_equal_a_count_of_layouts() -> None:
    limits = Budget()
    found = 0
    for position in guessing_positions("6x6x9", 60):
        graph, cells, mines = position.topology.graph, bytes(position.cells), position.mines
        assert mines is not None
        factors = _kernel.dilemma_factors(graph, cells, mines, limits)
        assert factors == pytest.approx(plain_factors(position))
        found += max(factors) > 1
    assert found >= 20


def test_a_square_whose_diagonals_nothing_will_tell_apart_is_a_dilemma() -> None:
    # The four cells of the corner hold two mines, in one of the diagonals: both fit all numbers.
    position = Position.parse("4x4x3\n##10\n##21\n12*1\n0111")
    factors = _kernel.dilemma_factors(position.topology.graph, bytes(position.cells), 3, Budget())
    assert [cell for cell in range(16) if factors[cell] > 1.99] == [0, 1, 4, 5]


def test_a_game_played_on_has_the_value_of_the_position() -> None:
    # These have few layouts, so the champion solves them, and the mean safety is the value of the
    # move.
    for position in guessing_positions("6x6x9", 8)[:4]:
        assert position.mines is not None
        move = best_move(position, level="deep")
        assert move.proved
        match = _kernel.Match(
            position.mines, "any", "champion:deep", 0, 5, Budget(10**9, 60.0), safety=True
        )
        cells = [move.cell, move.options[-1].cell]
        graph = position.topology.graph
        best, worst = _kernel.play_on(graph, match, bytes(position.cells), cells, 0, 400)
        for games, option in ((best, move.options[0]), (worst, move.options[-1])):
            error = float(games.safety.std()) / 20
            assert abs(games.safety.mean() - option.win) <= 4 * error + 1e-9
        again = _kernel.play_on(graph, match, bytes(position.cells), cells[1:], 100, 50)
        assert list(again[0].safety) == list(worst.safety[100:150])


def test_a_best_move_says_why() -> None:
    position = guessing_positions("6x6x9", 3)[0]
    move = best_move(position)
    where = position.topology.describe(move.cell)
    assert move.sentence.lower().startswith(f"{where}: {move.risk:.1%} mine")
    assert "best play wins" in move.sentence
    assert [option.cell for option in move.options].count(move.cell) == 1
    assert move.options[0].win == pytest.approx(move.win)
    safe = best_move(Position.parse("4x3x2\n####\n1221\n0000"))
    assert (safe.cell, safe.risk, safe.proved) == (0, 0.0, True)


def test_what_a_number_leads_to_equals_a_count_of_layouts() -> None:
    told = settled = 0
    for position in guessing_positions("6x6x9", 20):
        move = best_move(position)
        layouts = [set(layout) for layout in enumerate_solutions(position, limit=1000)]
        near = set(position.topology.neighbours(move.cell))
        found = continuations(position, move.cell)
        for one in found:
            kept = [m for m in layouts if move.cell not in m and len(near & m) == one.number]
            left = [cell for cell in position.covered if cell != move.cell]
            mined = [sum(cell in m for m in kept) for cell in left]
            assert one.chance == pytest.approx(len(kept) / len(layouts))
            assert one.safe == mined.count(0)
            assert one.won == (set(mined) <= {len(kept)})
            assert one.least == pytest.approx(0 if one.won else min(mined) / len(kept))
        assert sum(one.chance for one in found) == pytest.approx(1 - move.risk)
        first, second = move.sentences
        assert first == move.sentence
        likeliest = max(found, key=lambda one: (one.chance, -one.number))
        assert f"on a {likeliest.number} ({likeliest.chance:.0%})" in second.lower()
        always = all(one.safe or one.won for one in found)
        assert second.startswith("Whatever it shows") == always
        told, settled = told + 1, settled + always
    assert 0 < settled < told


def test_a_position_without_a_best_move_says_so() -> None:
    for text, why in (
        ("3x1x?\n##1", "needs the mine total"),
        ("3x1x2\n#1#", "no minefield fits"),
        ("3x1x1\n1#1", "no cell is left"),
    ):
        with pytest.raises(ChampionError, match=why):
            best_move(Position.parse(text))
    wide = Position(get("moore", (30, 30)), bytes([COVERED]) * 900, 200)
    with pytest.raises(BudgetExceeded):
        best_move(wide.with_cells({31: 2, 34: 2, 94: 3}), budget=Budget(5, 10.0))


def test_a_position_that_leaves_no_budget_to_compare_cells_says_so() -> None:
    with pytest.raises(BudgetExceeded, match="no cell was compared"):
        best_move(lattice("moore", (17, 17), 0.45, 24), level="fast")


def test_regret_separates_a_missed_proof_from_a_bad_guess() -> None:
    position = Position.parse("4x3x2\n####\n1221\n0000")
    assert regret(position, 0).kind == "none"
    missed = regret(position, 1)
    assert (missed.kind, missed.share, missed.best) == ("missed proof", 1.0, 0)
    found = []
    for position in guessing_positions("6x6x9", 12):
        chances = analyze(position).chances
        wins = {
            cell: regret(position, cell).share for cell in position.covered if chances[cell] != 1
        }
        best = best_move(position)
        assert wins[best.cell] == 0
        found += [share for cell, share in wins.items() if cell != best.cell]
    assert 0 < np.mean([share > 0 for share in found]) < 1
    with pytest.raises(ChampionError, match="is not covered"):
        regret(Position.parse("4x3x2\n####\n1221\n0000"), 5)


@pytest.mark.parametrize("text", ["4x3x2\n####\n1221\n0000", "3x1x1\n#1#"])
def test_a_level_or_a_cell_that_does_not_exist_is_refused_with_or_without_a_safe_cell(
    text: str,
) -> None:
    position = Position.parse(text)
    for wrong in ("deeper", None, 1.5):
        level = cast(Level, wrong)
        complaint = f"^a level is fast, usual or deep, not {wrong!r}$"
        with pytest.raises(ChampionError, match=complaint):
            best_move(position, level=level)
        with pytest.raises(ChampionError, match=complaint):
            regret(position, 0, level=level)
    last = position.topology.size - 1
    for cell in (-1, last + 1, 1.0, 1.5, True):
        with pytest.raises(ChampionError, match=f"^a cell is a .* from 0 to {last}, not {cell}$"):
            regret(position, cast(int, cell))
    assert regret(position, cast(int, np.uint8(2))) == regret(position, 2)


def test_the_commands_tell_the_best_move_and_solve_boards() -> None:
    ran = run("solve", "-", "--json", given=b"5x5x5\n#####\n#2###\n#####\n###2#\n#####\n")
    advice = json.loads(ran.out)["champion"]
    assert advice["options"][0]["cell"] == advice["cell"]
    assert advice["sentences"][0] == advice["sentence"]
    assert "on a" in advice["sentences"][1].lower()
    assert advice["bounds"][0] <= advice["win"] <= advice["bounds"][1]
    assert "52.8022%  961 of 1,820" in run("optimal", "--board", "4x4x4").out
    data = json.loads(run("optimal", "--board", "3x3x2", "--start", "open", "--json").out)
    assert data["first_moves"][0]["share"] == 1.0
    # Refused before anything is laid out: by minefields, by cells, or by both together.
    for board in ("30x16x99", "2000x2000x1", "2000x2000x4000000", "300x1x3"):
        assert "choose a smaller one" in run("optimal", "--board", board).mistake()
    assert "leaves no room" in run("optimal", "--board", "2x2x1", "--start", "open").mistake()


def test_looking_for_dilemmas_ends_with_the_time_on_a_large_board_too() -> None:
    position = Position.parse("120x120x14398\n" + ("#" * 120 + "\n") * 120)
    begun = process_time()
    with pytest.raises(mw.BudgetExceeded):
        best_move(position, budget=Budget(10**9, 0.2))
    # Processor time, so that other work on the machine does not matter; it once took 9 seconds.
    assert process_time() - begun < 4
