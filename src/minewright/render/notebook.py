"""The picture of each kind of thing, as a notebook shows it."""

from functools import singledispatch

from minewright.bullets import Puzzle, Solution
from minewright.deduction import Deduction
from minewright.game import Game
from minewright.inference import Analysis
from minewright.lab.simulate import Simulation
from minewright.noguess import NoGuessBoard
from minewright.position import Position
from minewright.render.results import simulation_svg
from minewright.render.steps import puzzle_svg, solution_svg, step_svg
from minewright.render.svg import position_svg


@singledispatch
def svg(thing: object) -> str:
    """Return a picture of something as SVG.

    There are pictures of positions, games, analyses, deductions, puzzles and their solutions,
    boards without guesses as they begin, and results of simulations.
    """
    raise TypeError(f"there is no picture of a {type(thing).__name__}")


svg.register(Position, position_svg)
svg.register(Deduction, step_svg)
svg.register(Solution, solution_svg)
svg.register(Simulation, simulation_svg)


@svg.register
def _(analysis: Analysis) -> str:
    return position_svg(analysis.position, analysis)


@svg.register
def _(board: NoGuessBoard) -> str:
    game = board.game()
    game.open(board.first)
    return position_svg(game.position)


@svg.register
def _(game: Game) -> str:
    return position_svg(game.position)


@svg.register
def _(puzzle: Puzzle) -> str:
    return puzzle_svg(puzzle)
