"""Paper: what is in a book and on a sheet, and that they are the same every time."""

import io
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path

import pytest
from hard_positions import lattice
from pypdf import PdfReader

from minewright import is_unique
from minewright.bullets import Puzzle, PuzzleError, make, solve
from minewright.bullets.book import MAX_PUZZLES, Book, make_book
from minewright.bullets.example import worked_example
from minewright.bullets.files import read_puzzles
from minewright.bullets.grade import DIFFICULTIES
from minewright.bullets.printed import BookError, Paper, PrintedPuzzle
from minewright.bullets.sheet import Sheet
from minewright.cli import bars, main
from minewright.inference import BudgetExceeded
from minewright.position import MINED, PositionError
from minewright.render.printing import book_pdf, sheet_pdf

GOOD = "3x3x2\n###\n1##\n#10"
AMBIGUOUS = "3x3x2\n1##\n##2\n###"
POINTS: dict[Paper, tuple[float, float]] = {"a4": (595.28, 841.89), "letter": (612, 792)}


@cache
def small_book() -> Book:
    return make_book(7, 5, 7, seed=3)


@cache
def drawn(paper: Paper) -> bytes:
    return book_pdf(small_book(), paper)


def pages(data: bytes) -> list[str]:
    return [page.extract_text() for page in PdfReader(io.BytesIO(data)).pages]


def stays_within_the_margins(data: bytes, paper: Paper) -> None:
    width, height = POINTS[paper]
    for page in PdfReader(io.BytesIO(data)).pages:
        assert (page.mediabox.width, page.mediabox.height) == pytest.approx((width, height))
        stream = page.get_contents()
        assert stream is not None
        drawing = stream.get_data().decode("latin-1")
        points = re.findall(r"(-?[\d.]+) (-?[\d.]+) (?:m|l|Td|[\d.]+ -?[\d.]+ re)\b", drawing)
        assert points
        for x, y in points:
            # The margins that printers cannot reach are smaller than these.
            assert 28 < float(x) < width - 28
            assert 28 < float(y) < height - 28


def links(data: bytes) -> list[str]:
    return [
        str(note.get_object()["/A"]["/URI"])
        for page in PdfReader(io.BytesIO(data)).pages
        for note in page.get("/Annots", ())
    ]


def test_a_book_has_as_many_puzzles_as_asked_for_each_with_one_solution() -> None:
    entries = small_book().entries
    assert [entry.number for entry in entries] == [1, 2, 3, 4, 5, 6, 7]
    assert len({entry.puzzle for entry in entries}) == 7
    assert all(is_unique(entry.puzzle.position) for entry in entries)
    assert {(entry.puzzle.topology.shape, entry.puzzle.bullets) for entry in entries} == {
        ((5, 5), 7)
    }


def test_difficulty_rises_from_easy_to_hard() -> None:
    levels = [DIFFICULTIES.index(entry.difficulty) for entry in small_book().entries]
    assert levels == [0, 0, 0, 1, 1, 2, 2]
    puzzles = [entry.puzzle for entry in small_book().entries]
    backwards = [entry.puzzle for entry in Book.bind(puzzles[::-1]).entries]
    assert [puzzle.grade() for puzzle in backwards] == [puzzle.grade() for puzzle in puzzles]


def test_solutions_are_the_puzzles_solutions() -> None:
    for entry in small_book().entries:
        assert {cell for cell, code in enumerate(entry.solved.cells) if code == MINED} == (
            entry.puzzle.solution
        )
        assert not entry.solved.covered


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_page_has_the_size_of_its_paper_and_all_is_within_the_margins(paper: Paper) -> None:
    stays_within_the_margins(drawn(paper), paper)


def test_the_pages_show_rules_example_every_puzzle_and_every_solution() -> None:
    cover, rules, *rest = pages(drawn("a4"))
    assert "7 puzzles of 5 by 5 cells, from easy to hard" in cover
    assert "without guessing" in rules
    text = "\n".join(rest)
    example = small_book().example
    assert example is not None
    assert f"Step {len(example.steps)}:" in text
    assert text.count("7 bullets") == 7 + 1
    *_, last = rest
    clues = sum(len(entry.puzzle.clues) for entry in small_book().entries)
    assert len(re.findall(r"\d", last.split("Solutions")[1])) == clues + 7


