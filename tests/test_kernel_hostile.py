"""Arguments that no caller should pass: the kernel refuses them and harms nothing."""

from collections.abc import Callable

import pytest
from processes import HANG

from minewright import Budget
from minewright import _kernel as kernel
from minewright._kernel import BulletsWish, Graph

LARGE = 2**63 - 1
STEP = [[[0, 1], [0, -1]]]
PATH = Graph([[1], [0, 2], [1]])
FLAT = kernel.Polynomial([0.0] * 3, [0.0] * 3)


@pytest.mark.parametrize(
    "shape", [(2**28, LARGE, LARGE), (2**28, 2**40), (2, LARGE), (3, 2**28), (2**28 + 1,)]
)
def test_a_lattice_whose_size_overflows_is_refused(shape: tuple[int, ...]) -> None:
    steps = [[[1] * len(shape)]]
    with pytest.raises(ValueError, match=r"at most 2\^28 cells"):
        Graph.lattice(shape, steps)


@pytest.mark.parametrize("step", [LARGE, -LARGE - 1, 2**62])
def test_a_step_beyond_the_lattice_leads_nowhere(step: int) -> None:
    graph = Graph.lattice((3, 4), [[[0, step], [step, 0]]])
    assert [graph.neighbours(cell) for cell in range(graph.size)] == [()] * 12


@pytest.mark.parametrize("turns", [-(2**60), -1, 1, 2**60])
def test_steps_round_a_torus_any_number_of_times_are_the_same_steps(turns: int) -> None:
    far = [[[0, 1 + 4 * turns], [0, -1 + 4 * turns]]]
    near, around = Graph.lattice((3, 4), STEP, True), Graph.lattice((3, 4), far, True)
    assert all(near.neighbours(cell) == around.neighbours(cell) for cell in range(12))


@pytest.mark.parametrize("cell", [3, 64, 1000, 2**32 - 1])
def test_an_orbit_of_no_such_cell_is_refused(cell: int) -> None:
    with pytest.raises(IndexError, match="no such cell"):
        kernel.bullets_make(
            PATH, BulletsWish(1, 1, 1, orbits=[[0], [cell]]), FLAT, 0, 0, Budget(1000, HANG)
        )


def test_puzzles_that_need_no_search_end_when_the_time_is_over() -> None:
    with pytest.raises(kernel.TooHard):
        kernel.bullets_clues(Graph([]), [], 0, 0, 2**62, Budget(2**62, 0.01))


@pytest.mark.parametrize("orbits", [[], [[0, 2], [1]]])
@pytest.mark.parametrize(
    ("iterations", "samples", "restarts"), [(2**62, 0, 1), (0, 2**62, 1), (0, 0, 2**62)]
)
def test_descents_that_need_no_search_end_when_the_time_is_over(
    iterations: int, samples: int, restarts: int, orbits: list[list[int]]
) -> None:
    wish = BulletsWish(
        1, iterations, samples, restarts, orbits=orbits, fewest_clues=4, most_clues=3
    )
    with pytest.raises(kernel.TooHard):
        kernel.bullets_make(PATH, wish, FLAT, 0, 0, Budget(2**62, 0.01))


@pytest.mark.parametrize("energy", [None, 1.5, "PAPER"])
def test_an_energy_that_is_no_function_is_refused(energy: object) -> None:
    make: Callable[..., object] = kernel.bullets_make
    with pytest.raises(TypeError, match=r"not callable|incompatible function arguments"):
        make(PATH, BulletsWish(1, 1, 1), energy, 0, 0, Budget(1000, HANG))


@pytest.mark.parametrize("count", [-LARGE - 1, -LARGE, -1, 0])
def test_at_least_less_than_nothing_asks_for_nothing(count: int) -> None:
    # The second constraint settles both cells, and each is then subtracted from the first's count.
    constraints = [(count, [0, 1], True), (2, [0, 1], True), (1, [2], False)]
    for answer in ("count", "dance"):
        system = kernel.AtLeasts(4, constraints)
        assert getattr(system, answer)(Budget(1000, HANG)) == bytes((1, 1, 0, 2))


@pytest.mark.parametrize("search", ["", "Paper", "simplest ", "smallest"])
def test_an_unknown_search_is_refused_and_the_known_ones_named(search: str) -> None:
    covered = bytes([255, 1, 255])
    with pytest.raises(ValueError, match=f"a search is simplest or paper, not '{search}'"):
        kernel.deduce(PATH, covered, -1, search, Budget(1000, HANG))


@pytest.mark.parametrize("cell", [3, 2**32, 2**32 + 1, LARGE])
def test_advice_on_no_such_cell_is_refused(cell: int) -> None:
    with pytest.raises(IndexError, match="no such cell"):
        kernel.champion(PATH, bytes([255, 1, 255]), 1, "fast", cell, Budget(1000, HANG))


@pytest.mark.parametrize("symmetry", [[0, 1], [0, 1, 3], [0, 1, 1], [2**32 - 1, 1, 2], []])
def test_a_symmetry_that_is_none_is_refused(symmetry: list[int]) -> None:
    with pytest.raises(ValueError, match="a symmetry has every cell once"):
        kernel.solve_board(PATH, 1, [symmetry], [0], Budget(1000, HANG))


def test_a_mark_says_nothing_to_the_champion() -> None:
    # One of the two is mined; the mark once made the kernel look for another cell beyond its list.
    graph = Graph([[1, 2], [0, 2], [0, 1]])
    marked, covered = (
        kernel.champion(graph, bytes([1, 255, code]), 1, "usual", -1, Budget())
        for code in (254, 255)
    )
    assert marked is not None
    assert covered is not None
    assert (marked.cell, marked.risk, marked.solved) == (covered.cell, 0.5, True)
