"""Words: everything a step says is true, number by number and link by link."""

import json
import re
from functools import cache
from random import Random

import pytest
from reference import random_position, reference

import minewright as mw
from minewright import topology
from minewright.deduction import SEARCHES, Deduction, explain, reasons
from minewright.deduction.data import Arithmetic, arithmetic, as_data
from minewright.deduction.phrases import number_word, places
from minewright.deduction.vocabulary import BULLETS, MINESWEEPER
from minewright.position import COVERED, MARKED, MINED

FOUR = ("moore", "hex", "torus", "knight")


def random_steps(seed: int, wanted: int) -> list[Deduction]:
    """Draw steps; keep all that need several clues or the total, and a few of the others."""
    random = Random(seed)
    found: list[Deduction] = []
    while len(found) < wanted:
        position = random_position(random, FOUR, side=6, perturbed=False)
        for step in explain(position, random.choice(SEARCHES)):
            if step.kind or random.random() < 0.05:
                found.append(step)
    return found


# Drawn only when a test needs them: every process of the suite reads this file.
@cache
def steps() -> list[Deduction]:
    return random_steps(3, 700)


@cache
def data_of_steps() -> list[Arithmetic]:
    return [arithmetic(step) for step in steps()]


def only(text: str, kind: int, *clues: int) -> str:
    """Return the first step of a position in words; it must have this kind and these clues."""
    step = next(explain(mw.Position.parse(text)))
    assert (step.kind, step.clues) == (kind, clues)
    return str(step)


def around(step: Deduction, clue: int, *codes: int) -> set[int]:
    near = step.position.topology.neighbours(clue)
    return {cell for cell in near if step.position[cell] in codes}


def test_every_number_of_a_clue_is_right() -> None:
    for step, data in zip(steps(), data_of_steps(), strict=True):
        assert tuple(clue["cell"] for clue in data["clues"]) == step.clues
        for clue in data["clues"]:
            cell = clue["cell"]
            assert clue["number"] == step.position[cell]
            assert clue["left"] == step.position[cell] - len(around(step, cell, MINED))
            assert set(clue["cells"]) == around(step, cell, COVERED, MARKED)
            assert step.position.topology.cell(*clue["coordinates"]) == cell


def test_shared_cells_and_their_bounds_are_right() -> None:
    seen = 0
    for data in data_of_steps():
        clues = {clue["cell"]: clue for clue in data["clues"]}
        for pair in data["pairs"]:
            seen += 1
            one, other = (clues[cell] for cell in pair["clues"])
            shared = set(one["cells"]) & set(other["cells"])
            assert set(pair["shared"]) == shared
            held = [
                mines
                for mines in range(len(shared) + 1)
                if all(
                    0 <= clue["left"] - mines <= len(set(clue["cells"]) - shared)
                    for clue in (one, other)
                )
            ]
            assert (pair["least"], pair["most"]) == (min(held), max(held))
    assert seen > 300


def test_a_balance_proves_every_conclusion() -> None:
    seen = 0
    for data in data_of_steps():
        if data["balance"] is None:
            continue
        seen += 1
        clues = {clue["cell"]: clue for clue in data["clues"]}
        rich = [clues[cell] for cell in data["balance"]["rich"]]
        poor = [clues[cell] for cell in data["balance"]["poor"]]
        # Each mine counts plus one for each rich clue next to it, and minus one for each poor one.
        weight: dict[int, int] = {}
        for sign, side in ((1, rich), (-1, poor)):
            for clue in side:
                for cell in clue["cells"]:
                    weight[cell] = weight.get(cell, 0) + sign
        surplus = sum(clue["left"] for clue in rich) - sum(clue["left"] for clue in poor)
        assert surplus == sum(value for value in weight.values() if value > 0)
        assert set(data["mined"]) <= {cell for cell, value in weight.items() if value > 0}
        assert set(data["safe"]) <= {cell for cell, value in weight.items() if value < 0}
    assert seen > 150