def test_the_rule_about_difficulty_is_true_of_every_puzzle() -> None:
    told = dict(small_book().hints)["Difficulty"]
    assert "one clue at a time is enough" in told
    most = {"easy": (0, 1), "medium": (2, 2), "hard": (3, 99)}
    for entry in small_book().entries:
        low, high = most[entry.difficulty]
        assert low <= solve(entry.puzzle, "refined").effort.hardest <= high


def test_the_back_has_a_hint_and_a_link_to_type_for_every_puzzle() -> None:
    (hints,) = [page for page in pages(drawn("a4")) if "\nHints\n" in f"\n{page}\n"]
    text = " ".join(hints.replace("\N{NO-BREAK SPACE}", " ").split())
    for entry in small_book().entries:
        assert entry.hint in text
        assert entry.puzzle.link.removeprefix("https://") in text
        first = solve(entry.puzzle, "refined").steps[0]
        for clue in first.clues:
            assert entry.puzzle.topology.describe(clue) in entry.hint


def test_a_book_mixes_sizes_and_takes_the_wishes_of_make() -> None:
    sizes: list[int | tuple[int, ...]] = [4, (5, 4)]
    book = make_book(6, sizes, symmetry="rotation", total=False, iterations=30)
    shapes = [entry.puzzle.topology.shape for entry in book.entries]
    assert shapes.count((4, 4)) == shapes.count((5, 4)) == 3
    for entry in book.entries:
        clues = {cell for cell, _ in entry.puzzle.clues}
        assert {entry.puzzle.topology.size - 1 - cell for cell in clues} == clues
        assert not entry.puzzle.needs_total
    with pytest.raises(BookError, match="at least one size"):
        make_book(3, [])


def test_every_puzzle_can_be_opened_by_its_link() -> None:
    assert links(drawn("letter")) == [entry.puzzle.link for entry in small_book().entries]


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others() -> None:
    assert book_pdf(make_book(7, 5, 7, seed=3), "a4") == drawn("a4")
    assert make_book(7, 5, 7, seed=4).entries != small_book().entries
    # No date or time of printing: the only date is the same in every book.
    assert set(re.findall(rb"D:\d+", drawn("a4"))) == {b"D:20000101000000"}


def test_the_worked_example_shows_every_type_and_is_not_in_the_book() -> None:
    example = worked_example("moore")
    assert example is not None
    assert {step.deduction.kind for step in example.steps} == {0, 1, 2}
    assert all(step.deduction.check() for step in example.steps)
    assert not example.steps[-1].deduction.after.covered
    assert not re.search("mine|safe|covered", " ".join(step.sentence for step in example.steps))
    assert example.puzzle not in {entry.puzzle for entry in small_book().entries}


def test_puzzles_of_several_sizes_and_topologies_make_one_book() -> None:
    puzzles = [
        make(4, 5, iterations=5),
        make((12, 10), 36, iterations=0, samples=1),
        make(4, 5, topology="hex", iterations=5),
        make((3, 3, 2), 5, topology="box", iterations=5),
    ]
    book = Book.bind(puzzles)
    assert len(links(book_pdf(book))) == 2
    assert "six at most" in book.rules[1]
    assert len(Book.bind(puzzles[3:]).rules) == 4
    assert book_pdf(Book.bind(puzzles[3:]))


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(("size", "topology"), [(7, "moore"), (12, "torus"), (4, "hex")])
def test_a_puzzle_has_one_sheet_with_two_lines_of_rules_and_its_solution(
    paper: Paper, size: int, topology: str
) -> None:
    puzzle = make(size, topology=topology, iterations=5, seed=2)
    sheet = Sheet.of(puzzle, "Für Anna", date(2026, 1, 8))
    data = sheet_pdf(sheet, paper)
    assert data == sheet_pdf(sheet, paper)
    stays_within_the_margins(data, paper)
    (text,) = pages(data)
    for words in (*sheet.rules, "Für Anna", "Thursday 8 January 2026", sheet.entry.difficulty):
        assert words in text
    shown = re.findall(r"\d", text.partition(sheet.rules[-1])[2])
    # Once in the puzzle and once in the solution.
    assert sorted(map(int, shown)) == sorted(2 * [number for _, number in puzzle.clues])


