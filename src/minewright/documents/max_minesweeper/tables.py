"""Kofford's two tables: three methods with three guessers, and the best of them on three levels."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from minewright.documents.figures import Dots, draw_dots
from minewright.documents.parts import (
    SAME_RULE,
    Share,
    all_of,
    any_of,
    interval,
    judged,
    level,
    listed,
    points,
    same,
)
from minewright.documents.played import Played, play, write_page
from minewright.documents.reproduce import Outcome, Request, register
from minewright.game import StartRule
from minewright.lab.experiment import Arm, Experiment
from minewright.lab.page import Figure, Finding, Findings, Heading, Page, Paragraph, Table, Verdict
from minewright.lab.statistics import Mean, wilson

PAPER: Final = "Kofford, Max Minesweeper"
THEIR_GAMES: Final = 50
TOGETHER: Final = 0.95
"""All comparisons behind one verdict hold together with this confidence."""

# He looked for solutions of all numbers at once, not component by component.
CHECK_ALL, BREAK_EARLY, EXISTS = (
    "max-checkall:grouping=board",
    "max-breakearly:grouping=board",
    "max-exists",
)
METHODS: Final = {CHECK_ALL: "1 checkall", BREAK_EARLY: "2 breakearly", EXISTS: "3 exists"}
GUESSERS: Final = {"random": "1 random", "neighbour": "2 neighbour", "best-neighbour": "3 best"}
STARTS: Final[tuple[StartRule, StartRule]] = ("safe", "any")
EASY: Final = "9x9x10"


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


THEIR_METHODS: Final = {
    (CHECK_ALL, "random"): Printed(24, 2.25, 2.46, 0.376),
    (CHECK_ALL, "neighbour"): Printed(25, 2.2, 2.32, 0.360),
    (CHECK_ALL, "best-neighbour"): Printed(25, 1.24, 1.96, 0.285),
    (BREAK_EARLY, "random"): Printed(23, 2.47, 2.55, 0.351),
    (BREAK_EARLY, "neighbour"): Printed(23, 1.74, 1.81, 0.379),
    (BREAK_EARLY, "best-neighbour"): Printed(25, 1.72, 2.04, 0.321),
    (EXISTS, "random"): Printed(34, 1.88, 3.43, 0.463),
    (EXISTS, "neighbour"): Printed(36, 1.02, 1.0, 0.488),
    (EXISTS, "best-neighbour"): Printed(35, 1.0, 1.0, 0.498),
}
THEIR_LEVELS: Final = {
    EASY: Printed(35, 1.0, 1.0, 0.498),
    "16x16x40": Printed(26, 1.0, 1.0, 0.454),
    "30x16x99": Printed(10, 1.2, 1.0, 0.554),
}
OLD_EASY: Final = "8x8x10"

_SAID: Final = (
    "He says neither how large his easy, medium and hard boards are nor whether the first opening "
    "can explode. Taken are the usual levels, 9x9x10, 16x16x40 and 30x16x99, and both start "
    "rules: safe (the first opening never explodes, and is not counted as a guess) and any (it "
    "may, and is counted). The first opening is at random, as his guessers have nothing to go by. "
    "Guesser 3 takes the number with the lowest ratio, as it must be meant; the text says the "
    "highest."
)
_RULES: Final = (
    "The rules of the verdicts were fixed before these games were played, when a few had been "
    "timed. Intervals are of 95%; a verdict that rests on several comparisons makes each stricter, "
    "so that all together hold with 95%. Differences between players are taken game by game, as "
    "all play the same minefields. Undecided means that the interval reaches over the edge of "
    f"what the sentence allows. {SAME_RULE} {THEIR_GAMES} games of theirs are "
    "too few for it to agree, whatever is found here."
)


# --- Methods and guessers -------------------------------------------------------------------------

METHOD_GAMES: Final = {"quick": 50, "paper": 1000}


@register("max-methods", "Three methods with three guessers on an easy board (table 1)", PAPER)
def methods(request: Request) -> Outcome:
    """Reproduce the first table: methods and guessers on the easy board."""
    grid = Experiment.grid(
        "max-methods",
        strategies=tuple(METHODS),
        guessers=tuple(GUESSERS),
        boards=(EASY,),
        starts=STARTS,
        games=METHOD_GAMES[request.scale],
        seed=request.seed,
    )
    as_written = _arms(EXISTS, "best-neighbour:reading=literal")
    experiment = replace(grid, arms=(*grid.arms, *as_written))
    directory, run = play(request, "max-methods", experiment)
    played = Played(run)
    findings = (
        *(_rates(played, method) for method in METHODS),
        by_far_best(played),
        only_slightly(played),
        _fewer_guesses(played),
        _faster(played),
        _incorrect(played),
        _only_by_guess(played),
        _one_guess(played),
    )
    rows = []
    for (method, guesser), theirs in THEIR_METHODS.items():
        names = METHODS[method], GUESSERS[guesser]
        rows.append((*names, *_their_cells(theirs)))
        rows += [(*names, *_our_cells(played, arm)) for arm in _arms(method, guesser)]
    literal = METHODS[EXISTS], "3 as written"
    rows += [(*literal, *_our_cells(played, arm)) for arm in as_written]
    page = Page(
        "Max Minesweeper: three methods, three guessers",
        [
            Paragraph(
                f"The first table of {PAPER}: {THEIR_GAMES} games a player there, "
                f"{experiment.games:,} here (seed {request.seed}). {_SAID}"
            ),
            Figure("won.svg", "Games won by each method with each guesser, theirs and ours"),
            Heading("Theirs and ours"),
            Findings(findings),
            Paragraph(_RULES),
            Heading("Where and why they differ"),
            Paragraph(
                "Method 1 asks for all solutions and concludes what is the same in all of them; "
                "method 3 asks of each cell whether a solution exists either way. Done rightly "
                "both conclude the same, so here they play the same games (but where a position "
                "has more than 5,000 solutions: there method 1 guesses). "
                f"{_apart(played)} His first method won {_fewer()} fewer games than his third, and "
                "he saw it give incorrect answers: it must "
                "have stopped before all solutions were found, or its program had a fault. What he "
                "reports as the gain of method 3 is then the cost of that, not of the method."
            ),
            Paragraph(
                "Method 2 stops when solutions bring no change for a while. How long, he does not "
                "say; here it is 10 solutions of the whole board."
            ),
            Paragraph(
                "Random cells can do better than cells next to a number: few cells of "
                f"{EASY} are mined, and those next to a number mostly more often than those that "
                "no number speaks of. "
                f"Read as it is written, guesser 3 wins {played.share(as_written[0])} of the games "
                f"with start safe and {played.share(as_written[1])} with start any."
            ),
            Paragraph(
                "His guesses hardly fit a player that only loses by guessing: a mean of exactly 1 "
                "in lost games says that every one of them was lost by its first guess. If the "
                f"first opening is that guess, it loses {10 / 81:.0%} of games on {EASY}, and he "
                "lost 30%. If it is not counted, nobody survived a guess and still lost."
            ),
            Heading("The table"),
            Table(_HEAD, rows),
            Paragraph(_FILES),
        ],
    )
    draw_dots(
        directory / "won",
        f"Games won on {EASY}",
        [f"{METHODS[method]}\n{GUESSERS[guesser]}" for method, guesser in THEIR_METHODS],
        [
            Dots("paper", [one.share for one in THEIR_METHODS.values()]),
            *(
                Dots(
                    f"ours, start {start}",
                    [played.share(_arm(*player, start)) for player in THEIR_METHODS],
                )
                for start in STARTS
            ),
        ],
    )
    return Outcome(write_page(directory, page, run), findings, page.figure)


def _arm(method: str, guesser: str, start: StartRule = "safe", board: str = EASY) -> Arm:
    return Arm(method, board, start, guesser=guesser)


def _arms(method: str, guesser: str) -> list[Arm]:
    return [_arm(method, guesser, start) for start in STARTS]


def fits(theirs: Mapping[Arm, Share], played: Played, confidence: float) -> Verdict:
    """Judge printed shares by how far they may be from those here."""
    return all_of(same(played.share(arm).less(share, confidence)) for arm, share in theirs.items())


def _rates(played: Played, method: str) -> Finding:
    theirs = {guesser: THEIR_METHODS[method, guesser] for guesser in GUESSERS}
    strict = level(len(GUESSERS) * len(STARTS), TOGETHER)
    by_start = {
        start: fits(
            {_arm(method, guesser, start): one.share for guesser, one in theirs.items()},
            played,
            strict,
        )
        for start in STARTS
    }
    ours = "; with ".join(
        f"start {start} "
        + listed(str(played.share(_arm(method, guesser, start))) for guesser in GUESSERS)
        for start in STARTS
    )
    fitting = [start for start, verdict in by_start.items() if verdict != "differs"]
    note = (
        f"With start {' and with start '.join(fitting)} chance can explain the differences."
        if fitting
        else "With either start rule one of them at least differs by more than chance explains."
    )
    return Finding(
        f"Method {METHODS[method]} wins "
        + listed(f"{one.won}" for one in theirs.values())
        + f" of {THEIR_GAMES} games with guessers 1, 2 and 3.",
        f"With {ours}. {note}",
        any_of(by_start.values()),
    )


def by_far_best(played: Played) -> Finding:
    """Compare method 3 with the others."""
    strict = level(2 * len(GUESSERS), TOGETHER)
    words: list[str] = []
    verdicts: list[Verdict] = []
    for other in (CHECK_ALL, BREAK_EARLY):
        told = []
        for guesser in GUESSERS:
            pair = played.paired(_arm(EXISTS, guesser), _arm(other, guesser), strict)
            told.append(points(pair.difference, pair.interval))
            verdicts.append(judged(pair.interval, 0.1))
        words.append(f"over method {METHODS[other]} {listed(told)}")
    return Finding(
        "Method 3 is by far the best (22% of all games more than method 1, with guesser 2).",
        f"Method 3 gains, with guessers 1, 2 and 3 and start safe, {'; '.join(words)}. By far is "
        "taken as 10 points at least, over both and with every guesser.",
        all_of(verdicts),
    )


def only_slightly(played: Played) -> Finding:
    """Compare the best guesser with the random one."""
    strict = level(len(STARTS), TOGETHER)
    pairs = {
        start: played.paired(
            _arm(EXISTS, "best-neighbour", start), _arm(EXISTS, "random", start), strict
        )
        for start in STARTS
    }
    told = listed(
        f"{points(pair.difference, pair.interval)} with start {start}"
        for start, pair in pairs.items()
    )
    return Finding(
        "The better guessing algorithm increases the win ratio only slightly (35 games instead of "
        "34 with method 3).",
        f"With method 3 guesser 3 wins more than guesser 1 by {told}. Slightly is taken as more "
        "than 0 and less than 10 points, with both start rules.",
        all_of(judged(pair.interval, 0.0, 0.1) for pair in pairs.values()),
    )


def _fewer_guesses(played: Played) -> Finding:
    strict = level(len(GUESSERS), TOGETHER)
    more = [played.less(_arm(CHECK_ALL, one), _arm(EXISTS, one), "guesses") for one in GUESSERS]
    ends = [interval(one, strict) for one in more]
    told = listed(
        f"{one.value:+.2f} ({low:+.2f} to {high:+.2f})"
        for one, (low, high) in zip(more, ends, strict=True)
    )
    return Finding(
        "Method 3 needs fewer guesses than method 1.",
        f"Method 1 guesses more often than method 3 by {told} guesses a game, with guessers 1, 2 "
        "and 3 and start safe. Fewer is taken as a tenth of a guess at least.",
        all_of(judged(one, 0.1) for one in ends),
    )


def _faster(played: Played) -> Finding:
    strict = level(len(GUESSERS), TOGETHER)
    spent = [
        [played.results[_arm(method, guesser)].cpu_seconds for method in (CHECK_ALL, EXISTS)]
        for guesser in GUESSERS
    ]
    saved = [
        played.less(_arm(CHECK_ALL, one), _arm(EXISTS, one), "cpu_seconds", 1.5) for one in GUESSERS
    ]
    told = listed(f"{1000 * one:.1f} and {1000 * other:.1f} ms" for one, other in spent)
    return Finding(
        "Method 3 is much faster than method 1 (so the text; by the table it takes longer, 0.46 to "
        "0.50 s instead of 0.29 to 0.38 s).",
        f"Methods 1 and 3 take {told} of the processor a game, with guessers 1, 2 and 3 and start "
        "safe. Much faster is taken as this: method 1 takes at least half as long again.",
        all_of(judged(interval(one, strict), 0.0) for one in saved),
    )


def _incorrect(played: Played) -> Finding:
    told: list[str] = []
    verdicts: list[Verdict] = []
    for method in (CHECK_ALL, BREAK_EARLY):
        results = [played.results[arm] for guesser in GUESSERS for arm in _arms(method, guesser)]
        wrong = Share(sum(one.blunders for one in results), sum(one.games for one in results))
        told.append(f"by method {METHODS[method]} in {wrong.count:,} of {wrong.total:,} games")
        rare = wilson(wrong.count, wrong.total, level(2, TOGETHER))[1] < 0.01
        verdicts.append("agrees" if wrong.count else "differs" if rare else "undecided")
    return Finding(
        "The first two methods sometimes give incorrect solutions.",
        f"A cell is called safe or mined that is not {listed(told)}. Sometimes is taken as once at "
        "least by each; it is denied where under 1% of games could have it.",
        all_of(verdicts),
    )


def _only_by_guess(played: Played) -> Finding:
    results = [played.results[arm] for guesser in GUESSERS for arm in _arms(EXISTS, guesser)]
    lost = sum(one.games - one.wins for one in results)
    wrong = sum(one.blunders for one in results)
    return Finding(
        "The third method always gives the correct solution; it loses only on a guess.",
        f"It called a cell wrongly in {wrong:,} of {sum(one.games for one in results):,} games, of "
        f"which {lost:,} were lost. One would be enough to deny it.",
        "differs" if wrong else "agrees",
    )


def _one_guess(played: Played) -> Finding:
    arms = _arms(EXISTS, "best-neighbour")
    strict = level(len(arms), TOGETHER)
    told, verdicts = [], []
    for arm in arms:
        lost, won = played.mean(arm, "guesses", won=False), played.mean(arm, "guesses", won=True)
        verdicts.append(_near_one(lost, strict))
        told.append(f"{_guesses(lost)} in lost and {_guesses(won)} in won ones with {arm.start}")
    return Finding(
        "With method 3 and guesser 3 lost games have 1 guess, as won ones have.",
        f"Guesses a game: {listed(told)}. It agrees if with either start rule the mean in lost "
        "games is 0.75 to 1.25.",
        any_of(verdicts),
    )


def _apart(played: Played) -> str:
    """Say in how many games methods 1 and 3 ended otherwise."""
    pairs = [
        played.paired(_arm(EXISTS, guesser, start), _arm(CHECK_ALL, guesser, start), TOGETHER)
        for guesser in GUESSERS
        for start in STARTS
    ]
    apart = sum(pair.first_only + pair.second_only for pair in pairs)
    total = sum(pair.games for pair in pairs)
    return f"Only one of the two won {apart:,} of {total:,} games."


def _fewer() -> str:
    """Say how many fewer games his first method won than his third, by the guesser."""
    shares = [
        1 - THEIR_METHODS[CHECK_ALL, guesser].won / THEIR_METHODS[EXISTS, guesser].won
        for guesser in GUESSERS
    ]
    return f"{100 * min(shares):.0f} to {max(shares):.0%}"


def _near_one(mean: Mean | None, confidence: float) -> Verdict:
    return judged(interval(mean, confidence), 0.75, 1.25) if mean else "undecided"


# --- Levels ---------------------------------------------------------------------------------------

LEVEL_GAMES: Final = {"quick": 50, "paper": 1000}


@register("max-levels", "The best method and guesser on three levels (table 2)", PAPER)
def levels(request: Request) -> Outcome:
    """Reproduce the second table: method 3 with guesser 3 on easy, medium and hard boards."""
    experiment = Experiment.grid(
        "max-levels",
        strategies=(EXISTS,),
        guessers=("best-neighbour",),
        boards=(*THEIR_LEVELS, OLD_EASY),
        starts=STARTS,
        games=LEVEL_GAMES[request.scale],
        seed=request.seed,
    )
    directory, run = play(request, "max-levels", experiment)
    played = Played(run)
    findings = (
        *(_level(played, board) for board in THEIR_LEVELS),
        _few_guesses(played),
        _even_time(played),
        _seconds(played),
    )
    rows = []
    for board in (*THEIR_LEVELS, OLD_EASY):
        if board in THEIR_LEVELS:
            rows.append((board, *_their_cells(THEIR_LEVELS[board])))
        rows += [
            (board, *_our_cells(played, _arm(EXISTS, "best-neighbour", start, board)))
            for start in STARTS
        ]
    page = Page(
        "Max Minesweeper: the best player on three levels",
        [
            Paragraph(
                f"The second table of {PAPER}: method 3 (exists) with guesser 3 (best neighbour), "
                f"{THEIR_GAMES} games a level there, {experiment.games:,} here (seed "
                f"{request.seed}). {_SAID} The older easy board, {OLD_EASY}, is there too."
            ),
            Figure("won.svg", "Games won on each level, theirs and ours"),
            Heading("Theirs and ours"),
            Findings(findings),
            Paragraph(_RULES),
            Heading("Where and why they differ"),
            Paragraph(
                "Both players conclude all that follows from the numbers (not from the mine total) "
                "and guess by the same rule, so the shares of won games should agree if the boards "
                "and the start rule are the same. The guesses do not depend on skill either: a "
                "board of 30x16x99 asks for several in nearly every game. A mean of 1 there, in "
                "lost games and nearly so in won ones, can come from counting them otherwise (one "
                "a game in which a guess was needed, say); the text does not tell."
            ),
            Paragraph(
                "His times are wall-clock seconds of a program in C# with Z3, on a machine he does "
                "not name; ours are of the processor. Only how they grow with the board is "
                "compared."
            ),
            Heading("The table"),
            Table(("board", *_HEAD[2:]), rows),
            Paragraph(_FILES),
        ],
    )
    draw_dots(
        directory / "won",
        "Games won by method 3 with guesser 3",
        [*THEIR_LEVELS, OLD_EASY],
        [
            Dots("paper", [*(one.share for one in THEIR_LEVELS.values()), None]),
            *(
                Dots(
                    f"ours, start {start}",
                    [
                        played.share(_arm(EXISTS, "best-neighbour", start, board))
                        for board in (*THEIR_LEVELS, OLD_EASY)
                    ],
                )
                for start in STARTS
            ),
        ],
    )
    return Outcome(write_page(directory, page, run), findings, page.figure)


def _best(board: str) -> list[Arm]:
    return [_arm(EXISTS, "best-neighbour", start, board) for start in STARTS]


def _level(played: Played, board: str) -> Finding:
    theirs = THEIR_LEVELS[board]
    strict = level(len(STARTS), TOGETHER)
    verdicts = {arm: fits({arm: theirs.share}, played, strict) for arm in _best(board)}
    told = listed(f"{played.share(arm)} with start {arm.start}" for arm in verdicts)
    fitting = [arm.start for arm, verdict in verdicts.items() if verdict != "differs"]
    note = f"Chance can explain the difference with {listed(fitting)}." if fitting else ""
    return Finding(
        f"{theirs.won} of {THEIR_GAMES} games are won on {_LEVEL_NAMES[board]}.",
        f"On {board} {told}. {note or 'Chance explains the difference with neither.'}",
        any_of(verdicts.values()),
    )


_LEVEL_NAMES: Final = {EASY: "easy", "16x16x40": "medium", "30x16x99": "hard"}


def _few_guesses(played: Played) -> Finding:
    arms = _best("30x16x99")
    strict = level(len(arms), TOGETHER)
    lost = {arm: played.mean(arm, "guesses", won=False) for arm in arms}
    told = listed(f"{_guesses(mean)} with {arm.start}" for arm, mean in lost.items())
    return Finding(
        "Lost games have 1 guess on every level.",
        f"On 30x16x99 lost games have {told}. It agrees if with either start rule the mean is 0.75 "
        "to 1.25.",
        any_of(_near_one(mean, strict) for mean in lost.values()),
    )


def _even_time(played: Played) -> Finding:
    easy, hard = (played.mean(_best(board)[0], "cpu_seconds") for board in (EASY, "30x16x99"))
    assert easy is not None
    assert hard is not None
    # Means of other games: their errors add, and the easy one's counts as often as it is taken.
    gap = Mean(hard.value - 1.5 * easy.value, (hard.error**2 + (1.5 * easy.error) ** 2) ** 0.5, 0)
    return Finding(
        "Hard games take hardly longer than easy ones (0.554 s and 0.498 s in the table).",
        f"Easy games take {1000 * easy.value:.1f} ms of the processor, hard ones "
        f"{1000 * hard.value:.1f} ms, {hard.value / easy.value:.1f} times as long (start safe). "
        "Hardly is taken as up to half as long again.",
        judged(interval(gap, TOGETHER), -1e9, 0.0),
        inferred=True,
    )


def _seconds(played: Played) -> Finding:
    spent = [value for arm in _best("30x16x99") for value in played.values(arm, "cpu_seconds")]
    quick = Share(sum(value < 10 for value in spent), len(spent))
    return Finding(
        "On hard the program, even with its window, usually solves a game in less than 10 seconds; "
        "that is far above the speed of a human (whose best is 32 seconds).",
        f"{quick.count:,} of {quick.total:,} games on 30x16x99 took less than 10 s of the "
        f"processor, the slowest {max(spent):.2f} s: without a window, and on another machine. "
        "Usually is taken as more than half.",
        judged(wilson(quick.count, quick.total, TOGETHER), 0.5),
    )


# --- Cells of both tables -------------------------------------------------------------------------

_HEAD: Final = (
    "method",
    "guesser",
    "who",
    "games",
    "won (95% interval)",
    "guesses in won (± 95%)",
    "guesses in lost (± 95%)",
    "seconds a game",
)
_FILES: Final = (
    "After ± stands half the width of the 95% interval. Ours are seconds of the processor. "
    "table.csv has the figures of every player, games.csv every game."
)


def _their_cells(theirs: Printed) -> tuple[str, ...]:
    return (
        "paper",
        str(THEIR_GAMES),
        str(theirs.share),
        f"{theirs.guesses_won:.2f}",
        f"{theirs.guesses_lost:.2f}",
        f"{theirs.seconds:.3f}",
    )


def _our_cells(played: Played, arm: Arm) -> tuple[str, ...]:
    return (
        f"ours, {arm.start}",
        f"{played.results[arm].games:,}",
        str(played.share(arm)),
        _guesses(played.mean(arm, "guesses", won=True)),
        _guesses(played.mean(arm, "guesses", won=False)),
        f"{played.results[arm].cpu_seconds:.4f}",
    )


def _guesses(mean: Mean | None) -> str:
    return str(mean) if mean else "too few"
