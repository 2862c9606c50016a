"""Show which room of the package imports which, as text or as a picture.

An import counts wherever it is: at the top of a module, inside a function (`later`), for type
checkers only (`types`), or as the name of a module in a file that calls `import_module` (`later`).
`tests/test_house.py` uses this module to keep the rooms in order.
"""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal, NamedTuple
from xml.sax.saxutils import escape

import typer

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "minewright"
FRONT_DOOR = "minewright"
KERNEL = "minewright._kernel"

When = Literal["start", "later", "types"]
Graph = Mapping[str, set[str]]


class Import(NamedTuple):
    """One module imports another: at its start, later when it runs, or for its types only."""

    importer: str
    imported: str
    when: When


def name_of(path: Path) -> str:
    """Return the name of the module in a file."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def modules() -> dict[str, Path]:
    """Return all modules of the package by name, with their files."""
    return {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def imports() -> list[Import]:
    """Return every import of one module of the package by another, each once."""
    known = {*modules(), KERNEL}
    found: dict[Import, None] = {}
    for name, path in modules().items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for target, when in _imports(tree, "start"):
            # In `from a import b`, b may be a module or a name in a.
            owner = target.rpartition(".")[0]
            for imported in (target, owner):
                if imported in known:
                    if imported != name:
                        found[Import(name, imported, when)] = None
                    break
        found |= dict.fromkeys(Import(name, other, "later") for other in _named(tree) & known)
    return list(found)


def _imports(node: ast.AST, when: When) -> Iterator[tuple[str, When]]:
    """Yield the names that a piece of code imports, and when."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Import(names=names):
                yield from ((alias.name, when) for alias in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                yield from ((f"{module}.{alias.name}", when) for alias in names)
            case ast.ImportFrom():
                raise ValueError(f"a relative import: {ast.unparse(child)}; write it in full")
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                yield from _imports(child, "later")
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), body=body, orelse=orelse):
                for part in body:
                    yield from _imports(ast.Module([part], []), "types")
                yield from _imports(ast.Module(orelse, []), when)
            case _:
                yield from _imports(child, when)


def _named(tree: ast.AST) -> set[str]:
    """Return all strings in a module that calls `import_module`: some of them name modules."""
    nodes = list(ast.walk(tree))
    if not any(isinstance(node, ast.Name) and node.id == "import_module" for node in nodes):
        return set()
    constants = (node.value for node in nodes if isinstance(node, ast.Constant))
    return {value for value in constants if isinstance(value, str)}


def room_of(module: str) -> str:
    """Return the room of a module: the part of its name after the package's."""
    return [*module.split("."), FRONT_DOOR][1]


