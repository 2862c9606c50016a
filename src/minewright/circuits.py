"""Circuits on a Minesweeper board, after Richard Kaye, *Minesweeper is NP-complete* (2000).

A signal runs along pairs of covered cells, exactly one of which is mined. The wire is Kaye's; the
gates are our own tiles. What a gate computes is found by exact inference, like everything else.

>>> gate = circuits()["half-adder"]
>>> gate.run(a=True, b=True)
{'carry': True, 'sum': False}
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final, NamedTuple

from minewright.inference import analyze
from minewright.position import COVERED, MINED, SAFE, Position
from minewright.topology import get


class Pin(NamedTuple):
    """A cell that carries a signal; `mined` says whether it is mined if the signal is on."""

    cell: int
    mined: bool


@dataclass(frozen=True)
class Circuit:
    """A position that computes: its inputs can be set, and its outputs follow."""

    name: str
    summary: str
    position: Position
    inputs: Mapping[str, Pin]
    outputs: Mapping[str, Pin]

    def with_inputs(self, /, **values: bool) -> Position:
        """Return the position in which some inputs are known.

        Raise ValueError if there is no such input.
        """
        known = {}
        for name, value in values.items():
            if name not in self.inputs:
                there = ", ".join(self.inputs)
                raise ValueError(f"{self.name} has no input {name!r}; its inputs are {there}")
            pin = self.inputs[name]
            known[pin.cell] = MINED if value == pin.mined else SAFE
        return self.position.with_cells(known)

    def run(self, /, **values: bool) -> dict[str, bool | None]:
        """Return the outputs for these inputs; None if they are not determined."""
        analysis = analyze(self.with_inputs(**values))
        found: dict[str, bool | None] = {}
        for name, (cell, mined) in self.outputs.items():
            certain = cell in analysis.mined or cell in analysis.safe
            found[name] = (cell in analysis.mined) == mined if certain else None
        return found

    def truth_table(self) -> Iterator[tuple[dict[str, bool], dict[str, bool | None]]]:
        """Yield all inputs with their outputs."""
        for values in product((False, True), repeat=len(self.inputs)):
            given = dict(zip(self.inputs, values, strict=True))
            yield given, self.run(**given)


def layout(rows: Sequence[str], signals: Iterable[Mapping[str, bool]]) -> Position:
    """Return the position of a circuit in which the signals can have any of these values.

    The covered cells are named by the signal that mines them: `x` where it is on, `X` where it is
    off. `!` is a known mine and `.` is open. An open cell shows its number if that is the same for
    all values; otherwise the number would give a signal away, and is not known.
    """
    board = get("moore", (len(rows[0]), len(rows)))
    letters = "".join(rows)
    shown: list[set[int]] = [set() for _ in letters]
    for values in signals:
        mined = {
            cell
            for cell, letter in enumerate(letters)
            if letter == "!" or (letter.isalpha() and values[letter.lower()] == letter.islower())
        }
        for cell in range(board.size):
            shown[cell].add(sum(other in mined for other in board.neighbours(cell)))
    codes = {"!": MINED}
    cells = [
        codes.get(letter, COVERED) if letter != "." else (min(seen) if len(seen) == 1 else SAFE)
        for letter, seen in zip(letters, shown, strict=True)
    ]
    return Position(board, bytes(cells), None)


ONE_SIGNAL: Final = ({"x": False}, {"x": True})


def wire(pairs: int = 5) -> Position:
    """Return Kaye's wire: pairs of cells, one of which is mined, and a number between them."""
    middle = ".".join(["xX"] * pairs)
    empty = "." * len(middle)
    return layout([empty, middle, empty], ONE_SIGNAL)


def inverter() -> Position:
    """Return a NOT gate: behind it, pairs begin with the opposite of the signal.

    The mines above and below the third cell make the numbers beside them equal for both signals.
    """
    middle = "xX.xXx.Xx.Xx"
    empty = "." * len(middle)
    mine = "....!......."
    return layout([empty, mine, middle, mine, empty], ONE_SIGNAL)


def adders(gates: int) -> Position:
    """Return wires in a row with a gate between every two: a chain of half adders.

    A gate is a number between the ends u and v of two wires and has four cells below. Its number
    says u + v + a + b = 2; the other two say b + B = 1 and a + B + d = 2. So a is on unless u and v
    are both on, B is on if one of them is, and d is on if they are equal.
    """
    rows = [
        "." * 17,
        "Uu.Uu.vV.vV.wW.wW",
        "....a.b...e.f....",
        "." * 17,
        "...d.B...g.F.....",
    ]

    def gate(u: bool, v: bool, names: str) -> dict[str, bool]:
        return dict(zip(names, (not (u and v), not (u or v), u == v), strict=True))

    signals = [
        {"u": u, "v": v, "w": w} | gate(u, v, "abd") | gate(not v, w, "efg")
        for u, v, w in product((False, True), repeat=3)
    ]
    whole = str(layout(rows, signals)).split("\n")[1 : 1 + len(rows)]
    # Repeat the part from the middle of one wire to the middle of the next, once per further gate.
    cut = [row[:8] + row[8:14] * (gates - 1) + row[14:] for row in whole]
    return Position.parse(f"{len(cut[0])}x{len(cut)}x?\n" + "\n".join(cut))


@cache
def circuits() -> Mapping[str, Circuit]:
    """Return all circuits by name."""
    half = adders(1)
    # The ends of the wires, and the cells below: mined for `not (a and b)`, `a or b`, `a == b`.
    ends = {"a": Pin(15, True), "b": Pin(17, True)}
    unlike, either, alike = 26, 49, 47
    gates = {
        "and": ("on if both inputs are", Pin(unlike, False)),
        "nand": ("off if both inputs are on", Pin(unlike, True)),
        "or": ("on if an input is", Pin(either, True)),
        "nor": ("off if an input is on", Pin(either, False)),
        "xor": ("on if the inputs differ", Pin(alike, False)),
        "xnor": ("on if the inputs are equal", Pin(alike, True)),
    }
    last = 4 * 6 + 11
    found = [
        Circuit(
            "wire",
            "carries its signal from one end to the other",
            wire(),
            {"a": Pin(14, True)},
            {"out": Pin(26, True)},
        ),
        Circuit(
            "inverter",
            "inverts its signal: a NOT gate",
            inverter(),
            {"a": Pin(24, True)},
            {"out": Pin(last - 1, True)},
        ),
        *(
            Circuit(name, summary, half, ends, {"out": pin})
            for name, (summary, pin) in gates.items()
        ),
        Circuit(
            "half-adder",
            "adds two bits",
            half,
            ends,
            {"carry": gates["and"][1], "sum": gates["xor"][1]},
        ),
    ]
    return {circuit.name: circuit for circuit in found}
