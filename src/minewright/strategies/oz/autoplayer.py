"""The autoplayer: plays what the field knows to be safe (section 4.2)."""

from collections.abc import Iterable

from minewright.position import COVERED, Position
from minewright.strategies.oz.assistant import USUAL, Assistant
from minewright.strategies.oz.field import Contradiction
from minewright.strategies.strategy import NOTHING, Conclusion, Deducer

_COVERED = bytes(ord("1" if code == COVERED else "0") for code in range(256))


class Autoplayer(Deducer):
    """The assistant as a deducer: thinks until a safe cell is known or there is no more news."""

    def __init__(self, engines: Iterable[str] = USUAL) -> None:
        self.engines = tuple(engines)
        self._assistant: Assistant | None = None

    def conclude(self, position: Position) -> Conclusion:
        """Tell the assistant what is open, and return what it knows that has not been acted on.

        Nothing is concluded in an impossible position.
        """
        try:
            return self._conclude(position)
        except Contradiction:
            self._assistant = None
            return NOTHING

    def _conclude(self, position: Position) -> Conclusion:
        if self._assistant is None:
            self._assistant = Assistant(position.topology, position.mines, self.engines)
        assistant = self._assistant
        assistant.tell(position, trust_marks=True)
        covered = int(position.cells[::-1].translate(_COVERED), 2)
        field = assistant.field
        # Mines alone do not help a player.
        while not field.safe & covered and assistant.think():
            pass
        solver = assistant.solver
        return Conclusion(
            assistant.findings((field.safe | field.mined) & covered),
            chances=solver.chances or None if solver else None,
            gave_up=solver.gave_up if solver else False,
            solutions=solver.solutions if solver else None,
        )
