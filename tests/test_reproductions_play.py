"""Reproductions of play: Oz, MineBot and the Final Report follow their rows and their texts."""

from collections.abc import Callable, Iterator
from math import exp
from pathlib import Path
from random import Random
from statistics import fmean

import pytest

from minewright.documents.final_report import firstmove as report_firstmove
from minewright.documents.final_report import tables as final_report
from minewright.documents.final_report import time as report_time
from minewright.documents.final_report import winrate as report_winrate
from minewright.documents.minebot import boards as minebot
from minewright.documents.minebot import density as minebot_density
from minewright.documents.minebot import expert as minebot_expert
from minewright.documents.minebot import shape as minebot_shape
from minewright.documents.minebot.boards import MINES, WIDTHS, Grid, Point
from minewright.documents.minebot.density import Level, levels, logistic, no_crystal
from minewright.documents.oz import tables as oz
from minewright.documents.parts import Share
from minewright.documents.reproduce import Outcome, Request, Scale, get, run
from minewright.lab.store import Quiet

NAMES = {
    "report-winrate": "0.81, 0.78 and 0.71",
    "report-cleared": "0.99, 0.31 and 0.07",
    "report-time": "3210, 41 and 35",
    "report-firstmove": "0.125",
    "oz-tables": "3.333e+18",
    "minebot-expert": "5.6%",
    "minebot-density": "crystallization point",
    "minebot-shape": "boards of width 2",
}
"""All of them, with something that each text prints."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the directory of all reproductions."""
    return tmp_path_factory.mktemp("out")


@pytest.fixture(scope="module")
def outcomes(place: Path) -> Iterator[dict[str, Outcome]]:
    """Run all of them with a few games."""
    few: dict[Scale, int] = {"quick": 4}
    with pytest.MonkeyPatch.context() as patch:
        for module in (final_report, report_firstmove, oz):
            patch.setattr(module, "GAMES", few)
        patch.setattr(report_time, "BUDGET_GAMES", few)
        patch.setattr(report_winrate, "YARDSTICK_GAMES", few)
        patch.setattr(report_time, "BUDGETS", {"quick": (100, 200)})
        patch.setattr(report_firstmove, "NATIVE_GAMES", {"quick": 40})
        patch.setattr(minebot_expert, "GAMES", {"quick": 8})
        patch.setattr(minebot_density, "play_grid", lambda _: grid(60.0, 12.0))
        patch.setattr(minebot_shape, "play_grid", lambda _: grid(60.0, 12.0))
        yield {name: run(get(name), Request("quick", place, Quiet())) for name in NAMES}


@pytest.mark.parametrize(("name", "printed"), NAMES.items())
def test_a_page_shows_what_the_text_says_and_what_came_of_it(
    name: str, printed: str, place: Path, outcomes: dict[str, Outcome]
) -> None:
    outcome = outcomes[name]
    markdown = (place / name / "page.md").read_text("utf-8")
    assert printed in markdown
    assert all(finding.ours in markdown for finding in outcome.findings)
    assert outcome.figure is not None
    for kind in (".svg", ".png"):
        assert (place / name / outcome.figure.file).with_suffix(kind).exists()
    rows = "positions.csv" if name == "oz-tables" else "table.csv"
    assert (place / name / rows).read_text("utf-8").count("\n") > 4


# Oz


def test_what_the_text_of_oz_computes_is_met_to_the_last_digit(
    place: Path, outcomes: dict[str, Outcome]
) -> None:
    assert [finding.verdict for finding in outcomes["oz-tables"].findings[:7]] == ["agrees"] * 7
    _, *rows = (place / "oz-tables" / "positions.csv").read_text("utf-8").splitlines()
    counts = [tuple(map(int, row.split(",")[1:])) for row in rows]
    assert all(sets <= binary for _, binary, sets, _ in counts)
    assert any(sets < binary for _, binary, sets, _ in counts)


