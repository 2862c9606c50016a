"""What both tables of Kofford share: his players, what he prints, and how it is set beside ours."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from minewright.documents.claims import Claim, near, within
from minewright.documents.estimates import Estimate, Share, difference
from minewright.documents.work import Arm, Played
from minewright.game import StartRule

THEIR_GAMES: Final = 50
# He looked for solutions of all numbers at once, not component by component.
CHECK_ALL, BREAK_EARLY, EXISTS = (
    "max-checkall:grouping=board",
    "max-breakearly:grouping=board",
    "max-exists",
)
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
            difference(
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
