"""The house: what holds for the repository as a whole."""

import ast
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import minewright
from minewright import _kernel

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scripts"))
import imports as house

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "minewright"

# Which room may use which: a room uses only the rooms on lines before its own. The room
# `minewright` is the front door, the package's own module.
ROOMS = [
    ["_kernel"],
    ["errors"],
    ["messages"],
    ["drawing"],
    ["work"],
    ["board"],
    ["topology"],
    ["position"],
    ["clicks"],
    ["game"],
    ["exact"],
    ["inference"],
    ["levels"],
    ["circuits"],
    ["deduction"],
    ["assistant"],
    ["strategies"],
    ["champion"],
    ["ledger"],
    ["bullets"],
    ["noguess"],
    ["modes"],
    ["patterns"],
    ["lab"],
    ["documents"],
    ["render"],
    ["formats"],
    ["rating"],
    ["profile"],
    ["minewright"],
    ["bench"],
    ["demo", "engine", "gym", "llm", "web"],
    ["cli"],
    ["__main__"],
]
LEVEL = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}


# Imports inside functions and for types must keep to the order too, except these, each for a
# reason.
ALLOWED: dict[tuple[str, str], str] = {}

# The rooms that call the kernel. All others use what these make of it.
CALLS_THE_KERNEL = {
    "minewright.topology": "neighbour lists",
    "minewright.position": "the codes of cells",
    "minewright.game": "minefields",
    "minewright.exact": "exact counts",
    "minewright.inference": "inference",
    "minewright.deduction.search": "the next step",
    "minewright.deduction.opening": "all steps of a board",
    "minewright.deduction.at_least": "at-least constraints",
    "minewright.strategies.strategy": "random numbers",
    "minewright.strategies.champion": "the champion's choice",
    "minewright.champion": "the champion's choice and best play",
    "minewright.strategies.solutions": "counting solutions",
    "minewright.strategies.minebot.numbers": "sums of sets",
    "minewright.strategies.minebot.algorithms": "sums of sets",
    "minewright.strategies.final_report": "sums of sets",
    "minewright.strategies.oz.solvers": "sums of sets",
    "minewright.bullets.puzzle": "grades",
    "minewright.bullets.maker": "the search for puzzles",
    "minewright.noguess.maker": "the search for boards without guesses",
    "minewright.lab.games": "native players",
    "minewright.gym.vector": "many games at once",
    "minewright.documents.bullets.puzzles": "puzzles with their figures",
}

MODULES = house.modules()

# Looked up only when a test needs them: every process of the suite reads this file.
all_imports = cache(house.imports)


def test_every_room_has_its_place() -> None:
    rooms = {house.room_of(module) for module in MODULES}
    assert rooms <= set(LEVEL), "give a new room its place in ROOMS"


@pytest.mark.parametrize("room", LEVEL)
def test_a_room_uses_only_rooms_before_it(room: str) -> None:
    for importer, imported, when in all_imports():
        used = house.room_of(imported)
        if house.room_of(importer) == room != used and (importer, imported) not in ALLOWED:
            assert LEVEL[used] < LEVEL[room], f"{importer} imports {imported} ({when})"


def test_no_module_and_no_room_imports_itself_through_others() -> None:
    kept = [each for each in all_imports() if (each.importer, each.imported) not in ALLOWED]
    assert house.cycles(house.graph_of((each.importer, each.imported) for each in kept)) == []
    rooms = ((house.room_of(each.importer), house.room_of(each.imported)) for each in kept)
    assert house.cycles(house.graph_of(rooms)) == []


def test_what_is_allowed_is_still_there() -> None:
    there = {(each.importer, each.imported) for each in all_imports()}
    assert set(ALLOWED) <= there


def test_a_cycle_is_found_however_long() -> None:
    graph = house.graph_of([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "d")])
    assert sorted(house.cycles(graph)) == [["a", "b", "c"], ["d", "e"]]
    assert house.cycles(house.graph_of([("a", "b"), ("a", "c"), ("b", "c")])) == []


def test_imports_are_seen_wherever_they_stand() -> None:
    seen = {(each.importer, each.imported, each.when) for each in all_imports()}
    assert ("minewright.position", "minewright.topology", "start") in seen
    assert ("minewright.cli.serve", "minewright.web.app", "later") in seen
    assert ("minewright", "minewright.bullets", "types") in seen
    assert ("minewright.strategies.catalogue", "minewright.strategies.pseq", "later") in seen


def test_only_what_must_imports_the_kernel() -> None:
    callers = {each.importer for each in all_imports() if each.imported == house.KERNEL}
    assert callers == set(CALLS_THE_KERNEL)


