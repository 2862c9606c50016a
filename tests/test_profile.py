"""A player's profile: its figures are those of ms_toollib, and its risks are exact."""

import json
import os
import sys
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minewright as mw
from minewright.cli import bars, main
from minewright.clicks import _Greedy, bbbv, openings, zini
from minewright.deduction.opening import truth_of
from minewright.formats import Replay, TimedMove, read, write
from minewright.game import Move
from minewright.profile import choices, make, measure, reviews
from minewright.profile import figures as known
from minewright.profile.report import page, pictures

FOLDER = Path(__file__).parent / "formats"
# Board links with what ms_toollib 1.5.20 says: 3BV, ZiNi, HZiNi, openings.
BOARDS = [
    ("b=0507&m=8400l12", 11, 10, 11, 3),
    ("b=0808&m=80a40800080g0", 14, 11, 13, 1),
    ("b=0808&m=c0007o0g04h0g", 24, 18, 20, 3),
    ("b=2&m=0340i4068g20g0gj845020g2228900m8g00p11831001k20hc200", 101, 69, 71, 9),
    ("b=2&m=021g062e202000hg8g0o2k88l8281002a8080c008g1a217080m0", 82, 61, 66, 10),
    ("b=0808&m=0006k940e6eki", 30, 22, 27, 1),
    ("b=2&m=g0002438g0g4001021he15g1480610kk910080000bg01m07sk00", 68, 53, 56, 7),
    ("b=0808&m=10421hgaro382", 21, 18, 20, 3),
]
# What ms_toollib 1.5.20 says of these files, at their end.
FIGURES = {
    "expert.rmv": {
        "seconds": 34.884,
        "bbbv": 128,
        "solved": 128,
        "clicks": 166,
        "effective": 143,
        "zini": 98,
        "hzini": 104,
        "rate": 3.6693039789015023,
        "ioe": 0.7710843373493976,
        "corr": 0.8614457831325302,
        "thrp": 0.8951048951048951,
        "rqp": 9.506980125,
        "qg": 3.2753272815778844,
        "stnb": 132.81115522307113,
        "pluck": 0.5740312677277188,
    },
    "marks.rmv": {
        "seconds": 16.032,
        "bbbv": 16,
        "solved": 16,
        "clicks": 41,
        "effective": 23,
        "zini": 13,
        "hzini": 13,
        "rate": 0.998003992015968,
        "ioe": 0.3902439024390244,
        "corr": 0.5609756097560976,
        "thrp": 0.6956521739130435,
        "rqp": 16.064064,
        "qg": 6.988100053660468,
        "stnb": 5.1516148486086255,
        "pluck": 0.17609125905568118,
    },
}


def replay_of(data: bytes | Path) -> Replay:
    found = read(data).replay
    assert found is not None
    return found


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_that_of_ms_toollib(name: str) -> None:
    (entry,) = make([(name, replay_of(FOLDER / name))]).entries
    found = entry.as_data(names=False)
    assert {key: found[key] for key in FIGURES[name]} == pytest.approx(FIGURES[name])
    assert found["won"]


@pytest.mark.parametrize(("link", "three", "greedy", "human", "patches"), BOARDS)
def test_a_boards_clicks_are_those_of_ms_toollib(
    link: str, three: int, greedy: int, human: int, patches: int
) -> None:
    game = replay_of(link.encode())
    board = game.topology, game.truth
    assert (bbbv(*board), openings(*board)) == (three, patches)
    assert (zini(*board), zini(*board, human=True)) == (greedy, human)


class Plain(_Greedy):
    """Looks at every cell for each chord, without a heap."""

    def _best(self, human: bool) -> int | None:
        able = [c for c in self._order if self._truth[c] <= 8 and (self._open[c] or not human)]
        best = max(able, key=self._premium.__getitem__, default=None)
        return best if best is not None and self._premium[best] >= 0 else None


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["moore", "hex", "torus"]), st.integers(3, 9), st.integers(3, 9), st.data())
def test_chords_are_found_as_if_every_cell_was_looked_at(
    name: str, width: int, height: int, data: st.DataObject
) -> None:
    topology = mw.topologies()[name]((width, height))
    truth = truth_of(topology, data.draw(st.sets(st.integers(0, topology.size - 2))))
    for human in (False, True):
        assert zini(topology, truth, human=human) == Plain(topology, truth).play(human)


