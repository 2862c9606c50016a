"""Boards that need no guess: made, proved, and checked by somebody who trusts nobody.

>>> from minewright import noguess
>>> made = noguess.make("9x9x10", seed=1)
>>> noguess.verify(made.proof.json()) == len(made.proof.steps)
True
>>> len(made.minefield), made.difficulty >= 0
(10, True)
"""

from minewright.deduction.opening import Step
from minewright.deduction.wishes import Weights
from minewright.noguess.days import daily
from minewright.noguess.game import (
    DailyGame,
    EasyNoGuessGame,
    HardNoGuessGame,
    MediumNoGuessGame,
    NoGuessGame,
)
from minewright.noguess.maker import BUDGET, NoGuessBoard, NoGuessError, Way, make
from minewright.noguess.proof import Proof
from minewright.noguess.taste import ITERATIONS
from minewright.noguess.verify import ProofError, UnreadableProofError, verify

__all__ = [
    "BUDGET",
    "ITERATIONS",
    "DailyGame",
    "EasyNoGuessGame",
    "HardNoGuessGame",
    "MediumNoGuessGame",
    "NoGuessBoard",
    "NoGuessError",
    "NoGuessGame",
    "Proof",
    "ProofError",
    "Step",
    "UnreadableProofError",
    "Way",
    "Weights",
    "daily",
    "make",
    "verify",
]
