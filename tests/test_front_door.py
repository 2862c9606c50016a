"""The front door: what `import minewright` shows, and that all of it can be copied and sent."""

import copy
import doctest
import importlib
import pickle
import pkgutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random

import pytest
from hard_positions import scattered
from hypothesis import given, settings
from hypothesis import strategies as st

import minewright as mw
from minewright.champion import optimal
from minewright.game import StartRule

COPIES = [
    pytest.param(lambda thing: pickle.loads(pickle.dumps(thing)), id="pickled"),
    pytest.param(copy.copy, id="copied"),
    pytest.param(copy.deepcopy, id="deep-copied"),
]
STARTS: tuple[StartRule, ...] = ("any", "safe")
STUCK, GUESS, CLASH = "3x3x2\n1##\n12#\n01#", "3x1x1\n#1#", "3x1x?\n1-1"
# A budget too small for any component with several clues.
FORCED = mw.Budget(states=40, seconds=600.0)


# What is public


PACKAGE = Path(mw.__file__).parent
WITH_EXAMPLES = [path for path in PACKAGE.rglob("*.py") if ">>> " in path.read_text("utf-8")]


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_in_docstrings_are_true(path: Path) -> None:
    name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    module = importlib.import_module(name.removesuffix(".__init__"))
    outcome = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_dir_shows_what_is_public_and_nothing_else() -> None:
    assert dir(mw) == sorted(mw.__all__)
    for name in mw.__all__:
        assert getattr(mw, name) is not None
    assert dir(mw) == sorted(mw.__all__)


def test_a_name_that_does_not_exist_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        mw.nonsense  # noqa: B018


def test_importing_loads_nothing_that_few_programs_use() -> None:
    code = "import sys, minewright; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    later = {"bullets", "formats", "strategies", "lab", "render"}
    assert not {f"minewright.{name}" for name in later} & set(run.stdout.split())
    assert "numpy" not in run.stdout.split()


def our_errors() -> set[type[Exception]]:
    """Return every exception class that a module of the package defines."""
    found: set[type[Exception]] = set()
    for module in pkgutil.walk_packages(mw.__path__, "minewright."):
        if module.name.endswith("__main__") or module.name == "minewright._kernel":
            continue
        for thing in vars(importlib.import_module(module.name)).values():
            if isinstance(thing, type) and issubclass(thing, Exception):
                found.add(thing)
    ours = {error for error in found if error.__module__.startswith("minewright.")}
    # The kernel's own errors are turned into ours where it is called.
    return {error for error in ours if error.__module__ != "minewright._kernel"}


# An error inside a family of strategies, which its own players catch.
INTERNAL = {"Contradiction"}


def test_all_errors_have_one_base_and_those_of_the_library_are_public() -> None:
    errors = our_errors()
    assert len(errors) > 15
    for error in errors:
        assert issubclass(error, mw.MinewrightError), error
    rooms = ("cli", "documents", "engine", "gym", "lab", "llm", "web", "work")
    above = tuple(f"minewright.{room}" for room in rooms)
    library = {error.__name__ for error in errors if not error.__module__.startswith(above)}
    assert library - INTERNAL <= set(mw.__all__)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: mw.Position.parse("9"), mw.PositionError),
        (lambda: mw.Board.parse("9"), mw.BoardError),
        (lambda: mw.Game(mw.EXPERT).open(-1), mw.GameError),
        (lambda: mw.Net([[0]]), mw.TopologyError),
        (lambda: mw.read(b"9"), mw.FormatError),
        (lambda: mw.simulate(mw.EXPERT, "nobody", games=1), mw.StrategyError),
        (lambda: mw.bullets.make(size=2, bullets=4), mw.PuzzleError),
        (
            lambda: mw.analyze(scattered((16, 16), 50, 0.3, 1), budget=FORCED),
            mw.BudgetExceeded,
        ),
    ],
)
def test_one_base_catches_what_a_public_call_raises(
    call: Callable[[], object], error: type[Exception]
) -> None:
    with pytest.raises(mw.MinewrightError) as caught:
        call()
    assert type(caught.value) is error
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), vars(again)) == (str(caught.value), vars(caught.value))


def test_codes_are_public_where_cells_are() -> None:
    position = mw.Position.parse("5x1x?\n1#F-!")
    assert tuple(position.cells) == (1, mw.COVERED, mw.MARKED, mw.SAFE, mw.MINED)
    assert position.cells[0] <= mw.MAX_NUMBER < mw.COVERED


def test_strategies_and_topologies_are_found_by_name() -> None:
    assert mw.topologies()["hex"]((3, 3)).neighbours(4) == (1, 2, 3, 5, 7, 8)
    assert {"exact", "random"} & set(mw.strategies.strategies())


