"""A page's script in one file: what the modules do, where its lines come from, what is refused."""

import json
import os
from pathlib import Path

import pytest

from minewright.web.server.bundle import BundleError, bundle
from minewright.web.server.pages import PARTS, STATIC
from minewright.web.server.parts import Parts

SCRIPTS = STATIC / "js"


def write(folder: Path, **modules: str) -> Path:
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("room", PARTS)
def test_every_line_of_every_module_is_in_the_script_once_and_found_by_the_map(room: str) -> None:
    joined = bundle(SCRIPTS, f"{room}/page.js", "/static/js")
    lines = joined.script.split("\n")
    sections = json.loads(joined.map)["sections"]
    assert [section["map"]["sources"] for section in sections] == [
        [f"/static/js/{name}"] for name in joined.modules
    ]
    assert len(set(joined.modules)) == len(joined.modules)
    for name, section in zip(joined.modules, sections, strict=True):
        written = (SCRIPTS / name).read_text(encoding="utf-8").splitlines()
        assert len(section["map"]["mappings"].split(";")) == len(written)
        start = section["offset"]["line"]
        for line, text in enumerate(written):
            if "import" not in text and not text.startswith(("  ", "} from", "export {")):
                assert lines[start + line] == text.removeprefix("export ")


def test_a_module_comes_after_those_it_imports_and_knows_them_by_its_own_names(
    tmp_path: Path,
) -> None:
    page = 'import { Two as deux } from "./b.js";\nimport {\n  one,\n} from "./a.js";\n'
    write(
        tmp_path,
        page=f"{page}go(deux, one);\n",
        a="export const one = 1;\n",
        b='import { one } from "./a.js";\nexport { one } from "./a.js";\nexport class Two {}\n',
    )
    joined = bundle(tmp_path, "page.js", "")
    assert joined.modules == ("a.js", "b.js", "page.js")
    assert joined.script == (
        "const $a = (() => {\nconst one = 1;\nreturn { one };\n})();\n"
        "const $b = (() => {\nconst { one } = $a;\n\nclass Two {}\n"
        "return { one: $a.one, Two };\n})();\n"
        "\nconst { Two: deux } = $b;\nconst {\n  one,\n} = $a;\ngo(deux, one);\n"
    )


@pytest.mark.parametrize(
    "written",
    [
        'export { a as z } from "./b.js";',
        "export default 1;",
        'import "./b.js";',
        'import * as b from "./b.js";',
        "export let a = 1;",
    ],
)
def test_what_cannot_be_joined_is_refused_by_name(tmp_path: Path, written: str) -> None:
    write(tmp_path, page='import { a } from "./a.js";\n', a=written + "\n", b="")
    with pytest.raises(BundleError, match=r"a\.js: cannot be joined .*" + written[:6]):
        bundle(tmp_path, "page.js", "")


@pytest.mark.parametrize("written", ["export const a = 1, c = 2;", "export const a = 1;"])
def test_a_name_that_a_module_is_not_seen_to_export_is_refused_and_not_undefined(
    tmp_path: Path, written: str
) -> None:
    write(tmp_path, page='import {\n  a,\n  c as d,\n} from "./a.js";\n', a=written + "\n")
    with pytest.raises(BundleError, match=r"page\.js: imports c, which a\.js does not export"):
        bundle(tmp_path, "page.js", "")


def test_modules_that_import_each_other_are_refused(tmp_path: Path) -> None:
    write(tmp_path, page='import { a } from "./a.js";\n', a='import { a } from "./page.js";\n')
    with pytest.raises(BundleError, match=r"page\.js → a\.js → page\.js"):
        bundle(tmp_path, "page.js", "")


def test_a_changed_file_is_in_the_next_answer(tmp_path: Path) -> None:
    for kind in ("js", "css"):
        (tmp_path / kind / "room").mkdir(parents=True)
        (tmp_path / kind / "room" / f"page.{kind}").write_text("old\n")
    parts = Parts(tmp_path, "room", ())
    old = parts.made()
    assert parts.made() is old
    sheet = tmp_path / "css" / "room" / "page.css"
    sheet.write_text("new\n")
    os.utime(sheet, ns=(1, 1))
    assert parts.made()["css"].body == b"new\n"
    assert parts.made()["js"] == old["js"]