def test_puzzles_are_read_from_text_and_json_in_any_number() -> None:
    puzzles = [make(4, 5, iterations=5, index=index) for index in range(3)]
    text = "\n\n".join(map(str, puzzles))
    json = [puzzle.to_json() for puzzle in puzzles]
    assert read_puzzles(text) == puzzles
    assert read_puzzles(text.replace("\n", "\r\n")) == puzzles
    assert read_puzzles("\n".join(json)) == puzzles
    assert read_puzzles(f"[{','.join(json)}]") == puzzles
    assert read_puzzles(f'{{"puzzles": [{",".join(json)}]}}') == puzzles


def test_a_mistake_is_told_by_its_line_in_the_whole_file() -> None:
    with pytest.raises(PositionError, match=r"^line 8, column 3: expected a cell"):
        read_puzzles(f"{GOOD}\n\n3x3x2\n1##\n#2x\n0##")
    with pytest.raises(PuzzleError, match=r"^line 5: .* neither a clue nor hidden"):
        read_puzzles(f"{GOOD}\n3x3x2\n1F#\n#2#\n0##")
    with pytest.raises(PuzzleError, match=r"^puzzle 2: "):
        read_puzzles(f"[{Puzzle.parse(GOOD).to_json()}, 7]")


@pytest.mark.parametrize("text", ["[]", '{"puzzles": []}'])
def test_a_file_without_a_puzzle_is_refused(text: str) -> None:
    with pytest.raises(PuzzleError, match="no puzzle in this file"):
        read_puzzles(text)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: make_book(0), "a book has 1 to 1,000 puzzles, not 0"),
        (lambda: make_book(MAX_PUZZLES + 1), "not 1,001"),
        (lambda: make_book(3, 4, 16), "in 16 cells is a whole number from 1 to 15, not 16"),
        (lambda: make_book(3, 4, seed=-1), "seed"),
        (lambda: Book.bind([]), "at least 1 puzzle"),
        (lambda: Book.bind(2 * read_puzzles(GOOD)), "puzzle 2 is the same as puzzle 1"),
        (lambda: Book.bind(read_puzzles(AMBIGUOUS)), "puzzle 1: the puzzle has 6 solutions"),
        (lambda: make_book(1, 4, title="Kugeln \N{RIGHTWARDS ARROW}"), "Latin letters only"),
        (lambda: Book.bind(read_puzzles("1x1x0\n0")), "puzzle 1: every cell is open"),
        (lambda: make_book(1, 4, title=" "), "a title has 1 to 100 characters"),
        (lambda: book_pdf(Book.bind([make((60, 2), 36, iterations=0)])), "too large to print"),
        (lambda: sheet_pdf(Sheet.of(make((60, 2), 36, iterations=0))), "too large to print"),
        (lambda: Sheet.of(Puzzle.parse(AMBIGUOUS)), "the puzzle has 6 solutions"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(wrong: Callable[[], object], words: str) -> None:
    with pytest.raises((BookError, PuzzleError)) as caught:
        wrong()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_puzzle_without_steps_has_a_hint() -> None:
    assert PrintedPuzzle(1, Puzzle.parse("1x1x0\n0"), "easy").hint == "There is nothing to solve."


def test_without_the_pdf_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "minewright.render.pdf", raising=False)
    monkeypatch.setitem(sys.modules, "fpdf", None)
    with pytest.raises(BookError, match=r"pip install 'minewright\[pdf\]'"):
        book_pdf(replace(small_book()))


