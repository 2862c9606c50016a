"""The fuzzer's own process: `run.py` starts it with a target's name and libFuzzer's options."""

import gc
import shlex
import sys
from importlib import import_module
from pkgutil import walk_packages
from types import FunctionType
from typing import Protocol, cast

from targets import TARGETS, Target

import minewright

ROOMS = "minewright.", "tomllib."


class _Hooks(Protocol):
    def add(self, hook: str) -> None: ...


class _Atheris(Protocol):
    enabled_hooks: _Hooks

    def instrument_func(self, function: FunctionType) -> FunctionType: ...
    def Setup(self, arguments: list[str], target: Target) -> None: ...  # noqa: N802
    def Fuzz(self) -> None: ...  # noqa: N802


# The package says nothing about its types.
atheris = cast(_Atheris, import_module("atheris"))


def instrument(name: str) -> None:
    """Let the fuzzer see which parts of the package an input of this target reaches.

    An editable installation is found in a way that atheris cannot hook into, so every function is
    instrumented after its import. Commands import some modules only when they run; those are
    imported now. Experiments are TOML, which is parsed by Python's own reader: without
    instrumenting that too, the fuzzer would hardly get past the first line.
    """
    if name == "command":
        for module in walk_packages(minewright.__path__, "minewright."):
            if not module.name.endswith("__main__"):
                import_module(module.name)
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and (thing.__module__ or "").startswith(ROOMS):
            atheris.instrument_func(thing)


if __name__ == "__main__":
    name, *options = sys.argv[1:]
    # Show the fuzzer what strings are compared with, too.
    atheris.enabled_hooks.add("str")
    instrument(name)
    # For a merge, libFuzzer starts this program again in a shell: argument 0 must be a whole
    # command.
    own = shlex.join([sys.executable, sys.argv[0], name])
    atheris.Setup([own, *options], TARGETS[name])
    atheris.Fuzz()
