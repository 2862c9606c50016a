"""`minewright reproduce`: the documents' claims put to the test, theirs beside ours."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import typer

from minewright.cli.bars import watched
from minewright.cli.seeds import seed_of
from minewright.cli.streams import (
    BEYOND_BUDGET,
    INTERRUPTED,
    MISTAKE,
    CommandError,
    complain,
    write,
)
from minewright.cli.unused import refuse_others

if TYPE_CHECKING:
    from minewright.documents.study import Outcome, Reproduction


class Scale(StrEnum):
    """How large a reproduction is."""

    quick = "quick"
    paper = "paper"


def reproduce(
    context: typer.Context,
    name: Annotated[
        str | None, typer.Argument(help="The reproduction (see --list).", show_default=False)
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List all reproductions.")] = False,
    claims: Annotated[
        bool, typer.Option("--claims", help="Show the claims and their rules; run nothing.")
    ] = False,
    all_: Annotated[
        bool, typer.Option("--all", help="Run all of them and make a website.")
    ] = False,
    scale: Annotated[
        Scale, typer.Option(help="Under a minute each, or at least the published size.")
    ] = Scale.quick,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where to make its directory, or find one to continue; by default "
            "reproduce-SCALE.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=256,
            metavar="W",
            help="The number of processes; by default one per core.",
            show_default=False,
        ),
    ] = None,
    publish: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Run nothing; write what --out has as Markdown, one page per document.",
            show_default=False,
        ),
    ] = None,
    fallback: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="With --publish: where to look for what --out does not have.",
            show_default=False,
        ),
    ] = None,
    decide: Annotated[
        bool,
        typer.Option(
            "--decide",
            help="Keep doubling the games, up to 8 times as many, while that could decide a claim.",
        ),
    ] = False,
    seed: Annotated[int, typer.Option(parser=seed_of, metavar="S", help="The seed.")] = 0,
) -> None:
    """Reproduce a document's claims: plots, CSV, and a page with their figures beside ours.

    Finished work is kept: the same command continues where it stopped.
    DIR/index.html shows all reproductions in DIR.
    """
    from minewright.documents.catalogue import cheapest_first, run
    from minewright.documents.site import INDEX, verdicts
    from minewright.documents.work import ReproductionError, Request
    from minewright.work.losses import WorkersLost

    if list_:
        if name is not None:
            raise CommandError(f"--list only shows all reproductions; leave out {name!r} or --list")
        refuse_others(context, "does not go with --list, which runs nothing", "list_")
        write("".join(f"{one.name:<20}{one.title}\n" for one in _known().values()))
        return
    if claims:
        refuse_others(context, "does not go with --claims, which runs nothing", "claims", "name")
        shown = [_get(name)] if name is not None else list(_known().values())
        write("\n".join(map(_claims, shown)))
        return
    if publish is not None:
        if name is not None:
            raise CommandError(f"--publish writes the pages of all documents; leave out {name!r}")
        places = ("fallback", "out", "scale")
        refuse_others(context, "does not go with --publish, which runs nothing", "publish", *places)
        place = out or Path(f"reproduce-{scale.value}")
        _publish(publish, [place, *([fallback] if fallback else [])])
        return
    if fallback is not None:
        raise CommandError("--fallback goes with --publish; leave it out, or publish")
    if all_ and name is not None:
        raise CommandError(f"--all runs every reproduction; leave out {name!r} or --all")
    if name is None and not all_:
        raise CommandError("which reproduction? Give a name, --all, or --list to see them")
    place = out or Path(f"reproduce-{scale.value}")

    def again(one: "Reproduction", shown: str) -> "Outcome":
        with watched(shown) as progress:
            cores = workers or os.cpu_count() or 1
            request = Request(scale.value, place, progress, seed, cores, look=int(decide))
            return run(one, request)

    if name is not None:
        with _told(place):
            reproduction = _get(name)
            try:
                outcome = again(reproduction, name)
            except ReproductionError as error:
                raise CommandError(str(error)) from None
        findings = "\n".join(
            f"{finding.verdict}\n{_indented(finding.said)}\n{_indented(f'Here: {finding.ours}')}\n"
            for finding in outcome.findings
        )
        write(f"{reproduction.title}\n\n{findings}\nThe page is {outcome.page}\n")
        return
    every = cheapest_first(_known().values())
    failed: dict[str, Exception] = {}
    with _told(place):
        for number, one in enumerate(every, 1):
            try:
                outcome = again(one, f"{number}/{len(every)} {one.name}")
            except (ReproductionError, WorkersLost) as error:
                # The others may not need what this one lacks.
                failed[one.name] = error
                continue
            write(f"{one.name:<20}{verdicts(outcome.findings)}\n")
    if len(failed) < len(every):
        write(f"The page is {place / INDEX}\n")
    if failed:
        first, why = next(iter(failed.items()))
        raise CommandError(
            f"{len(failed)} of {len(every)} did not run; {first}: {why}",
            BEYOND_BUDGET if isinstance(why, WorkersLost) else MISTAKE,
        )


def _publish(into: Path, runs: list[Path]) -> None:
    from minewright.documents.catalogue import entries
    from minewright.documents.publish import publish
    from minewright.documents.work import ReproductionError

    with _told(into):
        try:
            pages = publish(into, runs, entries())
        except ReproductionError as error:
            raise CommandError(str(error)) from None
    write("".join(f"{page}\n" for page in pages))


def _known() -> dict[str, "Reproduction"]:
    from minewright.documents.catalogue import reproductions
    from minewright.documents.work import ReproductionError

    try:
        return reproductions()
    except ReproductionError as error:
        raise CommandError(str(error)) from None


def _get(name: str) -> "Reproduction":
    known = _known()
    if name not in known:
        raise CommandError(f"no reproduction is called {name!r}; there are {', '.join(known)}")
    return known[name]


def _claims(reproduction: "Reproduction") -> str:
    """Write the table of claims of a reproduction."""
    table = reproduction.table()
    told = [
        f"{claim.id} ({claim.where}){' - our inference' if claim.inferred else ''}"
        f"{' - another reading' if claim.reading else ''}\n"
        f"{_indented(claim.says)}\n{_indented(claim.how)}\n{_indented(f'Rule: {claim.test}.')}\n"
        for claim in table
    ]
    return "\n".join([f"{reproduction.name}: {len(table)} claims of {reproduction.paper}\n", *told])


@contextmanager
def _told(place: Path) -> Iterator[None]:
    """Report in one line what stopped the work."""
    try:
        yield
    except OSError as error:
        where = error.filename or place
        raise CommandError(
            f"{where}: {error.strerror or error}; fix that or choose another --out "
            "(finished work is kept)"
        ) from None
    except KeyboardInterrupt:
        complain(
            f"stopped; finished work is in {place}, and the same command continues", INTERRUPTED
        )
        raise typer.Exit(INTERRUPTED) from None


def _indented(text: str) -> str:
    return fill(text, 100, initial_indent="  ", subsequent_indent="  ")
