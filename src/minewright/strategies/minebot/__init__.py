"""MineBot: truth, contrapositive, exhaustion and burnout, in this order (document 003).

The text's locations are our cells; its open locations with unknown ones around them are our
numbers. A strategy has failed when it finds nothing "over the entire board", so each algorithm
goes through all numbers of a position and returns all that it finds. After a success, the next
turn begins with truth.

Three things decide how well MineBot plays, and the text leaves each of them open:

- `contradiction`. The text names "a location having too many mines" as an example ("such as"). With
  `many` it is the only contradiction; a number with too few cells left is then neither of truth's
  two cases, and a 1 next to a 1 at the edge, which every player knows, is beyond MineBot. With
  `both`, a number with too few cells left is a contradiction too.
- `visits`. Truth is applied to a number, then to each of its open neighbours, and so on, to each of
  "up to n locations": `once`, in the order of the recursion, or to `all` numbers of the board,
  again and again until nothing new is found.
- `guess`. "One non-open location" is opened at random. Read to the letter (`non-open`), that
  includes locations that MineBot itself has marked as mines. With `unknown` it leaves those alone.

The defaults are `many`, `once` and `unknown`. They were chosen with one result of the text in view,
5.6% of 500 expert games, so their agreement with it is no evidence for them.

Only burnout counts the remaining mines. The other three use the numbers alone.

    numbers      what the numbers say, and what follows from an assumption
    algorithms   truth, contrapositive, exhaustion and burnout; the planned ones
    chain        how an algorithm came to a finding, step by step
    kinds        the player, and its names in the registry
"""

from minewright.strategies.minebot.algorithms import Algorithm
from minewright.strategies.minebot.kinds import MineBot
from minewright.strategies.minebot.numbers import Numbers, Reading

__all__ = ["Algorithm", "MineBot", "Numbers", "Reading"]