def test_a_chain_follows_link_by_link_to_a_clue_that_cannot_be_met() -> None:
    seen = 0
    for step, data in zip(steps(), data_of_steps(), strict=True):
        supposed = data["supposition"]
        if supposed is None or not supposed["links"]:
            continue
        seen += 1
        clues = {clue["cell"]: clue for clue in data["clues"]}
        assert supposed["cell"] in (step.safe if supposed["mined"] else step.mined)
        known = {supposed["cell"]: supposed["mined"]}
        for at, link in enumerate(supposed["links"], 1):
            clue = clues[link["clue"]]
            left = clue["left"] - sum(known.get(cell, False) for cell in clue["cells"])
            unknown = {cell for cell in clue["cells"] if cell not in known}
            last = at == len(supposed["links"])
            assert last == (link["says"] in ("too many", "too few")) == (not link["cells"])
            if link["says"] in ("safe", "mined"):
                assert set(link["cells"]) <= unknown
            if link["says"] in ("safe", "too many"):
                assert left < 0 if last else left == 0
            else:
                assert left > len(unknown) if last else left == len(unknown)
            known |= dict.fromkeys(link["cells"], link["says"] == "mined")
    assert seen > 20


def bounds(step: Deduction, data: Arithmetic, cell: int, mined: bool | None) -> tuple[int, int]:
    """Return the least and most mines next to the clues in all minefields that fit them."""
    near = {cell for clue in data["clues"] for cell in clue["cells"]}
    fields = reference(step.position, clues=step.clues, use_total=False).minefields()
    counts = [len(near & field) for field in fields if mined is None or (cell in field) == mined]
    return min(counts), max(counts)


def test_the_numbers_about_the_total_are_right() -> None:
    seen = supposed_ones = 0
    for step, data in zip(steps(), data_of_steps(), strict=True):
        assert (data["total"] is not None) == (step.kind == 2)
        total, supposed = data["total"], data["supposition"]
        if total is None or len(step.position.covered) > 12:
            continue
        seen += 1
        near = {cell for clue in data["clues"] for cell in clue["cells"]}
        assert total["mines"] == step.position.mines
        assert total["left"] == total["mines"] - step.position.cells.count(MINED)
        assert total["covered"] == len(step.position.covered)
        assert set(total["away"]) == set(step.position.covered) - near
        assert (total["least"], total["most"]) == bounds(step, data, 0, None)
        if supposed is not None:
            supposed_ones += 1
            least, most = bounds(step, data, supposed["cell"], supposed["mined"])
            assert (supposed["least"], supposed["most"]) == (least, most)
            assert least > total["left"] or most + len(total["away"]) < total["left"]
    assert seen > 100
    assert supposed_ones > 3


def test_every_sentence_names_its_clues() -> None:
    for step in steps():
        text = step.told(MINESWEEPER)
        assert text == step.sentence
        assert text.endswith(".")
        assert "  " not in text
        where = step.position.topology.describe
        if step.order <= 4:
            assert all(f"{step.position[clue]} at {where(clue)}" in text for clue in step.clues)


def test_a_puzzle_is_told_in_its_own_words() -> None:
    for step in steps():
        text = step.told(BULLETS)
        assert not re.search(r"\b(mines?|mined|safe|covered)\b", text)
        assert "bullet" in text or "empty" in text


def test_a_step_goes_through_json_unchanged() -> None:
    for step, data in zip(steps(), data_of_steps(), strict=True):
        back = json.loads(json.dumps(data))
        assert [clue["cells"] for clue in back["clues"]] == [c["cells"] for c in data["clues"]]
        record = json.loads(json.dumps(as_data(step)))
        cells = [step.position.topology.cell(*place) for place in record["safe"] + record["mined"]]
        assert sorted(cells) == list(step.cells)
        assert record["sentence"] == data["sentence"] == str(step)
        assert (record["kind"], record["order"], record["total"]) == (
            step.kind,
            step.order,
            step.kind == 2,
        )


