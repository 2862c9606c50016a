"""The fuzzer's own process: `run.py` starts it with a target's name and libFuzzer's options."""

import gc
import sys
from importlib import import_module
from pkgutil import walk_packages
from types import FunctionType
from typing import Protocol, cast

from targets import TARGETS, Target

import minewright


class _Hooks(Protocol):
    def add(self, hook: str) -> None: ...


class _Atheris(Protocol):
    enabled_hooks: _Hooks

    def instrument_func(self, function: FunctionType) -> FunctionType: ...
    def Setup(self, arguments: list[str], target: Target) -> None: ...  # noqa: N802
    def Fuzz(self) -> None: ...  # noqa: N802


# The package says nothing about its types.
atheris = cast(_Atheris, import_module("atheris"))


def instrument() -> None:
    """Let the fuzzer see which parts of the package an input reaches.

    An editable installation is found in a way that atheris cannot hook into, so every function is
    instrumented after its import; those that are imported late are imported now.
    """
    for module in walk_packages(minewright.__path__, "minewright."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and (thing.__module__ or "").startswith("minewright."):
            atheris.instrument_func(thing)


if __name__ == "__main__":
    name, *options = sys.argv[1:]
    # It sees what texts are compared with, too.
    atheris.enabled_hooks.add("str")
    instrument()
    atheris.Setup([sys.argv[0], *options], TARGETS[name])
    atheris.Fuzz()
