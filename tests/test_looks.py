"""More games for undecided claims: the error of all looks is bounded, and no game is lost."""

from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from minewright.cli import main
from minewright.documents import looks
from minewright.documents.catalogue import run
from minewright.documents.claims import Claim, Rule, above, exactly, judge, within
from minewright.documents.estimates import Estimate, Share, less_printed
from minewright.documents.study import Study
from minewright.documents.work import Arm, Experiment, Piece, Played, Request, Row, make, play
from minewright.lab.experiment import Duel, ExperimentError
from minewright.lab.run import Run
from minewright.work.executors import processes
from minewright.work.progress import Quiet

NAME = "looks"
GAMES = {"quick": 30, "paper": 300}
PLAYER = Arm("exact", "5x5x6", "any")
OTHER = Arm("exact", "4x4x2", "safe")


def won(played: Played) -> list[Estimate]:
    """Estimate the share of games won."""
    return [played.won("", PLAYER)]


@dataclass
class Games:
    """A measurement by games, which may be interrupted before some look."""

    interrupt: int = 9
    seen: list[int] = field(default_factory=list)

    def __call__(self, request: Request) -> Played:
        """Play what the look asks for."""
        if request.look == self.interrupt:
            raise KeyboardInterrupt
        games = GAMES[request.scale]
        first, second = (
            Experiment(one.board, (one,), games, request.seed) for one in (PLAYER, OTHER)
        )
        played = play(request, NAME, first, second)
        self.seen.append(played.results[PLAYER].games)
        return played


def study(measure: Games, *rules: Rule) -> Study[Played]:
    """Make a study with a claim for each rule about the share of games won."""
    claims = [
        Claim(f"claim-{at}", "It wins.", "page 1", "Counted.", won, rule)
        for at, rule in enumerate(rules)
    ]
    return Study(NAME, "", "", "Looks", lambda _: [], measure, claims, [], lambda _: {})


def asked(place: Path) -> Request:
    """Ask for more games while a claim is undecided."""
    return Request("quick", place, Quiet(), look=1)


def kept(place: Path) -> dict[Path, bytes]:
    """Return all files of rows."""
    return {path.relative_to(place): path.read_bytes() for path in place.rglob("*.parquet")}


def test_all_looks_together_err_no_more_often_than_a_single_one() -> None:
    random, runs, games, truth = np.random.default_rng(14), 1500, 100, 0.3
    # This claims exactly what is true, so any verdict against it is wrong.
    claim: Claim[Share] = Claim("x", "", "", "", lambda share: [share.estimate("")], exactly(truth))
    added = random.binomial(games * np.array([1, 1, 2, 4]), truth, (runs, looks.LAST))
    wrong = careless = 0
    for counts in added.cumsum(1):
        shares = [Share(int(count), games * 2**at) for at, count in enumerate(counts)]
        wrong += any(
            judge(claim, share, look).verdict == "differs" for look, share in enumerate(shares, 1)
        )
        careless += any(judge(claim, share).verdict == "differs" for share in shares)
    assert wrong <= 0.05 * runs
    # Looking just as often without paying for it errs more often.
    assert careless > 0.08 * runs


def test_games_are_doubled_until_a_claim_is_decided_and_its_verdict_stays(tmp_path: Path) -> None:
    measure = Games()
    early, late = run(study(measure, above(0.01), above(0.5)), asked(tmp_path)).findings
    assert (early.verdict, early.look) == ("agrees", 1)
    assert (late.verdict, late.look) == ("differs", 3)
    assert measure.seen == [30, 60, 120]
    text = (tmp_path / NAME / "page.md").read_text("utf-8")
    rows = (
        "| 1 | the scale's | 2.50% | claim-0 |",
        "| 3 | 4 times the scale's | 0.63% | claim-1 |",
    )
    assert all(row in text for row in rows)
    assert (
        "The last look was number 3, as more games of ours would decide nothing. Undecided: none."
        in text
    )
    assert "--scale quick --seed 0 --decide" in text