@pytest.mark.parametrize(
    "use",
    [
        lambda board: mw.Game(board).board,
        lambda board: mw.noguess.NoGuessGame(board).board,
        lambda board: mw.noguess.make(board).board,
        lambda board: mw.simulate(board, "single-point", 1).board,
        lambda board: mw.Position.covered_board(board),
        lambda board: mw.modes.begin("fair", board).board,
        lambda board: optimal(board),
    ],
    ids=["Game", "NoGuessGame", "make", "simulate", "covered_board", "begin", "optimal"],
)
def test_a_board_may_be_given_as_text(use: Callable[[mw.Board | str], object]) -> None:
    assert use("4x4x2") == use(mw.Board((4, 4), 2))
    with pytest.raises(mw.BoardError, match="expected WIDTHxHEIGHTxMINES"):
        use("4x4")


# Reading


def test_a_file_is_read_by_its_path_or_its_content(tmp_path: Path) -> None:
    file = tmp_path / "position.txt"
    file.write_text("3x2x1\n1##\n###\n")
    for source in (file, str(file), file.read_bytes()):
        assert str(mw.read(source).position) == "3x2x1\n1##\n###"
    with pytest.raises(mw.FormatError, match=r"use Position\.parse"):
        mw.read("3x2x1\n1##\n###\n")
    with pytest.raises(FileNotFoundError):
        mw.read(tmp_path / "missing.avf")


@pytest.mark.parametrize("begin", [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"GIF89a"])
@pytest.mark.parametrize("name", [None, "game.avf", "game.png", "game.txt"])
def test_a_picture_is_called_a_picture(begin: bytes, name: str | None) -> None:
    with pytest.raises(mw.FormatError, match=r"^this looks like an image, not a game file"):
        mw.read(begin + bytes(range(256)), name)


# Copies


def played(seed: int, start: StartRule, topology: str, moves: int) -> mw.Game:
    """Return a game with random moves of every kind."""
    game = mw.Game(mw.Board.parse("6x6x6"), start, seed, topology)
    move(game, Random(seed), moves)
    return game


def move(game: mw.Game, random: Random, count: int) -> None:
    """Make random moves, as long as the game lasts."""
    for _ in range(count):
        if game.over:
            return
        cell = random.randrange(game.topology.size)
        if game.position[cell] <= mw.MAX_NUMBER:
            game.chord(cell)
        elif random.random() < 0.4:
            game.mark(cell)
        elif game.position[cell] == mw.COVERED:
            game.open(cell)
    if random.random() < 0.1 and not game.over:
        game.give_up()


def seen(game: mw.Game) -> tuple[object, ...]:
    """Return everything that can be seen of a game, and the truth once it is over."""
    truth = game.show() if game.over else None
    return repr(game), game.position, game.moves, game.covered_safe, game.seed, truth


@pytest.mark.parametrize("again", COPIES)
@settings(max_examples=15)
@given(st.integers(0, 2**64 - 1), st.sampled_from(STARTS), st.integers(0, 20))
def test_a_copied_game_goes_on_in_the_same_way_and_on_its_own(
    again: Callable[[mw.Game], mw.Game], seed: int, start: StartRule, moves: int
) -> None:
    for topology in ("moore", "hex", "torus"):
        game = played(seed, start, topology, moves)
        before = seen(game)
        other = again(game)
        assert seen(other) == before
        move(other, Random(seed + 1), 10)
        assert seen(game) == before
        move(game, Random(seed + 1), 10)
        assert seen(game) == seen(other)


@pytest.mark.parametrize("again", COPIES)
def test_a_copied_game_on_a_given_minefield_keeps_it(again: Callable[[mw.Game], mw.Game]) -> None:
    net = mw.Net([[1], [0, 2], [1]])
    game = mw.Game.from_minefield(net, [1])
    game.open(0)
    game.mark(1)
    other = again(game)
    assert seen(other) == seen(game)
    other.open(2)
    assert (other.state, game.state) == ("won", "playing")
    assert other.minefield == {1}


class TimedGame(mw.Game):
    """A game with something of its own."""

    seconds = 0.0


@pytest.mark.parametrize("again", COPIES)
def test_a_copied_game_keeps_its_class_and_what_that_adds(
    again: Callable[[TimedGame], TimedGame],
) -> None:
    game = TimedGame(mw.BEGINNER, seed=1)
    game.seconds = 7.5
    game.open(0)
    other = again(game)
    assert (type(other), other.seconds, seen(other)) == (TimedGame, 7.5, seen(game))


