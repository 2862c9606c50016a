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
from pathlib import Path

import pytest

import minewright
from minewright import _kernel

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "minewright"

# Which room may use which: a room uses only the rooms on lines before its own.
ROOMS = [
    ["_kernel"],
    ["errors"],
    ["messages"],
    ["drawing"],
    ["board"],
    ["topology"],
    ["position"],
    ["game"],
    ["exact"],
    ["inference"],
    ["deduction"],
    ["assistant"],
    ["strategies"],
    ["champion"],
    ["bullets"],
    ["noguess"],
    ["lab"],
    ["render"],
    ["formats"],
    ["__init__"],
    ["bench"],
    ["cli", "demo", "gym", "web"],
    ["__main__"],
]
LEVEL = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}


def imports(statements: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield what runs at import: nothing inside functions, nothing for type checking only."""
    for statement in statements:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            yield statement
        elif isinstance(statement, ast.If) and "TYPE_CHECKING" not in ast.unparse(statement.test):
            yield from imports(statement.body + statement.orelse)
        elif isinstance(statement, ast.Try):
            yield from imports(statement.body)


def rooms_used(module: Path) -> set[str]:
    names: list[str] = []
    for statement in imports(ast.parse(module.read_text(encoding="utf-8")).body):
        if isinstance(statement, ast.Import):
            names += [f"{alias.name}.__init__" for alias in statement.names]
        else:
            package = module.relative_to(PACKAGE.parent).parts[: -statement.level or None]
            start = ".".join(package) + "." if statement.level else ""
            source = (start + (statement.module or "")).rstrip(".")
            names += [f"{source}.{alias.name}" for alias in statement.names]
    used = {name.split(".")[1] for name in names if name.startswith("minewright.")}
    return {name if name in LEVEL else "__init__" for name in used}


@pytest.mark.parametrize(
    "module", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_a_room_uses_only_rooms_before_it(module: Path) -> None:
    room = module.relative_to(PACKAGE).with_suffix("").parts[0]
    assert room in LEVEL, f"{room} is in no room: give it a place in ROOMS"
    wrong = {used for used in rooms_used(module) - {room} if LEVEL[used] >= LEVEL[room]}
    assert not wrong, f"{room} imports {wrong}, which stand beside or after it"


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
    for name in ["lock", "scripts"]:
        shutil.copytree(ROOT / name, tmp_path / name)
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
    assert len(run.stderr.splitlines()) == 1, run.stderr
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
    """Return the environment without what an outer `make test` passes down."""
    return {
        key: value for key, value in os.environ.items() if "MAKE" not in key and key != "MFLAGS"
    }
