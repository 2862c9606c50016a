"""The assistant's engines on one position, those of them that are on, and the autoplayer.

The propagators are Collet's own, from `strategies.oz`; solvers and probabilities are exact
inference. Unlike in his program, nothing is remembered from move to move: switching an engine off
removes what it knew.
"""

from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from minewright.inference import Analysis, Budget, BudgetExceeded, analyze
from minewright.position import COVERED, MARKED, MAX_NUMBER, Position
from minewright.strategies.constraints import cells_of
from minewright.strategies.oz import Assistant, Contradiction
from minewright.web.play.models import Help, Switches
from minewright.web.server.bounds import in_short

if TYPE_CHECKING:
    from minewright.game import Game


class Found(NamedTuple):
    """What solvers have found in a game: it stays known, as on Collet's symbolic field."""

    safe: set[int]
    mined: set[int]


def obvious(position: Position) -> Help:
    """Return what one glance at a number settles, without a chain of conclusions.

    If a number has as many covered cells around it as mines, all of them are mines. If these mines
    are all that another number counts, its other covered cells are safe.
    """
    near = position.topology.graph.neighbours
    around = {
        cell: {other for other in near(cell) if position[other] >= MARKED}
        for cell, number in enumerate(position.cells)
        if 0 < number <= MAX_NUMBER
    }
    mined: set[int] = set()
    for cell, covered in around.items():
        if len(covered) == position[cell]:
            mined |= covered
    safe: set[int] = set()
    for cell, covered in around.items():
        if len(covered & mined) == position[cell]:
            safe |= covered - mined
    return Help(safe=sorted(safe), mined=sorted(mined))


class Helper:
    """Thinks about the positions of one game, one after the other, within a time limit."""

    def __init__(
        self, switches: Switches, seconds: float, states: int, found: Found | None = None
    ) -> None:
        self.switches = switches
        self._found = found or Found(set(), set())
        self._end = monotonic() + seconds
        self._states = states
        self._assistant: Assistant | None = None
        self._last: Analysis | None = None

    @property
    def propagators(self) -> list[str]:
        """Those of Collet's propagators that are on."""
        return [name for name in ("zero", "simple", "set") if getattr(self.switches, name)]

    def autoplay(self, game: "Game") -> None:
        """Open cells known to be safe until there are none, or time runs out."""
        while not game.over and self._left() > 0:
            position = game.position
            fresh = [cell for cell in self._certain(position).safe if position[cell] == COVERED]
            if not fresh:
                break
            for cell in fresh:
                game.open(cell)

    def look(self, position: Position) -> Help:
        """Return what the engines that are on know about a position."""
        found = self._certain(position)
        if self.switches.probabilities and found.too_hard is None:
            try:
                analysis = self._analyse(position)
            except BudgetExceeded as error:
                found.too_hard = in_short(error)
            else:
                chances = enumerate(analysis.chances)
                found.chances = {cell: chance for cell, chance in chances if chance is not None}
                found.approximate = analysis.approximate
        return found

    def _certain(self, position: Position) -> Help:
        """Return the cells known to be safe or mined."""
        found = self._infer(position)
        covered = {cell for cell, code in enumerate(position.cells) if code >= MARKED}
        found.safe = sorted(self._found.safe & covered | set(found.safe))
        found.mined = sorted(self._found.mined & covered | set(found.mined))
        return found

    def _infer(self, position: Position) -> Help:
        if not self.switches.solvers:
            return self._propagate(position)
        try:
            analysis = self._analyse(position)
        except BudgetExceeded as error:
            found = self._propagate(position)
            found.too_hard = in_short(error)
            return found
        # The solvers find every certain cell, so propagators have nothing to add.
        return Help(safe=list(analysis.safe), mined=list(analysis.mined))

    def _analyse(self, position: Position) -> Analysis:
        if self._last is not None and self._last.position is position:
            return self._last
        budget = Budget(self._states, max(self._left(), 0.01))
        try:
            self._last = analyze(position, budget=budget)
        except BudgetExceeded:
            if not self.switches.approximate:
                raise
            self._last = analyze(position, approximate=True, budget=budget)
        return self._last

    def _propagate(self, position: Position) -> Help:
        names = self.propagators
        if not any(code <= MAX_NUMBER for code in position.cells):
            return Help()
        if not names:
            return obvious(position) if self.switches.obvious else Help()
        if self._assistant is None:
            self._assistant = Assistant(position.topology, position.mines, names)
        assistant = self._assistant
        too_hard = None
        try:
            assistant.tell(position)
            while assistant.think():
                if self._left() < 0:
                    too_hard = "too hard: the assistant did not finish in time"
                    break
        except Contradiction:
            return Help()
        field = assistant.field
        safe = cells_of(field.safe & ~field.open)
        return Help(safe=list(safe), mined=list(cells_of(field.mined)), too_hard=too_hard)

    def _left(self) -> float:
        return self._end - monotonic()
