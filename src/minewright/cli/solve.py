"""`minewright solve`: the exact answer about one position."""

import sys
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from minewright.cli.streams import (
    BEYOND_BUDGET,
    INCONSISTENT,
    CommandError,
    file_of,
    in_json,
    read,
    whole_file,
    write,
    write_file,
)

if TYPE_CHECKING:
    from minewright.champion import BestMove
    from minewright.deduction import Deduction
    from minewright.deduction.guess import Guess
    from minewright.deduction.search import Search
    from minewright.inference import Analysis, Budget
    from minewright.levels import Level
    from minewright.position import Position


FOREVER = 1e9
UNBOUNDED = 2**62
"""Budgets that never run out; the kernel's integers end not far above."""


def _known_topologies() -> list[str]:
    from minewright.topology import topologies

    return list(topologies())


def solve(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A position as text, or another program's file (see `minewright formats`);"
            " - for standard input.",
        ),
    ],
    move: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Take a replay after N moves; by default at its last decision."
        ),
    ] = None,
    mines: Annotated[
        int | None, typer.Option(metavar="N", help="The mine total, if the text has no header.")
    ] = None,
    topology: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Which cells touch, if the header does not say; see `minewright topologies`.",
            autocompletion=_known_topologies,
        ),
    ] = None,
    trust_marks: Annotated[
        bool, typer.Option("--trust-marks", help="Treat marked cells as mined.")
    ] = False,
    approximate: Annotated[
        bool,
        typer.Option("--approximate", help="Sample if an exact answer is beyond the budget."),
    ] = False,
    budget_seconds: Annotated[
        float | None, typer.Option(metavar="S", help="The time limit, in seconds.")
    ] = None,
    budget_states: Annotated[
        int | None, typer.Option(metavar="N", help="The limit on states to try.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Also explain step by step what follows and why.")
    ] = False,
    search: Annotated[
        Literal["simplest", "paper"] | None,
        typer.Option(help="Which step comes next: the simplest, or Neller and Tran's choice."),
    ] = None,
    level: Annotated[
        Literal["fast", "usual", "deep"] | None,
        typer.Option(help="How far the champion looks if you have to guess; deep takes seconds."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    svg: Annotated[
        str | None,
        typer.Option(
            parser=file_of, metavar="FILE", help="Also draw the answer, or the steps, as SVG."
        ),
    ] = None,
) -> int:
    """Show which cells are safe, which are mined, and how likely a mine is everywhere else."""
    if search is not None and not explain:
        raise CommandError("--search chooses how steps are found; give --explain too")
    if level is not None and explain:
        raise CommandError(
            "--level is for the champion's advice, which --explain does not print; "
            "use one or the other"
        )
    position = _read_position(file, move, mines, topology)
    if level is not None and position.mines is None:
        raise CommandError("--level: the champion needs the mine total; give it with --mines N")
    from minewright.inference import BudgetExceeded, analyze

    budget = _budget(budget_seconds, budget_states, level or "usual")

    try:
        analysis = analyze(
            position, trust_marks=trust_marks, approximate=approximate, budget=budget
        )
        if explain and analysis.consistent:
            known = position.with_marks_mined() if trust_marks else position
            _Explanation(known, search or "simplest", budget).show(analysis, json, svg)
        else:
            nothing: dict[str, object] = {"steps": [], "guess": None} if explain else {}
            from minewright.engine.answers import answer

            advice = _Advice(analysis, trust_marks, level, budget)
            data = answer(analysis) | nothing | advice.data()
            text = in_json(data) if json else _in_text(analysis) + advice.text()
            if svg is not None:
                write_file("--svg", svg, _draw(analysis).encode())
            write(text)
    except BudgetExceeded as error:
        # The champion needs exact chances.
        sampling = ", --approximate" * (not approximate and level is None)
        options = f"--budget-states, --budget-seconds{sampling}"
        raise CommandError(f"{error} ({options})", BEYOND_BUDGET) from None
    return 0 if analysis.consistent else INCONSISTENT


class _Advice:
    """The champion's choice, if nothing is certainly safe and it can be found.

    Where it cannot, the exact answer stands without it, unless somebody asked for a level.
    """

    def __init__(
        self, analysis: "Analysis", trust_marks: bool, level: "Level | None", budget: "Budget"
    ) -> None:
        from minewright.champion import ChampionError, best_move
        from minewright.cli.bars import watched
        from minewright.inference import BudgetExceeded

        self.move: BestMove | None = None
        if analysis.safe or analysis.best is None or not analysis.consistent:
            return
        if analysis.approximate and level is not None:
            raise BudgetExceeded(
                "too hard: the chances are only sampled, and the champion needs exact ones"
            )
        if analysis.approximate:
            return
        choose = partial(best_move, analysis.position, trust_marks=trust_marks, budget=budget)
        try:
            if level is None:
                self.move = choose()
                return
            with watched("Looking for the best guess") as bar:
                bar.begin(1, 0)
                self.move = choose(level=level)
        except ChampionError as error:
            if level is not None:
                raise CommandError(f"--level: {error}") from None
        except BudgetExceeded:
            if level is not None:
                raise

    def data(self) -> dict[str, object]:
        """Return the choice as JSON data, or nothing if there is none."""
        from minewright.engine.answers import champion_data

        return {} if self.move is None else {"champion": champion_data(self.move)}

    def text(self) -> str:
        """Return the choice as a sentence, or nothing if there is none."""
        from minewright.render.terminal import Screen, sentence_line

        if self.move is None:
            return ""
        said = " ".join(("Champion:", *self.move.sentences))
        return f"\n{sentence_line(said, Screen.of(sys.stdout))}"


class _Explanation:
    """Steps as they are found. Only those that a strip draws are kept, since each is large."""

    def __init__(self, position: "Position", search: "Search", budget: "Budget") -> None:
        self.position = position
        self.search = search
        self.budget = budget
        self.found = 0
        self.last = position
        self.room = 0
        self.kept: list[Deduction] = []

    def show(self, analysis: "Analysis", json: bool, svg: str | None) -> None:
        """Write the answer and the steps, and draw them if asked."""
        from minewright.engine.answers import answer

        text, data = ("", answer(analysis)) if json else (f"{_in_text(analysis)}\n", {})
        if svg is None:
            self._write(text, data)
            return
        from minewright.render.steps import most_steps

        self.room = most_steps(self.position.topology)
        problem: Exception | None = None
        # Open the file first: if that fails, nothing is on standard output yet.
        with whole_file("--svg", svg) as target:
            try:
                self._write(text, data)
            except Exception as error:
                problem = error  # the steps up to here are drawn all the same
            target.write(self.strip().encode())
        if problem is not None:
            raise problem

    def _write(self, text: str, data: dict[str, object]) -> None:
        """Write the steps after the answer, as text if there is one and otherwise as JSON."""
        if text:
            write(text)
            self.write_text()
        else:
            write(in_json(data | self.in_json()))

    def steps(self) -> "Iterator[Deduction]":
        """Yield the steps until nothing more is certain."""
        from minewright.deduction import explain

        for step in explain(self.position, self.search, budget=self.budget):
            self.found += 1
            self.last = step.after
            if len(self.kept) < self.room:
                self.kept.append(step)
            yield step

    def guess(self) -> "Guess | None":
        """Return where to guess after the last step, or None if no guess is needed."""
        from minewright.deduction import guess
        from minewright.position import SAFE

        if SAFE in self.last.cells or not self.last.covered:
            return None

        return guess(self.last, budget=self.budget)

    def in_json(self) -> dict[str, object]:
        """Return the steps, and the guess if one is needed, as JSON data."""
        from minewright.deduction.data import as_data
        from minewright.engine.answers import guess_data

        found: dict[str, object] = {"steps": [as_data(step) for step in self.steps()]}
        found["guess"] = guess_data(self.position.topology, self.guess())
        return found

    def write_text(self) -> None:
        """Write each step as soon as it is found, then what is left to do."""
        from minewright.assistant import what_is_left
        from minewright.render.terminal import Screen, sentence_line, step_line

        screen = Screen.of(sys.stdout)
        for number, step in enumerate(self.steps(), 1):
            write(step_line(number, step, screen))
        write(sentence_line(what_is_left(self.last, self.guess()), screen))

    def strip(self) -> str:
        """Return a drawing of the steps found so far."""
        from minewright.render.steps import strip_svg

        return strip_svg(self.position, self.kept, left_out=self.found - len(self.kept))


def _in_text(analysis: "Analysis") -> str:
    from minewright.render.terminal import Screen, report

    return report(analysis.position, analysis, Screen.of(sys.stdout))


def _read_position(
    file: str, move: int | None, mines: int | None, topology: str | None
) -> "Position":
    from minewright import formats

    if topology is not None and topology not in _known_topologies():
        known = ", ".join(_known_topologies())
        raise CommandError(f"--topology: there is no {topology!r}; choose from {known}")
    name = "standard input" if file == "-" else file
    try:
        loaded = formats.read(read(file, name), file, mines=mines, topology=topology)
    except formats.FormatError as error:
        raise CommandError(f"{name}: {error}") from None
    if move is None:
        return loaded.position
    if loaded.replay is None:
        raise CommandError("--move: the file holds a position, not a replay; leave it out")
    last = len(loaded.replay.moves)
    if not 0 <= move <= last:
        raise CommandError(f"--move: expected 0 to {last}, the moves of the replay, found {move}")
    return loaded.replay.position(move)


def _budget(seconds: float | None, states: int | None, level: "Level") -> "Budget":
    from dataclasses import replace

    from minewright.levels import usual_budget

    budget = usual_budget(level)
    if seconds is not None:
        if not seconds > 0:
            raise CommandError(f"--budget-seconds must be more than 0, not {seconds:g}")
        budget = replace(budget, seconds=min(seconds, FOREVER))
    if states is not None:
        if states < 1:
            raise CommandError(f"--budget-states must be at least 1, not {states}")
        budget = replace(budget, states=min(states, UNBOUNDED))
    return budget


def _draw(analysis: "Analysis") -> str:
    from minewright.render.svg import position_svg

    outlined = () if analysis.safe or analysis.best is None else (analysis.best,)
    clash = analysis.clash.clues if analysis.clash else ()
    return position_svg(analysis.position, analysis, highlight=outlined or clash)
