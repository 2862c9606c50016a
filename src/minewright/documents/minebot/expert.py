"""Experiment one of MineBot: expert boards, and the test that the text proposes."""

from pathlib import Path
from typing import Final

from minewright.documents.minebot.boards import PAPER
from minewright.documents.parts import (
    SAME_RULE,
    Interval,
    Share,
    judged,
    listed,
    points,
    same,
)
from minewright.documents.played import Played, play, write_page
from minewright.documents.reproduce import Outcome, Request, register
from minewright.lab.experiment import Arm, Experiment
from minewright.lab.page import Figure, Finding, Findings, Heading, Page, Paragraph, Table
from minewright.lab.plots import draw_shares
from minewright.lab.statistics import CONFIDENCE, wilson

GAMES: Final = {"quick": 300, "paper": 5000}
EXPERT: Final = "30x16x99"
THEIRS: Final = Share(28, 500)
MINEBOT: Final = Arm("minebot", EXPERT, "any")
THOROUGH: Final = Arm("minebot:reading=thorough", EXPERT, "any")
TEAM: Final = Arm("minebot", EXPERT, "any", guesser="safest")
PLUS: Final = Arm("minebot-plus", EXPERT, "any")
COMPLETE: Final = Arm("exact", EXPERT, "any", guesser="random", first="random")
EXACT: Final = Arm("exact", EXPERT, "any")
WORDS: Final = {
    MINEBOT: "MineBot as published",
    THOROUGH: "MineBot that follows an assumption to its end",
    COMPLETE: "every certain cell, and MineBot's random guess",
    TEAM: "MineBot, the safest cell for a guess: the team",
    PLUS: "MineBot with its Further Research",
    EXACT: "exact: every certain cell, the safest guess, begins in a corner",
}


@register("minebot-expert", "MineBot on expert boards: 5.6%, and the team with a human", PAPER)
def expert(request: Request) -> Outcome:
    """Reproduce experiment one, and the test it proposes."""
    name = "minebot-expert"
    directory, run = play(
        request,
        name,
        Experiment(name, tuple(WORDS), GAMES[request.scale], request.seed),
    )
    played = Played(run)
    findings = (
        _published(played),
        _too_optimistic(played),
        _at_most(played),
        _never_wrong(played),
        _second_guess(played),
    )
    _draw_expert(directory, played)
    page = Page(
        "MineBot, experiment one: expert boards",
        [
            Paragraph(
                f"Experiment one of {PAPER}: {EXPERT}, start rule any. "
                f"{GAMES[request.scale]:,} games a player (seed {request.seed}; the text "
                "played 500), the same minefields for all."
            ),
            Figure("won.svg", "Games won on expert boards, with 95% intervals"),
            Heading("Theirs and ours"),
            Findings(findings),
            Paragraph(
                "The text proposes to let a human play wherever MineBot would guess. Here the "
                "human is a guesser that knows the exact chances. The team comes closer to 10% "
                "than MineBot's 5.6% if it wins more than 7.8%; very much more than 20% is more "
                "than 25%; usually is more than half. A claim agrees if the whole 90% interval "
                "lies where it says, differs if none of it does, and is undecided between. "
                f"{SAME_RULE}"
            ),
            Heading("What was missing"),
            Paragraph(
                f"{_parted(played)} A human who knows the exact chances also "
                "opens what is certainly safe where MineBot sees nothing. The first opening "
                "explodes in 99 of 480 games, so no player can win more than 79%; the text "
                "takes these 21% for a limit of the wins, where "
                "they are one of the losses."
            ),
            Heading("Players"),
            Table(
                (
                    "player",
                    "who it is",
                    "won (95% interval)",
                    "cleared",
                    "mines found",
                    "guesses in won",
                    "in lost",
                    "CPU ms",
                ),
                [
                    (
                        arm.player,
                        words,
                        str(played.share(arm)),
                        f"{played.results[arm].cleared:.1%}",
                        f"{played.results[arm].found:.1%}",
                        _mean(played.results[arm].guesses_won),
                        _mean(played.results[arm].guesses_lost),
                        f"{1000 * played.results[arm].cpu_seconds:.2g}",
                    )
                    for arm, words in WORDS.items()
                ],
            ),
            Paragraph("table.csv has these figures, games.csv every game."),
        ],
    )
    return Outcome(write_page(directory, page, run), findings, page.figure)


def _draw_expert(directory: Path, played: Played) -> None:
    ends = {arm: wilson(*_counts(played.share(arm)), 0.95) for arm in WORDS}
    rows = [("MineBot, the text", THEIRS.value, wilson(*_counts(THEIRS), 0.95))]
    rows += [(arm.player, played.share(arm).value, ends[arm]) for arm in WORDS]
    draw_shares(directory / "won", f"{EXPERT}, start any", rows)


def _parted(played: Played) -> str:
    """Say what techniques add and what the guess adds, game by game."""
    told = []
    missing = []
    pairs = {"techniques": (COMPLETE, MINEBOT), "a way to guess": (EXACT, COMPLETE)}
    for what, (more, less) in pairs.items():
        pair = played.paired(more, less, 0.95)
        told.append(points(pair.difference, pair.interval))
        if pair.interval[0] > 0:
            missing.append(what)
    return (
        f"Beyond chance: {listed(missing) if missing else 'neither techniques nor guesses'}. "
        f"All certain cells, with MineBot's own random guess, bring {told[0]}; the safest guess "
        f"instead of a random one, and a corner to begin, bring {told[1]} more."
    )


def _counts(share: Share) -> tuple[int, int]:
    return share.count, share.total


def _mean(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _ends(share: Share) -> Interval:
    return wilson(share.count, share.total, CONFIDENCE)


def _published(played: Played) -> Finding:
    ours = played.share(MINEBOT)
    thorough = played.share(THOROUGH)
    return Finding(
        "MineBot wins 5.6% of 500 expert boards.",
        f"{ours}; if it followed its assumptions to their end, {thorough}.",
        same(ours.less(THEIRS, CONFIDENCE)),
    )


def _too_optimistic(played: Played) -> Finding:
    team = played.share(TEAM)
    return Finding(
        "The hypothesis of 10% was too optimistic, if a human who guesses for MineBot comes no "
        "closer to 10% than MineBot itself.",
        f"The team wins {team}.",
        judged(_ends(team), 0.0, (0.056 + 0.1) / 2),
    )


def _at_most(played: Played) -> Finding:
    best = played.share(EXACT)
    return Finding(
        "No player can possibly win very much more than 20%.",
        f"exact wins {best}.",
        judged(_ends(best), 0.0, 0.25),
    )


def _never_wrong(played: Played) -> Finding:
    one = played.results[MINEBOT]
    return Finding(
        "MineBot never loses except when it is making a guess.",
        f"It is wrong about a cell in {one.blunders} of {one.games:,} games.",
        "differs" if one.blunders else "agrees",
    )


def _second_guess(played: Played) -> Finding:
    guesses = played.values(EXACT, "guesses", won=True)
    more = Share(sum(count > 1 for count in guesses), len(guesses))
    return Finding(
        "After the first there is usually at least one more guess later in the game.",
        f"{more} of the games that exact wins have one.",
        judged(_ends(more), 0.5),
    )