def test_the_picture_of_the_rooms_is_the_house_as_it_is() -> None:
    rooms = house.graph_of((house.room_of(a), house.room_of(b)) for a, b, _ in all_imports())
    drawn = (ROOT / "docs" / "images" / "rooms.svg").read_text(encoding="utf-8")
    assert drawn == house.svg(rooms), "python scripts/imports.py --svg docs/images/rooms.svg"


def test_importing_minewright_loads_nothing_of_the_command_line() -> None:
    code = "import sys, minewright; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"typer", "rich", "click"} & set(run.stdout.split())


def call_of(function: ast.FunctionDef) -> str:
    """Return a function's signature: its argument names, with a star for optional ones."""
    names = [argument.arg for argument in function.args.args]
    required = len(names) - len(function.args.defaults)
    return ", ".join(names[:required] + [f"{name}*" for name in names[required:]])


def in_stub(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, str]]:
    for node in body:
        if isinstance(node, ast.AnnAssign):
            yield prefix + ast.unparse(node.target), ""
        elif isinstance(node, ast.FunctionDef):
            is_property = "property" in map(ast.unparse, node.decorator_list)
            yield prefix + node.name, "" if is_property else call_of(node)
        elif isinstance(node, ast.ClassDef):
            if "Protocol" in map(ast.unparse, node.bases):
                continue  # a shape that arguments have, not a thing
            yield node.name, ""
            yield from in_stub(node.body, f"{node.name}.")


def in_kernel(owner: object, prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, thing in vars(owner).items():
        signatures: tuple[tuple[str, ...], ...] = getattr(thing, "__nb_signature__", ())
        if name.startswith("_") and not (name == "__init__" and signatures):
            continue
        definition = ast.parse(
            re.sub(r"\\\d+", "...", signatures[0][0]) + ": ..." if signatures else ""
        )
        calls = [call_of(node) for node in definition.body if isinstance(node, ast.FunctionDef)]
        yield prefix + name, "".join(calls)
        if isinstance(thing, type):
            yield from in_kernel(thing, f"{name}.")


def test_the_kernels_stub_says_what_is_there_and_how_to_call_it() -> None:
    stub = ast.parse((PACKAGE / "_kernel.pyi").read_text(encoding="utf-8"))
    assert dict(in_stub(stub.body)) == dict(in_kernel(_kernel))


def test_the_version_is_the_same_everywhere() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert minewright.__version__ == settings["project"]["version"]
    assert minewright.__version__ == importlib.metadata.version("minewright")


def examples() -> list[str]:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return [part.split("```")[0] for part in text.split("```python\n")[1:]]


@pytest.mark.parametrize("example", examples(), ids=["topology", "strategy"])
def test_what_contributing_shows_works_as_written(example: str) -> None:
    # In a process of its own, so that other tests do not see what the example registers.
    subprocess.run([sys.executable, "-c", example], check=True)


@pytest.fixture
def bare_tree(tmp_path: Path) -> Path:
    """Make a tree in which nothing has been set up yet."""
    for name in ["Makefile", "CMakeLists.txt", "pyproject.toml"]:
        shutil.copy(ROOT / name, tmp_path)
    # Another process may be writing bytecode there right now.
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ["lock", "scripts"]:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    return tmp_path


@pytest.mark.skipif(not shutil.which("make"), reason="needs make")
@pytest.mark.parametrize(
    ("choice", "cure"),
    [("PYTHON=/nowhere/python3", "apt install python3"), ("CXX=/nowhere/c++", "apt install g++")],
)
def test_make_says_in_one_line_what_to_install(bare_tree: Path, choice: str, cure: str) -> None:
    settings = [f"PYTHON={sys.executable}", choice]
    run = subprocess.run(
        ["make", "test", *settings],
        cwd=bare_tree,
        env=outside_make(),
        capture_output=True,
        text=True,
    )
    assert run.returncode == 2
    assert cure in run.stderr
    # On a clock that is behind, make also warns of files from the future.
    said = [line for line in run.stderr.splitlines() if "modification time" not in line]
    assert len(said) == 1, run.stderr
    assert run.stdout == ""
    assert not (bare_tree / ".venv").exists()


@pytest.mark.skipif(not shutil.which("cmake"), reason="needs cmake")
def test_cmake_says_which_compiler_to_install(bare_tree: Path) -> None:
    run = subprocess.run(
        ["cmake", "-S", ".", "-B", "build"],
        cwd=bare_tree,
        env=outside_make() | {"CXX": "/nowhere/c++"},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    assert "needs a C++20 compiler" in run.stderr
    assert len(run.stderr.splitlines()) < 10, run.stderr


def outside_make() -> dict[str, str]:
    """Return the environment without what an outer `make test` has put there."""
    return {
        key: value for key, value in os.environ.items() if "MAKE" not in key and key != "MFLAGS"
    }