def test_a_claim_that_stays_undecided_gets_games_up_to_the_limit(tmp_path: Path) -> None:
    measure = Games()
    (finding,) = run(study(measure, above(0.34)), asked(tmp_path)).findings
    assert (finding.verdict, finding.look) == ("undecided", looks.LAST)
    assert measure.seen == [30, 60, 120, 240]
    text = (tmp_path / NAME / "page.md").read_text("utf-8")
    assert "The last look was number 4, the limit. Undecided: claim-0." in text


def test_more_games_are_played_only_if_they_may_decide_something(tmp_path: Path) -> None:
    theirs = Share(10, 30).estimate("")
    measure = Games()
    few: Claim[Played] = Claim(
        "few",
        "",
        "",
        "",
        lambda played: [less_printed("", won(played)[0], theirs)],
        within(-0.1, 0.1),
    )
    ours = replace(few, id="ours", measure=won, rule=above(0.34), inferred=True)
    outcome = run(replace(study(measure), claims=[few, ours]), asked(tmp_path))
    assert [one.verdict for one in outcome.findings] == ["undecided", "undecided"]
    assert outcome.findings[0].theirs_too_few
    assert measure.seen == [30]


def test_a_run_cut_short_between_looks_goes_on_without_playing_a_game_again(tmp_path: Path) -> None:
    broken, whole = tmp_path / "broken", tmp_path / "whole"
    # A run that did not ask for more, then two that are interrupted.
    run(study(Games(), above(0.5)), Request("quick", broken, Quiet()))
    for look in (2, 3):
        before = kept(broken)
        with pytest.raises(KeyboardInterrupt):
            run(study(Games(interrupt=look), above(0.5)), asked(broken))
        assert before.items() <= kept(broken).items()
        text = (broken / NAME / "page.md").read_text("utf-8")
        assert f"The last look was number {look - 1}, and the same command continues." in text
    again, once = Games(), Games()
    outcome = run(study(again, above(0.5)), asked(broken))
    assert outcome.findings == run(study(once, above(0.5)), asked(whole)).findings
    assert again.seen == once.seen == [30, 60, 120]
    three = Request("quick", broken, Quiet(), look=3)
    assert Games()(three).values(PLAYER, "stream") == list(range(120))
    # Without more looks, the same run still has only its own games.
    assert Games()(replace(three, look=0)).values(PLAYER, "stream") == list(range(30))


def _number(number: int) -> Row:
    return (float(number),)


def test_rows_of_every_look_continue_those_before(tmp_path: Path) -> None:
    kinds = [Piece("a", range(5), 1.0, _number), Piece("b", range(3), 1.0, _number)]
    for look, counts in ((0, (5, 3)), (1, (5, 3)), (3, (20, 12)), (2, (10, 6))):
        made = make(Request("quick", tmp_path, Quiet(), look=look), "rows", kinds, 2)
        assert made == [[(float(at),) for at in range(count)] for count in counts]
    assert not list(tmp_path.rglob("*.broken"))


def test_an_experiment_that_begins_later_plays_the_later_games_of_the_whole(tmp_path: Path) -> None:
    whole = Experiment("whole", (PLAYER,), 10, seed=3)
    parts = [replace(whole, games=4), replace(whole, begin=4, games=6)]
    assert all(Experiment.read(one.written()) == one for one in parts)
    rows = []
    for at, one in enumerate([whole, *parts]):
        played = Run.create(tmp_path / str(at), one)
        played.play(partial(processes, 1))
        assert played.complete
        rows.append(played.rows().select("stream", "outcome", "signature").rows())
    assert rows[0] == rows[1] + rows[2]
    with pytest.raises(ExperimentError, match="leave out duel or begin"):
        replace(whole, arms=(PLAYER, replace(PLAYER, strategy="pseq")), begin=1, duel=Duel())


def test_the_command_asks_for_more_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known = {NAME: study(Games(), above(0.5))}
    monkeypatch.setattr("minewright.documents.catalogue.reproductions", lambda: known)
    assert main(["reproduce", NAME, "--decide", "--workers", "1", "--out", str(tmp_path)]) == 0
    assert "differs" in capsys.readouterr().out
    assert main(["reproduce", "--publish", str(tmp_path / "docs"), "--out", str(tmp_path)]) == 0
    page = (tmp_path / "docs" / f"{NAME}.md").read_text("utf-8")
    assert f"`minewright reproduce {NAME} --scale quick --decide`" in page
