from minewright import Position
from minewright.lab.experiment import Experiment
from minewright.strategies import Conclusion, Deducer, Kind, register


class Nothing(Deducer):
    """Concludes nothing."""

    def conclude(self, position: Position) -> Conclusion:
        """Conclude nothing."""
        return Conclusion(())


register(Kind("nothing", "nobody", "concludes nothing", Nothing, guesser="safest"))
experiment = Experiment.grid(
    "own", strategies=["nothing", "single-point"], boards=["5x5x3"], games=30, seed=4
)
