"""`minewright reproduce`: a published table or figure again, theirs beside ours."""

import os
from enum import StrEnum
from pathlib import Path
from textwrap import fill
from typing import Annotated

import typer

from minewright.cli.bars import watched
from minewright.cli.streams import INTERRUPTED, CommandError, complain, write


class Scale(StrEnum):
    """How large a reproduction is."""

    quick = "quick"
    paper = "paper"


def reproduce(
    name: Annotated[
        str | None, typer.Argument(help="Which one (see --list).", show_default=False)
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="Show which there are.")] = False,
    scale: Annotated[
        Scale, typer.Option(help="A look in under two minutes, or the published size.")
    ] = Scale.quick,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where its directory is made, or found and gone on with: reproduce-SCALE if "
            "not given.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=256,
            metavar="W",
            help="How many work at once: one a core if not given.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, metavar="S", help="The seed.")] = 0,
) -> None:
    """Run a published experiment again: plots, CSV, and a page with theirs beside ours.

    What is done is kept: the same command goes on where it was stopped.
    """
    from minewright.lab.reproduce import ReproductionError, Request, get, reproductions
    from minewright.lab.store import StoreError

    if list_:
        if name is not None:
            raise CommandError(f"--list shows all reproductions; leave out {name!r} or --list")
        write("".join(f"{one.name:<18}{one.title}\n" for one in reproductions().values()))
        return
    if name is None:
        raise CommandError("which reproduction? Give a name, or --list to see them")
    place = out or Path(f"reproduce-{scale.value}")
    try:
        reproduction = get(name)
        with watched(name) as progress:
            outcome = reproduction.run(
                Request(scale.value, place, progress, seed, workers or os.cpu_count() or 1)
            )
    except (ReproductionError, StoreError) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        where = error.filename or place
        raise CommandError(
            f"{where}: {error.strerror or error}; mend that or choose another --out, "
            "what is done is kept"
        ) from None
    except KeyboardInterrupt:
        complain(f"stopped; what is done is in {place}, the same command goes on", INTERRUPTED)
        raise typer.Exit(INTERRUPTED) from None
    findings = "\n".join(
        f"{finding.verdict}\n{_indented(finding.paper)}\n{_indented(f'Here: {finding.ours}')}\n"
        for finding in outcome.findings
    )
    write(f"{reproduction.title}\n\n{findings}\nThe page is {outcome.page}\n")


def _indented(text: str) -> str:
    return fill(text, 100, initial_indent="  ", subsequent_indent="  ")
