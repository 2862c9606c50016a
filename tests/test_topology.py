import gc
import pickle
from collections.abc import Callable, Iterable
from itertools import combinations
from math import dist, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minewright import topology as module
from minewright.topology import (
    Lattice,
    Net,
    Offset,
    Topology,
    TopologyError,
    get,
    register,
    topologies,
)

NAMES = ("moore", "neumann", "hex", "torus", "knight", "box")


def gaps(one: tuple[int, ...], other: tuple[int, ...]) -> list[int]:
    return [abs(a - b) for a, b in zip(one, other, strict=True)]


def touch(topology: Topology, one: int, other: int) -> bool:
    """Return whether two cells touch: by coordinates alone, and not as the module does it."""
    apart = gaps(topology.coordinates(one), topology.coordinates(other))
    match topology.name:
        case "moore" | "box":
            return max(apart) == 1
        case "neumann":
            return sum(apart) == 1
        case "knight":
            return sorted(apart) == [1, 2]
        case "torus":
            sides = reversed(topology.shape)
            round_trip = [min(gap, side - gap) for gap, side in zip(apart, sides, strict=True)]
            return max(round_trip) == 1
        case "hex":
            return abs(dist(topology.centre(one), topology.centre(other)) - 1) < 1e-9
    raise AssertionError(topology.name)


few = settings(deadline=None, max_examples=60)
side = st.integers(1, 7)
flat = st.tuples(side, side)
boxes = st.lists(st.integers(1, 3), min_size=2, max_size=4).map(tuple)
any_topology = st.one_of(
    st.builds(get, st.sampled_from(NAMES), flat), st.builds(get, st.just("box"), boxes)
)


@given(any_topology)
@few
def test_cells_touch_as_the_name_of_the_topology_says(topology: Topology) -> None:
    cells = range(topology.size)
    for cell in cells:
        expected = [other for other in cells if other != cell and touch(topology, cell, other)]
        assert list(topology.neighbours(cell)) == expected


@given(any_topology)
@few
def test_the_smallest_degree_is_that_of_some_cell_and_no_cell_has_less(topology: Topology) -> None:
    degrees = [len(topology.neighbours(cell)) for cell in range(topology.size)]
    assert topology.smallest_degree == min(degrees)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(9, 14), (14, 9), (3, 13), (2, 20)])
def test_the_smallest_degree_of_a_larger_board_is_found_on_a_smaller_one(
    name: str, shape: tuple[int, int]
) -> None:
    topology = get(name, shape)
    degrees = [len(topology.neighbours(cell)) for cell in range(topology.size)]
    assert topology.smallest_degree == min(degrees)


@given(any_topology)
@few
def test_coordinates_lead_to_every_cell_and_back(topology: Topology) -> None:
    seen = [topology.coordinates(cell) for cell in range(topology.size)]
    assert seen == sorted(seen)
    assert [topology.cell(*coordinates) for coordinates in seen] == list(range(topology.size))


def test_coordinates_run_slowest_first_and_are_described_from_1() -> None:
    assert get("hex", (5, 3)).cell(2, 4) == 14
    assert get("hex", (5, 3)).describe(14) == "row 3, column 5"
    assert get("box", (4, 3, 2)).cell(1, 0, 0) == 12
    assert get("box", (4, 3, 2)).describe(12) == "layer 2, row 1, column 1"
    assert get("box", (2, 2, 2, 2)).describe(8) == "block 2, layer 1, row 1, column 1"


@pytest.mark.parametrize(
    ("act", "complaint"),
    [
        (lambda: get("moore", (5, 3)).cell(3, 0), "row 3 is not on the board; choose 0 to 2"),
        (lambda: get("moore", (5, 3)).cell(0, -1), "column -1 is not on the board"),
        (lambda: get("box", (4, 4, 4)).cell(1, 1), r"expected \(layer, row, column\), found 2"),
        (lambda: get("moore", (5, 3)).neighbours(15), "there is no cell 15; the cells are 0 to 14"),
        (lambda: get("moore", (5, 3)).coordinates(-1), "there is no cell -1"),
        (lambda: get("moor", (5, 3)), "no topology 'moor'; choose from moore, neumann, hex, torus"),
        (lambda: get("hex", (5, 3, 2)), "hex has 2 sides, not 3"),
        (lambda: get("box", (5,)), "box has 2 to 4 sides, not 1"),
        (lambda: get("moore", (5, 0)), "at least 1"),
        (lambda: get("moore", (10**9, 10**9)), "at most 4,000,000 cells"),
    ],
)
def test_what_is_not_there_is_refused_by_name(act: Callable[[], object], complaint: str) -> None:
    with pytest.raises(TopologyError, match=complaint):
        act()


@given(any_topology)
@few
def test_the_lines_of_the_text_hold_the_cells_in_order(topology: Topology) -> None:
    lines = [line for line in topology.lines() if line is not None]
    assert [cell for line in lines for cell in line] == list(range(topology.size))
    assert {len(line) for line in lines} == {topology.shape[0]}


def test_blank_lines_part_layers_and_two_of_them_blocks() -> None:
    shapes = [len(line) if line else 0 for line in get("box", (3, 1, 2, 2)).lines()]
    assert shapes == [3, 0, 3, 0, 0, 3, 0, 3]
    assert None not in get("moore", (3, 5)).lines()


