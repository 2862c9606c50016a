"""A deduction: one human-sized step, with its name and its words."""

from dataclasses import dataclass
from functools import cached_property

from minewright.deduction.bare import BareStep
from minewright.deduction.patterns import name
from minewright.deduction.vocabulary import MINESWEEPER, Vocabulary
from minewright.deduction.words import Speaker
from minewright.drawing import Drawn


@dataclass(frozen=True)
class Deduction(BareStep, Drawn):
    """One human-sized step in a position, in words.

    `kind` is Neller and Tran's type: 0 for a single clue, 1 for several, 2 if the mine total is
    needed. `clues` is minimal: without any one of them the conclusion is lost. `safe` and `mined`
    are all covered cells that follow from these clues (and the total, for kind 2) in `position`,
    where cells known from earlier steps are SAFE or MINED.
    """

    @cached_property
    def pattern(self) -> str | None:
        """The name players know it by, if it has one."""
        return name(self)

    @cached_property
    def sentence(self) -> str:
        """The step in words, as a person would say it."""
        return self.told(MINESWEEPER)

    def told(self, words: Vocabulary) -> str:
        """Return the step in a sentence or two, in the words of another game."""
        return Speaker(self, words).sentence

    def __str__(self) -> str:
        return self.sentence
