"""Max Minesweeper and the density of mines: verdicts follow the games, pages show both sides."""

from dataclasses import replace
from pathlib import Path

import pytest

from minewright.documents.catalogue import reproductions, run
from minewright.documents.claims import Finding, judge
from minewright.documents.estimates import Share
from minewright.documents.max_minesweeper import levels, methods
from minewright.documents.phase import games
from minewright.documents.phase.curves import falls_through
from minewright.documents.phase.density import CLAIMS, dearest
from minewright.documents.phase.games import FIELDS, SIZES, Curves, Data, Spot
from minewright.documents.work import Arm, Played, Request, Scale
from minewright.lab.statistics import Mean, Paired
from minewright.work.progress import Quiet


class Made(Played):
    """Invented rows: every pair of arms splits its games alike."""

    def __init__(self, games: int, first_only: int, second_only: int) -> None:
        self._split = games, first_only, second_only

    def pair(self, first: Arm, second: Arm, confidence: float = 0.95) -> Paired:
        return Paired(*self._split, confidence)


def of_methods(name: str, played: Played) -> Finding:
    (found,) = (one for one in methods.CLAIMS if one.id == name)
    return judge(found, played)


def test_the_words_about_methods_and_guessers_follow_the_games() -> None:
    assert of_methods("by-far-best", Made(1000, 250, 50)).verdict == "agrees"
    assert of_methods("by-far-best", Made(1000, 0, 0)).verdict == "differs"
    assert of_methods("by-far-best", Made(50, 8, 2)).verdict == "undecided"
    assert of_methods("only-slightly", Made(1000, 80, 40)).verdict == "agrees"
    assert of_methods("only-slightly", Made(1000, 250, 50)).verdict == "differs"
    assert of_methods("only-slightly", Made(1000, 40, 80)).verdict == "differs"
    assert "+4.0 points" in of_methods("only-slightly", Made(1000, 80, 40)).ours


def small(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: dict[Scale, int] = {"quick": 4}
    monkeypatch.setattr(methods, "METHOD_GAMES", sizes)
    monkeypatch.setattr(levels, "LEVEL_GAMES", sizes)
    monkeypatch.setattr(levels, "ASKED_GAMES", sizes)
    monkeypatch.setattr(games, "GAMES", sizes)
    monkeypatch.setattr(games, "PERCENTS", {"quick": [10.0, 20.0, 30.0, 40.0]})


@pytest.mark.parametrize(
    ("name", "arms", "printed"),
    [("max-methods", 23, "2.47"), ("max-levels", 11, "0.554"), ("phase", 36, "20%")],
)
def test_a_page_shows_what_the_paper_prints_beside_every_player(
    name: str, arms: int, printed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(monkeypatch)
    outcome = run(reproductions()[name], Request("quick", tmp_path, Quiet()))
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
    assert falls_through(places, [1.0, 0.6, 0.1], 0.5) == pytest.approx(0.22)
    assert falls_through(places, [1.0, 0.5, 0.1], 0.5) == pytest.approx(0.2)
    assert falls_through(places, [1.0, 0.9, 0.8], 0.5) is None
    assert falls_through(places, [0.4, 0.3, 0.2], 0.5) is None


def fall(middle: float, width: float, games: int) -> list[Spot]:
    """Return a curve of wins that falls in a straight line around the middle."""
    flat = Mean(1.0, 0.01, 0.02)
    spots = []
    for percent in range(1, 46):
        share = min(1.0, max(0.0, 0.5 + (middle - percent / 100) / width))
        won = Share(round(games * share), games)
        spots.append(Spot(percent / 100, won, won, flat, flat, 1.0, 0.01))
    return spots


def of_density(name: str, curves: Curves) -> Finding:
    (found,) = (one for one in CLAIMS if one.id == name)
    return judge(found, Data(curves))


def test_the_words_about_density_follow_the_curves() -> None:
    steep: Curves = {field: fall(0.2, 0.15, 10_000) for field in FIELDS}
    late: Curves = {field: fall(0.3, 0.15, 10_000) for field in FIELDS}
    few: Curves = {field: fall(0.2, 0.15, 20) for field in FIELDS}
    for name, denied in (
        ("twenty-percent", "differs"),
        ("less-is-easy", "agrees"),
        ("more-is-unplayable", "differs"),
        ("top-end", "differs"),
    ):
        assert of_density(name, steep).verdict == "agrees"
        assert of_density(name, late).verdict == denied
    assert of_density("more-is-unplayable", few).verdict == "undecided"
    growth = of_density("exponential-growth", steep)
    assert growth.verdict == "not testable"
    assert "worst case" in growth.ours
    assert of_density("sharper", steep).verdict == "undecided"
    last = SIZES[-1]
    sharp, blunt = ({**steep, last: fall(0.2, width, 10_000)} for width in (0.05, 0.3))
    assert of_density("sharper", sharp).verdict == "agrees"
    assert of_density("sharper", blunt).verdict == "differs"


def test_where_a_game_is_dearest_is_told() -> None:
    curve = fall(0.2, 0.15, 10_000)
    peaked = [replace(spot, seconds=Mean(1 - spot.density, 0.01, 0.02)) for spot in curve]
    said = dearest(dict.fromkeys(FIELDS, peaked))
    assert "0.01 on 9x9 (100% won)" in said
    assert "44 to 44% less" in said