def told(analysis: mw.Analysis) -> tuple[object, ...]:
    """Return everything that an analysis says."""
    errors = analysis.standard_error
    return (
        *(analysis.position, analysis.consistent, analysis.safe, analysis.mined, analysis.best),
        *(analysis.probability.tobytes(), analysis.chances, analysis.approximate),
        *(analysis.states, None if errors is None else errors.tobytes(), analysis.clash),
        *(() if analysis.approximate else (analysis.solutions, analysis.fractions)),
        *(() if analysis.best is None else (analysis.numbers(analysis.best),)),
    )


@pytest.mark.parametrize("again", COPIES)
@settings(max_examples=15)
@given(st.integers(0, 2**64 - 1), st.integers(1, 12), st.booleans(), st.booleans())
def test_a_copied_analysis_says_the_same(
    again: Callable[[mw.Analysis], mw.Analysis], seed: int, moves: int, trust: bool, asked: bool
) -> None:
    position = played(seed, "any", "moore", moves).position
    analysis = mw.analyze(position, trust_marks=trust)
    if asked:
        told(analysis)
    assert told(again(analysis)) == told(analysis)


@pytest.mark.parametrize("again", COPIES)
def test_a_copied_estimate_keeps_its_sample(
    again: Callable[[mw.Analysis], mw.Analysis],
) -> None:
    analysis = mw.analyze(scattered((16, 16), 50, 0.3, 1), approximate=True, budget=FORCED, seed=5)
    assert analysis.approximate
    other = again(analysis)
    assert other.approximate
    assert other.chances == analysis.chances
    errors, others = analysis.standard_error, other.standard_error
    assert errors is not None
    assert others is not None
    assert others.tobytes() == errors.tobytes()


def returned() -> Iterator[object]:
    """Yield one of each kind of thing that the library returns."""
    stuck = mw.Position.parse(STUCK)
    yield stuck
    yield mw.Position(mw.Net([[1], [0]]), bytes([1, mw.COVERED]))
    yield from mw.explain(stuck)
    yield from mw.explain(mw.Position.parse("4x2x2\n2###\n##1#"))
    yield mw.guess(mw.Position.parse(GUESS))
    yield mw.analyze(mw.Position.parse(CLASH)).clash
    puzzle = mw.bullets.make(size=5, bullets=7, seed=3)
    yield puzzle
    yield mw.bullets.Puzzle.parse("3x3x2\n1##\n##2\n###")
    yield mw.bullets.solve(puzzle)
    yield from mw.bullets.solve(puzzle, "refined").steps
    yield puzzle.validate()
    yield puzzle.grade()
    yield mw.EXPERT
    yield mw.Move("open", 3)
    yield mw.read(b"9x9:1,5,mb25f23f74b48755bc7530").replay
    yield mw.strategies.Recipe("exact")


@pytest.mark.parametrize("again", COPIES)
def test_what_the_library_returns_can_be_copied_and_pickled(
    again: Callable[[object], object],
) -> None:
    for thing in returned():
        assert thing is not None
        other = again(thing)
        assert type(other) is type(thing)
        assert other == thing


@pytest.mark.parametrize("again", COPIES)
def test_a_copied_deduction_can_still_be_checked_told_and_drawn(
    again: Callable[[mw.Deduction], mw.Deduction],
) -> None:
    for step in mw.explain(mw.Position.parse(STUCK)):
        other = again(step)
        assert other.check()
        assert (other.sentence, other.pattern) == (step.sentence, step.pattern)
        assert mw.svg(again(other)) == mw.svg(step)


def finish(game: mw.Game, analysis: mw.Analysis) -> tuple[mw.Game, mw.Analysis]:
    """Open what is safe; run in another process."""
    for cell in analysis.safe:
        game.open(cell)
    return game, mw.analyze(game.position)


def test_a_game_and_its_analysis_travel_to_another_process_and_back() -> None:
    game = mw.Game(mw.BEGINNER, start="open", seed=7)
    game.open(40)
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        there = pool.submit(finish, game, mw.analyze(game.position)).result()
    here = finish(game, mw.analyze(game.position))
    assert seen(there[0]) == seen(here[0])
    assert told(there[1]) == told(here[1])


# Pictures


def test_a_notebook_shows_the_picture_that_svg_draws() -> None:
    stuck = mw.Position.parse(STUCK)
    puzzle = mw.bullets.make(size=5, bullets=7, seed=3)
    things = (stuck, mw.analyze(stuck), *mw.explain(stuck), puzzle, mw.bullets.solve(puzzle))
    for thing in (*things, mw.Game(mw.EXPERT)):
        assert thing._repr_svg_() == mw.svg(thing)
        assert mw.svg(thing).startswith("<svg ")


def test_what_has_no_picture_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="no picture of a int"):
        mw.svg(7)
