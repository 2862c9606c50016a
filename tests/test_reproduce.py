"""Reproductions: rows that resume and do not depend on workers, findings that follow the rows."""

import json
import os
import random
import re
import signal
import subprocess
import sys
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest
from processes import HANG, started, wait_until

from minewright.cli import main
from minewright.documents.bullets import density as bullets_density
from minewright.documents.bullets import samples as bullets_samples
from minewright.documents.bullets.puzzles import SIDES, Point
from minewright.documents.catalogue import MINUTES, cheapest_first, reproductions
from minewright.documents.claims import Claim, Finding, Verdict, judge, within
from minewright.documents.estimates import exact
from minewright.documents.publish import shrunk
from minewright.documents.site import Findings, Listing, verdicts
from minewright.documents.study import Picture, Reproduction, Study
from minewright.documents.work import ReproductionError, Request, Scale
from minewright.lab import store
from minewright.lab.files import StoreError
from minewright.lab.page import Page, Paragraph, Table
from minewright.lab.pieces import Piece, claim, complete
from minewright.lab.statistics import Mean, student, wilson
from minewright.lab.store import SHARDS
from minewright.work.progress import Quiet

# The real experiment in short, as a program that can be killed; each of its pieces has 2 puzzles.
# Once it has kept as many pieces as it may, it waits to be killed: however late that comes, the run
# is not over. And it never reports its progress, however long it takes.
SHORT = """
import sys, time
from minewright.cli import bars, main
from minewright.documents.bullets import density, puzzles
from minewright.lab import store
density.SIDES = (4, 7)
density.PUZZLES = {"quick": 4}
density.ITERATIONS = 30
puzzles.PIECE = 2
store.SHARD_ROWS = 2
bars.LINE_SECONDS = 1e9
left = int(sys.argv[1])
keep = store.Store.keep
def keep_or_wait(*piece):
    global left
    if not left:
        time.sleep(1e6)
    left -= 1
    keep(*piece)
store.Store.keep = keep_or_wait
sys.exit(main(["reproduce", "bullets-density", "--out", *sys.argv[2:]]))
"""
ALL = 1_000
"""More pieces than the experiment has."""
SOME = 20


def start(
    out: Path, *options: str, most: int = ALL
) -> AbstractContextManager[subprocess.Popen[str]]:
    return started([sys.executable, "-c", SHORT, str(most), out, *options])


def pieces(out: Path) -> list[Path]:
    return sorted((out / "bullets-density" / SHARDS).glob("[!.]*"))


