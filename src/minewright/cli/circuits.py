"""`minewright circuits`: wires and gates on a Minesweeper board."""

from typing import TYPE_CHECKING, Annotated

import typer

from minewright.cli.streams import CommandError, in_json, write

if TYPE_CHECKING:
    from minewright.circuits import Circuit


def circuits(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Which circuit; without it, list them."),
    ] = None,
    given: Annotated[
        str | None,
        typer.Option("--set", metavar="A=1,B=0", help="Inputs that are known: on (1) or off (0)."),
    ] = None,
    table: Annotated[
        bool, typer.Option("--table", help="Show the truth table, by exact inference.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Show a circuit as a position for `minewright solve -`, or what it computes."""
    from minewright.circuits import circuits as known

    every = known()
    if name is None:
        if given or table:
            raise CommandError("--set and --table need the NAME of a circuit")
        _list(list(every.values()), json)
        return 0
    if name not in every:
        raise CommandError(f"there is no circuit {name!r}; choose from {', '.join(every)}")
    if given is not None and table and not json:
        raise CommandError("--table shows all inputs; leave out --set")
    circuit = every[name]
    try:
        values = {} if given is None else _values(given)
        position = circuit.with_inputs(**values)
    except ValueError as error:
        raise CommandError(f"--set: {error}") from None
    rows = [{"inputs": i, "outputs": o} for i, o in circuit.truth_table()] if table else []
    if json:
        outputs = circuit.run(**values) if given is not None else None
        data = {"name": name, "summary": circuit.summary, "text": str(position)}
        write(in_json(data | {"outputs": outputs} | ({"table": rows} if table else {})))
    elif table:
        write(_table(circuit))
    else:
        # The position alone goes to standard output, so that `solve -` can read it.
        write(f"{position}\n")
        if given is not None:
            told = ", ".join(
                f"{pin} is {_bit(value)}" for pin, value in circuit.run(**values).items()
            )
            typer.echo(told, err=True)
    return 0


def _list(every: "list[Circuit]", json: bool) -> None:
    if json:
        write(in_json({"circuits": {c.name: c.summary for c in every}}))
        return
    for circuit in every:
        pins = f"{', '.join(circuit.inputs)} -> {', '.join(circuit.outputs)}"
        write(f"{circuit.name:<12}{pins:<20}{circuit.summary}\n")


def _values(written: str) -> dict[str, bool]:
    found = {}
    for part in written.split(","):
        pin, _, value = part.partition("=")
        if value not in ("0", "1"):
            raise CommandError(f"--set is inputs such as a=1,b=0, not {written!r}")
        if pin.strip() in found:
            raise CommandError(f"--set gives {pin.strip()!r} twice; give it once")
        found[pin.strip()] = value == "1"
    return found


def _table(circuit: "Circuit") -> str:
    names = [*circuit.inputs, *circuit.outputs]
    lines = ["  ".join(names)]
    for given, found in circuit.truth_table():
        both = given | found
        lines.append("  ".join(_bit(both[name]).ljust(len(name)) for name in names).rstrip())
    return "".join(f"{line}\n" for line in lines)


def _bit(value: bool | None) -> str:
    return "?" if value is None else str(int(value))
