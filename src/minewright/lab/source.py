"""Definitions written in Python: the only place where the lab runs a user's code."""

import sys
from collections.abc import Mapping
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Final

from minewright.errors import MinewrightError

SOURCE: Final = "experiment.py"
"""What a definition in Python is called in messages; its module has the same name."""

_adopted: dict[str, Mapping[str, object]] = {}


class ExperimentError(MinewrightError, ValueError):
    """An impossible experiment: one line that says what to fix."""


def adopt(source: str) -> Mapping[str, object]:
    """Run a definition once in this process, to register its strategies; return its names.

    `source` is the text of a file that the user named in this run, here or where the work came
    from. Nothing that a run directory contains is ever passed to this function.
    """
    if not source:
        return {}
    if source not in _adopted:
        # Noted before it runs: a strategy cannot be registered twice.
        _adopted[source] = {}
        # A real module, because classes look up the module they are defined in.
        module = ModuleType(SOURCE.removesuffix(".py"))
        sys.modules[module.__name__] = module
        try:
            exec(compile(source, SOURCE, "exec"), module.__dict__)
        except ExperimentError:
            raise
        except (Exception, SystemExit) as error:  # whatever the user's file does wrong
            raise ExperimentError(fault(error)) from None
        _adopted[source] = module.__dict__
    return _adopted[source]


def adopted(source: str) -> bool:
    """Return True if this process has run a definition, or there is none to run."""
    return not source or source in _adopted


def fault(error: BaseException) -> str:
    """Return what went wrong in a user's code, and in which line, of the definition if possible."""
    frames = extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename == SOURCE] or frames
    # A SyntaxError names its line itself.
    named = isinstance(error, SyntaxError) or not own
    where = "" if named else f" ({Path(own[-1].filename).name}, line {own[-1].lineno})"
    return f"{type(error).__name__}: {error}{where}"
