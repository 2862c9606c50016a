"""Modes of play: every minefield fits what was shown, and every guess ends as its mode promises."""

import copy
import pickle
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from fractions import Fraction
from functools import reduce
from itertools import combinations, product
from math import comb
from operator import and_, or_
from random import Random

import pytest

import minewright as mw
from minewright import noguess
from minewright.game import Game, GameError, StartRule
from minewright.inference import Budget
from minewright.modes import (
    MODES,
    FairGame,
    KindGame,
    SafeBetGame,
    UnfixedGame,
    begin,
    names,
    unfixed,
)
from minewright.position import COVERED, MARKED, MAX_NUMBER, MINED, Position

Field = frozenset[int]

SMALL = (
    ("4x3x4", "moore"),
    ("5x3x3", "moore"),
    ("4x3x3", "hex"),
    ("4x4x3", "torus"),
    ("4x3x5", "neumann"),
    ("4x3x3", "knight"),
    ("2x2x3x3", "box"),
)
STARTS: tuple[StartRule, ...] = ("any", "safe", "open")


def bits(cells: Iterable[int]) -> int:
    """Return a set of cells as an integer with one bit per cell."""
    return sum(1 << cell for cell in cells)


class Witness:
    """Keeps, by brute force, every minefield that fits what a game has shown so far."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.cells = range(game.topology.size)
        self.near = [bits(game.topology.neighbours(cell)) for cell in self.cells]
        self.fields = [bits(field) for field in combinations(self.cells, game.mines)]
        self.shown: set[int] = set()

    def start(self, first: int) -> None:
        """Drop the minefields that the start rule forbids."""
        around = 1 << first | (self.near[first] if self.game.start == "open" else 0)
        if self.game.start != "any":
            self.fields = [field for field in self.fields if not field & around]

    def look(self) -> None:
        """Drop the minefields that contradict the numbers shown now."""
        for cell, number in enumerate(self.game.position.cells):
            if number <= MAX_NUMBER and cell not in self.shown:
                self.shown.add(cell)
                here, near = 1 << cell, self.near[cell]
                self.fields = [
                    field
                    for field in self.fields
                    if not field & here and (field & near).bit_count() == number
                ]
        assert self.fields, "nothing fits what was shown"
        if self.game.over:
            assert bits(self.game.minefield) in self.fields

    def safe(self) -> set[int]:
        """Return the covered cells without a mine in any minefield."""
        mined = reduce(or_, self.fields)
        return {cell for cell in self.cells if not mined >> cell & 1} - self.shown

    def survivable(self, cells: Iterable[int]) -> int:
        """Return how many minefields have no mine in these cells."""
        met = bits(cells)
        return sum(not field & met for field in self.fields)


def targets(game: Game, move: mw.Move) -> tuple[int, ...]:
    """Return the covered cells that a move opens directly."""
    assert move.cell is not None
    if move.kind == "open":
        return (move.cell,)
    near = game.topology.neighbours(move.cell)
    marks = sum(game.position[other] == MARKED for other in near)
    covered = tuple(other for other in near if game.position[other] == COVERED)
    return covered if marks == game.position[move.cell] else ()


def moves(witness: Witness, random: Random) -> Iterator[mw.Move]:
    """Yield the moves of a player who reasons, guesses, marks and chords, at random."""
    game = witness.game
    while not game.over:
        position = game.position
        covered = [cell for cell, code in enumerate(position.cells) if code == COVERED]
        marked = [cell for cell, code in enumerate(position.cells) if code == MARKED]
        safe = sorted(witness.safe().intersection(covered))
        whim = random.random()
        if whim < 0.2 or not covered:
            every = reduce(and_, witness.fields)
            mined = [cell for cell in covered if every >> cell & 1]
            yield mw.Move("mark", random.choice(mined or marked or covered))
        elif whim < 0.35 and game.state == "playing":
            numbers = [cell for cell, code in enumerate(position.cells) if code <= MAX_NUMBER]
            yield mw.Move("chord", random.choice(numbers))
        elif safe and whim < 0.9:
            yield mw.Move("open", random.choice(safe))
        else:
            yield mw.Move("open", random.choice(covered))


def play(mode: str, seeds: int) -> Iterator[tuple[Witness, tuple[int, ...], bool, bool]]:
    """Play random games, and check after every move that some minefield fits all that was shown.

    Yield for every opening that is not certainly safe: the witness before it, its risky cells,
    whether another cell was safe, and whether the opening lost the game.
    """
    for seed, (board, topology), start in product(range(seeds), SMALL, STARTS):
        game = begin(mode, board, start, seed, topology)
        witness, random = Witness(game), Random(seed)
        for move in moves(witness, random):
            cells = () if move.kind == "mark" else targets(game, move)
            if game.state == "ready" and cells:
                near = game.topology.neighbours(cells[0])
                if start == "open" and game.mines > game.topology.size - 1 - len(near):
                    continue
                witness.start(cells[0])
            before = copy.copy(witness)
            safe = witness.safe()
            game.play([move])
            witness.look()
            risky = tuple(cell for cell in cells if cell not in safe)
            if risky:
                yield before, risky, bool(safe), game.state == "lost"
            else:
                assert game.state != "lost"


def ruling_of(witness: Witness) -> str | None:
    """Return what the mode of a game said about its last opening."""
    assert isinstance(witness.game, UnfixedGame)
    return witness.game.ruling


def test_in_a_fair_game_a_needed_guess_never_loses_and_a_needless_one_always_does() -> None:
    met: Counter[str] = Counter()
    for before, risky, safe, lost in play("fair", 100):
        permitted = not safe and before.survivable(risky) > 0
        assert lost != permitted
        mistake = any(reduce(and_, before.fields) >> cell & 1 for cell in risky)
        ruling = "allowed" if permitted else "punished" if safe and not mistake else None
        assert ruling_of(before) == ruling
        met["permitted" if permitted else "needless" if safe else "hopeless"] += 1
    assert met["permitted"] > 2000
    assert met["needless"] > 500
    assert met["hopeless"] > 10


def test_in_a_kind_game_no_forced_guess_loses_and_others_may() -> None:
    met: Counter[tuple[bool, bool]] = Counter()
    forgiven = 0
    for before, risky, _, lost in play("kind", 40):
        if not before.survivable(risky):
            assert lost
            continue
        # Two minefields that show the same in every cell without a mine cannot be told apart.
        alike = False
        if len(before.fields) == 2:
            one, other = before.fields
            alike = all(
                (one & near).bit_count() == (other & near).bit_count()
                for cell, near in enumerate(before.near)
                if not (one | other) >> cell & 1
            )
        assert not (lost and alike)
        assert ruling_of(before) in ((None,) if lost else (None, "forgiven"))
        met[alike, lost] += 1
        forgiven += alike and ruling_of(before) == "forgiven"
    assert met[True, False] > 20
    # About half of them would have met a mine.
    assert 0.3 < forgiven / met[True, False] < 0.7
    assert met[False, True] > 50


def test_nobody_dies_of_a_bet_and_its_safety_is_exact() -> None:
    met: Counter[bool] = Counter()
    for before, risky, _, lost in play("safe-bet", 40):
        assert isinstance(before.game, SafeBetGame)
        free = before.survivable(risky)
        assert before.game.bets[-1] == (risky, Fraction(free, len(before.fields)))
        assert lost == (free == 0) == (before.game.score == 0)
        met[lost] += 1
    assert met[False] > 1000
    assert met[True]


class Scripted(SafeBetGame):
    """A safe-bet game that takes the minefields of a script instead of drawing them."""

    script: tuple[int, ...] = ()
    taken: list[int]

    def _hide(self, position: Position) -> None:
        fields = mw.enumerate_solutions(position, 10_000)
        at = len(self.taken)
        self.taken.append(len(fields))
        self._field.move_mines(sorted(fields[self.script[at] if at < len(self.script) else 0]))


def careless(position: Position) -> int:
    """Return the cell that a player would open who knows a little and guesses badly."""
    analysis = mw.analyze(position)
    return analysis.safe[0] if analysis.safe else position.covered[-1]


def expected_score(board: str, first: Field) -> Fraction:
    """Return the mean score over every minefield that could be drawn on the way."""
    total = Fraction(0)
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        script = waiting.pop()
        game = Scripted(mw.Board.parse(board), "any")
        game.script, game.taken = script, []
        game._field.move_mines(sorted(first))
        while not game.over:
            game.open(careless(game.position))
        if len(game.taken) > len(script):
            # Queue every choice of the first minefield that the script does not name.
            waiting += [(*script, choice) for choice in range(game.taken[len(script)])]
            continue
        weight = Fraction(1)
        for count in game.taken:
            weight /= count
        total += weight * game.score * (game.state == "won")
    return total


@pytest.mark.parametrize("board", ["3x3x2", "4x2x2"])
def test_the_mean_score_of_safe_bets_is_the_share_of_ordinary_games_won(board: str) -> None:
    size, mines = mw.Board.parse(board).size, mw.Board.parse(board).mines
    fields = [frozenset(field) for field in combinations(range(size), mines)]
    topology = Game(mw.Board.parse(board)).topology
    won = 0
    for field in fields:
        game = Game.from_minefield(topology, field)
        while not game.over:
            game.open(careless(game.position))
        won += game.state == "won"
    assert 0 < won < len(fields)
    mean = sum(expected_score(board, field) for field in fields) / len(fields)
    assert mean == Fraction(won, len(fields))


@pytest.mark.parametrize(
    "text",
    ["4x3x3\n1###\n####\n####", "4x4x4\n11##\n####\n##1#\n####", "5x3x6\n#1#1#\n#####\n#####"],
)
def test_every_minefield_that_fits_is_drawn_equally_often(text: str) -> None:
    position = Position.parse(text)
    fields = mw.enumerate_solutions(position, 1000)
    draws = 60 * len(fields)
    seen = Counter(mw.random_solution(position, seed=5, stream=draw) for draw in range(draws))
    assert set(seen) == set(fields)
    # The sum of squared deviations is about as large as its degrees of freedom.
    free = len(fields) - 1
    fit = sum((seen[field] - 60) ** 2 / 60 for field in fields)
    assert abs(fit - free) < 4.5 * (2 * free) ** 0.5


def test_what_a_fair_game_hides_is_any_minefield_that_fits_and_each_equally_often() -> None:
    seen: Counter[Field] = Counter()
    for seed in range(1680):
        game = FairGame(mw.Board.parse("3x3x2"), "any", seed)
        game.open(0)
        number = game.position[0]
        game.give_up()
        assert len(game.minefield.intersection(game.topology.neighbours(0))) == number
        seen[game.minefield] += 1
    assert set(seen) == set(map(frozenset, combinations(range(1, 9), 2)))
    fit = sum((count - 60) ** 2 / 60 for count in seen.values())
    assert abs(fit - 27) < 4.5 * 54**0.5


def test_every_minefield_of_a_game_is_drawn_with_random_numbers_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    streams: list[int] = []

    def draw(position: Position, seed: int, stream: int, *, budget: Budget) -> Field:
        streams.append(stream)
        return mw.random_solution(position, seed, stream, budget=budget)

    monkeypatch.setattr(unfixed, "random_solution", draw)
    game = SafeBetGame("6x6x18", "any", 3)
    for cell in range(36):
        mined = mw.analyze(game.position).mined
        if not game.over and game.position[cell] == COVERED and cell not in mined:
            game.open(cell)
    assert len(streams) > 1
    assert len(set(streams)) == len(streams)
    assert game.stream not in streams


def test_a_game_of_the_last_stream_draws_minefields_too() -> None:
    for seed in range(20):
        game = FairGame("3x3x4", "any", seed, stream=FairGame.MAX_STREAM)
        game.open(4)
        assert game.ruling == "allowed"


def test_a_minefield_that_shows_something_else_is_refused() -> None:
    game = FairGame(mw.Board.parse("4x4x3"), "safe", seed=3)
    game.open(0)
    hidden = game._field.truth
    with pytest.raises(ValueError, match="as many other cells"):
        game._field.move_mines([1, 2])
    refused = 0
    for field in combinations(range(16), 3):
        try:
            game._field.move_mines(field)
        except ValueError:
            refused += 1
        assert game._field.visible == game.position.cells
        assert all(game._field.truth[c] == n for c, n in enumerate(game.position.cells) if n < 9)
    assert 0 < refused < comb(16, 3)
    assert hidden[0] == game._field.truth[0]


@pytest.mark.parametrize("mode", list(names()))
@pytest.mark.parametrize("start", STARTS)
def test_a_copied_game_goes_on_like_the_game_itself(mode: str, start: StartRule) -> None:
    game = begin(mode, "8x8x12", start, seed=11)
    random = Random(4)
    game.mark(63)
    for _ in range(6):
        if not game.over:
            covered = [c for c, code in enumerate(game.position.cells) if code == COVERED]
            game.open(mw.analyze(game.position).best or random.choice(covered))
    copies = [pickle.loads(pickle.dumps(game)), copy.deepcopy(game), game.again(game.moves)]
    for other in (game, *copies):
        assert type(other) is type(game)
        assert other.position == game.position
    for other in (game, *copies):
        if not other.over:
            other.give_up()
    assert {other.minefield for other in copies} == {game.minefield}


def test_a_game_begun_again_has_the_same_budget() -> None:
    game = FairGame("9x9x10", "any", 1)
    game.budget = Budget(states=1234, seconds=5.0)
    again = game.again()
    assert isinstance(again, FairGame)
    assert again.budget == game.budget


def test_what_is_too_hard_to_judge_is_refused_and_changes_nothing() -> None:
    tiny = Budget(states=1)
    for mode in (FairGame, SafeBetGame, KindGame):
        game: UnfixedGame = mode(mw.INTERMEDIATE, "open", seed=2)
        game.open(0)
        while (analysis := mw.analyze(game.position)).states < 100:
            game.open(analysis.best or 0)
        before = game.position, game.moves
        risky = next(c for c in game.position.covered if game._field.truth[c] == MINED)
        game.budget = tiny
        with pytest.raises(mw.MoveTooHard, match="too hard to judge"):
            game.open(risky)
        assert (game.position, game.moves) == before
        game.budget = Budget()
        game.open(risky)


def test_an_unfixed_game_takes_no_given_minefield() -> None:
    with pytest.raises(GameError, match="not fixed"):
        FairGame.from_minefield(Game(mw.BEGINNER).topology, [1])


def test_a_forgiven_guess_is_one_that_the_assistant_calls_forced() -> None:
    forced = lost = 0
    for seed in range(60):
        game = KindGame(mw.Board.parse("6x6x9"), "safe", seed)
        game.open(0)
        while not game.over:
            found = mw.guess(game.position)
            cells = (found.cell,) if found else mw.analyze(game.position).safe
            for cell in cells:
                game.open(cell)
            if found and found.forced:
                forced += 1
                assert game.state != "lost"
            lost += game.state == "lost"
    assert forced > 10
    assert lost > 5


def test_a_forced_guess_is_forgiven_while_safe_cells_are_still_covered() -> None:
    # Whatever opens on the right, nothing tells the first two cells of row 1 apart.
    game = KindGame("6x2x2", "any", 19)
    for cell in (2, 4, 6, 10):
        game.open(cell)
    assert str(game.position) == "6x2x2\n##1#1#\n1###1#"
    assert mw.analyze(game.position).safe
    game.open(0)
    assert (game.ruling, game.state) == ("forgiven", "playing")


def test_a_chord_is_forgiven_only_if_every_guess_in_it_is_forced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class OddIsForced:
        """Calls a guess forced if its cell is odd."""

        def __init__(self, analysis: mw.Analysis, cell: int, budget: Budget) -> None:
            self.cell = cell

        def decide(self) -> tuple[bool | None, tuple[int, ...]]:
            return (True if self.cell % 2 else None), (self.cell,)

    monkeypatch.setattr(unfixed, "Group", OddIsForced)
    game = KindGame("3x3x4", "any", 1)
    analysis = mw.analyze(game.position)
    assert game._forced(analysis, (1, 3))
    assert not game._forced(analysis, (1, 2))


@pytest.mark.parametrize("level", MODES["no-guess"].levels)
@pytest.mark.parametrize("board", ["9x9x10", "16x16x40"])
def test_a_no_guess_game_is_as_hard_as_it_is_called(level: str, board: str) -> None:
    for seed in range(4):
        game = begin(f"no-guess:{level}", board, "open", seed)
        game.open(40)
        game.give_up()
        assert isinstance(game, noguess.NoGuessGame)
        hardest = game.proof.hardest
        assert hardest == {"easy": 1, "medium": 2}.get(level, max(3, hardest))


def test_a_difficulty_that_a_board_cannot_have_is_refused() -> None:
    game = begin("no-guess:hard", "4x4x1", "open", seed=1)
    assert isinstance(game, noguess.NoGuessGame)
    game.budget = Budget(10_000)
    with pytest.raises(GameError, match="of difficulty hard without guesses was found"):
        game.open(0)
    assert game.state == "ready"
    with pytest.raises(GameError, match="there is no mode 'cruel'; choose ordinary, no-guess, "):
        begin("cruel", "9x9x10")


WEEK = {
    "2026-01-05": ("9x9x10", "easy"),
    "2026-01-06": ("9x9x10", "medium"),
    "2026-01-07": ("16x16x40", "easy"),
    "2026-01-08": ("16x16x40", "medium"),
    "2026-01-09": ("16x16x40", "hard"),
    "2026-01-10": ("30x16x99", "medium"),
    "2026-01-11": ("30x16x99", "hard"),
}


def test_the_boards_of_a_week_never_change() -> None:
    mines = 0
    for day, (board, level) in WEEK.items():
        game = noguess.DailyGame.of(date.fromisoformat(day))
        assert str(game.board) == board
        with pytest.raises(GameError, match="begins at row"):
            game.open(0)
        assert len(game.open(game.first)) > 1
        while not game.over:
            for cell in mw.analyze(game.position).safe:
                game.open(cell)
        assert (game.state, game.proof.effort.level) == ("won", level)
        mines = zlib.crc32(bytes(cell % 256 for cell in sorted(game.minefield)), mines)
        assert pickle.loads(pickle.dumps(game)).minefield == game.minefield
    assert f"{mines:08x}" == "c939c88c"


def test_a_daily_game_has_its_own_day_and_board() -> None:
    with pytest.raises(GameError, match="20261301 is no date"):
        begin("daily", "9x9x10", "open", 20261301)
    with pytest.raises(GameError, match="the board of 2026-01-05 is 9x9x10, not 9x9x11"):
        begin("daily", "9x9x11", "open", 20260105)
    assert "daily" not in names()
