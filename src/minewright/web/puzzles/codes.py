"""The code of a puzzle: the whole puzzle as a short text, which is how it travels.

`7x7x15-`, then a digit per clue and a letter per run of hidden cells (a for 1, z for 26). A
topology other than moore comes first: `hex-7x7x15-...`.
"""

import re
from typing import Annotated, Final, Literal, get_args

from fastapi import Query
from pydantic import Field

from minewright.bullets import Puzzle, PuzzleError
from minewright.messages import write_sides
from minewright.position import COVERED
from minewright.topology import Topology, get

PuzzleTopology = Literal["moore", "hex", "torus", "neumann", "knight"]
"""The topologies of a puzzle: flat ones, where a clue has one digit."""
LEAST_SIDE: Final = 3
MOST_SIDE: Final = 12

_CODE: Final = re.compile(r"(?:([a-z]+)-)?([0-9]{1,2})x([0-9]{1,2})x([0-9]{1,3})-([0-9a-z]+)")
_RUN: Final = 26

PuzzleCode = Annotated[
    str,
    Field(
        max_length=200,
        description="The whole puzzle as a short text, as in every answer.",
        # Documented but not enforced: `decode` has a better message.
        json_schema_extra={"pattern": f"^{_CODE.pattern}$"},
        examples=["5x5x7-b2a22e112b1d112a"],
    ),
]
CodeAsked = Annotated[PuzzleCode, Query()]


def encode(puzzle: Puzzle) -> str:
    """Return the code of a puzzle."""
    name = puzzle.topology.name
    body, run = [], 0
    for code in (*puzzle.position.cells, None):
        hidden = code == COVERED
        if run and (not hidden or run == _RUN):
            body.append(chr(ord("a") + run - 1))
            run = 0
        if hidden:
            run += 1
        elif code is not None:
            body.append(str(code))
    sides = f"{write_sides(puzzle.topology.shape)}x{puzzle.bullets}"
    return f"{'' if name == 'moore' else f'{name}-'}{sides}-{''.join(body)}"


def decode(code: str) -> Puzzle:
    """Return the puzzle of a code; raise PuzzleError if it is not a code."""
    read = _CODE.fullmatch(code)
    if read is None:
        raise PuzzleError("this is no puzzle's code, such as 3x3x2-02e1a; copy the whole address")
    name, (width, height, bullets), body = (
        read[1] or "moore",
        map(int, read.group(2, 3, 4)),
        read[5],
    )
    if name not in get_args(PuzzleTopology):
        raise PuzzleError(
            f"there are no puzzles on {name} here; choose {', '.join(get_args(PuzzleTopology))}"
        )
    for side in (width, height):
        if not LEAST_SIDE <= side <= MOST_SIDE:
            raise PuzzleError(f"a side may have {LEAST_SIDE} to {MOST_SIDE} cells, not {side}")
    topology: Topology = get(name, (width, height))
    clues, at = [], 0
    for sign in body:
        if sign.isdigit():
            clues.append((at, int(sign)))
        at += 1 if sign.isdigit() else ord(sign) - ord("a") + 1
    if at != topology.size:
        raise PuzzleError(
            f"the puzzle's code has {at} cells, not {topology.size}; copy the whole address"
        )
    return Puzzle(topology, tuple(clues), bullets)
