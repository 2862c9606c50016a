"""Reproductions of play: Oz, MineBot and the Final Report follow their rows and their texts."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import exp
from pathlib import Path
from random import Random
from statistics import fmean

import pytest

from minewright.documents.catalogue import reproductions, run
from minewright.documents.claims import Claim, Finding, Verdict, judge
from minewright.documents.final_report import firstmove as report_firstmove
from minewright.documents.final_report import larger as report_larger
from minewright.documents.final_report import simpler as report_simpler
from minewright.documents.final_report import tables as final_report
from minewright.documents.final_report import time as report_time
from minewright.documents.final_report import winrate as report_winrate
from minewright.documents.minebot import algorithms as minebot_algorithms
from minewright.documents.minebot import boards as minebot
from minewright.documents.minebot import density as minebot_density
from minewright.documents.minebot import expert as minebot_expert
from minewright.documents.minebot import further as minebot_further
from minewright.documents.minebot import readings as minebot_readings
from minewright.documents.minebot import shape as minebot_shape
from minewright.documents.minebot import trials as minebot_trials
from minewright.documents.minebot.boards import MINES, WIDTHS, Grid, Point
from minewright.documents.minebot.density import Level, logistic
from minewright.documents.minebot.readings import READINGS
from minewright.documents.oz import risk, stuck
from minewright.documents.oz import tables as oz
from minewright.documents.study import Outcome
from minewright.documents.work import Request, Scale
from minewright.position import Position
from minewright.strategies.constraints import neighbourhoods, set_of
from minewright.topology import get
from minewright.work.progress import Quiet

NAMES = {
    "report-winrate": "CSP Strategy on Easy wins 0.81",
    "report-cleared": "Fringe on Easy clears 0.99",
    "report-time": "3210, 41 and 35",
    "report-firstmove": "0.125",
    "report-simpler": "degree heuristic",
    "report-larger": "64x64x614",
    "oz-tables": "3.333e+18",
    "minebot-expert": "5.6%",
    "minebot-density": "crystallization point",
    "minebot-shape": "boards of width 2",
    "minebot-trials": "intervals of 2 mines",
    "minebot-algorithms": "one hundred billion",
    "minebot-readings": "both/all/non-open",
    "minebot-further": "knight",
}
"""All of them, each with something that its text prints."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the directory of all reproductions."""
    return tmp_path_factory.mktemp("out")


@pytest.fixture(scope="module")
def outcomes(place: Path) -> Iterator[dict[str, Outcome]]:
    """Run all of them with a few games."""
    few: dict[Scale, int] = {"quick": 4}
    with pytest.MonkeyPatch.context() as patch:
        for module in (final_report, report_firstmove, report_simpler, stuck, oz):
            patch.setattr(module, "GAMES", few)
        patch.setattr(final_report, "READING_GAMES", {"quick": 2})
        patch.setattr(report_larger, "GAMES", {"quick": 1})
        patch.setattr(report_time, "BUDGET_GAMES", few)
        patch.setattr(report_winrate, "YARDSTICK_GAMES", few)
        patch.setattr(report_time, "BUDGETS", {"quick": (100, 200)})
        patch.setattr(report_firstmove, "NATIVE_GAMES", {"quick": 40})
        patch.setattr(minebot_expert, "GAMES", {"quick": 8})
        for part in (minebot_further, minebot_algorithms, minebot_readings):
            patch.setattr(part, "GAMES", few)
        patch.setattr(
            minebot_readings, "play_boards", lambda _: dict.fromkeys(READINGS, grid(60.0, 12.0))
        )
        patch.setattr(minebot_trials, "GAMES", {"quick": 12})
        patch.setattr(minebot_trials, "FIRST", (5, 3))
        patch.setattr(minebot_trials, "LAST", (2, 4))
        patch.setattr(minebot_density, "play_grid", lambda _: grid(60.0, 12.0))
        patch.setattr(minebot_shape, "play_grid", lambda _: grid(60.0, 12.0))
        yield {name: run(reproductions()[name], Request("quick", place, Quiet())) for name in NAMES}


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
    computed = [one for one in outcomes["oz-tables"].findings if one.rule.startswith("exactly")]
    assert [finding.verdict for finding in computed] == ["agrees"] * 12
    _, *rows = (place / "oz-tables" / "positions.csv").read_text("utf-8").splitlines()
    counts = [tuple(map(int, row.split(",")[2:4])) for row in rows]
    assert all(sets <= binary for binary, sets in counts)
    assert any(sets < binary for binary, sets in counts)


