"""Circuits: what wires and gates compute, by exact inference alone."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from minewright import Position, analyze
from minewright.circuits import circuits
from minewright.cli import main

GATES: dict[str, Callable[[bool, bool], bool]] = {
    "and": lambda a, b: a and b,
    "nand": lambda a, b: not (a and b),
    "or": lambda a, b: a or b,
    "nor": lambda a, b: not (a or b),
    "xor": lambda a, b: a != b,
    "xnor": lambda a, b: a == b,
}


@pytest.mark.parametrize("name", GATES)
def test_a_gate_has_its_truth_table(name: str) -> None:
    table = list(circuits()[name].truth_table())
    assert len(table) == 4
    for given, found in table:
        assert found == {"out": GATES[name](given["a"], given["b"])}


def test_a_half_adder_adds() -> None:
    for given, found in circuits()["half-adder"].truth_table():
        assert 2 * bool(found["carry"]) + bool(found["sum"]) == given["a"] + given["b"]


def test_a_wire_carries_and_an_inverter_turns_both_values() -> None:
    for value in (False, True):
        assert circuits()["wire"].run(a=value) == {"out": value}
        assert circuits()["inverter"].run(a=value) == {"out": not value}


def test_nothing_is_known_before_the_inputs_are() -> None:
    for circuit in circuits().values():
        assert set(circuit.run().values()) == {None}
        assert analyze(circuit.position).solutions == 2 ** len(circuit.inputs)


def test_the_examples_of_the_page_are_the_circuits() -> None:
    page = Path(__file__).parents[1] / "src/minewright/web/static/js/analyse/examples.js"
    text = page.read_text(encoding="utf-8")
    for name in ("wire", "inverter", "half adder"):
        shown = text.partition(f'"Circuit: {name}"')[2].split("`")[1]
        rows = "\n".join(line.strip() for line in shown.splitlines())
        assert Position.parse(rows) == circuits()[name.replace(" ", "-")].position


def test_the_command_lists_shows_and_runs_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["circuits", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["circuits"]) == list(circuits())
    assert main(["circuits"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(circuits())
    assert main(["circuits", "xor", "--table"]) == 0
    assert capsys.readouterr().out.split() == [
        "a",
        "b",
        "out",
        "0",
        "0",
        "0",
        "0",
        "1",
        "1",
        "1",
        "0",
        "1",
        "1",
        "1",
        "0",
    ]
    assert main(["circuits", "half-adder", "--set", "a=1,b=1"]) == 0
    shown, told = capsys.readouterr()
    assert Position.parse(shown) == circuits()["half-adder"].with_inputs(a=True, b=True)
    assert told == "carry is 1, sum is 0\n"
    assert main(["circuits", "and", "--set", "a=0,b=1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["outputs"] == {"out": False}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["nonsense"], "choose from wire"),
        (["and", "--set", "c=1"], "its inputs are a, b"),
        (["and", "--set", "self=1"], "its inputs are a, b"),
        (["and", "--set", "a"], "a=1,b=0"),
        (["and", "--set", "a=1,a=0"], "gives 'a' twice"),
        (["and", "--set", "a=1", "--table"], "leave out --set"),
        (["--table"], "need the NAME"),
    ],
)
def test_a_circuit_that_is_not_there_is_one_line(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["circuits", *arguments]) == 2
    output, complaint = capsys.readouterr()
    assert (output, complaint.count("\n")) == ("", 1)
    assert why in complaint
