"""QR codes: read back by a reader that shares nothing with the writer, and known bytes."""

import io
import re
from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from minewright.bullets import make
from minewright.bullets.sheet import Sheet
from minewright.render.printing import sheet_pdf
from minewright.render.qr import Code, code, remainder

# From the standard's table for level M: the data bytes of each block, and all its bytes.
BLOCKS = {
    1: [(16, 26)],
    2: [(28, 44)],
    3: [(44, 70)],
    4: [(32, 50)] * 2,
    5: [(43, 67)] * 2,
    6: [(27, 43)] * 4,
    7: [(31, 49)] * 4,
    8: [(38, 60)] * 2 + [(39, 61)] * 2,
    9: [(36, 58)] * 3 + [(37, 59)] * 2,
    10: [(43, 69)] * 4 + [(44, 70)],
    20: [(41, 67)] * 3 + [(42, 68)] * 13,
}
CENTRES = {7: (6, 22, 38), 8: (6, 24, 42), 9: (6, 26, 46), 10: (6, 28, 50), 20: (6, 34, 62, 90)}
FORMATS = {  # what a code holds for level M with each mask, by the standard's table
    "101010000010010": 0,
    "101000100100101": 1,
    "101111001111100": 2,
    "101101101001011": 3,
    "100010111111001": 4,
    "100000011001110": 5,
    "100111110010111": 6,
    "100101010100000": 7,
}
FLIPS: tuple[Callable[[int, int], int], ...] = (
    lambda i, j: (i + j) % 2,
    lambda i, j: i % 2,
    lambda i, j: j % 3,
    lambda i, j: (i + j) % 3,
    lambda i, j: (i // 2 + j // 3) % 2,
    lambda i, j: (i * j) % 2 + (i * j) % 3,
    lambda i, j: ((i * j) % 2 + (i * j) % 3) % 2,
    lambda i, j: ((i + j) % 2 + (i * j) % 3) % 2,
)

EXP = [1]
for _ in range(254):
    EXP.append(EXP[-1] * 2 ^ (0x11D if EXP[-1] >= 128 else 0))
LOG = {value: power for power, value in enumerate(EXP)}


def syndromes(block: list[int], checks: int) -> list[int]:
    """Evaluate a block at the roots of its generator: all are 0 if nothing is wrong."""
    found = []
    for root in range(checks):
        value = 0
        for byte in block:
            value = (EXP[(LOG[value] + root) % 255] if value else 0) ^ byte
        found.append(value)
    return found


def is_pattern(size: int, i: int, j: int) -> bool:
    """Return True if a module belongs to a pattern, and not to the data."""
    side = 17 + 4 * size
    if i == 6 or j == 6 or (i < 9 and (j < 9 or j >= side - 8)) or (j < 9 and i >= side - 8):
        return True
    if size >= 7 and ((i < 6 and j >= side - 11) or (j < 6 and i >= side - 11)):
        return True
    centres = CENTRES.get(size, (6, 4 * size + 10) if size > 1 else ())
    return any(
        abs(i - y) <= 2 and abs(j - x) <= 2
        for y in centres
        for x in centres
        if (y, x) not in {(6, 6), (6, side - 7), (side - 7, 6)}
    )


def read(modules: Code) -> str:
    """Read a code; fail if anything about it is not as the standard says."""
    side = len(modules)
    size = (side - 17) // 4
    finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
    shown = ["".join("01"[dark] for dark in row) for row in modules]
    assert [row[:7] for row in shown[:7]] == finder
    assert [row[-7:] for row in shown[:7]] == finder
    assert [row[:7] for row in shown[-7:]] == finder
    assert shown[6][8:-8] == ("10" * side)[: side - 16]
    assert shown[-8][8] == "1"
    written = (
        shown[8][:6] + shown[8][7:9] + shown[7][8] + "".join(shown[i][8] for i in range(5, -1, -1))
    )
    again = "".join(shown[-1 - i][8] for i in range(7)) + shown[8][-8:]
    assert written == again
    flips = FLIPS[FORMATS[written]]
    bits = ""
    up = True
    for right in [j for j in range(side - 1, 0, -2) if j > 6] + [5, 3, 1]:
        for i in range(side - 1, -1, -1) if up else range(side):
            for j in (right, right - 1):
                if not is_pattern(size, i, j):
                    bits += str(int(shown[i][j]) ^ (flips(i, j) == 0))
        up = not up
    stream = [int(bits[at : at + 8], 2) for at in range(0, len(bits) - 7, 8)]
    assert len(stream) == sum(whole for _, whole in BLOCKS[size])
    blocks: list[list[int]] = [[] for _ in BLOCKS[size]]
    rest = iter(stream)
    for at in range(max(data for data, _ in BLOCKS[size])):
        for block, (data, _) in zip(blocks, BLOCKS[size], strict=True):
            if at < data:
                block.append(next(rest))
    checks = BLOCKS[size][0][1] - BLOCKS[size][0][0]
    told = [byte for block in blocks for byte in block]
    for _ in range(checks):
        for block in blocks:
            block.append(next(rest))
    assert all(not any(syndromes(block, checks)) for block in blocks)
    whole = "".join(f"{byte:08b}" for byte in told)
    assert whole[:4] == "0100"
    start = 12 if size < 10 else 20
    count = int(whole[4:start], 2)
    found = [int(whole[start + 8 * at : start + 8 * at + 8], 2) for at in range(count)]
    return bytes(found).decode()


def coded(text: str) -> Code:
    """Return the code of a text that is short enough to have one."""
    found = code(text)
    assert found is not None
    return found


@given(st.text(st.characters(codec="utf-8"), max_size=50))
@settings(max_examples=25, deadline=None)
def test_a_code_reads_as_the_text_it_was_made_of(text: str) -> None:
    assert read(coded(text)) == text


@pytest.mark.parametrize("size", BLOCKS)
def test_every_size_is_used_to_its_last_byte(size: int) -> None:
    most = sum(data for data, _ in BLOCKS[size]) - (2 if size < 10 else 3)
    text = "https://puzz.link/p?mines/" * 30
    found = coded(text[:most])
    assert len(found) == 17 + 4 * size
    assert read(found) == text[:most]


def test_bytes_are_checked_as_in_the_standards_example() -> None:
    data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
    assert remainder(data, 10) == [196, 35, 39, 119, 235, 215, 231, 226, 93, 23]


def test_what_is_too_long_has_no_code() -> None:
    assert code("a" * 666) is not None
    assert code("a" * 667) is None


def on_paper(data: bytes) -> Code:
    """Return the code on the first page of a PDF, from the rectangles it is drawn with."""
    stream = PdfReader(io.BytesIO(data)).pages[0].get_contents()
    assert stream is not None
    drawn = re.findall(
        r"([\d.]+) ([\d.]+) ([\d.]+) (-?[\d.]+) re f\n", stream.get_data().decode("latin-1")
    )
    rects = [tuple(map(float, one)) for one in drawn]
    left, top = min(x for x, *_ in rects), max(y for _, y, *_ in rects)
    # The first rectangle is an edge of a finder, seven modules wide.
    module = next(width for x, y, width, _ in rects if (x, y) == (left, top)) / 7
    dark = {
        (round((top - y) / module), round((x - left) / module) + at)
        for x, y, width, _ in rects
        for at in range(round(width / module))
    }
    side = max(row for row, _ in dark) + 1
    return tuple(tuple((i, j) in dark for j in range(side)) for i in range(side))


def test_a_sheet_shows_its_link_as_a_code() -> None:
    for size in (7, (1, 9)):
        puzzle = make(size, seed=5, iterations=5)
        assert read(on_paper(sheet_pdf(Sheet.of(puzzle, day=date(2026, 12, 1))))) == puzzle.link
    plain = sheet_pdf(Sheet.of(make(4, topology="torus", iterations=5)))
    text = PdfReader(io.BytesIO(plain)).pages[0].extract_text()
    assert "Scan" not in text
