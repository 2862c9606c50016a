"""Which cells touch which, how a player names a cell, and where to draw it.

A topology has a name and a shape. Its cells are numbered 0, 1, 2... in reading order, and
everything above this module works on its neighbour lists, never on rows and columns.
`get("hex", (30, 16))` returns a topology; `@register` adds your own kind.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, product
from math import prod, sqrt
from threading import RLock
from typing import ClassVar, Final, TypeVar
from weakref import WeakValueDictionary

from minewright._kernel import Graph
from minewright.board import shape_problem
from minewright.errors import MinewrightError
from minewright.messages import counted, quote, write_sides

Offset = tuple[int, ...]
Point = tuple[float, float]

SQUARE: Final[tuple[Point, ...]] = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))


class TopologyError(MinewrightError, ValueError):
    """An unknown topology, an impossible shape, or a cell that does not exist."""


class Topology(ABC):
    """Cells, their neighbours, their coordinates, and how to draw them.

    A subclass defines which cells touch in `build`; the rest suits any board of rows and any box
    of layers. Two topologies are equal if they have the same kind and shape.
    """

    name: ClassVar[str] = "unregistered"
    summary: ClassVar[str] = ""
    """One line on what touches what."""
    sides: ClassVar[range] = range(2, 3)
    """The possible numbers of sides."""
    outline: ClassVar[tuple[Point, ...]] = SQUARE
    """The corners of a drawn cell, relative to its centre, in units of one cell."""
    middle: ClassVar[Point] = (0.5, 0.5)
    """The centre of a drawn cell, relative to the top left of its outline."""
    row_height: ClassVar[float] = 1.0
    """The distance between drawn rows, in units of one cell."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        if len(shape) not in self.sides:
            least, most = self.sides[0], self.sides[-1]
            number = f"{least}" if least == most else f"{least} to {most}"
            raise TopologyError(f"a board of {self.name} has {number} sides, not {len(shape)}")
        problem = shape_problem(shape)
        if problem:
            raise TopologyError(problem)
        self.shape: Final = shape
        self.size: Final = prod(shape)

    @abstractmethod
    def build(self) -> Graph:
        """Return the graph of neighbours. Called once, when it is first needed."""

    @cached_property
    def graph(self) -> Graph:
        """The neighbour lists as the kernel keeps them."""
        return self.build()

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """Return the cells that touch this one, in ascending order."""
        self._check(cell)
        return self.graph.neighbours(cell)

    @cached_property
    def smallest_degree(self) -> int:
        """The smallest number of neighbours that any cell has."""
        return min(len(self.graph.neighbours(cell)) for cell in range(self.size))

    # Coordinates

    def cell(self, *coordinates: int) -> int:
        """Return the cell at (row, column), or (layer, row, column) in a box, from 0."""
        if len(coordinates) != len(self.shape):
            expected = ", ".join(self._axes())
            found = counted(len(coordinates), "coordinate")
            raise TopologyError(f"expected ({expected}), found {found}")
        cell = 0
        for axis, at, side in zip(self._axes(), coordinates, reversed(self.shape), strict=True):
            if not 0 <= at < side:
                raise TopologyError(f"{axis} {at} is not on the board; choose 0 to {side - 1}")
            cell = cell * side + at
        return cell

    def coordinates(self, cell: int) -> tuple[int, ...]:
        """Return a cell's coordinates in the form that `cell` takes: row before column, from 0."""
        self._check(cell)
        found = []
        for side in self.shape:
            cell, at = divmod(cell, side)
            found.append(at)
        return tuple(reversed(found))

    def describe(self, cell: int) -> str:
        """Return a cell's name for a sentence, counting from 1: "row 5, column 1"."""
        name = self._names.get(cell)
        if name is None:
            places = zip(self._axes(), self.coordinates(cell), strict=True)
            name = self._names[cell] = ", ".join(f"{axis} {at + 1}" for axis, at in places)
        return name

    @cached_property
    def _names(self) -> dict[int, str]:
        """Names that were asked for: strategies give a reason for every cell they open."""
        return {}

    def lines(self) -> Iterator[range | None]:
        """Yield the cells of each line of a position's text, and None for each blank line.

        The lines hold the cells in order. There is one blank line between layers, and two between
        blocks of layers.
        """
        width = self.shape[0]
        layers = [prod(self.shape[:sides]) for sides in range(2, len(self.shape))]
        for start in range(0, self.size, width):
            for layer in layers:
                if start and start % layer == 0:
                    yield None
            yield range(start, start + width)

    def nested(self, values: Iterable[object]) -> list[object]:
        """Return one value per cell as a list of rows, or of layers of rows."""
        nested = list(values)
        for side in self.shape[:-1]:
            nested = [nested[start : start + side] for start in range(0, len(nested), side)]
        return nested

    # Drawing

    def place(self, cell: int) -> tuple[int, int]:
        """Return a cell's line and column in a terminal; columns are counted in half cells.

        Layers of a box are placed side by side, blocks of layers one below another.
        """
        *outer, row, column = self.coordinates(cell)
        width, height = self.shape[:2]
        block, layer = (0, 0, *outer)[-2:]
        return block * (height + 1) + row, 2 * (layer * (width + 1) + column)

    def centre(self, cell: int) -> Point:
        """Return the centre of a drawn cell, in units of one cell from the top left corner."""
        line, half = self.place(cell)
        left, top = self.middle
        return left + half / 2, top + line * self.row_height

    @cached_property
    def extent(self) -> Point:
        """The width and height of the whole drawing, in units of one cell."""
        across, down = zip(*map(self.centre, range(self.size)), strict=True)
        right, bottom = self.middle
        return max(across) + right, max(down) + bottom

    # Sameness

    def _key(self) -> Hashable:
        return self.shape

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Topology):
            return NotImplemented
        return self is other or (type(self) is type(other) and self._key() == other._key())

    def __hash__(self) -> int:
        return hash((self.name, self.shape))

    def __reduce__(self) -> tuple[object, ...]:
        registered = _registry.get(self.name) is type(self)
        return (get, (self.name, self.shape)) if registered else (type(self), (self.shape,))

    def __repr__(self) -> str:
        return f"<{self.name} {write_sides(self.shape)}>"

    def _axes(self) -> tuple[str, ...]:
        return ("block", "layer", "row", "column")[-len(self.shape) :]

    def _check(self, cell: int) -> None:
        if not 0 <= cell < self.size:
            raise TopologyError(f"there is no cell {cell}; the cells are 0 to {self.size - 1}")


