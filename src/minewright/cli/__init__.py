"""The command line: read what the user typed, call the library, show the answer.

Exit codes: 0 for an answer, 1 if no minefield fits, 2 for a user's mistake, 3 for work beyond the
budget or beyond this machine. A mistake is one line on standard error, with nothing on standard
output. Commands import what they need when they run: most of the time of `solve` is Python's
start-up.
"""

import os
import sys
from collections.abc import Sequence
from errno import ENOSPC, EPIPE
from functools import cache
from io import TextIOWrapper
from typing import Annotated, Protocol, runtime_checkable

import typer
from typer.main import get_command

from minewright import __version__
from minewright.cli.bench import bench
from minewright.cli.bullets import group as bullets_group
from minewright.cli.circuits import circuits
from minewright.cli.engine import engine
from minewright.cli.formats import convert, formats
from minewright.cli.lab import group as lab_group
from minewright.cli.llm import group as llm_group
from minewright.cli.noguess import group as noguess_group
from minewright.cli.noguess import verify
from minewright.cli.optimal import optimal
from minewright.cli.patterns import group as patterns_group
from minewright.cli.play import play
from minewright.cli.profile import profile
from minewright.cli.rate import rate
from minewright.cli.reproduce import reproduce
from minewright.cli.review import review
from minewright.cli.serve import serve
from minewright.cli.simulate import simulate
from minewright.cli.solve import solve
from minewright.cli.strategies import strategies
from minewright.cli.streams import (
    BEYOND_BUDGET,
    CLOSED_PIPE,
    INTERRUPTED,
    MISTAKE,
    CommandError,
    complain,
    in_one_line,
    no_output,
    write,
)
from minewright.cli.topologies import topologies
from minewright.work.losses import WorkersLost

app = typer.Typer(
    name="minewright",
    help="A Minesweeper workbench: exact answers about any position.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
COMMANDS = (
    *(play, solve, rate, verify, simulate, strategies, optimal, reproduce),
    *(bench, topologies, circuits, formats, convert, profile, review, engine, serve),
)
for command in COMMANDS:
    app.command()(in_one_line(command))
GROUPS = bullets_group, noguess_group, patterns_group, lab_group, llm_group


def _help_alone(context: typer.Context) -> None:
    """Show the help of a group that is called without a command."""
    if context.invoked_subcommand is None:
        write(f"{context.get_help()}\n")


for group in GROUPS:
    for registered in group.registered_commands:
        assert registered.callback
        registered.callback = in_one_line(registered.callback)
    # Without a callback, typer would turn a group with a single command into that command.
    group.callback(invoke_without_command=True)(_help_alone)
    app.add_typer(group)


class _Context(Protocol):
    command_path: str


@runtime_checkable
class _UsageError(Protocol):
    """What any version of typer raises for a command line that it cannot read."""

    ctx: _Context | None

    def format_message(self) -> str: ...


# typer would build all commands on every call: nine tenths of a call in a running process.
_built = cache(lambda: get_command(app))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    # The number of minefields of a large board has more digits than Python prints by default.
    sys.set_int_max_str_digits(0)
    if sys.stdout is None:
        return complain(
            "standard output is closed; redirect it, to /dev/null if you do not need it", MISTAKE
        )
    if isinstance(sys.stdout, TextIOWrapper):
        # Characters that an old terminal or a Windows pipe cannot show are written as numbers.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = _built()(args=arguments, prog_name="minewright", standalone_mode=False)
    except CommandError as problem:
        return complain(str(problem), problem.code)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except OSError as error:
        return _failure(error)
    except SystemExit as ending:
        # If nobody reads the help, typer ends the process with the code of an inconsistent
        # position.
        if not isinstance(ending.__context__, BrokenPipeError):
            raise
        return CLOSED_PIPE
    except WorkersLost as error:
        return complain(str(error), BEYOND_BUDGET)
    except MemoryError:
        return complain("not enough memory; ask for less work at once", BEYOND_BUDGET)
    except Exception as error:
        if not isinstance(error, _UsageError):
            raise
        path = error.ctx.command_path if error.ctx else "minewright"
        return complain(f"{error.format_message()} (see {path} --help)", MISTAKE)
    return code if isinstance(code, int) else 0


def _failure(error: OSError) -> int:
    """Report a failure of the system that no command expects; return the exit code."""
    if error.filename is not None:
        return complain(f"{os.fsdecode(error.filename)}: {error.strerror}", MISTAKE)
    if error.errno not in (EPIPE, ENOSPC):
        raise error
    # Usually typer was printing the help, but the error does not say what was being written.
    ending = no_output(error, "standard output or a file")
    return complain(str(ending), MISTAKE) if isinstance(ending, CommandError) else CLOSED_PIPE


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", is_eager=True)
    ] = False,
) -> None:
    if version:
        write(f"minewright {__version__}\n")
        raise typer.Exit
    _help_alone(context)
