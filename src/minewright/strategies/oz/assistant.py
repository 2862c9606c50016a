"""The digital assistant (section 4): a field, a collector, and engines that can be switched."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from minewright.position import Position
from minewright.strategies.constraints import CellSet, cells_of
from minewright.strategies.oz.collector import TOTAL, Collector
from minewright.strategies.oz.engine import Engine
from minewright.strategies.oz.field import PLAYER, SymbolicField, Telling
from minewright.strategies.oz.propagators import Simple, Zero
from minewright.strategies.oz.sets import Sets
from minewright.strategies.oz.solvers import Binary, SetSolver, Solver
from minewright.strategies.strategy import Finding, StrategyError
from minewright.topology import Topology

ENGINES: Final[dict[str, type[Engine]]] = {
    kind.name: kind for kind in (Zero, Simple, Sets, SetSolver, Binary)
}
"""All engines by name, the cheapest first."""

USUAL: Final = ("zero", "simple", "set", "sets")
"""The engines that are on by default; the binary solver would add nothing to them."""

_SOLVERS = {Binary.name: "binary solver", SetSolver.name: "set solver"}


class Known(NamedTuple):
    """What the field knows beyond the numbers: cells that can be opened, and mines."""

    safe: tuple[int, ...]
    mined: tuple[int, ...]
    findings: tuple[Finding, ...]
    """The same cells, each once, with the reasons."""


class Assistant:
    """The assistant of one game.

    Tell it the position after each move and let it think. `think` asks the engines that are on,
    the cheapest first, until one has news. So an expensive engine works only when the cheap ones
    find nothing. Raise StrategyError for an engine that does not exist.
    """

    def __init__(
        self, topology: Topology, mines: int | None, engines: Iterable[str] = USUAL
    ) -> None:
        self.field = SymbolicField(topology, mines)
        self.collector = Collector(self.field)
        self._engines = {name: kind(self.field, self.collector) for name, kind in ENGINES.items()}
        self._silent_at: dict[str, int] = {}
        self._on: set[str] = set()
        for name in engines:
            self.switch(name)

    @property
    def engines(self) -> tuple[str, ...]:
        """The engines that are on, the cheapest first."""
        return tuple([name for name in ENGINES if name in self._on])

    def switch(self, engine: str, on: bool = True) -> None:
        """Switch an engine on or off. An engine switched on late catches up on everything."""
        if engine not in ENGINES:
            raise StrategyError(f"there is no engine {engine!r}; choose from {', '.join(ENGINES)}")
        (self._on.add if on else self._on.discard)(engine)

    def tell(self, position: Position, *, trust_marks: bool = False) -> None:
        """Tell what is visible now: newly opened cells, and what the position calls certain.

        Marks are the player's opinion, and count only with `trust_marks`. Raise Contradiction if
        the position is impossible or belongs to another game.
        """
        self.field.tell_position(position, trust_marks=trust_marks)

    def think(self) -> bool:
        """Let the engines work until one has news; return False if none has.

        Raise Contradiction if no minefield agrees with the position.
        """
        for name in self.engines:
            if self._silent_at.get(name) == self.field.version:
                continue
            engine = self._engines[name]
            news = engine.work()
            # An engine that tells everything at once has nothing to add to its own news.
            self._silent_at[name] = self.field.version if engine.at_once or not news else -1
            if news:
                return True
        return False

    def settle(self) -> None:
        """Think until no engine has news."""
        while self.think():
            pass

    def known(self) -> Known:
        """Return the cells known to be safe but not yet open, and those known to be mined."""
        field = self.field
        safe = field.safe & ~field.open
        return Known(cells_of(safe), cells_of(field.mined), self.findings(safe | field.mined))

    def findings(self, cells: CellSet) -> tuple[Finding, ...]:
        """Return what was told about these cells, in order."""
        return tuple(
            [
                Finding(cells_of(told.safe & cells), cells_of(told.mined & cells), self._why(told))
                for told in self.field.tellings
                if (told.safe | told.mined) & cells
            ]
        )

    def _why(self, told: Telling) -> str:
        engine, clue = told.engine, told.clue
        if engine == PLAYER:
            return "the position says so"
        if clue is None:
            return f"{_SOLVERS[engine]}: the same in every solution"
        if clue == TOTAL:
            return "by the mine total"
        where = self.field.topology.describe(clue)
        if engine == Zero.name:
            return f"{where} is 0: all cells around it are safe"
        if engine == Sets.name:
            return f"{where}: follows from what is known about sets of its cells"
        return f"{where} needs all its cells" if told.mined else f"{where} has all its mines"

    @property
    def solver(self) -> Solver | None:
        """The solver whose results are up to date with the field, or None.

        It is the set solver if both are.
        """
        for name in self.engines:
            engine = self._engines[name]
            if isinstance(engine, Solver) and self._silent_at.get(name) == self.field.version:
                return engine
        return None
