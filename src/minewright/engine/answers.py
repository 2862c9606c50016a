"""Answers as JSON: the same objects that the command line prints with --json."""

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from minewright import exact
from minewright.inference import DEFAULT_BUDGET, Analysis, Budget, BudgetExceeded
from minewright.topology import Topology

if TYPE_CHECKING:
    from minewright.bullets import Puzzle
    from minewright.champion import BestMove
    from minewright.deduction.guess import Guess
    from minewright.noguess import NoGuessBoard

FIELDS: Final = ("consistent", "safe", "mined", "probability", "best", "solutions")
"""What an analysis can be asked for."""
USUAL: Final = FIELDS[:-1]
"""What it tells unless asked: an exact number of solutions can take longer than all the rest."""


def answer(analysis: Analysis) -> dict[str, object]:
    """Return an analysis in the form that `solve --json` prints."""
    topology = analysis.position.topology
    solutions = analysis.count()
    found: dict[str, object] = {
        "width": topology.shape[0],
        "height": topology.shape[1],
        "mines": analysis.position.mines,
        "consistent": analysis.consistent,
        "solutions": None if solutions is None else exact.write(solutions),
        "safe": _places(topology, analysis.safe),
        "mined": _places(topology, analysis.mined),
        "probability": topology.nested(analysis.chances),
        "best": None if analysis.best is None else topology.coordinates(analysis.best),
    }
    if analysis.clash is not None:
        found["clash"] = _clash(analysis)
    if analysis.standard_error is not None:
        found["standard_error"] = _errors(analysis)
    return found


def answer_json(analysis: Analysis, fields: Sequence[str]) -> str:
    """Return the chosen fields of `answer` as JSON, quickly: one string is made per position."""
    write = _names(analysis.position.topology)
    parts = []
    for name in fields:
        match name:
            case "consistent":
                text = "true" if analysis.consistent else "false"
            case "safe" | "mined":
                cells = analysis.safe if name == "safe" else analysis.mined
                text = f"[{', '.join([write[cell] for cell in cells])}]"
            case "probability":
                text = analysis.chances_json()
            case "best":
                text = "null" if analysis.best is None else write[analysis.best]
            case _:
                count = analysis.count()
                text = "null" if count is None else f'"{exact.write(count)}"'
        parts.append(f'"{name}": {text}')
    if not analysis.consistent:
        parts.append(f'"clash": {json.dumps(_clash(analysis))}')
    if analysis.approximate:
        parts.append(f'"standard_error": {json.dumps(_errors(analysis))}')
    return f"{{{', '.join(parts)}}}"


def guess_data(topology: Topology, guess: "Guess | None") -> dict[str, object] | None:
    """Return a guess in the form that `solve --explain --json` prints."""
    if guess is None:
        return None
    return {
        "cell": topology.coordinates(guess.cell),
        "risk": guess.risk,
        "forced": guess.forced,
        "sentence": guess.sentence,
    }


def champion_data(move: "BestMove", budget: Budget = DEFAULT_BUDGET) -> dict[str, object]:
    """Return the champion's choice in the form that `solve --json` prints.

    The budget is for its sentences.
    """
    place = move.position.topology.coordinates
    return {
        "cell": place(move.cell),
        "risk": move.risk,
        "win": move.win,
        "bounds": [move.lower, move.upper],
        "proved": move.proved,
        "games": move.games,
        "sentence": move.sentence,
        "sentences": move.told(budget),
        "options": [
            {"cell": place(option.cell), "risk": option.risk, "win": option.win}
            for option in move.options
        ],
    }


def board_data(made: "NoGuessBoard") -> dict[str, object]:
    """Return a board without guesses in the form that `noguess make --json` prints."""
    proof, topology = made.proof, made.topology
    return {
        "board": str(made.board),
        "topology": topology.name,
        "mines": _places(topology, proof.mines),
        "first": topology.coordinates(made.first),
        "difficulty": made.difficulty,
        "hardest": proof.hardest,
        "steps": [
            {
                "clues": _places(topology, step.clues),
                "total": step.total,
                "safe": _places(topology, step.safe),
                "mined": _places(topology, step.mined),
            }
            for step in proof.steps
        ],
        "drawn": made.drawn,
        "moved": made.moved,
    }


def puzzle_data(puzzle: "Puzzle") -> dict[str, object]:
    """Return a puzzle in the form that `bullets make --json` prints.

    The difficulty of a large puzzle may be too hard to find out; it is None then.
    """
    grade = puzzle.grade()
    try:
        effort = puzzle.effort
    except BudgetExceeded:
        effort = None
    return puzzle.as_data() | {
        "text": str(puzzle),
        "solution": _places(puzzle.topology, sorted(puzzle.solution)),
        **grade._asdict(),
        "energy": grade.energy,
        "difficulty": effort and effort.level,
        "workload": effort and effort.workload,
        "needs_total": puzzle.needs_total,
        "link": puzzle.link if puzzle.topology.name == "moore" else None,
    }


def _places(topology: Topology, cells: Iterable[int]) -> list[tuple[int, ...]]:
    return [topology.coordinates(cell) for cell in cells]


@lru_cache(maxsize=8)
def _names(topology: Topology) -> list[str]:
    """Return the coordinates of each cell as JSON."""
    return [json.dumps(topology.coordinates(cell)) for cell in range(topology.size)]


def _clash(analysis: Analysis) -> dict[str, object]:
    clash, topology = analysis.clash, analysis.position.topology
    assert clash is not None
    return {"clues": _places(topology, clash.clues), "total": clash.total}


def _errors(analysis: Analysis) -> list[object]:
    """Return the standard errors in rows, null where a cell is not covered."""
    assert analysis.standard_error is not None
    pairs = zip(analysis.chances, analysis.standard_error.tolist(), strict=True)
    return analysis.position.topology.nested(
        None if chance is None else error for chance, error in pairs
    )
