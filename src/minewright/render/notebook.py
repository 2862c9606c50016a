"""The picture of each kind of thing, as a notebook shows it."""

from functools import singledispatch

from minewright.bullets import Puzzle, Solution
from minewright.deduction import Deduction
from minewright.game import Game
from minewright.inference import Analysis
from minewright.position import Position
from minewright.render.steps import puzzle_svg, solution_svg, step_svg
from minewright.render.svg import position_svg


@singledispatch
def svg(thing: object) -> str:
    """Return a picture of a position, game, analysis, deduction, puzzle or solution as SVG."""
    raise TypeError(f"there is no picture of a {type(thing).__name__}")


svg.register(Position, position_svg)
svg.register(Deduction, step_svg)
svg.register(Solution, solution_svg)


@svg.register
def _(analysis: Analysis) -> str:
    return position_svg(analysis.position, analysis)


@svg.register
def _(game: Game) -> str:
    return position_svg(game.position)


@svg.register
def _(puzzle: Puzzle) -> str:
    return puzzle_svg(puzzle)