def test_a_game_that_ends_before_its_clock_starts_took_no_time() -> None:
    early = tuple(replace(move, seconds=-1.0) for move in lost().moves)
    (entry,) = make([("early", replace(lost(), moves=early))]).entries
    assert entry.measures.seconds == 0.0
    assert entry.as_data(names=False)["qg"] == 0.0


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_risk_of_cells_together_is_their_share_of_minefields(data: st.DataObject) -> None:
    mined = data.draw(st.sets(st.integers(0, 11), max_size=5))
    game = mw.Game.from_minefield(mw.topologies()["moore"]((4, 3)), mined)
    for cell in data.draw(st.lists(st.integers(0, 11), min_size=1, max_size=4)):
        if cell not in mined and not game.over:
            game.open(cell)
    if game.over:
        return
    cells = data.draw(st.sets(st.sampled_from(game.position.covered), min_size=1))
    fields = mw.enumerate_solutions(game.position, 1000)
    share = sum(bool(field & cells) for field in fields) / len(fields)
    assert mw.analyze(game.position).risk(cells) == pytest.approx(share)


def lost() -> Replay:
    """Return a game that ends with a guess although a cell was certainly safe."""
    topology = mw.topologies()["moore"]((6, 1))
    moves = [Move("open", 0), Move("mark", 1), Move("open", 2), Move("open", 4)]
    timed = tuple(TimedMove(number / 2, move) for number, move in enumerate(moves, 1))
    return Replay(topology, frozenset({1, 4}), timed, ended=True, player="Somebody")


def test_a_guess_beside_a_proof_is_told_with_what_was_missed() -> None:
    first, last = choices(lost())
    # One of four cells holds the other mine, and nothing tells which.
    assert (first.move, first.risk, first.least) == (3, 0.25, 0.25)
    assert (first.safe, first.missed) == (0, None)
    # 1F1### with two mines: the fourth cell is certainly safe, one of the last two mined.
    assert (last.move, last.risk, last.least, last.safe) == (4, 0.5, 0.0, 1)
    assert last.missed == "one number"
    profile = make([("lost", lost())])
    (entry,) = profile.entries
    assert (entry.lost, entry.pluck, entry.avoidable) == (True, inf, 0.5)
    assert (profile.explosions, profile.expected, profile.needed) == (1, 0.75, 0.25)
    assert entry.reason == (
        "Move 4 risked 50% at row 1, column 5 while a cell was certainly safe (one number)."
    )
    assert profile.worth == [entry]
    measured = measure(lost())
    # Opening the mine is not an effective click; marking the other mine is one.
    assert (measured.won, measured.effective, measured.solved) == (False, 3, 2)


def test_a_game_without_seconds_or_clicks_has_no_rates() -> None:
    measured = measure(replay_of(b"9x9:1,5,mb25f23f74b48755bc7530"))
    assert (measured.rate, measured.ioe, measured.corr, measured.stnb) == (None,) * 4
    drawn = pictures(make([("a", replay_of(b"9x9:1,5,mb25f23f74b48755bc7530"))]))
    assert "not known for these games" in drawn["rate"]