class Lattice(Topology):
    """A topology that looks the same from every cell, or from every cell of every second row."""

    wrap: ClassVar[bool] = False
    """Whether opposite edges meet."""

    @abstractmethod
    def offsets(self, row: int) -> Iterable[Offset]:
        """Return what to add to a cell's coordinates to reach its neighbours.

        `row` is 0 for the first, third, fifth... row, and 1 for the others.
        """

    def build(self) -> Graph:
        """Return the graph of the offsets. Raise TopologyError if a step has no step back."""
        offsets = [set(self.offsets(row)) for row in (0, 1)]
        for row, steps in enumerate(offsets):
            for step in steps:
                if tuple(-length for length in step) not in offsets[(row + step[-2]) % 2]:
                    raise TopologyError(f"{self.name} steps by {step} from row {row}, but not back")
        if self.wrap and self.shape[1] % 2 and offsets[0] != offsets[1]:
            raise TopologyError(f"{self.name} needs an even height for its edges to meet")
        return Graph.lattice(self.shape[::-1], [list(steps) for steps in offsets], self.wrap)

    @cached_property
    def smallest_degree(self) -> int:
        """The smallest number of neighbours that any cell has."""
        # Away from its edges, a lattice repeats itself every second row. A small lattice has the
        # same degrees and is quick to search.
        steps = chain.from_iterable((*self.offsets(0), *self.offsets(1)))
        small = 2 * max(map(abs, steps), default=0) + 2
        shape = tuple(side if side <= small else small + side % 2 for side in self.shape)
        if shape == self.shape:
            return super().smallest_degree
        return type(self)(shape).smallest_degree


class Net(Topology):
    """Cells with arbitrary neighbours, given as neighbour lists.

    A net has one side, its number of cells; its text is one line. `centres` says where to draw
    the cells, in units of one cell from the top left corner; without it they are drawn in a row.
    Raise TopologyError unless each cell lists every cell that lists it, once, and not itself.
    """

    name = "net"
    summary = "any neighbour lists, made by a program"
    sides = range(1, 2)

    def __init__(
        self, lists: Sequence[Sequence[int]], centres: Sequence[Point] | None = None
    ) -> None:
        super().__init__((len(lists),))
        if centres is not None and len(centres) != len(lists):
            raise TopologyError(f"{len(lists)} cells need as many centres, not {len(centres)}")
        self._lists: Final = tuple(map(tuple, lists))
        self._centres: Final = None if centres is None else tuple(centres)
        _ = self.graph  # refuses bad lists at once

    def build(self) -> Graph:
        """Return the graph of the lists."""
        for cell, near in enumerate(self._lists):
            if near and not 0 <= min(near) <= max(near) < self.size:
                raise TopologyError(f"cell {cell} lists a cell that is not 0 to {self.size - 1}")
        try:
            return Graph(self._lists)
        except ValueError as error:
            raise TopologyError(str(error)) from None

    def describe(self, cell: int) -> str:
        """Return a cell's name for a sentence: its number, from 0."""
        self._check(cell)
        return f"cell {cell}"

    def place(self, cell: int) -> tuple[int, int]:
        """Return a cell's line in a terminal, always the first, and its column in half cells."""
        self._check(cell)
        return 0, 2 * cell

    def centre(self, cell: int) -> Point:
        """Return the centre of a drawn cell."""
        self._check(cell)
        return super().centre(cell) if self._centres is None else self._centres[cell]

    def _key(self) -> Hashable:
        return self._lists, self._centres

    def __reduce__(self) -> tuple[object, ...]:
        return Net, (self._lists, self._centres)


