"""An arm: one player on one kind of board. It is the lab's only description of who plays what."""

from dataclasses import dataclass
from functools import lru_cache

from minewright.board import Board
from minewright.game import Game, StartRule
from minewright.position import DEFAULT_TOPOLOGY
from minewright.strategies import (
    Recipe,
    Record,
    first_moves,
    guessers,
    own_numbers,
    play,
    strategies,
    title,
)
from minewright.strategies.constraints import check_size
from minewright.strategies.play import Watch, begin
from minewright.topology import Topology


@dataclass(frozen=True, slots=True)
class Arm:
    """A player, a board and a start rule, all by name.

    An arm is data. It may name a strategy that is unknown here; `check` tells whether it can play.
    """

    strategy: str
    board: str
    start: StartRule = "safe"
    topology: str | Topology = DEFAULT_TOPOLOGY
    """Only a topology with a name can be part of an experiment."""
    guesser: str = ""
    """If empty, the strategy's own."""
    first: str = ""
    """The first move; if empty, the strategy's own."""

    def check(self, seed: int = 0, *, native: bool = True) -> None:
        """Raise StrategyError, TopologyError or GameError if it cannot play here."""
        recipe = self.recipe
        game = self.game(seed, 0)
        if not (native and recipe.native and self.first_cell is not None):
            check_size(game.topology)

    @property
    def recipe(self) -> Recipe:
        """What makes the players, one for each game."""
        return _recipe(self.strategy, self.guesser, self.first, self.start)

    @property
    def first_cell(self) -> int | None:
        """The cell that the kernel's player begins with; None if only Python can play this."""
        return _first_cell(self) if self.recipe.native else None

    @property
    def chosen_guesser(self) -> str:
        """The guesser that plays, which may be the strategy's own."""
        return self.guesser or self.recipe.kind.guesser

    @property
    def chosen_first(self) -> str:
        """The first move that is made, which may be the strategy's own."""
        return self.recipe.begins

    def game(self, seed: int, number: int) -> Game:
        """Return a new game of a seed."""
        return Game(Board.parse(self.board), self.start, seed, _topology(self), stream=number)

    def play(
        self,
        game: Game,
        seed: int,
        number: int,
        *,
        seconds: float | None = None,
        watch: Watch | None = None,
    ) -> Record:
        """Let the player play a game in Python, with its own random numbers."""
        player = self.recipe.player(own_numbers(seed, number))
        return play(game, player, seconds=seconds, watch=watch)

    @property
    def topology_name(self) -> str:
        """The name of the topology."""
        return self.topology if isinstance(self.topology, str) else self.topology.name

    @property
    def field(self) -> tuple[str, str, StartRule]:
        """Board, topology and start rule: arms that share them meet the same minefields."""
        return self.board, self.topology_name, self.start

    @property
    def field_name(self) -> str:
        """The same in a few letters."""
        topology = "" if self.topology == "moore" else f" {self.topology}"
        return f"{self.board}{topology} {self.start}"

    @property
    def player(self) -> str:
        """The player in short: the strategy, then what differs from its own habits."""
        guesser = f" + {self.guesser}" if self.guesser else ""
        first = f", first {self.first}" if self.first else ""
        return f"{self.strategy}{guesser}{first}"

    @property
    def title(self) -> str:
        """The player as people call it, with what differs from its own habits."""
        guesser = f" + {title(self.guesser, guessers())}" if self.guesser else ""
        first = f", first move {title(self.first, first_moves())}" if self.first else ""
        return f"{title(self.strategy, strategies())}{guesser}{first}"

    def __str__(self) -> str:
        name = self.topology_name
        topology = "" if name == DEFAULT_TOPOLOGY else f" {name}"
        return f"{self.player} on {self.board}{topology}, start {self.start}"


# A worker plays many tasks of the same few arms, so what their names stand for is cached.


@lru_cache(maxsize=256)
def _recipe(strategy: str, guesser: str, first: str, start: StartRule) -> Recipe:
    return Recipe(strategy, guesser, first, start)


@lru_cache(maxsize=256)
def _topology(arm: Arm) -> Topology:
    return Game(Board.parse(arm.board), arm.start, 0, arm.topology).topology


@lru_cache(maxsize=256)
def _first_cell(arm: Arm) -> int | None:
    """Find the cell that every game begins with; return None if it varies, or there is none."""
    game = arm.game(0, 0)
    if game.over:
        return None
    random, unused = own_numbers(0), own_numbers(0)
    begin(game, arm.recipe.first_move().choose(game.position, random).cell)
    # A first move that draws a random number varies from game to game.
    return game.moves[0].cell if random.next() == unused.next() else None
