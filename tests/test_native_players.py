"""Native players: they play like the plain Python of the same strategy, only faster."""

import signal
from time import sleep

import numpy as np
import pytest

from minewright import _kernel
from minewright._kernel import NativeGames, Random
from minewright.board import Board
from minewright.game import Game, StartRule
from minewright.inference import Analysis, Budget, analyze
from minewright.position import COVERED, Position
from minewright.strategies import pseq
from minewright.topology import Topology, get

STATES, SECONDS = 20_000_000, 10.0
SEED = 5

Moves = list[tuple[int, bool]]


def natively(
    topology: Topology,
    mines: int,
    start: StartRule,
    player: str,
    count: int,
    *,
    first_cell: int = 0,
    first: int = 0,
    states: int = STATES,
    seconds: float = SECONDS,
    record: bool = False,
) -> NativeGames:
    match = _kernel.Match(mines, start, player, first_cell, SEED, Budget(states, seconds), record)
    return _kernel.play_games(topology.graph, match, first, count)


def covered(position: Position) -> list[int]:
    return [cell for cell, code in enumerate(position.cells) if code == COVERED]


def first_of_equals(position: Position, analysis: Analysis, random: Random) -> int:
    return pseq.safest(analysis, covered(position))[0]


def corner_of_equals(position: Position, analysis: Analysis, random: Random) -> int:
    near = position.topology.neighbours
    return min(pseq.safest(analysis, covered(position)), key=lambda cell: len(near(cell)))


def pseq_of_equals(position: Position, analysis: Analysis, random: Random) -> int:
    best = pseq.order(position, analysis, pseq.safest(analysis, covered(position)))
    return best[0] if len(best) == 1 else best[random.below(len(best))]


CHOOSE = {"exact": first_of_equals, "exact-corner": corner_of_equals, "pseq": pseq_of_equals}


def in_python(game: Game, player: str) -> tuple[Moves, int]:
    """Play a game as the native players should; return the moves and the mines found."""
    random = Random(SEED, 2**63 + game.stream)
    moves: Moves = []
    found = 0
    if not game.over:
        moves.append((0, game.start == "any" and game.mines > 0))
        game.open(0)
    while not game.over:
        analysis = analyze(game.position)
        found = len(analysis.mined)
        opening = [(cell, False) for cell in analysis.safe] or [
            (CHOOSE[player](game.position, analysis, random), True)
        ]
        for cell, guess in opening:
            if not game.over and game.open(cell):
                moves.append((cell, guess))
    return moves, game.mines if game.state == "won" else found


BOARDS = [
    ("moore", (9, 9), 10, "safe"),
    ("moore", (8, 8), 14, "any"),
    ("moore", (12, 7), 17, "open"),
    ("hex", (8, 8), 12, "safe"),
    ("torus", (8, 7), 10, "safe"),
    ("neumann", (9, 8), 14, "any"),
    ("knight", (8, 8), 10, "safe"),
    ("box", (4, 4, 4), 8, "safe"),
]


@pytest.mark.parametrize(("player", "count"), [("exact", 40), ("exact-corner", 20), ("pseq", 4)])
@pytest.mark.parametrize(("name", "shape", "mines", "start"), BOARDS)
def test_a_native_player_moves_as_the_python_of_its_strategy(
    name: str, shape: tuple[int, ...], mines: int, start: StartRule, player: str, count: int
) -> None:
    topology = get(name, shape)
    games = natively(topology, mines, start, player, count, record=True)
    for k in range(count):
        game = Game(Board(shape, mines), start, SEED, topology, stream=k)
        moves, found = in_python(game, player)
        assert games.moves[k] == moves
        assert games.won[k] == (game.state == "won")
        assert games.found[k] == found
        assert games.guesses[k] == sum(guess for _, guess in moves)
        assert games.exploded[k] == (-1 if games.won[k] else moves[-1][0])
        assert games.cleared[k] == topology.size - mines - game.covered_safe