def graph_of(found: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """Return who imports whom."""
    graph: defaultdict[str, set[str]] = defaultdict(set)
    for importer, imported in found:
        if importer != imported:
            graph[importer].add(imported)
            graph[imported]
    return dict(graph)


def cycles(graph: Graph) -> list[list[str]]:
    """Return the groups in which everything imports everything, directly or not (Tarjan)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    path: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        order[node] = low[node] = len(order)
        path.append(node)
        for other in sorted(graph[node]):
            if other not in order:
                visit(other)
            if other in path:
                low[node] = min(low[node], low[other])
        if low[node] == order[node]:
            at = path.index(node)
            group = path[at:]
            del path[at:]
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(graph):
        if node not in order:
            visit(node)
    return found


def levels(graph: Graph) -> dict[str, int]:
    """Return the level of each room: one above the highest room that it uses, or the ground."""
    found: dict[str, int] = {}

    def level(node: str) -> int:
        if node not in found:
            found[node] = 1 + max(map(level, graph[node]), default=-1)
        return found[node]

    for node in graph:
        level(node)
    return found


def direct(graph: Graph) -> dict[str, set[str]]:
    """Return the graph without imports that follow from others, which a picture can leave out."""

    def reach(node: str) -> set[str]:
        return graph[node].union(*map(reach, graph[node]))

    return {
        node: used.difference(*(reach(other) for other in used)) for node, used in graph.items()
    }


# The picture

WIDTH, HEIGHT = 108, 30
ACROSS, PASSING, DOWN = 124, 26, 66
STYLE = (
    "text{font:15px Verdana,'DejaVu Sans',sans-serif;text-anchor:middle;fill:#14171c}"
    "rect{fill:#e3edf7;stroke:#0067a5;stroke-width:1.5}path{fill:none;stroke:#5a6069;"
    "stroke-width:1.5}marker path{fill:#5a6069;stroke:none}.panel{fill:#fff;stroke:none}"
)


def svg(graph: Graph) -> str:
    """Draw the rooms, each above all that it uses; imports that follow from others are left out."""
    chains = [
        _chain(room, used, levels(graph))
        for room, below in sorted(direct(graph).items())
        for used in sorted(below)
    ]
    place = _places(chains)
    wide = max(x for x, _ in place.values()) + WIDTH / 2 + 20
    tall = max(y for _, y in place.values()) + HEIGHT / 2 + 20
    boxes = [
        f'<rect x="{x - WIDTH / 2:.0f}" y="{y - HEIGHT / 2:.0f}" width="{WIDTH}"'
        f' height="{HEIGHT}" rx="6"/><text x="{x:.0f}" y="{y + 5:.0f}">{escape(stop.room)}</text>'
        for stop, (x, y) in place.items()
        if not stop.user
    ]
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{wide:.0f}"'
            f' height="{tall:.0f}" viewBox="0 0 {wide:.0f} {tall:.0f}">',
            "<title>The rooms of Minewright</title>",
            "<desc>An arrow points from a room to one that it imports.</desc>",
            f"<style>{STYLE}</style>",
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7"'
            ' markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>',
            '<rect class="panel" width="100%" height="100%"/>',
            *(_line([place[stop] for stop in chain]) for chain in chains),
            *boxes,
            "</svg>\n",
        )
    )


class Stop(NamedTuple):
    """A place in the picture: a room, or a point where a line of `user` crosses a level."""

    level: int
    room: str
    user: str = ""


def _chain(room: str, used: str, level: Mapping[str, int]) -> list[Stop]:
    """Return the stops of a line from a room to one that it uses."""
    between = range(level[room] - 1, level[used], -1)
    passed = (Stop(at, used, room) for at in between)
    return [Stop(level[room], room), *passed, Stop(level[used], used)]


def _places(chains: Iterable[list[Stop]]) -> dict[Stop, tuple[float, float]]:
    """Return where everything goes: above the middle of what is below it, as far as possible."""
    under: defaultdict[Stop, list[Stop]] = defaultdict(list)
    for chain in chains:
        for upper, lower in pairwise(chain):
            under[upper].append(lower)
            under[lower]
    top = max(stop.level for stop in under)
    across: dict[Stop, float] = {}
    for level in range(top + 1):
        row = [stop for stop in under if stop.level == level]
        wish = {
            stop: sum(across[lower] for lower in under[stop]) / max(1, len(under[stop]))
            for stop in row
        }
        row.sort(key=lambda stop: (wish[stop], stop))
        at = 0.0
        for stop in row:
            size = PASSING if stop.user else ACROSS
            across[stop] = at + size / 2
            at += size
        shift = sum(wish[stop] - across[stop] for stop in row) / len(row) if level else 0.0
        for stop in row:
            across[stop] += shift
    left = min(across.values()) - WIDTH / 2 - 20
    return {stop: (x - left, (top - stop.level) * DOWN + 40) for stop, x in across.items()}


def _line(points: list[tuple[float, float]]) -> str:
    """Draw an arrow through points, from the lower edge of a box to the upper edge of another."""
    (x, y), (to_x, to_y) = points[0], points[-1]
    stops = [(x, y + HEIGHT / 2), *points[1:-1], (to_x, to_y - HEIGHT / 2 - 2)]
    curves = (
        f"C{a:.0f} {b + DOWN / 2:.0f} {c:.0f} {d - DOWN / 2:.0f} {c:.0f} {d:.0f}"
        for (a, b), (c, d) in pairwise(stops)
    )
    return f'<path d="M{x:.0f} {y + HEIGHT / 2:.0f}{"".join(curves)}" marker-end="url(#tip)"/>'


def main(
    svg_file: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Draw the rooms to a file.")
    ] = None,
    every_module: Annotated[
        bool, typer.Option("--modules", help="List modules instead of rooms.")
    ] = False,
) -> None:
    """Print who imports whom, from the top of the house to its ground, and every cycle."""
    found = imports()
    rooms = graph_of((room_of(each.importer), room_of(each.imported)) for each in found)
    graph = graph_of((e.importer, e.imported) for e in found) if every_module else rooms
    for node in sorted(graph, key=lambda node: (-len(_below(graph, node)), node)):
        print(f"{node}: {', '.join(sorted(graph[node])) or 'nothing'}")
    circles = cycles(rooms) + cycles(graph_of((e.importer, e.imported) for e in found))
    for circle in circles:
        print("cycle:", ", ".join(circle))
    if svg_file is not None and not cycles(rooms):
        svg_file.write_text(svg(rooms), encoding="utf-8")
    sys.exit(1 if circles else 0)


def _below(graph: Graph, node: str) -> set[str]:
    """Return all that a node uses, directly or not."""
    found: set[str] = set()
    fresh = [node]
    while fresh:
        for other in graph[fresh.pop()] - found:
            found.add(other)
            fresh.append(other)
    return found


if __name__ == "__main__":
    typer.run(main)
