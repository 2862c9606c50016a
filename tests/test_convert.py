"""Files written: what another format holds comes back as it was."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minewright as mw
from minewright.cli import main
from minewright.formats import FORMATS, Clicks, FormatError, Replay, TimedMove, find_format, write
from minewright.formats import read as read_file
from minewright.formats.model import MAX_MOVES, Action, Recorder
from minewright.formats.mouse import Hand
from minewright.formats.writing import name_bytes
from minewright.game import Move
from minewright.position import COVERED, MARKED, MAX_NUMBER, SAFE, Position

FOLDER = Path(__file__).parent / "formats"
MOUSE = ("rmv", "evf", "avf", "mvf", "rawvf")
"""The formats that record what the mouse did."""
EXPERT = (FOLDER / "expert.rmv").read_bytes()
REPLAY = b'{"minewright": "replay", "shape": %s}'
TATHAM = b"9x9:1,5,mb25f23f74b48755bc7530\n"


def replay_of(data: bytes) -> Replay:
    replay = read_file(data).replay
    assert replay is not None
    return replay


@st.composite
def games(draw: st.DrawFn, most: int = 30) -> Replay:
    """Draw games with moves of every kind, won, lost and left, on boards of any shape."""
    width, height = draw(st.integers(1, most)), draw(st.integers(2, most))
    mines = draw(st.integers(1, max(1, width * height // 4)))
    random = Random(draw(st.integers(0, 2**32)))
    game = mw.Game(mw.Board((width, height), mines), "any", draw(st.integers(0, 2**32)))
    times: list[float] = []
    for _ in range(draw(st.integers(1, 25))):
        if game.over:
            break
        cell = random.randrange(width * height)
        before = len(game.moves)
        if game.position[cell] <= MAX_NUMBER:
            game.chord(cell)
        elif random.random() < 0.3:
            game.mark(cell)
        elif game.position[cell] == COVERED:
            game.open(cell)
        if len(game.moves) > before:
            times.append(round((times[-1] if times else 0) + random.random() * 3, 2))
    moves = zip(times, game.moves, strict=True)
    ended = game.over
    if not ended:
        game.give_up()
    return Replay(
        game.topology,
        game.minefield,
        tuple(TimedMove(seconds, move) for seconds, move in moves),
        ended,
        draw(st.sampled_from(["", "Ärzte", "somebody"])),
    )


@settings(max_examples=40, deadline=None)
@given(games(), st.sampled_from([*MOUSE, "json"]))
def test_a_replay_comes_back_from_every_format(game: Replay, name: str) -> None:
    if name in ("rmv", "evf") and all(made.move.kind != "open" for made in game.moves):
        with pytest.raises(FormatError, match="a game that has begun"):
            write(game, name)
        return
    loaded = read_file(write(game, name))
    again = loaded.replay
    assert again is not None
    assert loaded.format.name == name
    if name != "rmv" or game.moves[0].move.kind == "open":
        assert [made.move for made in again.moves] == [made.move for made in game.moves]
        for mine, theirs in zip(game.moves, again.moves, strict=True):
            assert theirs.seconds == pytest.approx(mine.seconds)
    else:
        # Marks made before the game have no order and no time of their own.
        assert again.position(len(again.moves)) == game.position(len(game.moves))
    assert (again.mined, again.ended, again.player) == (game.mined, game.ended, game.player)


@settings(max_examples=40, deadline=None)
@given(games(most=40), st.sampled_from(["mbf", "link", "tatham"]))
def test_a_minefield_comes_back_from_every_format(game: Replay, name: str) -> None:
    if name == "tatham" and not any(made.move.kind == "open" for made in game.moves):
        return
    loaded = read_file(write(game, name))
    assert loaded.replay is not None
    assert (loaded.format.name, loaded.replay.mined) == (name, game.mined)
    assert loaded.replay.topology == game.topology
    if name == "tatham":
        made = [made.move for made in loaded.replay.moves]
        assert made == [made.move for made in game.moves]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_position_comes_back_from_every_format(data: st.DataObject) -> None:
    width, height = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 9))
    codes = st.sampled_from([0, 1, COVERED, COVERED, MARKED, SAFE])
    size = width * height
    cells = bytes(data.draw(st.lists(codes, min_size=size, max_size=size)))
    shape = mw.topologies()["moore"]((width, height))
    try:
        position = Position(shape, cells, data.draw(st.integers(0, size)))
    except mw.PositionError:
        return
    name = data.draw(st.sampled_from(["text", "csv", "json", "mine", "puzz.link"]))
    if name == "mine" and SAFE in cells:
        with pytest.raises(FormatError, match="no sign"):
            write(position, name)
        return
    again = read_file(write(position, name)).position
    if name == "puzz.link":
        plain = cells.replace(bytes((MARKED,)), bytes((COVERED,)))
        assert (again.cells, again.mines) == (plain, None)
    else:
        assert again == position


@pytest.mark.parametrize("name", MOUSE)
def test_the_clicks_of_a_real_game_survive_every_format(name: str) -> None:
    game = replay_of(EXPERT)
    # As ms_toollib counts them.
    assert game.clicks == Clicks(left=81, right=29, chords=56)
    assert replay_of(write(game, name)).clicks == game.clicks


def test_a_stray_release_before_the_first_opening_is_not_taken_for_it() -> None:
    hand = Hand(mw.topologies()["moore"]((4, 4)), frozenset({15}))
    # All at the same moment: only the last release opens the cell, though the first looks the same.
    made: tuple[tuple[Action, int], ...] = (
        ("left up", 1),
        *(("right down", 3), ("right up", 3)),
        *(("left down", 1), ("left up", 1)),
    )
    for action, column in made:
        hand.at(1.0, action, column, 0)
    game = hand.replay()
    moves = [Move("mark", 3), Move("open", 1)]
    assert [each.move for each in game.moves] == moves
    assert [each.move for each in replay_of(write(game, "rmv")).moves] == moves


def test_a_mark_removed_before_the_first_opening_is_not_in_an_rmv_file() -> None:
    recorder = Recorder(mw.topologies()["moore"]((4, 4)), frozenset({15}))
    for cell in (3, 7, 3):
        recorder.mark(0.0, cell)
    recorder.open(1.0, 0)
    game = recorder.replay()
    again = replay_of(write(game, "rmv"))
    assert again.position(len(again.moves)) == game.position(len(game.moves))
    assert [made.move.cell for made in again.moves if made.move.kind == "mark"] == [7]


def test_marks_from_before_a_game_count_as_clicks() -> None:
    # As ms_toollib counts them.
    assert replay_of((FOLDER / "marks.rmv").read_bytes()).clicks == Clicks(7, 21, 13)


# Values around the largest numbers of one byte and of two bytes.
@pytest.mark.parametrize("seconds", [0.255, 0.256, 0.257, 65.535, 65.536, 254.0, 255.0, 700.0])
@pytest.mark.parametrize("name", ["evf", "avf", "rmv"])
def test_a_time_comes_back_however_many_bytes_it_takes(name: str, seconds: float) -> None:
    recorder = Recorder(mw.topologies()["moore"]((4, 4)), frozenset({15}))
    recorder.open(seconds, 0)
    again = replay_of(write(recorder.replay(), name))
    # An avf file holds hundredths of a second.
    assert again.seconds == pytest.approx(seconds, abs=0.0051)


def test_presses_left_of_the_board_come_back_from_rawvf() -> None:
    hand = Hand(mw.topologies()["moore"]((4, 4)), frozenset({15}))
    for x in (-40, 8):
        hand.act(1.0, "left down", x, 8)
        hand.act(1.0, "left up", x, 8)
    game = hand.replay()
    again = replay_of(write(game, "rawvf"))
    assert (again.moves, again.clicks) == (game.moves, game.clicks)
    assert len(again.presses) == 4


def test_a_long_name_is_cut_between_two_letters() -> None:
    assert name_bytes("a" + "é" * 200) == ("a" + "é" * 127).encode()
    assert name_bytes("é" * 200) == ("é" * 127).encode()


def test_a_game_holds_a_limited_number_of_moves() -> None:
    recorder = Recorder(mw.topologies()["moore"]((2, 1)), frozenset({1}))
    for _ in range(MAX_MOVES):
        recorder.mark(0.0, 1)
    with pytest.raises(FormatError, match="more than 10,000 moves"):
        recorder.mark(0.0, 1)


def test_an_id_of_simon_tatham_is_written_as_his_program_does() -> None:
    # Made by `sgt-mines --generate`.
    for line in (TATHAM, b"9x9:7,5,m317de989776d5bcf55300\n"):
        assert write(replay_of(line), "tatham") == line


@pytest.mark.parametrize(
    "link", ["b=43&m=g20", "https://example.org/?b=0403&m=g20&seed=1", "?m=G20&b=0403"]
)
def test_a_board_link_has_five_cells_per_character(link: str) -> None:
    game = replay_of(link.encode())
    assert (game.topology.shape, game.mined) == ((4, 3), frozenset({0, 8}))


def test_a_link_of_llamasweeper_is_written_as_it_is() -> None:
    # From the page of a tool that reads such links.
    link = "#/game/board-editor?b=2&m=0000000000000000220c8014k0pg0i80h30cc01140oo0ii0hh00"
    again = write(replay_of(f"https://llamasweeper.com/{link}".encode()), "link").decode()
    assert again.split("?")[1].strip() == link.split("?")[1]
    # A height with more digits than the width, which some programs do not pad.
    assert replay_of(b"?b=316&m=0000g00000").topology.shape == (3, 16)


@pytest.mark.parametrize(("sides", "written"), [((9, 123), b"b=009123&"), ((123, 9), b"b=123009&")])
def test_both_sides_in_a_board_link_have_as_many_digits_as_the_longer_one(
    sides: tuple[int, int], written: bytes
) -> None:
    game = Replay(mw.topologies()["moore"](sides), frozenset({0}))
    link = write(game, "link")
    assert written in link
    assert replay_of(link) == game


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"b=2&m=00", "need 52 characters after m=, not 2"),
        (b"b=00&m=0", "is not a board"),
        (b'{"minewright": "dance"}', "expected"),
        (b'{"minewright": "position", "text": "9"}', "text: line 1"),
        (REPLAY % b'[2, 2], "mines": [[5, 5]], "moves": []', "mines: row"),
        (REPLAY % b'[2, 2], "mines": [], "moves": [[1, "fly", [0, 0]]]', "moves: expected moves"),
        (
            REPLAY % b'[2, 2], "mines": [], "moves": [[1%s, "open", [0, 0]]]' % (b"0" * 400),
            "moves:",
        ),
        (REPLAY % b'[9999999, 2], "mines": [], "moves": []', "shape:"),
        (b"?b=316&m=0000000001", "after the last cell"),
        (b"?b=0401&m=1", "after the last cell"),
        *(
            (REPLAY % b'[3, 1], "mines": [], "moves": [[%s, "open", [0, 0]]]' % time, "moves:")
            for time in (b"NaN", b"Infinity", b"-Infinity", b"1e13")
        ),
    ],
)
def test_a_damaged_link_or_object_is_told_in_one_line(data: bytes, words: str) -> None:
    with pytest.raises(FormatError) as told:
        read_file(data)
    assert words in str(told.value)


def test_what_a_format_cannot_hold_is_refused_by_name() -> None:
    game = replay_of(EXPERT)
    hexagons = Replay(mw.topologies()["hex"]((4, 4)), frozenset({1}))
    wide = Replay(mw.topologies()["moore"]((300, 2)), frozenset({1}))
    for kind in FORMATS:
        if kind.write_replay is not None and kind.name != "json":
            with pytest.raises(FormatError, match="squares"):
                kind.write_replay(hexagons)
    with pytest.raises(FormatError, match="255 columns"):
        write(wide, "evf")
    with pytest.raises(FormatError, match="255 columns"):
        write(Replay(mw.topologies()["moore"]((256, 1)), frozenset({255})), "avf")
    with pytest.raises(FormatError, match="1 to 32,763 mines"):
        write(Replay(mw.topologies()["moore"]((255, 255)), frozenset(range(32_764))), "rmv")
    with pytest.raises(FormatError, match="does not say where the mines are"):
        write(game.position(3), "rmv")
    with pytest.raises(FormatError, match=r"there is no format for 'a\.xyz'"):
        find_format("a.xyz")


@pytest.mark.parametrize("name", ["avf", "evf", "mvf", "rmv", "rawvf"])
def test_no_time_is_too_early_or_too_late_to_say_so(name: str) -> None:
    made = b'[3, 3], "mines": [[0, 0]], "moves": [[%s, "open", [1, 1]], [%s, "open", [0, 1]]]'
    early = write(replay_of(REPLAY % made % (b"-5", b"-4")), name)
    assert [move.seconds for move in replay_of(early).moves] == [0.0, 0.0]
    for times in ((b"1", b"1e9"), (b"1e9", b"1")):
        with pytest.raises(FormatError, match="holds games of at most"):
            write(replay_of(REPLAY % made % times), name)


@pytest.mark.parametrize("name", ["avf", "mvf", "rmv"])
def test_a_mouse_that_goes_on_long_after_the_last_move_is_too_late(name: str) -> None:
    made = b'[3, 3], "mines": [[0, 0]], "moves": [[1, "open", [1, 1]], [2, "open", [0, 1]]]'
    idle = write(replay_of(REPLAY % made), "rawvf")
    late = idle + b"900000.000 lc 2 2 (24 24)\n900000.000 lr 2 2 (24 24)\n"
    assert replay_of(late).presses[-1].seconds == 9e5
    with pytest.raises(FormatError, match="holds games of at most"):
        write(replay_of(late), name)


def test_a_game_lost_beside_its_last_safe_cell_is_not_written_as_won() -> None:
    made = b'[2, 2], "mines": [[0, 0]], "moves": [%s]'
    moves = b'[1, "open", [1, 1]], [2, "open", [0, 1]], [3, "open", [%s]]'
    lost, won = (replay_of(REPLAY % made % (moves % cell)) for cell in (b"0, 0", b"1, 0"))
    completed = 0x80
    assert [write(game, "evf")[1] & completed for game in (lost, won)] == [0, completed]


@pytest.mark.parametrize(
    ("events", "name"),
    [
        ("lc 2 2, lr 2 2, lc 2 2, lr 2 2, rc 1 1, rr 1 1, sc 2 2, lr 2 2", "avf"),
        ("lc 2 2, lr 2 2, lc 2 2, lr 2 2, rc 1 1, rr 1 1, sc 2 2, lr 2 2", "rawvf"),
        ("rc 1 1, rc 1 2, rr 1 2, lc 2 2, lr 2 2", "mvf"),
    ],
    ids=["shift in avf", "shift in rawvf", "no release in mvf"],
)
def test_no_press_is_lost_that_a_format_can_hold(events: str, name: str) -> None:
    made = b'[3, 3], "mines": [[0, 0]], "moves": []'
    lines = [f"{time}.00 {event}\n" for time, event in enumerate(events.split(", "))]
    game = replay_of(write(replay_of(REPLAY % made), "rawvf") + "".join(lines).encode())
    again = replay_of(write(game, name))
    assert (again.moves, again.clicks) == (game.moves, game.clicks)


def test_convert_guesses_the_format_of_both_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "game.evf"
    assert main(["convert", str(FOLDER / "small.rmv"), str(target)]) == 0
    loaded = read_file(target)
    assert loaded.format.name == "evf"
    assert loaded.replay is not None
    assert loaded.replay.moves == replay_of((FOLDER / "small.rmv").read_bytes()).moves
    position = tmp_path / "position.txt"
    assert main(["convert", str(target), str(position), "--move", "2"]) == 0
    assert position.read_text() == f"{loaded.replay.position(2)}\n"
    capsys.readouterr()
    for arguments, words in (
        ([str(position), str(tmp_path / "a.rmv")], "does not say where the mines are"),
        ([str(position), "-"], "--to NAME"),
        ([str(position), str(tmp_path / "a.xyz")], "choose from rmv"),
        ([str(target), str(tmp_path / "a.txt"), "--move", "99"], "expected 0 to 7"),
        ([str(tmp_path / "none.rmv"), str(tmp_path / "a.txt")], "no such file"),
    ):
        assert main(["convert", *arguments]) == 2
        told = capsys.readouterr()
        assert words in told.err
        assert len(told.err.splitlines()) == 1
        assert told.out == ""


def test_convert_writes_to_a_pipe(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "minewright", "convert", "-", "-", "--to", "json"]
    run = subprocess.run(command, input=TATHAM, capture_output=True, check=True)
    assert json.loads(run.stdout)["shape"] == [9, 9]
