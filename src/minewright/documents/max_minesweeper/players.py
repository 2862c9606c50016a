"""What both tables of Kofford share: his players, what he prints, and how it is set beside ours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean
from typing import Final

from minewright.documents.claims import Claim, NotTestable, near, near_mean, within
from minewright.documents.estimates import (
    Estimate,
    Share,
    less_printed,
    mean,
    mean_less_printed,
    number,
)
from minewright.documents.work import Arm, Played
from minewright.game import StartRule

THEIR_GAMES: Final = 50
# He looked for solutions of all numbers at once, not component by component.
CHECK_ALL, BREAK_EARLY, EXISTS = (
    "max-checkall:grouping=board",
    "max-breakearly:grouping=board",
    "max-exists",
)
# The text asks two questions of every cell. Ours skips those that a solution has answered: it
# concludes the same, and is faster. Times are compared with all questions asked.
ALL_ASKED: Final = "max-exists:questions=all"
METHODS: Final = {CHECK_ALL: "1 checkall", BREAK_EARLY: "2 breakearly", EXISTS: "3 exists"}
GUESSERS: Final = {"random": "1 random", "neighbour": "2 neighbour", "best-neighbour": "3 best"}
BEST: Final = "best-neighbour"
STARTS: Final[tuple[StartRule, StartRule]] = ("safe", "any")
EASY, MEDIUM, HARD = "9x9x10", "16x16x40", "30x16x99"


@dataclass(frozen=True, slots=True)
class Printed:
    """What the paper prints about 50 games: guesses and seconds are means."""

    won: int
    guesses_won: float
    guesses_lost: float
    seconds: float

    @property
    def share(self) -> Share:
        """The share of games won."""
        return Share(self.won, THEIR_GAMES)


SILENT: Final = (
    "He says neither how large his easy, medium and hard boards are nor whether the first opening "
    "can explode. Taken are the usual levels, 9x9x10, 16x16x40 and 30x16x99, and both start "
    "rules: safe (the first opening never explodes, and is not counted as a guess) and any (it "
    "may, and is counted). The first opening is at random, as his guessers have nothing to go by. "
    "Guesser 3 takes the number with the lowest ratio, as it must be meant; the text says the "
    "highest."
)
CHANGED: Final = (
    "Until version 0.2 a printed share differed if the interval of ours less theirs excluded 0, "
    "and agreed within ±10 points whatever its size. Now the tolerance fits the size of the share, "
    "and the one rule holds; results had been seen."
)


def arm(method: str, guesser: str, start: StartRule = "safe", board: str = EASY) -> Arm:
    """Return a method with a guesser on a board."""
    return Arm(method, board, start, guesser=guesser)


def arms(method: str, guesser: str, board: str = EASY) -> list[Arm]:
    """Return a player under both start rules."""
    return [arm(method, guesser, start, board) for start in STARTS]


def printed_wins(
    name: str, says: str, where: str, players: Sequence[Arm], printed: Printed
) -> Claim[Played]:
    """Return the claim that a printed number of wins fits ours under one of the start rules."""

    def measure(played: Played) -> list[Estimate]:
        theirs = printed.share.estimate("")
        return [
            less_printed(
                f"start {one.start}, {played.share(one).value:.1%} won:",
                played.won("", one),
                theirs,
            )
            for one in players
        ]

    return Claim(
        name,
        says,
        where,
        f"Share won on {players[0].board} less his of {THEIR_GAMES} games, under both start rules.",
        measure,
        near(printed.share.value),
        either=True,
        changed=CHANGED,
    )


def one_guess(name: str, says: str, where: str, players: Sequence[Arm]) -> Claim[Played]:
    """Return the claim that lost games have one guess."""

    def measure(played: Played) -> list[Estimate]:
        return [
            found
            for one in players
            for found in played.mean(f"start {one.start}:", one, "guesses", won=False)
        ]

    return Claim(
        name,
        says,
        where,
        f"Mean number of guesses in lost games on {players[0].board}, under both start rules.",
        measure,
        within(0.75, 1.25),
        either=True,
    )


def printed_guesses(
    name: str, words: str, where: str, players: Sequence[Arm], printed: Printed
) -> list[Claim[Played]]:
    """Return the claims of the two printed means of guesses, in won games and in lost ones."""
    return [
        Claim(
            f"guesses-{outcome}-{name}",
            f"{words}: {theirs:g} guesses in {outcome} games.",
            where,
            f"Mean guesses in {outcome} games on {players[0].board} less his of {games}, whose "
            "spread he does not give and which are taken to spread as ours do, under both start "
            "rules.",
            partial(_less_printed, players, outcome == "won", theirs, games),
            near_mean(theirs),
            either=True,
        )
        for outcome, theirs, games in (
            ("won", printed.guesses_won, printed.won),
            ("lost", printed.guesses_lost, THEIR_GAMES - printed.won),
        )
    ]


def _less_printed(
    players: Sequence[Arm], won: bool, theirs: float, games: int, played: Played
) -> list[Estimate]:
    found = []
    for one in players:
        values = played.values(one, "guesses", won=won)
        if len(values) > 1:
            own = mean_less_printed(values, theirs, games)
            found.append(replace(own, of=f"start {one.start}, {fmean(values):.2f} guesses:"))
    return found


def printed_times(
    says: str, where: str, players: Mapping[str, Arm], printed: Mapping[str, float]
) -> Claim[Played]:
    """Return the claim of printed seconds, which another machine cannot meet or miss."""

    def measure(played: Played) -> list[Estimate]:
        return [
            mean(f"{name} ({printed[name]:.3f}):", played.values(one, "cpu_seconds"), number)
            for name, one in players.items()
        ]

    return Claim(
        "seconds",
        says,
        where,
        "Mean processor time of a game, start safe, all questions asked; his in brackets.",
        measure,
        NotTestable(
            "Seconds of another machine, language and solver cannot be compared; which player is "
            "faster can, and is a claim of its own."
        ),
    )


HEAD: Final = (
    "who",
    "games",
    "won (95% interval)",
    "guesses in won (± 95%)",
    "guesses in lost (± 95%)",
    "seconds per game",
)
FILES: Final = (
    "± gives half the width of the 95% interval. Our seconds are of the processor. table.csv has "
    "the figures of every player, games.csv every game."
)


def their_cells(theirs: Printed) -> tuple[str, ...]:
    """Write a printed row."""
    return (
        "paper",
        str(THEIR_GAMES),
        str(theirs.share),
        f"{theirs.guesses_won:.2f}",
        f"{theirs.guesses_lost:.2f}",
        f"{theirs.seconds:.3f}",
    )


def our_cells(played: Played, one: Arm) -> tuple[str, ...]:
    """Write the row of one of our players."""
    return (
        f"ours, {one.start}",
        f"{played.results[one].games:,}",
        str(played.share(one)),
        _guesses(played, one, won=True),
        _guesses(played, one, won=False),
        f"{played.results[one].cpu_seconds:.4f}",
    )


def _guesses(played: Played, one: Arm, *, won: bool) -> str:
    for found in played.mean("", one, "guesses", won=won):
        return f"{found.value:.2f} ± {found.ends(0.95)[1] - found.value:.2f}"
    return "too few"


def tables(played: Played) -> dict[str, str]:
    """Return the figures of every player and every game as CSV."""
    return {"table.csv": played.table_csv(), "games.csv": played.games_csv()}