def test_positions_of_oz_do_not_depend_on_the_workers(
    place: Path, outcomes: dict[str, Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oz, "draw_histogram", lambda *_, **__: None)
    again = run(reproductions()["oz-tables"], Request("quick", place / "two", Quiet(), workers=2))
    one, two = (place / part / "oz-tables" / "positions.csv" for part in ("", "two"))
    assert one.read_bytes() == two.read_bytes()
    for first, second in zip(outcomes["oz-tables"].findings, again.findings, strict=True):
        # Only the time may differ.
        assert first == second or first.id == "order-of-magnitude"


# The Final Report


def test_three_tables_of_the_report_share_their_games(
    place: Path, outcomes: dict[str, Outcome]
) -> None:
    games = (place / "report-run" / "games.csv").read_text("utf-8").splitlines()
    # Four games for each of five methods on three boards, and two for each other reading.
    assert len(games) == 1 + 4 * 15 + 2 * 33
    assert not (place / "report-cleared" / "run").exists()


def test_what_the_reports_tables_say_together_is_judged_by_the_games(
    outcomes: dict[str, Outcome],
) -> None:
    last = outcomes["report-cleared"].findings[-1]
    assert "Forward checking clears less on Advanced" in last.paper
    assert last.inferred
    # A won game opens every safe cell, so no games can agree.
    assert last.verdict in ("differs", "undecided")
    assert "points" in last.ours


def test_chances_after_the_first_number_are_exact(outcomes: dict[str, Outcome]) -> None:
    findings = {one.id: one for one in outcomes["report-firstmove"].findings}
    assert findings["after-3"].verdict == "agrees"
    assert findings["after-2"].ours.startswith("8/77")
    assert findings["after-1"].ours.startswith("9/77")
    assert findings["after-1"].verdict == "differs"
    assert findings["empty-board"].verdict == "agrees"


# MineBot


def grid(middle: float, scale: float, games: int = 40) -> Grid:
    """Return invented games: each is won up to some number of mines, alike on all wide boards."""
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


def of_grid(claims: Sequence[Claim[Grid]], name: str, made: Grid) -> Finding:
    (found,) = (one for one in claims if one.id == name)
    return judge(found, made)


def alike(rate: Callable[[int], float], games: int = 200) -> Grid:
    """Return invented games: every board has the same rate, spread evenly over the games."""
    made = {}
    for width in WIDTHS:
        for mines in MINES:
            won = tuple(float((at + 0.5) / games < rate(mines)) for at in range(games))
            made[width, mines] = Point(width, mines, won, won)
    return made


def test_a_crystallization_point_is_seen_where_there_is_one() -> None:
    claims = minebot_density.CLAIMS
    even, sudden = alike(lambda mines: 1 - mines / 150), alike(lambda mines: float(mines < 70))
    assert of_grid(claims, "no-crystallization", even).verdict == "agrees"
    assert of_grid(claims, "no-crystallization", sudden).verdict == "differs"
    few = grid(70.0, 12.0, games=6)
    assert of_grid(claims, "no-crystallization", few).verdict == "undecided"


def test_a_fall_is_linear_only_if_every_rate_lies_on_the_line() -> None:
    claims = minebot_density.CLAIMS
    even, sudden = alike(lambda mines: 1 - mines / 150), alike(lambda mines: float(mines < 70))
    for metric in ("linear-wins", "linear-found"):
        assert of_grid(claims, metric, even).verdict == "undecided"
        assert of_grid(claims, metric, alike(lambda mines: 0.5, 4000)).verdict == "agrees"
        assert of_grid(claims, metric, sudden).verdict == "differs"


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
    assert minebot.ends(all_wide) == minebot.ends(one)


def test_a_share_of_none_has_room_for_some() -> None:
    assert minebot.shown([0.0] * 16) == "0.0% (0.0% to 19.4%)"
    assert minebot.shown([0.5] * 16) == "50.0% (30.6% to 69.4%)"


def test_figure_3_is_our_inference_and_is_judged_on_its_assumed_board() -> None:
    (found,) = (one for one in oz.CLAIMS if one.id == "figure-3")
    often, seldom = ([(0, stuck.Stuck(binary, 1, 0))] * 100 for binary in (50, 2))
    for seen, verdict in ((often, "agrees"), (seldom, "differs")):
        boards = [
            stuck.Counted(board, 0, tuple(seen if board == stuck.BOARDS[0] else often))
            for board in stuck.BOARDS
        ]
        finding = judge(found, stuck.Data(boards))
        assert (finding.verdict, finding.inferred) == (verdict, True)


def test_a_figure_that_a_reading_was_fitted_to_gets_no_verdict(
    outcomes: dict[str, Outcome],
) -> None:
    first = outcomes["minebot-expert"].findings[0]
    assert (first.id, first.verdict) == ("five-point-six", "not testable")
    assert "minebot, " in first.ours


def test_a_reading_is_favoured_by_what_differs_before_what_agrees() -> None:
    def seen(*verdicts: Verdict) -> list[Finding]:
        return [Finding("", "", verdict) for verdict in verdicts]

    found = {
        "a": seen("agrees", "agrees", "differs"),
        "b": seen("agrees", "undecided", "undecided"),
        "c": seen("undecided", "undecided", "undecided"),
    }
    assert minebot_readings.favoured(found) == ["b"]


def test_the_verdicts_of_other_readings_are_shown_and_not_counted(
    place: Path, outcomes: dict[str, Outcome]
) -> None:
    findings = outcomes["minebot-readings"].findings
    assert {one.reading for one in findings[1:]} == set(READINGS)
    assert not any(one.counted for one in findings)
    markdown = (place / "minebot-readings" / "page.md").read_text("utf-8")
    assert "## Under other readings" in markdown


def test_four_times_the_trials_leave_fewer_outliers() -> None:
    random = Random(1)
    rates = {mines: [float(random.random() < 0.5) for _ in range(800)] for mines in range(2, 101)}
    few, many = (minebot_trials.outliers(rates, 2, trials) for trials in (50, 200))
    assert few.value > 2 * many.value
    assert few.total == 48 * 16 // 3


def test_the_reports_tables_are_shown_under_each_start_rule_and_both_fringes(
    place: Path, outcomes: dict[str, Outcome]
) -> None:
    markdown = (place / "report-winrate" / "page.md").read_text("utf-8")
    assert "| start safe (95%) | start open (95%) | start any (95%) |" in markdown
    assert markdown.count("| Fringe, sums around numbers |") == 3
    readings = {one.reading for one in outcomes["report-cleared"].findings}
    assert {"", "start open", "start any", "sums around numbers, start safe"} <= readings


def test_perfect_play_wins_what_is_published() -> None:
    topology = get("moore", (4, 4))
    around = neighbourhoods(topology)
    fields = [set_of(pair) for pair in combinations(range(16), 2)]
    game = risk.Play(fields, [around[cell] for cell in range(16)])
    assert max(game.won_by(cell, (1 << 16) - 1) for cell in range(16)) == 102


def test_a_risk_pays_only_where_another_cell_wins_more() -> None:
    # Two cells that mirror each other: each guess is even, and neither tells more.
    assert risk.risk_pays(Position.parse("2x3x1\n00\n11\n##")) is False
    # One minefield is left, or too many are: there is nothing to choose, or not all can be tried.
    assert risk.risk_pays(Position.parse("3x1x1\n01#")) is None
    assert risk.risk_pays(Position.parse("9x9x10\n" + 9 * (9 * "#" + "\n"))) is None


def test_the_solver_of_oz_is_timed_and_misses_no_safe_cell(outcomes: dict[str, Outcome]) -> None:
    found = {one.id: one for one in outcomes["oz-tables"].findings}
    assert found["all-safe-moves"].verdict != "differs"
    assert "times" in found["order-of-magnitude"].ours
    assert found["order-of-magnitude: counted in solutions"].reading
    assert found["equations"].arithmetic