@given(any_topology)
@few
def test_a_drawing_has_every_cell_inside_and_none_on_another(topology: Topology) -> None:
    width, height = topology.extent
    places = {topology.place(cell) for cell in range(topology.size)}
    assert not places & {(line, half + 1) for line, half in places}
    assert len(places) == topology.size
    centres = [topology.centre(cell) for cell in range(topology.size)]
    for x, y in centres:
        for dx, dy in topology.outline:
            assert -1e-9 <= x + dx <= width + 1e-9
            assert -1e-9 <= y + dy <= height + 1e-9
    assert all(dist(one, other) > 1 - 1e-9 for one, other in combinations(centres, 2))


def test_hexagons_that_touch_share_an_edge_and_layers_stand_side_by_side() -> None:
    hexagons = get("hex", (5, 4))

    def corners(cell: int) -> set[tuple[float, float]]:
        x, y = hexagons.centre(cell)
        return {(round(x + dx, 6), round(y + dy, 6)) for dx, dy in hexagons.outline}

    assert all(len(corners(6) & corners(near)) == 2 for near in hexagons.neighbours(6))
    assert hexagons.place(6) == (1, 3)
    box = get("box", (3, 2, 2, 2))
    assert [box.place(cell) for cell in (0, 6, 12, 23)] == [(0, 0), (0, 8), (3, 0), (4, 12)]
    assert box.extent == (7, 5)


def test_one_name_and_shape_is_one_object_also_after_pickling() -> None:
    topology = get("knight", (8, 8))
    assert get("knight", (8, 8)) is topology
    assert pickle.loads(pickle.dumps(topology)) is topology
    assert topology != get("moore", (8, 8))
    assert type(topology)((8, 8)) == topology


def test_a_large_topology_goes_when_nobody_uses_it() -> None:
    topology = get("moore", (1001, 1000))
    assert ("moore", (1001, 1000)) in module._alive
    del topology
    gc.collect()
    assert ("moore", (1001, 1000)) not in module._alive


def test_the_registry_names_every_topology_with_a_summary() -> None:
    assert tuple(topologies()) == NAMES
    assert all(kind.summary for kind in topologies().values())
    with pytest.raises(TopologyError, match="already a topology 'hex'"):
        register("hex", "once more")(Lattice)


@pytest.fixture
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_registry", topologies())


@pytest.mark.usefixtures("own_registry")
def test_a_new_lattice_is_a_class_with_offsets() -> None:
    @register("bishop", "the four cells that share a corner only")
    class Bishop(Lattice):
        def offsets(self, row: int) -> Iterable[Offset]:
            return (-1, -1), (-1, 1), (1, -1), (1, 1)

    assert get("bishop", (3, 3)).neighbours(4) == (0, 2, 6, 8)
    assert get("bishop", (3, 3)).smallest_degree == 1
    assert isinstance(get("bishop", (3, 3)), Bishop)


def test_the_smallest_degree_knows_whether_the_last_row_is_even_or_odd() -> None:
    class Comb(Lattice):
        def offsets(self, row: int) -> Iterable[Offset]:
            return ((-1, 0), (1, 0)) if row else ((-1, 0), (1, 0), (0, -1), (0, 1))

    assert [Comb((9, height)).smallest_degree for height in (9, 10)] == [2, 1]


@pytest.mark.usefixtures("own_registry")
def test_a_lattice_that_steps_one_way_only_is_refused() -> None:
    @register("oneway", "the cell to the right")
    class OneWay(Lattice):
        def offsets(self, row: int) -> Iterable[Offset]:
            return ((0, 1),)

    @register("ring", "hexagons whose edges meet")
    class Ring(module.Hex):
        wrap = True

    with pytest.raises(TopologyError, match=r"oneway steps by \(0, 1\) from row 0, but not back"):
        _ = get("oneway", (4, 4)).graph
    with pytest.raises(TopologyError, match="ring needs an even height"):
        _ = get("ring", (4, 5)).graph
    assert get("ring", (4, 6)).smallest_degree == 6


def test_a_net_takes_any_neighbour_lists() -> None:
    star = Net([[1, 2, 3], [0], [0], [0]], centres=[(2, 2), (2, 0.5), (0.5, 3), (3.5, 3)])
    assert star.neighbours(0) == (1, 2, 3)
    assert (star.size, star.smallest_degree, star.shape) == (4, 1, (4,))
    assert star.describe(2) == "cell 2"
    assert star.cell(2) == 2
    assert list(star.lines()) == [range(4)]
    assert star.extent == (4, 3.5)
    assert Net([[1], [0]]).extent == (2, 1)
    assert pickle.loads(pickle.dumps(star)) == star
    assert star != Net([[1, 2, 3], [0], [0], [0]])


@pytest.mark.parametrize(
    ("lists", "complaint"),
    [
        ([], "at least 1"),
        ([[1], []], "cell 1 does not list cell 0"),
        ([[0]], "which is itself or named twice"),
        ([[1, 1], [0]], "twice"),
        ([[1], [0, 2]], "cell 1 lists a cell that is not 0 to 1"),
        ([[-1]], "cell 0 lists a cell that is not 0 to 0"),
    ],
)
def test_neighbour_lists_that_do_not_match_are_refused(
    lists: list[list[int]], complaint: str
) -> None:
    with pytest.raises(TopologyError, match=complaint):
        Net(lists)


def test_a_million_cells_have_their_neighbours_at_once() -> None:
    topology = get("torus", (1000, 1000))
    assert topology.size == prod(topology.shape) == topology.graph.size
    assert topology.neighbours(0) == (1, 999, 1000, 1001, 1999, 999000, 999001, 999999)
