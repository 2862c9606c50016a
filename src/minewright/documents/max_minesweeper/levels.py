"""Kofford's second table: his best method and guesser on three levels."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from minewright.documents.charts import Dots, draw_dots
from minewright.documents.claims import Claim, NotTestable, above, below, nothing
from minewright.documents.estimates import Estimate, Share, percent, times
from minewright.documents.max_minesweeper import PAPER
from minewright.documents.max_minesweeper.players import (
    ALL_ASKED,
    BEST,
    EASY,
    EXISTS,
    FILES,
    HARD,
    HEAD,
    MEDIUM,
    SILENT,
    STARTS,
    THEIR_GAMES,
    Printed,
    arm,
    arms,
    one_guess,
    our_cells,
    printed_guesses,
    printed_times,
    printed_wins,
    tables,
    their_cells,
)
from minewright.documents.study import Picture, Study
from minewright.documents.work import Experiment, Played, Request, play
from minewright.lab.page import Block, Heading, Paragraph, Table

NAME: Final = "max-levels"
LEVEL_GAMES: Final = {"quick": 50, "paper": 1000}
ASKED_GAMES: Final = {"quick": 20, "paper": 200}
"""How many games are timed with every question asked."""
THEIRS: Final = {
    EASY: Printed(35, 1.0, 1.0, 0.498),
    MEDIUM: Printed(26, 1.0, 1.0, 0.454),
    HARD: Printed(10, 1.2, 1.0, 0.554),
}
LEVELS: Final = {EASY: "easy", MEDIUM: "medium", HARD: "hard"}
OLD_EASY: Final = "8x8x10"
BOARDS: Final = (*THEIRS, OLD_EASY)


def measure(request: Request) -> Played:
    """Play method 3 with guesser 3 on every level under both start rules, or continue."""
    experiment = Experiment.grid(
        NAME,
        strategies=(EXISTS,),
        guessers=(BEST,),
        boards=BOARDS,
        starts=STARTS,
        games=LEVEL_GAMES[request.scale],
        seed=request.seed,
    )
    asked = Experiment.grid(
        "all-asked",
        strategies=(ALL_ASKED,),
        guessers=(BEST,),
        boards=tuple(THEIRS),
        games=ASKED_GAMES[request.scale],
        seed=request.seed,
    )
    return play(request, NAME, experiment, asked)


def _longer(method: str, played: Played) -> list[Estimate]:
    return [played.ratio("", arm(method, BEST, board=HARD), arm(method, BEST), "cpu_seconds")]


def _quick(played: Played) -> list[Estimate]:
    spent = played.values(arm(ALL_ASKED, BEST, board=HARD), "cpu_seconds")
    return [Share(sum(value < 10 for value in spent), len(spent)).estimate("")]


_LONGER: Final[Claim[Played]] = Claim(
    "hardly-longer",
    "Hard games take hardly longer than easy ones (0.554 s and 0.498 s in the table).",
    "The Results, second table",
    "Processor time of a hard game over that of an easy one, start safe, two questions asked of "
    "every cell.",
    partial(_longer, ALL_ASKED),
    below(1.5, times, "hardly longer"),
    inferred=True,
    changed="Until version 0.2 times were taken with answered questions skipped.",
)
_RESULTS: Final = "The Results, second table"
CLAIMS: Final[tuple[Claim[Played], ...]] = (
    *(
        printed_wins(
            f"won-{LEVELS[board]}",
            f"{one.won} of {THEIR_GAMES} games are won on {LEVELS[board]}.",
            _RESULTS,
            arms(EXISTS, BEST, board),
            one,
        )
        for board, one in THEIRS.items()
    ),
    one_guess(
        "one-guess-on-hard",
        "Lost games have 1 guess on every level.",
        _RESULTS,
        arms(EXISTS, BEST, HARD),
    ),
    *(
        claim
        for board, one in THEIRS.items()
        for claim in printed_guesses(
            LEVELS[board], f"On {LEVELS[board]}", _RESULTS, arms(EXISTS, BEST, board), one
        )
    ),
    printed_times(
        "Games take 0.498 s on easy, 0.454 s on medium and 0.554 s on hard.",
        _RESULTS,
        {LEVELS[board]: arm(ALL_ASKED, BEST, board=board) for board in THEIRS},
        {LEVELS[board]: one.seconds for board, one in THEIRS.items()},
    ),
    _LONGER,
    replace(
        _LONGER,
        id="hardly-longer: answered questions skipped",
        measure=partial(_longer, EXISTS),
        reading="answered questions skipped",
    ),
    Claim(
        "under-ten-seconds",
        "On hard the program, even with its window, usually solves a game in less than 10 seconds.",
        "Conclusion",
        "The share of hard games that take less than 10 s of the processor here, two questions "
        "asked of every cell: without a window, and on another machine.",
        _quick,
        above(0.5, percent, "usually"),
    ),
    Claim(
        "faster-than-humans",
        "The best verified time of a human on hard is 32 seconds.",
        "Conclusion",
        "Not measured.",
        nothing,
        NotTestable("It is a record that others keep; no run here can show it."),
    ),
)


def _about(request: Request) -> list[str]:
    return [
        f"The second table of {PAPER}: method 3 (exists) with guesser 3 (best neighbour), "
        f"{THEIR_GAMES} games per level there, {request.count(LEVEL_GAMES):,} here (seed "
        f"{request.seed}). The older easy board, {OLD_EASY}, is there too.",
        SILENT,
    ]


def _draw(played: Played, path: Path) -> None:
    ours = {board: arms(EXISTS, BEST, board) for board in BOARDS}
    draw_dots(
        path,
        "Games won by method 3 with guesser 3",
        BOARDS,
        [
            Dots("paper", [*(one.share for one in THEIRS.values()), None]),
            *(
                Dots(f"ours, start {start}", [played.share(own[at]) for own in ours.values()])
                for at, start in enumerate(STARTS)
            ),
        ],
    )


def _more(played: Played) -> list[Block]:
    rows = []
    for board in BOARDS:
        if board in THEIRS:
            rows.append((board, *their_cells(THEIRS[board])))
        rows += [(board, *our_cells(played, one)) for one in arms(EXISTS, BEST, board)]
        if board in THEIRS:
            asked = arm(ALL_ASKED, BEST, board=board)
            rows.append((board, "ours, safe, all asked", *our_cells(played, asked)[1:]))
    return [
        Heading("Where and why they differ"),
        Paragraph(
            "Both players conclude all that follows from the numbers (not from the mine total) and "
            "guess by the same rule, so the shares of won games should agree if the boards and the "
            "start rule are the same. The number of guesses does not depend on skill either: "
            f"{HARD} asks for several in nearly every game. A mean of 1 there, in lost games and "
            "nearly so in won ones, can come from counting them differently (one for a game in "
            "which a guess was needed, say); the text does not tell."
        ),
        Paragraph(
            "His times are wall-clock seconds of a program in C# with Z3, on a machine he does not "
            "name; ours are of the processor. Only how they grow with the board is compared."
        ),
        Heading("The table"),
        Table(("board", *HEAD), rows),
        Paragraph(FILES),
    ]


STUDY: Final = Study(
    NAME,
    "The best method and guesser on three levels (table 2)",
    PAPER,
    "Max Minesweeper: the best player on three levels",
    _about,
    measure,
    CLAIMS,
    [Picture("won", "Games won on each level, theirs and ours", _draw)],
    tables,
    _more,
)
