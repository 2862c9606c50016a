"""What the pages build on: neighbours, what a glance settles, short explanations, the solver."""

from hypothesis import given, settings
from hypothesis import strategies as st

import minewright as mw
from minewright.deduction.hint import shortest
from minewright.strategies.oz import solutions_needed
from minewright.strategies.oz.solvers import Variables
from minewright.topology import get, topologies
from minewright.web.play import oz
from minewright.web.play.engines import obvious
from minewright.web.shared.layout import Touching

SEEDS = st.integers(0, 2**32)


def position(seed: int, board: str = "7x6x9") -> mw.Position:
    """Return a position from the middle of a game."""
    game = mw.Game(mw.Board.parse(board), "safe", seed)
    game.open(seed % 42)
    while not game.over and seed % 3 and (safe := mw.analyze(game.position).safe):
        game.open(safe[0])
        seed //= 3
    return game.position


def test_the_steps_lead_to_the_neighbours_on_every_topology() -> None:
    for name in topologies():
        topology = get(name, (5, 4, 3) if name == "box" else (6, 6))
        touching = Touching.on(topology)
        for cell in range(topology.size):
            steps = touching.steps[touching.of[cell]]
            assert tuple(cell + step for step in steps) == topology.neighbours(cell)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_what_a_glance_settles_is_certain(seed: int) -> None:
    here = position(seed)
    analysis, found = mw.analyze(here), obvious(here)
    assert set(found.safe) <= set(analysis.safe)
    assert set(found.mined) <= set(analysis.mined)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_the_shortest_explanation_holds_in_the_position_and_is_no_longer_than_the_first(
    seed: int,
) -> None:
    here = position(seed)
    first = mw.next_step(here)
    step = shortest(here, mw.explain(here))
    assert (step is None) == (first is None)
    if first and step:
        analysis = mw.analyze(here)
        assert set(step.safe) <= set(analysis.safe)
        assert set(step.mined) <= set(analysis.mined)
        assert first.kind == 2 or len(step.sentence) <= len(first.sentence)


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_the_solve_button_finds_all_that_is_certain_and_the_exact_chances(seed: int) -> None:
    here = position(seed)
    analysis = mw.analyze(here)
    kinds: tuple[Variables, ...] = ("binary", "sets")
    for kind in kinds:
        solved = oz.run(here, [], kind, 60.0)
        assert solved.safe == set(analysis.safe)
        assert solved.mined == set(analysis.mined)
        assert solved.solutions == solutions_needed(here)
        for cell, chance in solved.chances.items():
            assert abs(chance - (analysis.chances[cell] or 0.0)) < 1e-9
