"""What reproductions share, and those of games: verdicts follow the rows, pages show both sides."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from minewright.documents import phase
from minewright.documents.max_minesweeper import tables as max_minesweeper
from minewright.documents.parts import Share, all_of, any_of, judged, level, same
from minewright.documents.played import Played
from minewright.documents.reproduce import Request, Scale, get, run
from minewright.lab.experiment import Arm
from minewright.lab.page import Verdict
from minewright.lab.statistics import Mean, Paired
from minewright.work.progress import Quiet


def test_a_claim_is_decided_only_by_an_interval_wholly_on_one_side() -> None:
    cases: Mapping[tuple[float, float], Verdict] = {
        (0.1, 0.2): "agrees",
        (0.0, 0.3): "agrees",
        (0.31, 0.4): "differs",
        (-0.2, -0.1): "differs",
        (0.2, 0.31): "undecided",
        (-0.1, 0.4): "undecided",
    }
    for seen, verdict in cases.items():
        assert judged(seen, 0.0, 0.3) == verdict
    assert all_of(["agrees", "undecided"]) == "undecided"
    assert all_of(["agrees", "undecided", "differs"]) == "differs"
    assert any_of(["differs", "undecided", "agrees"]) == "agrees"
    assert any_of(["differs", "differs"]) == "differs"


def test_a_difference_of_shares_has_the_published_interval() -> None:
    # Newcombe 1998, example (a), his method 10.
    assert Share(56, 70).less(Share(48, 80), 0.95) == pytest.approx((0.0524, 0.3339), abs=1e-4)
    assert str(Share(15, 50)) == "30.0% (19.1% to 43.8%)"


def test_a_printed_share_never_agrees_for_want_of_games() -> None:
    theirs = Share(25, 50)
    assert same(Share(500, 1000).less(theirs, 0.95)) == "undecided"
    assert same(Share(900, 1000).less(theirs, 0.95)) == "differs"
    assert same(Share(500, 1000).less(Share(250, 500), level(2, 0.95))) == "agrees"


class Made(Played):
    """Rows that were never played: every pair of arms splits its games alike."""

    def __init__(self, games: int, first_only: int, second_only: int) -> None:
        self._split = games, first_only, second_only

    def paired(self, first: Arm, second: Arm, confidence: float) -> Paired:
        return Paired(*self._split, confidence)


def test_the_words_about_methods_and_guessers_follow_the_games() -> None:
    best = max_minesweeper.by_far_best
    assert best(Made(1000, 250, 50)).verdict == "agrees"
    assert best(Made(1000, 0, 0)).verdict == "differs"
    assert best(Made(50, 8, 2)).verdict == "undecided"
    slightly = max_minesweeper.only_slightly
    assert slightly(Made(1000, 80, 40)).verdict == "agrees"
    assert slightly(Made(1000, 250, 50)).verdict == "differs"
    assert slightly(Made(1000, 40, 80)).verdict == "differs"
    assert "+4.0 points" in slightly(Made(1000, 80, 40)).ours


def small(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: dict[Scale, int] = {"quick": 4}
    monkeypatch.setattr(max_minesweeper, "METHOD_GAMES", sizes)
    monkeypatch.setattr(max_minesweeper, "LEVEL_GAMES", sizes)
    monkeypatch.setattr(phase, "GAMES", sizes)
    monkeypatch.setattr(phase, "PERCENTS", {"quick": [10.0, 20.0, 30.0, 40.0]})


@pytest.mark.parametrize(
    ("name", "arms", "printed"),
    [("max-methods", 20, "2.47"), ("max-levels", 8, "0.554"), ("phase", 36, "20%")],
)
def test_a_page_shows_what_the_paper_prints_beside_every_player(
    name: str, arms: int, printed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(monkeypatch)
    outcome = run(get(name), Request("quick", tmp_path, Quiet()))
    place = tmp_path / name
    markdown = (place / "page.md").read_text("utf-8")
    assert printed in markdown
    assert all(finding.ours in markdown for finding in outcome.findings)
    head, *rows = (place / "table.csv").read_text("utf-8").splitlines()
    games = head.split(",").index("games")
    assert [row.split(",")[games] for row in rows] == ["4"] * arms
    assert outcome.figure is not None
    assert (place / outcome.figure.file).exists()
    assert f'src="{name}/{outcome.figure.file}"' in (tmp_path / "index.html").read_text("utf-8")


def test_a_density_is_where_the_line_falls_through() -> None:
    places = [0.1, 0.2, 0.3]
    assert phase.falls_through(places, [1.0, 0.6, 0.1], 0.5) == pytest.approx(0.22)
    assert phase.falls_through(places, [1.0, 0.5, 0.1], 0.5) == pytest.approx(0.2)
    assert phase.falls_through(places, [1.0, 0.9, 0.8], 0.5) is None
    assert phase.falls_through(places, [0.4, 0.3, 0.2], 0.5) is None


def fall(middle: float, width: float, games: int) -> list[phase.Spot]:
    """Make a curve of wins that falls in a straight line around the middle."""
    flat = Mean(1.0, 0.01, 0.02)
    spots = []
    for percent in range(1, 46):
        share = min(1.0, max(0.0, 0.5 + (middle - percent / 100) / width))
        won = Share(round(games * share), games)
        spots.append(phase.Spot(percent / 100, won, won, flat, flat, 1.0, 0.01))
    return spots


def test_the_words_about_density_follow_the_curves() -> None:
    steep = {field: fall(0.2, 0.15, 10_000) for field in phase.FIELDS}
    assert phase.twenty_percent(steep).verdict == "agrees"
    assert phase.top_end(steep).verdict == "agrees"
    assert phase.sharper(steep).verdict == "undecided"
    assert phase.growth(steep).verdict == "undecided"
    assert "Not tested here" in phase.growth(steep).ours
    late = {field: fall(0.3, 0.15, 10_000) for field in phase.FIELDS}
    assert phase.twenty_percent(late).verdict == "differs"
    assert phase.top_end(late).verdict == "differs"
    sharp = steep | {phase.SIZES[-1]: fall(0.2, 0.05, 10_000)}
    assert phase.sharper(sharp).verdict == "agrees"
    assert phase.sharper(steep | {phase.SIZES[-1]: fall(0.2, 0.3, 10_000)}).verdict == "differs"
    peaked = [
        replace(spot, seconds=Mean(1 - spot.density, 0.01, 0.02)) for spot in steep[phase.EXPERT]
    ]
    said = phase.dearest(dict.fromkeys(phase.FIELDS, peaked))
    assert "0.01 on 9x9 (100% won)" in said
    assert "44 to 44% less" in said
    few = {field: fall(0.2, 0.15, 20) for field in phase.FIELDS}
    assert phase.twenty_percent(few).verdict == "undecided"
