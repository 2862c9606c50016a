"""Run the example notebooks without Jupyter: every cell in order.

Usage: scripts/notebooks.py run [NAME ...]      run these, or all
       scripts/notebooks.py html NAME OUT       run one and write what a reader would see as a page
"""

import ast
import html
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = ROOT / "docs" / "notebooks"


def cells(path: Path) -> list[tuple[str, str]]:
    """Return the kind and the text of each cell."""
    found = json.loads(path.read_text(encoding="utf-8"))
    assert found["nbformat"] == 4, f"{path.name}: only notebooks of format 4"
    return [(cell["cell_type"], "".join(cell["source"])) for cell in found["cells"]]


def run_cell(text: str, space: dict[str, object]) -> object:
    """Run a cell and return the value of its last line, if that is an expression."""
    tree = ast.parse(text)
    last = tree.body[-1] if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    body = ast.Module(tree.body[:-1] if last else tree.body, [])
    exec(compile(body, "cell", "exec"), space)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), space) if last else None


def shown(value: object) -> str:
    """Return what a notebook shows of a value: its picture, or its text."""
    if value is None:
        return ""
    draw = getattr(value, "_repr_svg_", None)
    return str(draw()) if draw else f"<pre>{html.escape(repr(value))}</pre>"


def run(path: Path) -> list[tuple[str, str, str]]:
    """Run a notebook; return each cell with what it shows."""
    space: dict[str, object] = {"__name__": "__main__"}
    found = []
    for kind, text in cells(path):
        value = run_cell(text, space) if kind == "code" else None
        found.append((kind, text, shown(value)))
    return found


def main(arguments: list[str]) -> None:
    """Run some notebooks, or all."""
    action, *names = arguments
    if action == "html":
        path, out = NOTEBOOKS / f"{names[0]}.ipynb", Path(names[1])
        parts = [f"<pre>{html.escape(text)}</pre>{value}" for _, text, value in run(path)]
        out.write_text("\n".join(parts), encoding="utf-8")
        return
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        if not names or path.stem in names:
            print(f"{path.stem}: {len(run(path))} cells")


if __name__ == "__main__":
    main(sys.argv[1:] or ["run"])
