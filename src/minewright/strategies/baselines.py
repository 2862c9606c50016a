"""Baselines: weak and strong players to compare strategies with."""

from minewright.inference import BudgetExceeded, analyze
from minewright.position import Position
from minewright.strategies.constraints import cells_of, view
from minewright.strategies.registry import Kind, register
from minewright.strategies.strategy import NOTHING, Conclusion, Deducer, Finding


class Blind(Deducer):
    """Never concludes anything."""

    def conclude(self, position: Position) -> Conclusion:
        """Conclude nothing."""
        return NOTHING


class SinglePoint(Deducer):
    """One number at a time: all its mines are marked, or all its covered cells are mined."""

    def conclude(self, position: Position) -> Conclusion:
        """Look at each number once."""
        findings = []
        for clue, cells, mines in view(position).constraints():
            if mines == 0:
                where = position.topology.describe(clue)
                findings.append(Finding(cells_of(cells), (), f"{where} has all its mines"))
            elif mines == cells.bit_count():
                where = position.topology.describe(clue)
                findings.append(Finding((), cells_of(cells), f"{where} needs all its cells"))
        return Conclusion(tuple(findings))


class Exact(Deducer):
    """Exact inference: all that is certain, and the exact chance of everything else."""

    def conclude(self, position: Position) -> Conclusion:
        """Analyse the position."""
        try:
            analysis = analyze(position, trust_marks=True)
        except BudgetExceeded:
            return Conclusion(gave_up=True)
        if not analysis.consistent:
            return NOTHING
        safe, mined = analysis.safe, analysis.mined
        if safe:
            # Mines alone do not help a player, so they are reported with the safe cells.
            return Conclusion((Finding(safe, mined, "true in every minefield that fits"),))
        chances = {cell: p for cell, p in enumerate(analysis.chances) if p is not None}
        return Conclusion((Finding((), mined, "mined in every minefield that fits"),), chances)


register(Kind("random", "baseline", "opens any covered cell", Blind))
register(Kind("single-point", "Studholme 2000; many others", "one number at a time", SinglePoint))
register(
    Kind(
        "exact",
        "baseline",
        "exact inference, then the safest cell; ties go to the first",
        Exact,
        complete="yes",
        guesser="safest",
        first="corner",
        native="exact",
    )
)
register(
    Kind(
        "exact-corner",
        "baseline",
        "exact inference, then the safest cell; ties go to the fewest neighbours",
        Exact,
        title="Exact, corners first",
        complete="yes",
        guesser="safest:ties=corner",
        first="corner",
        native="exact-corner",
    )
)
