"""`minewright serve`: the web app on this machine."""

import sys
from errno import EADDRNOTAVAIL
from pathlib import Path
from socket import gaierror
from typing import Annotated

import typer

from minewright.cli.streams import CommandError, write

_DIGITS = 4_300
"""The most digits of a number to read: Python's default, which `main` lifts to print counts."""


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address to listen on; 0.0.0.0 means all.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65_535, metavar="N", help="The port; 0 picks a free one.")
    ] = 8765,
    data: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where to keep games; by default your data directory."),
    ] = None,
    lab: Annotated[
        Path, typer.Option(metavar="DIR", help="Where the lab page looks for runs.")
    ] = Path(),
    name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HOST", help="A host name people use for it; can be given several times."
        ),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="A proxy in front of it, or a network of proxies, trusted to say where requests "
            "come from; can be given several times.",
        ),
    ] = None,
    table: Annotated[
        bool | None,
        typer.Option(
            "--table/--no-table",
            help="Keep a table of the day; by default if others can reach the server.",
            show_default=False,
        ),
    ] = None,
    open: Annotated[bool, typer.Option("--open/--no-open", help="Open it in the browser.")] = False,
) -> None:
    """Start the web app: play, ask why, analyse, watch, make puzzles."""
    try:
        from minewright.web.app import create_app
        from minewright.web.people.database import DatabaseError
        from minewright.web.server.addresses import read_network
        from minewright.web.server.process import listen, run
        from minewright.web.server.settings import Settings, data_directory
    except ImportError as error:
        raise CommandError(
            f"the web app needs {error.name}: pip install 'minewright[web]'"
        ) from None

    sys.set_int_max_str_digits(_DIGITS)
    try:
        proxies = tuple(str(read_network(each)) for each in proxy or ())
    except ValueError as error:
        raise CommandError(
            f"--proxy: {error}; give an address, or a network such as 10.0.0.0/8"
        ) from None
    try:
        data = data or data_directory()
    except RuntimeError:
        raise CommandError(
            "you have no home directory; say where to keep games with --data"
        ) from None
    settings = Settings(
        data=data,
        lab=lab,
        host=host,
        port=port,
        names=tuple(name or ()),
        proxies=proxies,
        table=table,
    )
    if not host:
        # The system would take it for all addresses.
        raise CommandError("--host is empty; give an address such as 127.0.0.1, or 0.0.0.0 for all")
    try:
        host.encode("idna")
    except UnicodeError:
        raise CommandError(f"--host {host}: this is not an address") from None
    try:
        socket = listen(settings)
    except gaierror:
        raise CommandError(f"--host {host}: this address is not known") from None
    except OSError as error:
        if error.errno == EADDRNOTAVAIL:
            raise CommandError(
                f"--host {host}: this machine does not have that address; choose another"
            ) from None
        # Python appends the address, which the message below already has.
        why = str(error.strerror).partition(" (while")[0]
        raise CommandError(
            f"{host}:{port} cannot be used ({why}); "
            "stop the program that uses it, or choose another with --port"
        ) from None
    with socket:
        try:
            app = create_app(settings)
        except DatabaseError as error:
            raise CommandError(str(error)) from None
        run(app, socket, lambda address: write(f"{address}\n"), open_page=open)
