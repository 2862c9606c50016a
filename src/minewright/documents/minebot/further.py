"""MineBot's Further Research: its improvements one by one, and other neighbourhoods."""

from pathlib import Path
from typing import Final

from minewright.documents.claims import Claim, NotTestable, ahead, never, nothing
from minewright.documents.estimates import Estimate
from minewright.documents.minebot import PAPER
from minewright.documents.minebot.expert import EXPERT
from minewright.documents.study import Picture, Study
from minewright.documents.work import Arm, Experiment, Played, Request, play
from minewright.lab.page import Block, Heading, Paragraph, Table
from minewright.lab.plots import draw_shares

NAME: Final = "minebot-further"
GAMES: Final = {"quick": 150, "paper": 2000}
EDUCATED: Final = "safest:ties=random"


def _expert(strategy: str, guesser: str = "random") -> Arm:
    return Arm(strategy, EXPERT, "any", guesser=guesser)


MINEBOT: Final = _expert("minebot")
BURNOUT: Final = _expert("minebot-plus:improve=burnout")
SIMILARITY: Final = _expert("minebot-plus:improve=similarity")
GUESS: Final = _expert("minebot", EDUCATED)
ALL: Final = _expert("minebot-plus", EDUCATED)
WORDS: Final = {
    MINEBOT: "MineBot as it is",
    BURNOUT: "with the corrected burnout",
    SIMILARITY: "with what all configurations share",
    _expert("minebot-plus"): "with both",
    GUESS: "with the educated guess",
    _expert("minebot-plus:improve=burnout", EDUCATED): "with burnout and the guess",
    _expert("minebot-plus:improve=similarity", EDUCATED): "with similarity and the guess",
    ALL: "with all three",
}
BOARD: Final = "16x16x40"
AROUND: Final = {
    one: Arm("minebot", BOARD, "any", one) for one in ("moore", "torus", "hex", "neumann", "knight")
}


def measure(request: Request) -> Played:
    """Play every improvement, and MineBot with other neighbourhoods, or continue."""
    arms = (*WORDS, *AROUND.values())
    return play(request, NAME, Experiment(NAME, arms, GAMES[request.scale], request.seed))


def _gain(name: str, says: str, better: Arm) -> Claim[Played]:
    def measured(played: Played) -> list[Estimate]:
        return [played.lead("", better, MINEBOT)]

    return Claim(
        name,
        says,
        "Further Research",
        f"Games won on {EXPERT}, start any, less those of MineBot as it is, game by game.",
        measured,
        ahead("an improvement"),
    )


def _wrong(played: Played) -> list[Estimate]:
    return [played.wrong("", *(one for name, one in AROUND.items() if name != "moore"))]


CLAIMS: Final[tuple[Claim[Played], ...]] = (
    _gain(
        "burnout",
        "A fix to burnout, which misses safe locations, is an improvement.",
        BURNOUT,
    ),
    _gain(
        "similarity",
        "To look for similarities across all possible mine configurations is an improvement.",
        SIMILARITY,
    ),
    _gain(
        "guess",
        "To guess among the locations with the least probability is an improvement.",
        GUESS,
    ),
    Claim(
        "other-neighbourhoods",
        "The algorithms may be generalized for games with a different kind of neighbourhood.",
        "Further Research",
        f"The share of games on {BOARD} (torus, hex, neumann and knight) in which MineBot, "
        "unchanged, is wrong about a cell.",
        _wrong,
        never(0.001),
    ),
    Claim(
        "a-human",
        "The most important piece that is missing is the probability that a human wins.",
        "Further Research",
        "Not measured.",
        nothing,
        NotTestable("It takes games of people. The team with a perfect guesser is measured."),
    ),
)


def _about(request: Request) -> list[str]:
    return [
        f"The improvements that {PAPER} planned, one by one and together, on {EXPERT}; and MineBot "
        f"unchanged on {BOARD} with other neighbourhoods. {request.count(GAMES):,} games per "
        f"player (seed {request.seed}), start rule any, the same minefields for all players."
    ]


def _draw(played: Played, path: Path) -> None:
    rows = [
        (words, played.share(one).value, played.share(one).ends(0.95))
        for one, words in WORDS.items()
    ]
    draw_shares(path, f"MineBot's improvements on {EXPERT}, start any", rows)


def _more(played: Played) -> list[Block]:
    rows = [
        (
            words,
            str(played.share(one)),
            "" if one == MINEBOT else played.lead("", one, MINEBOT).told(0.95),
            f"{played.results[one].guesses:.2f}",
            f"{1000 * played.results[one].cpu_seconds:.2g}",
        )
        for one, words in WORDS.items()
    ]
    shapes = [
        (
            name,
            str(played.share(one)),
            f"{played.results[one].cleared:.1%}",
            f"{played.results[one].guesses:.2f}",
            str(played.results[one].blunders),
        )
        for name, one in AROUND.items()
    ]
    return [
        Heading("Which improvement brings what"),
        Table(("MineBot", "won (95% interval)", "more than MineBot", "guesses", "CPU ms"), rows),
        Heading("Other neighbourhoods"),
        Table(("topology", "won (95% interval)", "cleared", "guesses", "games wrong"), shapes),
        Paragraph(
            f"All on {BOARD}, so the density of mines is the same. With fewer neighbours a number "
            "says less about each, and a 0 opens less; a knight's neighbours lie apart, so that "
            "zeros hardly join into regions."
        ),
    ]


STUDY: Final = Study(
    NAME,
    "MineBot: its planned improvements one by one, other neighbourhoods",
    PAPER,
    "MineBot: Further Research",
    _about,
    measure,
    CLAIMS,
    [Picture("improvements", "Games won with each improvement", _draw)],
    lambda played: {"table.csv": played.table_csv()},
    _more,
)