def wait_for_more(out: Path, before: int) -> None:
    assert wait_until(lambda: len(pieces(out)) > before), "nothing came of it"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run the short experiment without a break, with one worker."""
    out = tmp_path_factory.mktemp("whole")
    with start(out, "--workers", "1") as run:
        shown, wrong = run.communicate()
    assert (run.returncode, wrong) == (0, "")
    assert "A bullet density of approximately 0.3" in shown
    return out / "bullets-density"


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_run_killed_again_and_again_ends_with_the_rows_of_an_unbroken_one(
    whole: Path, tmp_path: Path
) -> None:
    chance = random.Random(4)
    for _ in range(3):
        before = len(pieces(tmp_path))
        with start(tmp_path, "--workers", "2", most=SOME) as run:
            wait_for_more(tmp_path, before + chance.randrange(3))
            run.kill()
            run.communicate()
    assert len(pieces(tmp_path)) < len(pieces(whole.parent))
    kept = {path: path.stat().st_mtime_ns for path in pieces(tmp_path)}
    with start(tmp_path, "--workers", "2") as run:
        run.communicate()
    assert run.returncode == 0
    for name in ("puzzles.csv", "table.csv", "page.md", "figure7.svg"):
        assert (tmp_path / "bullets-density" / name).read_bytes() == (whole / name).read_bytes()
    assert all(path.stat().st_mtime_ns == made for path, made in kept.items())


@pytest.mark.skipif(os.name == "nt", reason="needs signals of POSIX")
def test_an_interrupt_stops_at_once_keeps_what_is_done_and_says_how_to_go_on(
    tmp_path: Path,
) -> None:
    with start(tmp_path, most=SOME) as run:
        wait_for_more(tmp_path, 0)
        run.send_signal(signal.SIGINT)
        shown, said = run.communicate(timeout=HANG)
    assert (run.returncode, shown) == (130, "")
    assert said.count("\n") == 1
    assert "the same command continues" in said
    assert pieces(tmp_path)
    assert not list((tmp_path / "bullets-density" / SHARDS).glob(".*"))


def test_every_row_is_one_puzzle_of_the_papers_energy(whole: Path) -> None:
    head, *rows = (whole / "puzzles.csv").read_text(encoding="utf-8").splitlines()
    names = head.split(",")
    table = [dict(zip(names, map(float, row.split(",")), strict=True)) for row in rows]
    assert len(table) == 4 * (12 + 39)
    assert len({(row["stream"]) for row in table}) == len(table)
    for row in table:
        assert row["energy"] == -1.5 * row["n1"] + row["n2"] * (row["n2"] - 3)
        assert 0 < row["clues"] <= row["side"] ** 2 - row["bullets"]


def quarter(made: Path, number: int) -> tuple[float, ...]:
    """Make a row, and leave a sign that it was made."""
    with made.open("a") as marks:
        marks.write(".")
    return (number, number / 4)


def completed(directory: Path, workers: int = 1) -> tuple[list[list[tuple[float, ...]]], int]:
    """Complete three small pieces; return the rows, and how many had to be made."""
    made = directory / "made"
    made.write_text("")
    some = [Piece(name, range(4), 1.0, partial(quarter, made)) for name in ("a", "b", "c")]
    return complete(directory, some, workers, Quiet()), len(made.read_text())


def test_a_piece_is_made_once_and_made_again_only_if_its_file_is_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "SHARD_ROWS", 1)
    claim(tmp_path, {"name": "test"})
    rows, made = completed(tmp_path, workers=2)
    assert (len(rows), made) == (3, 12)
    assert completed(tmp_path) == (rows, 0)
    shard = sorted((tmp_path / SHARDS).iterdir())[1]
    shard.write_bytes(shard.read_bytes()[:-1])
    assert completed(tmp_path) == (rows, 4)
    shard = sorted((tmp_path / SHARDS).glob("*.parquet"))[1]
    shard.unlink()
    assert completed(tmp_path) == (rows, 4)


def test_a_failure_in_one_piece_ends_the_run_with_it_and_keeps_the_others(tmp_path: Path) -> None:
    def fail(number: int) -> tuple[float, ...]:
        raise OSError("the disk is full")

    claim(tmp_path, {"name": "test"})
    some = [Piece("good", range(1), 1.0, lambda number: (1.0,)), Piece("bad", range(1), 1.0, fail)]
    with pytest.raises(OSError, match="the disk is full"):
        complete(tmp_path, some, 1, Quiet())
    good = Piece("good", range(1), 1.0, fail)
    # Its row exists: nothing has to be made.
    assert complete(tmp_path, [good], 1, Quiet()) == [[(1.0,)]]


def test_a_directory_takes_only_its_own_run(tmp_path: Path) -> None:
    claim(tmp_path, {"name": "one", "seed": 1})
    claim(tmp_path, {"name": "one", "seed": 1})
    with pytest.raises(StoreError, match=r"holds another run .*seed 1.*this one .*seed 2"):
        claim(tmp_path, {"name": "one", "seed": 2})
    (tmp_path / "run.json").write_text('{"run": {"a": "\\u001b[2J\\n' + "x" * 10**6 + '"}}')
    with pytest.raises(StoreError) as refused:
        claim(tmp_path, {"name": "one", "seed": 1})
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 1_000


@pytest.mark.parametrize(
    "damage",
    [
        {"title": 7},
        {"title": "\ud800"},
        {"size": None},
        {"other": ""},
        {"figure": {"file": 1, "words": ""}},
        {"findings": [{"paper": "", "ours": "", "verdict": "perhaps"}]},
        {"findings": [{"paper": "", "ours": "", "verdict": []}]},
        {"findings": ["one"]},
        {"findings": 1},
    ],
    ids=lambda damage: next(iter(damage)),
)
def test_what_was_kept_of_a_reproduction_counts_only_if_it_is_whole(
    tmp_path: Path, damage: dict[str, object]
) -> None:
    listing, finding = Listing("known", "Known", "paper"), Finding("5%", "6%", "differs")
    kept = Listing("known", "Known", "paper", findings=(finding,), made="today")
    kept.keep(tmp_path)
    assert listing.found(tmp_path) == kept
    place = tmp_path / "known" / "outcome.json"
    place.write_text(json.dumps(json.loads(place.read_bytes()) | damage), encoding="utf-8")
    assert listing.found(tmp_path) == listing


@pytest.mark.parametrize(
    "damage",
    ["{", "[" * 100_000, "\0" * 2**24, None],
    ids=["cut off", "nested", "large", "directory"],
)
def test_a_directory_whose_run_cannot_be_read_takes_none_and_shows_none(
    tmp_path: Path, damage: str | None
) -> None:
    listing = Listing("known", "Known", "paper")
    kept = tmp_path / "known" / "outcome.json"
    kept.parent.mkdir()
    for path in (tmp_path / "run.json", kept):
        if damage is None:
            path.mkdir()
        else:
            path.write_text(damage, encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be read"):
        claim(tmp_path, {"name": "one", "seed": 1})
    assert listing.found(tmp_path) == listing


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing"], "there are bullets-samples, bullets-density"),
        ([], "--list"),
        (["bullets-samples", "--list"], "leave out"),
        (["--all", "--list"], "--all does not go with --list"),
        (["bullets-samples", "--all"], "leave out"),
        (["bullets-samples", "--scale", "huge"], "quick"),
        (["bullets-samples", "--workers", "0"], "workers"),
        (["bullets-samples", "--out", __file__], "choose another --out"),
    ],
)
def test_a_mistake_is_one_line_that_tells_how_to_mend_it(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reproduce", *arguments]) == 2
    shown, said = capsys.readouterr()
    assert shown == ""
    assert said.count("\n") == 1
    assert words in said


def test_the_list_names_every_reproduction(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "--list"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == list(reproductions())
    assert names[:2] == ["bullets-samples", "bullets-density"]


def test_the_figure_of_samples_comes_with_page_tables_and_plots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: dict[Scale, int] = {"quick": 3, "paper": 3}
    monkeypatch.setattr(bullets_samples, "PUZZLES", sizes)
    monkeypatch.setattr(bullets_samples, "LONG_PUZZLES", sizes)
    monkeypatch.setattr(bullets_samples, "ITERATIONS", 4)
    monkeypatch.setattr(bullets_samples, "LONG_ITERATIONS", 8)
    outcome = reproductions()["bullets-samples"].run(Request("quick", tmp_path, Quiet()))
    place = tmp_path / "bullets-samples"
    assert outcome.page == place / "index.html"
    html, markdown = outcome.page.read_text("utf-8"), (place / "page.md").read_text("utf-8")
    for finding in outcome.findings:
        assert finding.ours in markdown
        assert finding.paper in html
    assert (place / "figure6.png").read_bytes().startswith(b"\x89PNG")
    assert "</svg>" in (place / "figure6.svg").read_text("utf-8")
    assert len((place / "table.csv").read_text("utf-8").splitlines()) == 1 + 4 * 10 + 1


def small(name: str, verdict: Verdict) -> Reproduction:
    """Return a reproduction with one claim and one picture; one that differs lacks something."""

    def measure(request: Request) -> float:
        if verdict == "differs":
            raise ReproductionError("it needs what is not there")
        return 1.0

    def draw(data: float, path: Path) -> None:
        path.with_suffix(".svg").write_text("<svg/>", encoding="utf-8")

    wins: Claim[float] = Claim(
        "wins",
        f"{name} <wins>.",
        "page 1",
        "It is counted.",
        lambda data: [exact("", data)],
        within(1, 1),
    )
    return Study(
        name,
        f"About {name}",
        "Somebody",
        name,
        lambda request: ["What was done."],
        measure,
        [wins],
        [Picture("plot", "A plot", draw)],
        lambda data: {"table.csv": f"{data}\n"},
    )


def test_all_runs_what_can_run_and_its_pages_link_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kinds: dict[str, Verdict] = {"one": "agrees", "two": "differs", "three": "undecided"}
    known = {name: small(name, verdict) for name, verdict in kinds.items()}
    monkeypatch.setattr("minewright.documents.catalogue.reproductions", lambda: known)
    assert main(["reproduce", "--all", "--out", str(tmp_path)]) == 2
    shown, said = capsys.readouterr()
    assert said.count("\n") == 1
    assert "1 of 3 did not run; two: it needs what is not there" in said
    assert f"The page is {tmp_path / 'index.html'}" in shown
    index = (tmp_path / "index.html").read_text("utf-8")
    links = set(re.findall(r'(?:href|src)="([^"]+)"', index))
    assert links == {
        "one/index.html",
        "one/plot.svg",
        "three/index.html",
        "three/plot.svg",
    }
    assert "one &lt;wins&gt;." in index
    two = "<td><code>two</code></td><td>About two</td><td>Somebody</td><td>not run here"
    assert two in index
    for name in ("one", "three"):
        assert 'href="../index.html"' in (tmp_path / name / "index.html").read_text("utf-8")


def test_what_was_run_is_published_by_document_and_what_is_missing_comes_from_a_quick_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # One that differs does not run.
    kinds: dict[str, Verdict] = {"one-a": "agrees", "one-b": "undecided", "two": "differs"}
    known = {name: small(name, verdict) for name, verdict in kinds.items()}
    monkeypatch.setattr("minewright.documents.catalogue.reproductions", lambda: known)
    full, quick, docs = (tmp_path / part for part in ("full", "quick", "docs"))
    assert main(["reproduce", "one-a", "--scale", "paper", "--out", str(full)]) == 0
    for name in known:
        assert main(["reproduce", name, "--out", str(quick)]) == (2 if name == "two" else 0)
    capsys.readouterr()
    publish = ["reproduce", "--publish", str(docs), "--out", str(full), "--fallback", str(quick)]
    assert main(publish) == 0
    told = capsys.readouterr().out.splitlines()
    assert told == [str(docs / name) for name in ("one.md", "README.md")]
    page = (docs / "one.md").read_text("utf-8")
    assert page.index("## About one-b") < page.index("A quick look")
    assert page.count("A quick look") == 1
    assert "`minewright reproduce one-a --scale paper` (20" in page
    for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page):
        assert (docs / picture).is_file()
    summary = (docs / "README.md").read_text("utf-8")
    assert "2 claims: 2 agree." in summary
    assert "1 of 3 have not been run." in summary
    assert "| **All** |  | 1 of 2 full | 2 | 2 | 0 | 0 | 0 |" in summary


def test_a_published_picture_keeps_its_words_as_text_and_its_shapes_within_a_tenth() -> None:
    outlined = """<svg><metadata>who</metadata>
  <g id="text_1">
   <!-- Easy &amp; 8x8x9 -->
   <g style="fill: #111111" transform="translate(10.5 20) rotate(-90) scale(0.12 -0.12)">
    <defs><path id="E" d="M 628 4666"/></defs>
    <use xlink:href="#E"/>
   </g>
  </g>
  <path d="M 1.0049 -2.96