@pytest.mark.parametrize("seconds", ["5e-324", "1e-200", "1e-7", "1e-6", "1e12", "-1e12"])
def test_no_time_that_a_file_names_is_too_short_or_long_for_a_speed(
    seconds: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # All mines are in the last two rows, which stands for one of the boards that have an STNB.
    mines = [[7, column] for column in range(8)] + [[6, 0], [6, 7]]
    moves = f'[[{seconds}, "open", [0, 0]], [{seconds}, "open", [6, 3]]]'
    (tmp_path / "game.json").write_text(
        f'{{"minewright": "replay", "shape": [8, 8], "mines": {mines}, "moves": {moves}}}'
    )
    assert main(["profile", str(tmp_path), "--json"]) == 0
    (game,) = json.loads(capsys.readouterr().out)["each"]
    assert (game["stnb"] is None) == (float(seconds) < 1e-6)
    assert main(["profile", str(tmp_path), "--out", str(tmp_path / "out")]) == 0


def test_profile_reads_a_folder_and_keeps_no_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = tmp_path / "games" / "more"
    games.mkdir(parents=True)
    for name in ("expert.rmv", "marks.rmv"):
        (games / name).write_bytes((FOLDER / name).read_bytes())
    (games / "lost.evf").write_bytes(write(lost(), "evf"))
    (games / "board.mbf").write_bytes(write(lost(), "mbf"))
    (games / "notes.txt").write_text("hello")
    out = tmp_path / "out"
    assert main(["profile", str(tmp_path / "games"), "--out", str(out), "--json"]) == 0
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert (found["games"], found["won"], found["explosions"]) == (3, 2, 1)
    sums = reviews.judge(lost()).sums
    (one,) = (game for game in found["each"] if game["game"] == "more/lost.evf")
    for key in ("missed_proofs", "bad_guesses", "luck", "hard"):
        assert one[key] == getattr(sums, key)
        assert found[key] == pytest.approx(sum(game[key] for game in found["each"]))
    assert found["bad_guesses"] > 0
    assert found["boards"]["30x16x99"]["stnb"] == pytest.approx(132.81115522307113)
    assert {"game": "more/lost.evf", "reason": make([("", lost())]).worth[0].reason} in found[
        "worth"
    ]
    assert "1 file is not a replay and was left out: more/notes.txt" in told.err
    everything = told.out + "".join(path.read_text("utf-8") for path in out.iterdir())
    assert "Kolar" not in everything
    assert "Somebody" not in everything
    assert {"index.html", "games.csv", "rate.svg", "missed.svg"} <= {p.name for p in out.iterdir()}
    assert main(["profile", str(tmp_path / "games"), "--json", "--names"]) == 0
    assert "Kolar" in capsys.readouterr().out


def test_the_terminal_says_what_every_figure_means(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("expert.rmv", "marks.rmv"):
        (tmp_path / name).write_bytes((FOLDER / name).read_bytes())
    assert main(["profile", str(tmp_path)]) == 0
    plain, _, tables = capsys.readouterr().out.partition("By board")
    for line in ("Games:", "Win rate:", "Best time:", "Luck:", "Missed proofs:"):
        assert f"\n{line}" in f"\n{plain}"
    assert not any(name in plain for name in ("IOE", "Corr", "STNB", "ZiNi", "3BV"))
    figures, _, meanings = tables.partition("What the figures mean")
    for figure in known.FIGURES.values():
        assert f"\n  {figure.name} " in figures
        assert f"\n  {figure.name:<23}{figure.meaning}\n" in meanings


def test_a_figure_that_is_slightly_negative_is_written_as_nothing() -> None:
    assert known.FIGURES["luck"].write(-0.004) == "0%"
    assert known.FIGURES["luck"].write(-0.006) == "-1%"
    assert known.FIGURES["avoidable"].write(-1e-17) == "0.00"


def test_a_large_folder_says_how_far_it_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bars, "LINE_SECONDS", 0.0)
    (tmp_path / "lost.evf").write_bytes(write(lost(), "evf"))
    (tmp_path / "notes.txt").write_text("hello")
    assert main(["profile", str(tmp_path), "--json"]) == 0
    assert "reading: 100%, 2 of 2 files" in capsys.readouterr().err


@pytest.mark.parametrize(("what", "words"), [("nowhere", "not a folder"), ("", "no replay in it")])
def test_a_folder_without_games_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str, words: str
) -> None:
    assert main(["profile", str(tmp_path / what)]) == 2
    told = capsys.readouterr()
    assert words in told.err
    assert (told.out, len(told.err.splitlines())) == ("", 1)


def test_a_single_replay_is_no_folder_and_the_mistake_names_the_command_for_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["profile", str(FOLDER / "marks.rmv")]) == 2
    told = capsys.readouterr()
    assert "`minewright review FILE` looks at a single replay" in told.err
    assert (told.out, len(told.err.splitlines())) == ("", 1)


def test_a_page_that_cannot_be_written_is_told_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minewright.profile.make", lambda *_: pytest.fail("worked"))
    file = tmp_path / "marks.rmv"
    file.write_bytes((FOLDER / "marks.rmv").read_bytes())
    assert main(["profile", str(tmp_path), "--out", str(file / "page")]) == 2
    assert "cannot be made" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt" or sys.platform == "darwin", reason="names are UTF-8 there")