_registry: dict[str, type[Topology]] = {}
_alive: WeakValueDictionary[tuple[str, tuple[int, ...]], Topology] = WeakValueDictionary()
_recent: deque[Topology] = deque(maxlen=16)
_lock = RLock()

SomeTopology = TypeVar("SomeTopology", bound=type[Topology])


def register(name: str, summary: str) -> Callable[[SomeTopology], SomeTopology]:
    """Register a kind of topology under a name, with a one-line summary."""

    def add(new: SomeTopology) -> SomeTopology:
        if name in _registry:
            raise TopologyError(f"there is already a topology {quote(name)}; choose another name")
        new.name, new.summary = name, summary
        _registry[name] = new
        return new

    return add


def topologies() -> dict[str, type[Topology]]:
    """Return all registered kinds by name; each has a `summary` and its possible `sides`."""
    return dict(_registry)


def kind(name: str) -> type[Topology]:
    """Return the registered kind of this name. Raise TopologyError if there is none."""
    try:
        return _registry[name]
    except KeyError:
        known = ", ".join(_registry)
        raise TopologyError(f"there is no topology {quote(name)}; choose from {known}") from None


def get(name: str, shape: tuple[int, ...]) -> Topology:
    """Return the topology of this name and shape, always the same object.

    Raise TopologyError for a name that is not registered or a shape it cannot have.
    """
    if not all(type(side) is int for side in shape):
        # 1.0 and True equal 1, so they would find a board that they cannot make.
        shape = tuple(map(int, kind(name)(shape).shape))
    with _lock:
        topology = _alive.get((name, shape))
        if topology is None:
            topology = _alive[name, shape] = kind(name)(shape)
            # Small ones are kept for the next position; a large graph is freed when unused.
            if topology.size <= 100_000:
                _recent.append(topology)
        return topology


@register("moore", "the eight cells around, as in Minesweeper")
class Moore(Lattice):
    """A rectangle where a cell touches the eight around it."""

    def offsets(self, row: int) -> Iterable[Offset]:
        """Return the steps of a chess king."""
        return product((-1, 0, 1), repeat=2)


@register("neumann", "the four cells that share an edge")
class Neumann(Lattice):
    """A rectangle where a cell touches the four that share an edge with it."""

    def offsets(self, row: int) -> Iterable[Offset]:
        """Return the steps up, left, right and down."""
        return (-1, 0), (0, -1), (0, 1), (1, 0)


# The distance from the centre of a hexagon of width 1 to its upper corner.
_R: Final = 1 / sqrt(3)


@register("hex", "hexagons in rows, every second row shifted right by half a cell")
class Hex(Lattice):
    """Rows of hexagons; the second, fourth... row is shifted right by half a cell."""

    outline = ((0, -_R), (0.5, -_R / 2), (0.5, _R / 2), (0, _R), (-0.5, _R / 2), (-0.5, -_R / 2))
    middle = (0.5, _R)
    row_height = _R * 1.5

    def offsets(self, row: int) -> Iterable[Offset]:
        """Return the steps to the six hexagons around."""
        return (-1, row - 1), (-1, row), (0, -1), (0, 1), (1, row - 1), (1, row)

    def place(self, cell: int) -> tuple[int, int]:
        """Return a cell's line and its column in half cells; odd rows are shifted by one."""
        row, column = self.coordinates(cell)
        return row, 2 * column + row % 2


@register("torus", "the eight cells around, where opposite edges meet")
class Torus(Moore):
    """A rectangle without edges: left meets right, top meets bottom."""

    wrap = True


@register("knight", "the eight cells a chess knight can jump to")
class Knight(Lattice):
    """A rectangle where a cell touches the cells a knight's move away."""

    def offsets(self, row: int) -> Iterable[Offset]:
        """Return the jumps of a chess knight."""
        return ((a, b) for a, b in product((-2, -1, 1, 2), repeat=2) if abs(a) != abs(b))


@register("box", "a box in 2 to 4 dimensions, with every cell around: 26 in a cube")
class Box(Lattice):
    """A box of layers, and of blocks of layers, where cells touch across all of them."""

    sides = range(2, 5)

    def offsets(self, row: int) -> Iterable[Offset]:
        """Return every step of at most one along each side."""
        return product((-1, 0, 1), repeat=len(self.shape))