def test_the_command_prints_new_puzzles_and_those_of_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new, old = tmp_path / "new.pdf", tmp_path / "old.pdf"
    arguments = ["--count", "7", "--size", "5", "--bullets", "7", "--seed", "3"]
    assert main(["bullets", "book", *arguments, "--out", str(new)]) == 0
    assert capsys.readouterr().out == f"{new}: {small_book().subtitle}\n"
    assert new.read_bytes() == drawn("a4")
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text("\n\n".join(str(entry.puzzle) for entry in small_book().entries))
    assert main(["bullets", "book", str(puzzles), "--paper", "letter", "--out", str(old)]) == 0
    assert links(old.read_bytes()) == links(drawn("letter"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--count", "0"], "a book has 1 to 1,000 puzzles, not 0"),
        (["--size", "x"], "--size: expected a size"),
        (["--bullets", "49"], "in 49 cells is a whole number from 1 to 48, not 49"),
        (["--paper", "a3"], "a4"),
        (["--title", "\N{RIGHTWARDS ARROW}"], "Latin letters only"),
        (["--out", "nowhere/book.pdf"], "directory does not exist"),
        (["--out", "."], "--out .: cannot be written"),
        (["nothing.txt"], "nothing.txt: no such file"),
        (["bad.txt"], "bad.txt: line 2, column 1: expected a cell"),
        (["bad.txt", "--seed", "1"], "--seed is for new puzzles"),
        (["bad.txt", "--budget-seconds", "9"], "--budget-seconds is for new puzzles"),
        (["--budget-seconds", "0"], "--budget-seconds must be more than 0"),
    ],
)
def test_the_command_says_what_is_wrong_in_one_line_and_writes_nothing(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.txt").write_text("3x3x2\nabc")
    assert main(["bullets", "book", *arguments]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert (said.err.count("\n"), said.out) == (1, "")
    assert not Path("bullets.pdf").exists()


def test_only_new_puzzles_that_take_too_long_are_told_of_the_time_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # As a puzzle, this has so wide a front that it exceeds the default budget.
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(str(lattice("moore", (31, 31), 0.4, 1)))
    out = ["--out", str(tmp_path / "book.pdf")]
    assert main(["bullets", "book", str(puzzles), *out]) == 3
    assert "--budget-seconds" not in capsys.readouterr().err
    assert main(["bullets", "book", "--size", "24", "--budget-seconds", "0.1", *out]) == 3
    assert "allow more time (--budget-seconds)" in capsys.readouterr().err


def test_a_book_that_cannot_be_written_is_told_before_its_puzzles_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("minewright.bullets.book.rising", lambda *_, **__: pytest.fail("made"))
    assert main(["bullets", "book", "--out", str(tmp_path)]) == 2
    assert f"--out {tmp_path}: cannot be written" in capsys.readouterr().err


def test_an_interrupt_prints_the_book_of_the_puzzles_already_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made: list[float] = []

    def advance(_: bars.Bar, effort: float) -> None:
        made.append(effort)
        if len(made) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(bars.Bar, "advance", advance)
    out = tmp_path / "book.pdf"
    wish = ["bullets", "book", "--count", "7", "--size", "5", "--bullets", "7", "--seed", "3"]
    assert main([*wish, "--out", str(out)]) == 130
    told = f"{out}: 2 puzzles of 5 by 5 cells, easy\n"
    assert capsys.readouterr() == (told, "minewright: stopped after 2 of 7 puzzles\n")
    printed = links(out.read_bytes())
    assert len(printed) == 2
    assert set(printed) < {entry.puzzle.link for entry in small_book().entries}
    assert list(tmp_path.iterdir()) == [out]


def test_an_interrupt_before_the_first_puzzle_leaves_an_older_book(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("minewright.bullets.book.make_many", stop)
    out = tmp_path / "book.pdf"
    out.write_text("older")
    assert main(["bullets", "book", "--out", str(out)]) == 130
    told = f"minewright: stopped after 0 of 24 puzzles; {out} was not written\n"
    assert capsys.readouterr() == ("", told)
    assert [(file, file.read_text()) for file in tmp_path.iterdir()] == [(out, "older")]


def test_a_book_holds_what_was_made_before_the_time_was_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def one(*wish: object, **wishes: object) -> Iterator[Puzzle]:
        yield make(5, seed=1)
        raise BudgetExceeded("too long")

    monkeypatch.setattr("minewright.bullets.book.rising", one)
    out = tmp_path / "book.pdf"
    assert main(["bullets", "book", "--count", "3", "--out", str(out)]) == 3
    said = capsys.readouterr()
    assert said.err == "minewright: 1 of 3 puzzles made: too long (--budget-seconds)\n"
    assert "1 puzzle of 5 by 5 cells" in said.out
    assert out.read_bytes().startswith(b"%PDF")
