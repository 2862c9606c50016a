"""`minewright solve`: the exact answer about one position."""

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from minewright.cli.streams import (
    BEYOND_BUDGET,
    INCONSISTENT,
    CommandError,
    interruptible,
    read,
    write,
)

if TYPE_CHECKING:
    from minewright.inference import Analysis, Budget
    from minewright.position import Position


FOREVER = 1e9
UNBOUNDED = 2**62
"""Budgets that are never used up; the kernel's own numbers end not far above."""


def _known_topologies() -> list[str]:
    from minewright.topology import topologies

    return list(topologies())


def solve(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A position as text; - for standard input.")
    ],
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
        bool, typer.Option("--trust-marks", help="Take marked cells for mined.")
    ] = False,
    approximate: Annotated[
        bool, typer.Option("--approximate", help="Sample where exact work is beyond the budget.")
    ] = False,
    budget_seconds: Annotated[
        float | None, typer.Option(metavar="S", help="How long to work at most.")
    ] = None,
    budget_states: Annotated[
        int | None, typer.Option(metavar="N", help="How many states to try at most.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    svg: Annotated[
        str | None, typer.Option(metavar="FILE", help="Also draw the answer as SVG.")
    ] = None,
) -> int:
    """Say what is safe, what is mined, and how likely a mine is everywhere else."""
    position = _read_position(file, mines, topology)
    from minewright.inference import BudgetExceeded, analyze

    budget = _budget(budget_seconds, budget_states)

    def work() -> "tuple[Analysis, str]":
        analysis = analyze(
            position, trust_marks=trust_marks, approximate=approximate, budget=budget
        )
        return analysis, _in_json(analysis) if json else _in_text(analysis)

    try:
        analysis, text = interruptible(work)
    except BudgetExceeded as error:
        options = "--budget-states, --budget-seconds" + ", --approximate" * (not approximate)
        raise CommandError(f"{error} ({options})", BEYOND_BUDGET) from None
    if svg is not None:
        _save_svg(svg, analysis)
    write(text)
    return 0 if analysis.consistent else INCONSISTENT


def _in_text(analysis: "Analysis") -> str:
    from minewright.render.terminal import Screen, report

    return report(analysis.position, analysis, Screen.of(sys.stdout))


def _in_json(analysis: "Analysis") -> str:
    from json import dumps

    return f"{dumps(answer(analysis), allow_nan=False)}\n"


def answer(analysis: "Analysis") -> dict[str, object]:
    """Put an analysis in the form that `solve --json` prints."""
    from minewright import exact

    topology = analysis.position.topology

    def places(cells: Sequence[int]) -> list[tuple[int, ...]]:
        return [topology.coordinates(cell) for cell in cells]

    def rows(values: Iterable[float | None]) -> list[object]:
        nested: list[object] = list(values)
        for side in topology.shape[:-1]:
            nested = [nested[start : start + side] for start in range(0, len(nested), side)]
        return nested

    found: dict[str, object] = {
        "width": topology.shape[0],
        "height": topology.shape[1],
        "mines": analysis.position.mines,
        "consistent": analysis.consistent,
        "solutions": None if analysis.approximate else exact.write(analysis.solutions),
        "safe": places(analysis.safe),
        "mined": places(analysis.mined),
        "probability": rows(analysis.chances),
        "best": None if analysis.best is None else topology.coordinates(analysis.best),
    }
    if analysis.clash is not None:
        found["clash"] = {"clues": places(analysis.clash.clues), "total": analysis.clash.total}
    if analysis.standard_error is not None:
        errors = analysis.standard_error.tolist()
        found["standard_error"] = rows(
            None if chance is None else error
            for chance, error in zip(analysis.chances, errors, strict=True)
        )
    return found


def _read_position(file: str, mines: int | None, topology: str | None) -> "Position":
    from minewright.position import Position, PositionError

    if topology is not None and topology not in _known_topologies():
        known = ", ".join(_known_topologies())
        raise CommandError(f"--topology: there is no {topology!r}; the known ones are {known}")
    name = "standard input" if file == "-" else file
    data = read(file, name)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise CommandError(f"{name}: this is UTF-16 text; save it as UTF-8")
    if b"\0" in data:
        raise CommandError(f"{name}: this is a binary file; give a position as text")
    try:
        return Position.parse(data.decode(), mines, topology)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = len(data[: error.start].rpartition(b"\n")[2].decode()) + 1
        found = f"the byte 0x{data[error.start]:02x} is not UTF-8; save the text as UTF-8"
        raise CommandError(f"{name}: line {line}, column {column}: {found}") from None
    except PositionError as error:
        raise CommandError(f"{name}: {error}") from None


def _budget(seconds: float | None, states: int | None) -> "Budget":
    from dataclasses import replace

    from minewright.inference import DEFAULT_BUDGET

    budget = DEFAULT_BUDGET
    if seconds is not None:
        if not seconds > 0:
            raise CommandError(f"--budget-seconds is more than 0, not {seconds:g}")
        budget = replace(budget, seconds=min(seconds, FOREVER))
    if states is not None:
        if states < 1:
            raise CommandError(f"--budget-states is at least 1, not {states}")
        budget = replace(budget, states=min(states, UNBOUNDED))
    return budget


def _save_svg(file: str, analysis: "Analysis") -> None:
    from minewright.render.svg import position_svg

    outlined = () if analysis.safe or analysis.best is None else (analysis.best,)
    clash = analysis.clash.clues if analysis.clash else ()
    try:
        with open(file, "w", encoding="utf-8") as target:
            target.write(position_svg(analysis.position, analysis, highlight=outlined or clash))
    except OSError as error:
        raise CommandError(f"--svg {file}: it cannot be written ({error.strerror})") from None