L 100 0.04"/>
</svg>"""
    assert (
        shrunk(outlined)
        == """<svg>
<g id="text_1">
<text style="fill: #111111" transform="translate(10.5 20) rotate(-90)" font-size="12" \
font-family="'DejaVu Sans',Verdana,sans-serif">Easy &amp; 8x8x9</text>
</g>
<path d="M 1 -3 L 100 0"/>
</svg>
"""
    )
    # The letters of a formula may be drawn among those of a word before it.
    formula = outlined.replace("<path d", "<!-- $10^{2}$ --><path d")
    assert '<use xlink:href="#E"/>' in shrunk(formula)


def test_nothing_is_published_of_an_empty_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reproduce", "--publish", str(tmp_path / "docs"), "--out", str(tmp_path)]) == 2
    assert "no reproduction has been run in" in capsys.readouterr().err
    assert main(["reproduce", "--all", "--fallback", str(tmp_path)]) == 2
    assert "--fallback goes with --publish" in capsys.readouterr().err


def test_all_begins_with_the_cheapest_and_knows_the_cost_of_each() -> None:
    assert MINUTES.keys() == reproductions().keys()
    costs = [MINUTES[one.name] for one in cheapest_first(reproductions().values())]
    assert costs == sorted(costs)


def curve(*values: float, error: float = 0.01) -> list[Mean]:
    return [Mean(value, error, 1.645 * error) for value in values]


BENT = (0.0, -1.0, -2.0, -2.1, -2.2, -2.3, -2.4, -2.5, -2.6, -2.7)
EVEN = tuple(-float(count) for count in range(10))


def samples(name: str, curves: dict[int, list[Mean]]) -> Finding:
    """Judge a claim about samples by invented curves."""
    (found,) = (one for one in bullets_samples.CLAIMS if one.id == name)
    return judge(found, bullets_samples.Data({}, curves, [], []))


def test_the_elbow_is_where_the_curve_bends_within_what_chance_allows() -> None:
    assert bullets_samples.elbow(curve(*BENT), 0.9) == (3, (3, 3))
    at, (low, high) = bullets_samples.elbow(curve(*BENT, error=0.5), 0.9)
    assert at == 3
    assert low < 3 < high


def test_energy_falls_only_if_it_does_on_every_grid() -> None:
    falling, flat = curve(*EVEN), curve(*[0.0] * 10)
    assert samples("energy-falls", dict.fromkeys(SIDES, falling)).verdict == "agrees"
    assert samples("energy-falls", dict.fromkeys(SIDES, flat)).verdict == "undecided"
    risen = curve(*EVEN[:5], EVEN[4] + 0.5, *EVEN[6:])
    curves = dict.fromkeys(SIDES, falling)
    assert samples("no-step-up", curves).verdict == "agrees"
    assert samples("no-step-up", curves | {7: risen}).verdict == "differs"


def test_the_words_about_the_first_three_samples_follow_the_rows() -> None:
    bent, even = (dict.fromkeys(SIDES, curve(*values)) for values in (BENT, EVEN))
    few = dict.fromkeys(SIDES, curve(*BENT, error=1.0))
    for name in ("first-three", "levels-off"):
        found = [samples(name, curves).verdict for curves in (bent, even, few)]
        assert found == ["agrees", "differs", "undecided"]


def dense(side: int, best: float, error: float = 0.001) -> list[bullets_density.Dense]:
    """Return a line with its least energy at the given density."""
    flat = Mean(1.0, 0.01, 0.02)
    points = [Point(side, count, 3, 500) for count in range(1, side**2)]
    return [
        bullets_density.Dense(
            point, Mean(abs(point.density - best), error, 2 * error), flat, flat, flat
        )
        for point in points
    ]


def density(name: str, lines: dict[int, list[bullets_density.Dense]]) -> Finding:
    """Judge a claim about density by invented lines."""
    (found,) = (one for one in bullets_density.CLAIMS if one.id == name)
    return judge(found, bullets_density.Data({}, lines))


def test_about_0_3_is_decided_by_the_whole_range_that_chance_allows() -> None:
    lines = {side: dense(side, 0.3) for side in SIDES}
    agreeing = density("ideal-density", lines)
    assert agreeing.verdict == "agrees"
    assert "n = 4: 0.3125" in agreeing.ours
    assert density("ideal-density", lines | {7: dense(7, 0.49)}).verdict == "differs"
    # The best density itself is 0.31, and chance allows any other.
    assert density("ideal-density", lines | {7: dense(7, 0.3, error=1.0)}).verdict == "undecided"


def test_steps_and_the_books_density_are_decided_by_intervals_and_not_by_means() -> None:
    unsure = {side: dense(side, 0.3, error=1.0) for side in SIDES}
    for name in ("less-sensitive", "more-type-0", "fewer-type-1", "book-density"):
        assert density(name, unsure).verdict == "undecided"
    assert density("book-density", {7: dense(7, 0.3)}).verdict == "agrees"


def test_intervals_are_those_of_the_tables() -> None:
    assert student(24, 0.9) == pytest.approx(1.7109, abs=1e-3)
    assert student(5, 0.9) == pytest.approx(2.0150, rel=0.01)
    assert Mean.of([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).half == pytest.approx(2.015 * 0.76376, rel=0.01)
    assert wilson(15, 50, 0.95) == pytest.approx((0.1910, 0.4375), abs=1e-4)
    assert wilson(0, 20)[0] == 0.0


def test_what_was_changed_after_results_had_been_seen_stands_on_the_page(tmp_path: Path) -> None:
    changed: Claim[float] = Claim(
        "x",
        "A.",
        "page 1",
        "So.",
        lambda data: [exact("", data)],
        within(0, 1),
        changed="It was B.",
    )
    study = Study("one", "", "", "One", lambda _: [], lambda _: 1.0, [changed], [], lambda _: {})
    study.run(Request("quick", tmp_path, Quiet()))
    text = (tmp_path / "one" / "page.md").read_text("utf-8")
    assert "changed after results had been seen\n\nIt was B.\n" in text
    assert "| A. (page 1) | So. Rule: from 0 to 1. | 1. | agrees |" in text


def test_claims_are_shown_with_their_rules_before_anything_is_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["reproduce", "minebot-expert", "--claims"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("minebot-expert: 5 claims of MineBot\n")
    assert "  Rule: above 50.0% counts as 'usually'.\n" in shown


def test_what_the_paper_does_not_say_is_marked_and_not_counted() -> None:
    said, inferred = Finding("A.", "B.", "agrees"), Finding("C.", "D.", "differs", inferred=True)
    assert verdicts([said, inferred]) == "1 agrees"
    both = [said, inferred]
    for text in (Findings(both).markdown(), Findings(both).html()):
        assert "Our inference: C." in text
        assert "inference: A." not in text


def test_names_stand_on_one_line_and_sentences_do_not() -> None:
    row = ("single-point + safest", "< 0.001", "It guesses where it is least likely to lose.")
    written = Table(("player", "p", "why"), [row]).html()
    cells = re.findall(r"<td([^>]*)>", written)
    assert cells == [' class="name"', ' class="figure"', ""]


def test_only_columns_of_figures_stand_on_the_right() -> None:
    rows = [("9x9", "1,000", "5.6% (3.9% to 8.0%)", "too few"), ("1 one", "-", "-1.0 ± 0.2", "")]
    table = Table(("board", "games", "won", "note"), rows)
    assert "| --- | ---: | ---: | --- |" in table.markdown()
    assert table.html().count('<td class="figure">') == 4


def test_a_page_says_the_same_in_both_ways_and_shows_odd_signs_as_they_are() -> None:
    page = Page("a < b", [Paragraph("x & y"), Table(("p|q",), [("<b>",)])])
    assert page.markdown() == "# a < b\n\nx & y\n\n| p\\|q |\n| --- |\n| <b> |\n"
    assert "<p>x &amp; y</p>" in page.html()
    assert ">&lt;b&gt;</td>" in page.html()