@pytest.mark.parametrize("player", ["exact", "exact-corner", "pseq"])
@pytest.mark.parametrize(("name", "shape", "mines", "start"), BOARDS)
def test_a_record_changes_nothing_but_the_order_of_safe_openings(
    name: str, shape: tuple[int, ...], mines: int, start: StartRule, player: str
) -> None:
    topology = get(name, shape)
    quick = natively(topology, mines, start, player, 200)
    recorded = natively(topology, mines, start, player, 200, record=True)
    assert not quick.moves
    for what in ("won", "cleared", "found", "guesses", "exploded", "gave_up", "timed_out"):
        assert np.array_equal(getattr(quick, what), getattr(recorded, what)), what


def test_a_run_is_the_same_in_pieces() -> None:
    topology = get("moore", (16, 16))
    whole = natively(topology, 40, "safe", "pseq", 60)
    pieces = [natively(topology, 40, "safe", "pseq", 20, first=k) for k in (0, 20, 40)]
    assert np.array_equal(whole.won, np.concatenate([piece.won for piece in pieces]))
    assert np.array_equal(whole.guesses, np.concatenate([piece.guesses for piece in pieces]))


def test_a_decision_that_is_remembered_is_the_one_that_would_be_made_again() -> None:
    topology = get("moore", (8, 8))
    whole = natively(topology, 10, "safe", "champion:fast", 120, record=True)
    alone = [
        natively(topology, 10, "safe", "champion:fast", 1, first=k, record=True) for k in range(120)
    ]
    assert whole.moves == [games.moves[0] for games in alone]


def test_a_game_beyond_its_budget_is_given_up_and_not_won() -> None:
    topology = get("moore", (30, 16))
    games = natively(topology, 99, "safe", "exact", 50, states=100)
    assert games.gave_up.any()
    assert not (games.won & games.gave_up).any()
    assert (games.gave_up | games.won | (games.exploded >= 0)).all()
    assert not games.timed_out.any()


@pytest.mark.parametrize("record", [False, True])
@pytest.mark.parametrize("player", ["exact", "exact-corner", "pseq"])
def test_a_game_beyond_its_seconds_has_timed_out_and_was_not_given_up(
    player: str, record: bool
) -> None:
    games = natively(get("moore", (30, 16)), 99, "safe", player, 5, seconds=1e-9, record=record)
    assert games.timed_out.all()
    assert not (games.gave_up | games.won).any()
    assert (games.exploded == -1).all()


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no such timer")
def test_the_seconds_of_a_game_are_those_of_the_processor() -> None:
    topology = get("moore", (400, 400))

    def play(seconds: float) -> NativeGames:
        return natively(topology, 26_000, "open", "exact", 1, seconds=seconds, record=True)

    needed = play(60.0).nanoseconds[0] / 1e9
    allowed = 4 * needed
    naps: list[float] = []

    def nap(*_: object) -> None:
        naps.append(allowed)
        sleep(allowed)

    # During the game, all its seconds pass on the wall clock, with hardly any processor time.
    before = signal.signal(signal.SIGPROF, nap)
    signal.setitimer(signal.ITIMER_PROF, needed / 8)
    try:
        games = play(allowed)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
    assert naps
    assert not games.timed_out.any()
    assert games.nanoseconds[0] < allowed * 1e9


@pytest.mark.parametrize("mines", [0, 9])
def test_a_board_without_mines_or_without_room_needs_no_guess(mines: int) -> None:
    games = natively(get("moore", (3, 3)), mines, "any", "pseq", 2)
    assert games.won.tolist() == [True, True]
    assert games.guesses.tolist() == [0, 0]


def test_what_cannot_be_played_is_said() -> None:
    topology = get("moore", (4, 4))
    with pytest.raises(ValueError, match="exact, exact-corner, pseq or champion"):
        natively(topology, 3, "safe", "nobody", 1)
    with pytest.raises(ValueError, match="any, safe or open"):
        natively(topology, 3, "soft", "pseq", 1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no cell 16"):
        natively(topology, 3, "safe", "pseq", 1, first_cell=16)
    with pytest.raises(ValueError, match="room for 15 mines"):
        natively(topology, 16, "safe", "pseq", 1)


def test_pseq_wins_what_was_published() -> None:
    """Tu et al. 2017: 91.678 %; the interval is four standard errors to each side."""
    games = natively(get("moore", (9, 9)), 10, "safe", "pseq", 10_000)
    assert abs(games.won.mean() - 0.91678) < 0.0111
