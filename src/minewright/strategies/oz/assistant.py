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
"""The engines that are on unless others are asked for: the binary solver adds nothing to these."""

_SOLVERS = {Binary.name: "binary solver", SetSolver.name: "set solver"}


class Known(NamedTuple):
    """What the field knows beyond the numbers: cells that may be opened, and mines."""

    safe: tuple[int, ...]
    mined: tuple[int, ...]
    findings: tuple[Finding, ...]
    """The same cells, each told once, with the reasons."""


class Assistant:
    """The assistant of one game.

    Tell it the position after each move and let it think. `think` asks the engines that are on,
    the cheapest first, until one has news: a dear engine works only where the cheap are silent.
    Raises StrategyError for an engine that does not exist.
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
        """Switch an engine on or off. Switched on late, it works on all that is there."""
        if engine not in ENGINES:
            raise StrategyError(f"there is no engine {engine!r}; there are {', '.join(ENGINES)}")
        (self._on.add if on else self._on.discard)(engine)

    def tell(self, position: Position, *, trust_marks: bool = False) -> None:
        """Tell what is to be seen now: cells opened since, and what the position calls certain.

        Marks are the player's opinion, and count only where asked to be trusted.
        Raises Contradiction if it cannot be, or is not of this game.
        """
        self.field.tell_position(position, trust_marks=trust_marks)

    def think(self) -> bool:
        """Let the engines work until one has news; False if none has.

        Raises Contradiction if no minefield agrees with the position.
        """
        for name in self.engines:
            if self._silent_at.get(name) == self.field.version:
                continue
            engine = self._engines[name]
            news = engine.work()
            # What tells all at once has nothing to add to what it told itself.
            self._silent_at[name] = self.field.version if engine.at_once or not news else -1
            if news:
                return True
        return False

    def settle(self) -> None:
        """Think until no engine has news."""
        while self.think():
            pass

    def known(self) -> Known:
        """Give the cells known to be safe and not open yet, and those known to be mined."""
        field = self.field
        safe = field.safe & ~field.open
        return Known(cells_of(safe), cells_of(field.mined), self.findings(safe | field.mined))

    def findings(self, cells: CellSet) -> tuple[Finding, ...]:
        """Give what was told of these cells, in the order it was told."""
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
            return "by the total of mines"
        where = self.field.topology.describe(clue)
        if engine == Zero.name:
            return f"{where} is 0: all around it is safe"
        if engine == Sets.name:
            return f"{where}: so by what is known of sets of its cells"
        return f"{where} needs all its cells" if told.mined else f"{where} has all its mines"

    @property
    def solver(self) -> Solver | None:
        """The solver whose results are those of the field as it is; None if none has worked on it.

        The set solver where both have.
        """
        for name in self.engines:
            engine = self._engines[name]
            if isinstance(engine, Solver) and self._silent_at.get(name) == self.field.version:
                return engine
        return None