@pytest.mark.parametrize(
    ("text", "kind", "clues", "said"),
    [
        (
            "3x2x?\n0##\n---",
            0,
            (0,),
            "The 0 at row 1, column 1 has no mines next to it, so row 1, column 2 is safe.",
        ),
        (
            "3x2x?\n!1#\n--#",
            0,
            (1,),
            "The 1 at row 1, column 2 already has its mine, so column 3, rows 1 and 2 are safe.",
        ),
        (
            "3x2x?\n!2#\n!-#",
            0,
            (1,),
            "The 2 at row 1, column 2 already has both of its mines,"
            " so column 3, rows 1 and 2 are safe.",
        ),
        (
            "3x2x?\n!3#\n!!#",
            0,
            (1,),
            "The 3 at row 1, column 2 already has all three of its mines,"
            " so column 3, rows 1 and 2 are safe.",
        ),
        (
            "3x1x?\n!2#",
            0,
            (1,),
            "The 2 at row 1, column 2 has only one cell left for its last mine,"
            " so row 1, column 3 is mined.",
        ),
        (
            "3x2x?\n-3#\n-##",
            0,
            (1,),
            "The 3 at row 1, column 2 still needs three mines and has only three cells left,"
            " so row 1, column 3, and row 2, columns 2 and 3 are mined.",
        ),
        (
            "3x2x?\n###\n11-",
            1,
            (3, 4),
            "The 1 at row 2, column 1 still needs one mine in two cells and shares both cells with"
            " the 1 at row 2, column 2, which also needs one. The shared cells hold that mine,"
            " so row 1, column 3 is safe.",
        ),
        (
            "4x2x?\n####\n-12-",
            1,
            (5, 6),
            "The 2 at row 2, column 3 still needs two mines in three cells and shares two of those"
            " cells with the 1 at row 2, column 2, which needs only one. The shared cells hold at"
            " most one mine, so row 1, column 4 is mined; they hold at least one,"
            " so row 1, column 1 is safe.",
        ),
        (
            "3x2x?\n###\n12-",
            1,
            (3, 4),
            "The 2 at row 2, column 2 still needs two mines in three cells and shares two of those"
            " cells with the 1 at row 2, column 1, which needs only one. The shared cells hold at"
            " most one mine, so row 1, column 3 is mined.",
        ),
        (
            "5x3x?\n#####\n-121-\n#####",
            1,
            (6, 7, 8),
            "The 2 at row 2, column 3 still needs two mines in six cells. The 1 at row 2, column 2"
            " can account for at most one of them and the 1 at row 2, column 4 for at most one, so"
            " together they account for all of them, with no overlap and none to spare:"
            " row 1, columns 1, 3 and 5, and row 3, columns 1, 3 and 5 are safe.",
        ),
        (
            "2x1x2\n##",
            2,
            (),
            "Two mines and two covered cells are left, so row 1, columns 1 and 2 are mined.",
        ),
        ("3x1x1\n!-#", 2, (), "The only mine has been found, so row 1, column 3 is safe."),
        (
            "9x1x2\n!!#######",
            2,
            (),
            "Both mines have been found, so all seven covered cells are safe.",
        ),
        (
            "4x1x1\n#1##",
            2,
            (1,),
            "The 1 at row 1, column 2 still needs one mine, and only one is left,"
            " so row 1, column 4 is safe.",
        ),
        (
            "4x1x2\n#1##",
            2,
            (1,),
            "One of the two remaining mines is next to the 1 at row 1, column 2, which leaves one"
            " mine for the one other covered cell, so row 1, column 4 is mined.",
        ),
        (
            "3x3x3\n2##\n###\n##2",
            2,
            (0, 8),
            "The 2 at row 1, column 1 and the 2 at row 3, column 3 together need at least three"
            " mines, and only three are left, so row 1, column 3 and row 3, column 1 are safe; with"
            " exactly three mines next to these clues, row 2, column 2 is mined.",
        ),
        (
            "2x4x3\n##\n#2\n-2\n!#",
            2,
            (3, 5),
            "If row 2, column 1 were safe, the 2 at row 2, column 2 and the 2 at row 3, column 2"
            " would need at least three mines, but only two are left. So row 2, column 1 is mined;"
            " the same clues and the total show that row 4, column 2 is safe.",
        ),
        (
            "4x2x2\n##-#\n#11#",
            2,
            (5, 6),
            "If row 1, column 2 were mined, the 1 at row 2, column 2 and the 1 at row 2, column 3"
            " would account for at most one mine, but two are left. So row 1, column 2 is safe.",
        ),
        (
            "2x4x?\n1#\n##\n2#\n1#",
            1,
            (0, 4, 6),
            "If row 1, column 2 were mined, the 1 at row 1, column 1 would be satisfied, so row 2,"
            " columns 1 and 2 would be safe; then the 2 at row 3, column 1 would need mines at"
            " column 2, rows 3 and 4; then the 1 at row 4, column 1 would have too many mines."
            " So row 1, column 2 is safe.",
        ),
    ],
)
def test_a_step_is_said_as_a_player_would(
    text: str, kind: int, clues: tuple[int, ...], said: str
) -> None:
    assert only(text, kind, *clues) == said


