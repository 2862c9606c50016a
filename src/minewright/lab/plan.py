"""Who plays what: all that is needed to play any game of a seed."""

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite

from minewright.board import Board
from minewright.errors import MinewrightError
from minewright.game import Game, StartRule
from minewright.position import DEFAULT_TOPOLOGY, Position
from minewright.strategies import Recipe, Record, Turn, own_numbers, play
from minewright.strategies.constraints import check_size
from minewright.strategies.play import begin
from minewright.topology import Topology


class PlanError(MinewrightError, ValueError):
    """A wish that cannot be met, in one line."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played: all that a worker needs to know, but for which games."""

    board: Board
    start: StartRule
    topology: Topology
    recipe: Recipe
    seed: int
    timeout: float | None = None
    first_cell: int | None = None
    """Where the kernel's player begins; None if the strategy's own Python plays."""

    @classmethod
    def of(
        cls,
        board: Board,
        strategy: str,
        seed: int,
        start: StartRule,
        topology: str | Topology,
        guesser: str = "",
        first: str = "",
        timeout: float | None = None,
        native: bool = False,
    ) -> "Plan":
        """Check every wish before anything is played."""
        if timeout is not None and not (timeout > 0 and isfinite(timeout)):
            raise PlanError(f"a timeout is more than 0 seconds, not {timeout:g}")
        recipe = Recipe(strategy, guesser, first, start)
        game = Game(board, start, seed, topology)
        cell = _first_cell(game, recipe) if native and recipe.native else None
        if cell is None:
            check_size(game.topology)
        return cls(board, start, game.topology, recipe, seed, timeout, cell)

    @property
    def guesser(self) -> str:
        """The guesser's name."""
        return self.recipe.guesser or self.recipe.kind.guesser

    @property
    def first(self) -> str:
        """The first move's name."""
        return self.recipe.begins

    def game(self, number: int) -> Game:
        """Begin a game of this seed."""
        return Game(self.board, self.start, self.seed, self.topology, stream=number)

    def play(
        self, game: Game, number: int, watch: Callable[[Position, Turn], None] | None = None
    ) -> Record:
        """Let the strategy play it."""
        player = self.recipe.player(own_numbers(self.seed, number))
        return play(game, player, seconds=self.timeout, watch=watch)

    def __str__(self) -> str:
        topology = "" if self.topology.name == DEFAULT_TOPOLOGY else f" {self.topology.name}"
        return f"{self.recipe} on {self.board}{topology}, start {self.start}"


def _first_cell(game: Game, recipe: Recipe) -> int | None:
    """Find the cell that every game begins with; None if that is not always the same, or none."""
    if game.over:
        return None
    random, unused = own_numbers(0), own_numbers(0)
    begin(game, recipe.first_move().choose(game.position, random).cell)
    # What draws a random number chooses differently from game to game.
    return game.moves[0].cell if random.next() == unused.next() else None
