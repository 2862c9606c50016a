"""The modules of a page joined into one script.

A page is written as dozens of small modules. Fetched one by one they are as many requests, and a
phone on a slow line waits for one after the other. Joined, each module is a function that is called
once, after those it imports, and returns what it exports. Our modules keep to a few forms of
`import` and `export`, each at the start of a line; any other is refused, not guessed at. So is the
import of a name that the other module is not seen to export.
"""

import json
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from minewright.errors import MinewrightError

_IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
_PASS_ON: Final = re.compile(
    r'^export \{((?:\s*\w+\s*,)*\s*\w*\s*)\} from "(\.[^"]+)";$', re.MULTILINE
)
_EXPORT: Final = re.compile(
    r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE
)
_OTHER: Final = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)


class BundleError(MinewrightError):
    """Modules that cannot be joined: one uses another form, or they import each other."""


class Bundle(NamedTuple):
    """Modules in one script, and the map that shows a browser's tools where its lines come from."""

    modules: tuple[str, ...]
    script: str
    map: str


class _Module(NamedTuple):
    name: str
    body: str
    """As written, line by line, except for its imports and the word `export`."""
    exports: dict[str, str]
    """The value of each name."""
    imports: tuple[tuple[str, tuple[str, ...]], ...]
    """The names that it takes from each other module."""


def bundle(folder: Path, page: str, address: str) -> Bundle:
    """Join the module `page` of `folder`, served at `address`, with everything it imports."""
    modules = list(_ordered(folder, page))
    script, sections, line = [], [], 0
    for module in modules:
        sections.append({"offset": {"line": line + 1, "column": 0}, "map": _map(module, address)})
        # The page itself does not become a function, since it may wait for answers.
        last = module is modules[-1]
        before = "\n" if last else f"const {_variable(module.name)} = (() => {{\n"
        pairs = (
            name if name == value else f"{name}: {value}" for name, value in module.exports.items()
        )
        after = "" if last else f"return {{ {', '.join(pairs)} }};\n}})();\n"
        script.append(before + module.body + after)
        line += script[-1].count("\n")
    return Bundle(
        tuple(module.name for module in modules),
        "".join(script),
        json.dumps({"version": 3, "sections": sections}),
    )


def _ordered(folder: Path, page: str) -> Iterator[_Module]:
    """Yield each module after all those that it imports."""
    done: dict[str, _Module] = {}

    def visit(name: str, path: tuple[str, ...]) -> Iterator[_Module]:
        if name in path:
            circle = " → ".join((*path[path.index(name) :], name))
            raise BundleError(f"these modules import each other: {circle}")
        if name in done:
            return
        module = _read(folder, name)
        for source, names in module.imports:
            yield from visit(source, (*path, name))
            for taken in names:
                if taken not in done[source].exports:
                    raise BundleError(f"{name}: imports {taken}, which {source} does not export")
        done[name] = module
        yield module

    return visit(page, ())


def _read(folder: Path, name: str) -> _Module:
    """Read a module, and return it ready to be joined."""
    text = (folder / name).read_text(encoding="utf-8")
    imports: list[tuple[str, tuple[str, ...]]] = []
    exports: dict[str, str] = {}

    def other(found: re.Match[str]) -> str:
        source = posixpath.normpath(posixpath.join(posixpath.dirname(name), found[2]))
        imports.append((source, tuple(re.findall(r"(?:^|,)\s*(\w+)", found[1]))))
        return _variable(source)

    # Each replacement keeps the number of lines, so that the map stays simple.
    def take(found: re.Match[str]) -> str:
        return f"const {{{found[1].replace(' as ', ': ')}}} = {other(found)};"

    def pass_on(found: re.Match[str]) -> str:
        source = other(found)
        exports.update((each, f"{source}.{each}") for each in imports[-1][1])
        return "\n" * found[0].count("\n")

    def export(found: re.Match[str]) -> str:
        exports[found[1]] = found[1]
        return ""

    body = _EXPORT.sub(export, _PASS_ON.sub(pass_on, _IMPORT.sub(take, text)))
    if strange := _OTHER.search(body):
        raise BundleError(f"{name}: cannot be joined with other modules: {strange[0]}")
    return _Module(name, body, exports, tuple(imports))


def _variable(name: str) -> str:
    """Return the name under which the exports of a module are known."""
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))


def _map(module: _Module, address: str) -> dict[str, object]:
    """Return the map of a module that keeps all its lines: line n is line n of the source."""
    mappings = ";".join(["AAAA"] + ["AACA"] * (module.body.count("\n") - 1))
    return {
        "version": 3,
        "sources": [f"{address}/{module.name}"],
        "names": [],
        "mappings": mappings,
    }