@pytest.mark.parametrize(
    ("name", "shape", "cells", "said"),
    [
        ("moore", (9, 9), [0], "row 1, column 1"),
        ("moore", (9, 9), [0, 1], "row 1, columns 1 and 2"),
        ("moore", (9, 9), [0, 1, 2, 4], "row 1, columns 1 to 3 and 5"),
        ("moore", (9, 9), [0, 9, 18], "column 1, rows 1 to 3"),
        ("moore", (9, 9), [0, 10], "row 1, column 1 and row 2, column 2"),
        (
            "moore",
            (9, 9),
            [0, 10, 20],
            "row 1, column 1, row 2, column 2, and row 3, column 3",
        ),
        (
            "moore",
            (9, 9),
            range(0, 81, 10),
            "row 1, column 1, row 2, column 2, and seven other cells",
        ),
        ("box", (3, 3, 3), [0, 1, 2], "layer 1, row 1, columns 1 to 3"),
        ("box", (3, 3, 3), [0, 3], "layer 1, column 1, rows 1 and 2"),
    ],
)
def test_lists_of_cells_read_well(
    name: str, shape: tuple[int, ...], cells: list[int], said: str
) -> None:
    assert places(topology.get(name, shape), cells) == said


def test_a_net_is_told_by_its_cells_numbers() -> None:
    net = topology.Net([[1, 2], [0, 2], [0, 1]])
    step = next(explain(mw.Position(net, bytes([1, MINED, COVERED]), None)))
    assert str(step) == "The 1 at cell 0 already has its mine, so cell 2 is safe."
    assert places(net, [0, 1, 2]) == "cells 0 to 2"


def test_numbers_are_words_up_to_twelve() -> None:
    assert [number_word(n) for n in (0, 1, 12, 13, 1000)] == ["no", "one", "twelve", "13", "1,000"]


def test_what_words_cannot_prove_is_still_said_truly() -> None:
    general = [step for step in steps() if step.sentence.startswith("However")]
    assert len(general) < 0.1 * len(steps())
    assert all(step.check() for step in general)


def test_bounds_that_take_too_many_states_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    clues = [
        reasons.Clue(cell, 2, 2, frozenset(near))
        for cell, near in ((10, range(4)), (11, range(2, 6)))
    ]
    assert reasons.bounds_of(clues, {}) == (2, 4)
    monkeypatch.setattr(reasons, "MAX_STATES", 2)
    assert reasons.bounds_of(clues, {}) is None