def test_a_file_may_have_a_name_in_any_encoding(tmp_path: Path) -> None:
    file = tmp_path / os.fsdecode("录像.rmv".encode("gbk"))
    file.write_bytes((FOLDER / "marks.rmv").read_bytes())
    assert main(["profile", str(tmp_path), "--out", str(tmp_path / "page")]) == 0
    assert main(["review", str(file), "--svg", str(tmp_path / "curve.svg")]) == 0


def test_a_file_out_of_reach_is_left_out_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "marks.rmv").write_bytes((FOLDER / "marks.rmv").read_bytes())
    # A folder may be listed but not entered, or the file is removed at this moment.
    (tmp_path / "locked.rmv").write_bytes(b"")
    look = Path.stat

    def stat(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if path.name == "locked.rmv":
            raise PermissionError(13, "Permission denied")
        return look(path, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(Path, "stat", stat)
    assert main(["profile", str(tmp_path)]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("Games:         1\nWin rate:      100%, 1 won\n")
    assert "1 file is not a replay and was left out: locked.rmv" in told.err


def test_a_name_cannot_break_the_page() -> None:
    profile = make([("<script>.rmv", replay_of(FOLDER / "marks.rmv"))])
    assert "<script" not in page(profile)
    assert "&lt;script&gt;.rmv" in page(profile)


def test_a_review_says_where_the_chance_to_win_went(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lost.evf").write_bytes(write(lost(), "evf"))
    (tmp_path / "marks.rmv").write_bytes((FOLDER / "marks.rmv").read_bytes())
    assert main(["review", str(tmp_path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    games = {game["game"]: game for game in found["games"]}
    assert {name: game["result"] for name, game in games.items()} == {
        "lost.evf": "lost",
        "marks.rmv": "won",
    }
    for game in games.values():
        kept = game["start"] - game["missed_proofs"] - game["bad_guesses"] + game["luck"]
        assert kept == pytest.approx(game["end"]) == (game["result"] == "won")
        assert sum(move["given"] for move in game["moves"]) == pytest.approx(
            game["missed_proofs"] + game["bad_guesses"]
        )
    assert found["luck"] == pytest.approx(sum(game["luck"] for game in games.values()))
    picture = tmp_path / "curve.svg"
    assert main(["review", str(tmp_path / "marks.rmv"), "--svg", str(picture)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("marks.rmv: 8x8x10, won\nAfter the first opening")
    assert "<path" in picture.read_text("utf-8")
    assert main(["review", str(tmp_path), "--svg", str(picture)]) == 2
    assert main(["review", str(tmp_path / "nowhere")]) == 2


def test_a_review_that_is_stopped_keeps_what_it_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.rmv", "b.rmv"):
        (tmp_path / name).write_bytes((FOLDER / "marks.rmv").read_bytes())
    judge = reviews.review

    def stop(name: str, replay: Replay) -> reviews.Reviewed:
        if name == "b.rmv":
            raise KeyboardInterrupt
        return judge(name, replay)

    monkeypatch.setattr(reviews, "review", stop)
    assert main(["review", str(tmp_path)]) == 130
    told = capsys.readouterr()
    assert told.out.startswith("a.rmv: 8x8x10, won")
    assert "stopped after 1 of 2 games" in told.err


def test_a_click_on_a_board_without_mines_risks_nothing() -> None:
    moves = tuple(TimedMove(float(cell), Move("open", cell)) for cell in (0, 1))
    replay = Replay(mw.topology.get("moore", (3, 3)), frozenset(), moves, ended=True)
    (choice,) = choices(replay)
    assert (choice.risk, choice.least, choice.safe) == (0.0, 0.0, 0)


def test_a_game_lost_at_its_first_click_is_lost() -> None:
    moves = (TimedMove(0.5, Move("open", 1)),)
    replay = Replay(mw.topology.get("moore", (4, 4)), frozenset({1, 14}), moves, ended=True)
    found = reviews.review("first", replay)
    assert (found.result, found.sums.end) == ("lost", 0)
    assert found.entries[0].risk == pytest.approx(2 / 16)
    assert "At the start, the chance to win was" in reviews.text([found])