def test_positions_of_oz_do_not_depend_on_the_workers(
    place: Path, outcomes: dict[str, Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oz, "draw_histogram", lambda *_, **__: None)
    run(get("oz-tables"), Request("quick", place / "two", Quiet(), workers=2))
    for name in ("positions.csv", "page.md"):
        one, two = (place / part / "oz-tables" / name for part in ("", "two"))
        assert one.read_bytes() == two.read_bytes()


# The Final Report


def test_three_tables_of_the_report_share_their_games(
    place: Path, outcomes: dict[str, Outcome]
) -> None:
    games = (place / "report-run" / "games.csv").read_text("utf-8").splitlines()
    assert len(games) == 1 + 4 * 15
    assert not (place / "report-cleared" / "run").exists()


def test_the_reports_own_tables_clash_and_the_page_says_so(outcomes: dict[str, Outcome]) -> None:
    last = outcomes["report-cleared"].findings[-1]
    assert "Forward Checking on Advanced" in last.paper
    assert last.verdict == "differs"


def test_chances_after_the_first_number_are_exact(outcomes: dict[str, Outcome]) -> None:
    findings = {one.paper[:9]: one for one in outcomes["report-firstmove"].findings}
    assert findings["After a 3"].verdict == "agrees"
    assert findings["After a 2"].ours.startswith("8/77")
    assert findings["After a 1"].ours.startswith("9/77")
    assert findings["After a 1"].verdict == "differs"


# MineBot


def grid(middle: float, scale: float, games: int = 40) -> Grid:
    """Make games of no board: each is won up to a number of mines, alike on wide boards."""
    random = Random(5)
    made = {}
    chances = [random.random() for _ in range(games)]
    for width in WIDTHS:
        for mines in MINES:
            rate = 1 / (1 + exp((mines - middle + 40 * (width < 6)) / scale))
            won = tuple(float(chance < rate or mines == 0) for chance in chances)
            made[width, mines] = Point(width, mines, won, won)
    return made


def test_boards_of_all_widths_have_the_cells_of_the_expert_board() -> None:
    cells = {width: width * minebot.height(width) for width in WIDTHS}
    assert all(475 <= count <= 486 for count in cells.values())
    assert minebot.height(1) == 480
    assert minebot.height(WIDTHS[-1]) >= WIDTHS[-1]


def line(rate: Callable[[int], float]) -> list[Level]:
    return [Level(mines, (rate(mines),) * 20, (rate(mines),) * 20) for mines in MINES]


def test_a_crystallization_point_is_seen_where_there_is_one() -> None:
    assert no_crystal(line(lambda mines: 1 - mines / 150)).verdict == "agrees"
    assert no_crystal(line(lambda mines: float(mines < 70))).verdict == "differs"
    assert no_crystal(levels(grid(70.0, 12.0, games=6))).verdict == "undecided"


def test_the_curve_that_is_fitted_is_the_one_that_was_drawn() -> None:
    drawn = line(lambda mines: 1 / (1 + exp((mines - 72) / 11.5)))
    assert logistic(drawn) == (72.0, 11.5)


def test_values_on_a_line_are_not_off_it() -> None:
    off = minebot_density.residuals([0, 1, 2, 3], [1.0, 3.0, 5.0, 8.0])
    assert off == pytest.approx([0.2, -0.1, -0.4, 0.3])
    assert minebot_density.residuals([0, 5, 9], [1.0, 2.0, 2.8]) == pytest.approx([0, 0, 0])


def test_boards_that_repeat_each_other_make_nothing_surer() -> None:
    own = grid(60.0, 12.0)
    one = minebot.by_game([own[21, 60]], minebot.won)
    all_wide = minebot.by_game([own[width, 60] for width in minebot.WIDE], minebot.won)
    assert 0 < fmean(one) < 1
    assert minebot.ends(all_wide, 0.9) == minebot.ends(one, 0.9)


def test_no_win_in_the_text_is_held_against_the_wins_here() -> None:
    assert minebot.none_seen([Share(0, 400)] * 30) == "agrees"
    assert minebot.none_seen([Share(20, 400), Share(0, 400)]) == "differs"
    assert minebot.none_seen([Share(1, 16)] + [Share(0, 16)] * 29) == "undecided"
    assert minebot.none_seen([Share(0, 16)] * 30) == "undecided"


def test_a_share_of_none_has_room_for_some() -> None:
    assert minebot.shown([0.0] * 16) == "0.0% (0.0% to 19.4%)"
    assert minebot.shown([0.5] * 16) == "50.0% (50.0% to 50.0%)"


def test_a_figure_of_one_position_is_judged_on_its_own_board() -> None:
    often, seldom = ([(0, oz.Stuck(binary, 1, 0))] * 100 for binary in (50, 2))
    for stuck, verdict in ((often, "agrees"), (seldom, "undecided")):
        boards = [
            oz.Counted(board, 0, tuple(stuck if board == oz.BOARDS[0] else often))
            for board in oz.BOARDS
        ]
        assert oz.snapshot(boards).verdict == verdict
