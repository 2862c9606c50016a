"""Other programs' files: contents are read correctly, damage is reported in one line."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from time import process_time

import format_files
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minewright as mw
from minewright.cli import main
from minewright.formats import FORMATS, Bounds, FormatError, Replay, bounds, evf, mbf, read, text
from minewright.formats.model import Action, Recorder
from minewright.formats.mouse import Hand
from minewright.position import COVERED, MAX_NUMBER, MINED
from minewright.topology import get

FILES = {path.name: path.read_bytes() for path in (Path(__file__).parent / "formats").iterdir()}
Event = tuple[Action, int]
"""What a button does, and over which column."""
Events = tuple[Event, ...]
EMPTY = b'{"minewright": "replay", "shape": [2, 1], "mines": [], "moves": []'
LINK = b"https://puzz.link/p?mines/6/5/1g2n0h.3m5i1h"


def replay_of(data: bytes, name: str | None = None) -> Replay:
    replay = read(data, name).replay
    assert replay is not None
    return replay


def played(seed: int, board: str = "12x9x15") -> Replay:
    """Play a game with marks and chords, as people do."""
    random = Random(seed)
    game = mw.Game(mw.Board.parse(board), "open", seed)
    game.open(random.randrange(game.topology.size))
    while not game.over:
        known = mw.analyze(game.position)
        for cell in [cell for cell in known.mined if game.position[cell] == COVERED][:3]:
            game.mark(cell)
        opened = [cell for cell in range(game.topology.size) if game.position[cell] <= MAX_NUMBER]
        if not any(game.chord(cell) for cell in random.sample(opened, len(opened))):
            assert known.best is not None
            game.open(known.best)
    moves = tuple(format_files.timed(game.moves))
    return Replay(game.topology, game.minefield, moves, ended=True)


@pytest.mark.parametrize(
    ("name", "board", "moves", "seconds", "player"),
    [
        ("expert.rmv", "30x16x99", 143, 34.884, "Thomas Kolar"),
        ("marks.rmv", "8x8x10", 37, 16.032, "Thomas Kolar"),
        ("small.rmv", "8x8x10", 7, 1.849, "Thomas Kolar"),
        ("small-0.evf", "8x8x10", 7, 1.849, "Thomas Kolar"),
        ("small-4.evf", "8x8x10", 7, 1.849, "Thomas Kolar"),
        ("mines.sav", "9x9x10", 13, 0.0, ""),
    ],
)
def test_a_file_of_another_program_is_a_game_by_its_content_alone(
    name: str, board: str, moves: int, seconds: float, player: str
) -> None:
    replay = replay_of(FILES[name])
    shape, mines = replay.topology.shape, len(replay.mined)
    assert (str(mw.Board(shape, mines)), len(replay.moves)) == (board, moves)
    assert replay.moves[-1].seconds == pytest.approx(seconds)
    assert replay.player == player
    final = replay.position(moves)
    assert replay.ended == (name != "mines.sav")
    assert replay.last == moves - replay.ended
    assert (MINED not in final.cells and len(final.covered) == mines) == replay.ended


def test_mines_of_simon_tatham_shows_what_was_read_of_its_file() -> None:
    # Compared with the picture that `sgt-mines --screenshot` made of this file.
    assert str(read(FILES["mines.sav"]).position) == (
        "9x9x10\nF10000011\n11000002F\n#1110002F\n##F200011\n##F411000\n##F#F1000\nF31211000\n"
        "F20000011\n#1000001F"
    )
    assert len(replay_of(b"9x9:7,5,m317de989776d5bcf55300\n").mined) == 10


def test_moves_taken_back_in_a_saved_game_are_not_made() -> None:
    back = FILES["mines.sav"].replace(b"STATEPOS:2:13", b"STATEPOS:1:2")
    assert len(replay_of(back).moves) == 2


def test_a_game_begun_anew_begins_anew() -> None:
    saved = FILES["mines.sav"].replace(b"STATEPOS:2:13", b"STATEPOS:2:16")
    anew = b"SOLVE   :1:S\nRESTART :26:4,3,m566afe1e9be3c65071e40\nMOVE    :4:F0,0\n"
    first = replay_of(FILES["mines.sav"]).moves[0].move
    made = [made.move for made in replay_of(saved + anew + b"MOVE    :4:F8,1\n").moves]
    assert made == [first, mw.Move("mark", 0)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("write", [format_files.avf, format_files.mvf, format_files.rawvf])
def test_a_game_is_the_same_in_every_format(write: format_files.Writer, seed: int) -> None:
    game = played(seed)
    width, height = game.topology.shape
    found = replay_of(write(width, height, game.mined, format_files.clicks(game), "Ärzte"))
    assert found.player == "Ärzte"
    assert (found.mined, found.ended) == (game.mined, game.ended)
    assert [made.move for made in found.moves] == [made.move for made in game.moves]
    for mine, theirs in zip(game.moves, found.moves, strict=True):
        assert theirs.seconds == pytest.approx(mine.seconds)


@pytest.mark.parametrize("name", ["expert.rmv", "lost"])
def test_what_changed_leads_to_every_position(name: str) -> None:
    replay = replay_of(FILES[name]) if name in FILES else played(4, "9x9x30")
    final = replay.position(len(replay.moves))
    assert replay.ended
    assert any(final[cell] == MINED for cell in replay.mined) == (name == "lost")
    cells = list(replay.position(0).cells)
    for number, changes in enumerate(replay.changes(), 1):
        for cell, code in changes:
            cells[cell] = code
        if number % 20 == 0 or number == len(replay.moves):
            assert bytes(cells) == replay.position(number).cells


def test_a_chord_needs_both_buttons_and_the_one_left_does_nothing() -> None:
    def play(*events: Event, questions: bool = False) -> list[str]:
        hand = Hand(get("moore", (3, 1)), frozenset((2,)), questions)
        for action, column in events:
            hand.at(0.0, action, column, 0)
        return [str(made.move) for made in hand.replay().moves]

    assert play(("left down", 0), ("left up", 1)) == ["open 1"]
    marked: Events = (
        ("left down", 1),
        ("left up", 1),
        ("right down", 2),
        ("right up", 2),
    )
    both: Events = (("left down", 1), ("right down", 1), ("left up", 1), ("right up", 0))
    assert play(*marked, *both) == ["open 1", "mark 2", "chord 1"]
    # After the chord, the left button is released over a covered cell, which stays covered.
    wait: Events = (("right down", 1), ("left down", 1), ("right up", 5), ("left up", 0))
    assert play(*marked, *wait) == ["open 1", "mark 2"]
    assert play(*marked, ("middle down", 1), ("middle up", 1)) == ["open 1", "mark 2", "chord 1"]
    assert play(*marked, ("shift down", 1), ("left up", 1)) == ["open 1", "mark 2", "chord 1"]
    # With question marks on, a second click makes one, and a third removes it.
    thrice: Events = (("right down", 2), ("right up", 2)) * 4
    assert play(*thrice, questions=True) == ["mark 2"] * 3
    assert play(*thrice) == ["mark 2"] * 4


@pytest.mark.parametrize(
    "events",
    [(("left down", 0), ("left up", 0)), (("right down", 2), ("right up", 2))],
    ids=["left", "right"],
)
def test_the_other_buttons_do_nothing_while_the_middle_one_is_down(events: Events) -> None:
    hand = Hand(get("moore", (3, 1)), frozenset((2,)))
    hand.at(1.0, "middle down", 1, 0)
    for action, column in events:
        hand.at(1.0, action, column, 0)
    assert hand.replay().moves == ()
    assert hand.replay().clicks == (0, 0, 0)


@pytest.mark.parametrize("after", [0, 1], ids=["at-first", "between-press-and-release"])
def test_the_time_of_a_change_of_state_in_an_evf_file_counts(after: int) -> None:
    recorder = Recorder(get("moore", (4, 4)), frozenset({15}))
    recorder.open(0.25, 0)
    data = evf.write(recorder.replay())
    # The two events have 6 bytes each, the end of the list has 1, and 2 more follow.
    at = len(data) - 15 + 6 * after
    state, milliseconds = 81, 100
    changed = replay_of(data[:at] + bytes((state, milliseconds)) + data[at:])
    assert changed.seconds == pytest.approx(0.35)


@pytest.mark.parametrize(("version", "texts"), [(0, 5), (1, 5), (2, 6), (3, 6)])
def test_every_old_version_of_evf_has_its_own_number_of_texts(version: int, texts: int) -> None:
    flags = bytes(2 if version >= 3 else 1)
    head = bytes((version,)) + flags + bytes((1, 3, 0, 1, 16)) + bytes(4 + 3)
    names = b"Meta\0Anna\0" + b"text\0" * texts
    events = b"".join(bytes((what, 0, 3, 232, 0, 8, 0, 8)) for what in (2, 3))
    replay = evf.read(head + names + b"\x20" + events + b"\0", Bounds())
    assert (replay.player, replay.mined) == ("Anna", frozenset({2}))
    assert [(made.seconds, made.move.cell) for made in replay.moves] == [(1.0, 0)]


def test_a_link_of_puzz_link_is_a_position_without_a_total() -> None:
    assert str(read(LINK).position) == "6x5x?\n1#2###\n#####0\n##-3##\n#####5\n###1##"


def test_what_is_written_is_read_again() -> None:
    position = mw.Position.parse("4x2x3\n1#F2\n##F1")
    written = text.write_mine(position)
    assert written == b"4x2x3\n1HF2\nHHF1\n"
    assert read(written, "a.mine").position == position
    game = replay_of(FILES["small.rmv"])
    assert replay_of(mbf.write(game)).mined == game.mined
    for refused in (position.with_mines(None), mw.Position.parse("3x1x1 hex\n#1#")):
        with pytest.raises(FormatError, match="JSMinesweeper"):
            text.write_mine(refused)


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (FILES["small.rmv"][:1500], None, "byte 1,500: the file ends too early"),
        (FILES["small.rmv"][4:], "a.rmv", "byte 1: expected *rmv"),
        (b"\x00\x01\x02", None, "of an unknown format"),
        (b"\x03\x03\0\x02\0\0\0\0", "a.mbf", "byte 7: two mines in column 1, row 1"),
        (b"\x03\x03\0\x01\x05\0", "a.mbf", "byte 5: a mine in column 6, row 1 is outside 3x3"),
        (b"9x9:1,5,mb25f23", None, "81 cells need 21 hexadecimal digits, not 6"),
        (b"9x9:10,5,mb25f23f74b48755bc7530", None, "cell 10,5 is outside 9x9"),
        (FILES["mines.sav"].replace(b":5:Mines", b":4:Loop"), None, "'Loop', not of Mines"),
        (b"\nBoard:\n00\nEvents:\n", None, "Width: 30"),
        (b"Width: 2\nHeight: 1\nBoard:\n0%\nEvents:\n", None, "line 4: expected 2 cells"),
        (LINK[:-3], None, "fewer than 30 cells"),
        (EMPTY + b', "clicks": [0, -1, 0]}', None, "clicks: expected three numbers from 0"),
        (b"3x2x1\n1##\n#%#", "a.txt", "line 3, column 2"),
        (b"3x2x1\n1##\n#%#", "a.rmv", "byte 1: expected *rmv"),
        (b"1,,#\n#,,#", None, "line 1, column 3: expected a cell between two separators"),
        (b"3x2x1\n#%#\n1,,#", None, "line 2, column 2: expected a cell (0-9"),
        # Of two mistakes, the first is reported.
        (b"3x2x1\n1,#\n1,,#", None, "line 2, column 4: expected a row of 3 cells"),
        (b"3x2x1\n1,,#\n1,#", None, "line 2, column 3: expected a cell between"),
        (b",1\n,#", None, "line 1, column 1: expected a cell between"),
        (b"# | 1\n| # |   | # |", None, "line 2, column 9: expected a cell between"),
        (b"\xff\xfe3\0", None, "UTF-16"),
        (b"3x1x1\n#\xe91", None, "line 2, column 2: the byte 0xe9"),
    ],
)
def test_a_damaged_file_is_told_in_one_line_with_its_place(
    data: bytes, name: str | None, words: str
) -> None:
    with pytest.raises(FormatError) as told:
        read(data, name)
    assert words in str(told.value)
    assert "\n" not in str(told.value)


def test_a_text_is_a_text_whatever_its_name() -> None:
    for name in ("a.rmv", "a.sav", "a.evf", "a.mbf", "a.rawvf", "a"):
        assert read(b"3x1x1\n#1#", name).format.name == "text"


@pytest.mark.parametrize(
    ("name", "encoding"), [("Müller", "cp1252"), ("张砷镓", "gb2312"), ("张砷镓", "utf-8")]
)
def test_a_name_is_read_in_what_it_was_written_in(name: str, encoding: str) -> None:
    data = format_files.avf(2, 1, [0], [(0.1, "lc", 20, 3), (0.2, "lr", 20, 3)], "NAME")
    assert replay_of(data.replace(b"NAME", name.encode(encoding))).player == name


ARBITER = format_files.avf(2, 1, [0], [(0.1, "lc", 20, 3)], "x").partition(b"Skin")[0]
CLONE = format_files.mvf(2, 1, [0], [], "x")[:-3] + (300_000).to_bytes(3, "big")
RAW = format_files.rawvf(2, 1, [0], [], "x")


@pytest.mark.parametrize(
    "data",
    [
        b"1x" + b"1" * 40_000 + b"!",
        b"+" * 40_000 + b"x",
        b" #" * 40_000 + b"x",
        b"|---" * 20_000 + b"x",
        b"," * 80_000,
        ARBITER + b"Skin:" * 40_000,
        CLONE + b"\xff\xff\xff\xff\xff\0\0\0\0\0" * 150_000,
        RAW + b"0 rc 1 1\n0 rr 1 1\n" * 100_000,
        b"1900x1900:m" + b"a" * (1900 * 1900 // 4),
    ],
    ids=["header", "frame", "blanks", "rule", "commas", "skins", "events", "moves", "cells"],
)
def test_no_file_takes_long(data: bytes) -> None:
    begun = process_time()
    with suppress(FormatError):
        read(data, bounds=Bounds(cells=10_000, seconds=1.0))
    assert process_time() - begun < 1.5


@pytest.mark.parametrize(
    "data",
    [
        b'{"minewright": "replay", "topology": "box", "shape": [9, 9, 9, 9], "mines": []}',
        b'{"minewright": "position", "text": "%s"}' % (b"#" * 101),
        b"#" * 101,
    ],
)
def test_no_board_is_larger_than_the_bounds(data: bytes) -> None:
    with pytest.raises(FormatError, match="at most 100 cells are read here"):
        read(data, bounds=Bounds(cells=100))


def test_a_text_longer_than_any_position_is_not_parsed() -> None:
    with pytest.raises(FormatError, match="no position is that long"):
        read(b"#" * 100_000 + b"!", bounds=Bounds(cells=100))


def test_no_more_events_are_read_than_any_game_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MAX_EVENTS", 3)
    assert list(Bounds().each("abc")) == ["a", "b", "c"]
    with pytest.raises(FormatError, match="more than 3 events"):
        list(Bounds().each("abcd"))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("tatham", b"\xef\xbb\xbf9x9:1,5,mb25f23f74b48755bc7530\r\n"),
        ("puzz.link", b"\xef\xbb\xbf" + LINK),
        ("json", b'\xef\xbb\xbf{\r\n\t"minewright": "position",\r\n\t"text": "1#"}'),
        ("tatham", FILES["mines.sav"].replace(b"\n", b"\r\n")),
        ("tatham", b"\xef\xbb\xbf" + FILES["mines.sav"]),
    ],
)
def test_a_file_that_went_through_windows_is_read(name: str, data: bytes) -> None:
    assert read(data).format.name == name


def test_a_text_is_tidied_no_further_than_its_first_foreign_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[str] = []
    signs = text._signs

    def note(line: str, known: Mapping[str, str]) -> tuple[list[tuple[str, int]], int | None]:
        seen.append(line)
        return signs(line, known)

    monkeypatch.setattr(text, "_signs", note)
    with pytest.raises(mw.PositionError, match=r"line 2, column 1: .*found 'a'"):
        text.parse("3x3x1\na log\n" + "1#1\n" * 1000)
    assert seen == ["3x3x1", "a log"]
    with pytest.raises(mw.PositionError, match="too large"):
        text.parse("#" * (2 * mw.board.MAX_CELLS + 1001))
    assert len(seen) == 2


def test_a_reading_ends_when_its_time_is_up() -> None:
    with pytest.raises(FormatError, match="took too long"):
        read(FILES["expert.rmv"], bounds=Bounds(seconds=0.0))


def samples() -> list[bytes]:
    game = played(1, "8x8x8")
    width, height = game.topology.shape
    made = [
        write(width, height, game.mined, format_files.clicks(game), "x")
        for write in (format_files.avf, format_files.mvf, format_files.rawvf)
    ]
    kept = [data for name, data in FILES.items() if name != "README.md" and len(data) < 6000]
    return [*made, *kept, LINK, mbf.write(game), b"9x9:1,5,mb25f23f74b48755bc7530", b"3x1x1\n#1#"]


SAMPLES = samples()


@given(st.data())
@settings(max_examples=300)
def test_a_mutated_file_is_read_or_refused_and_nothing_else(draw: st.DataObject) -> None:
    data = bytearray(draw.draw(st.sampled_from(SAMPLES)))
    for _ in range(draw.draw(st.integers(1, 6))):
        at = draw.draw(st.integers(0, len(data)))
        new = draw.draw(st.binary(max_size=3))
        data[at : at + draw.draw(st.integers(0, 4))] = new
    name = draw.draw(st.sampled_from([None, *(f"a{e}" for f in FORMATS for e in f.extensions)]))
    with suppress(FormatError):
        loaded = read(bytes(data), name)
        assert len(loaded.position.cells) == loaded.position.topology.size


@given(st.binary(max_size=200))
@settings(max_examples=200)
def test_no_reader_stumbles_over_random_bytes(data: bytes) -> None:
    for kind in FORMATS:
        with suppress(FormatError):
            kind.read(data, Bounds())


def test_solve_reads_them_and_counts_a_replay_s_moves(capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(__file__).parent / "formats"

    def run(*arguments: str) -> str:
        code = main(["solve", *arguments])
        told = capsys.readouterr()
        assert (code == 0) == (not told.err)
        return told.out or told.err

    game = replay_of(FILES["small.rmv"])
    for option, moves in (([], game.last), (["--move", "2"], 2)):
        found = json.loads(run(str(folder / "small.rmv"), "--json", *option))
        covered = sum(chance is not None for row in found["probability"] for chance in row)
        assert covered == len(game.position(moves).covered)
    assert "expected 0 to 7" in run(str(folder / "small.rmv"), "--move", "8")
    assert "leave them out" in run(str(folder / "mines.sav"), "--mines", "3")
    assert main(["formats", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)) == [kind.name for kind in FORMATS]
