"""The clock of a game: it runs while the game is played, and stops while nobody is there.

A page that shows a running game gives a sign of life every few seconds, by a move or by a message
of its own. The time between two signs counts as played. If a page is silent for longer (it was
closed or hidden, it crashed, the machine slept), the clock stops at its last sign. It also stops
while the server is down and while the player pauses. The board may have been studied during a
break, so an interrupted game does not count for best times. A reload is short and counts as play.
"""

from typing import Final, NamedTuple

SILENCE: Final = 20.0
"""Seconds without a sign of life that still count as played; a page gives one every eight."""


class Clock(NamedTuple):
    """The clock as of the last sign of life."""

    played: float = 0.0
    """Seconds."""
    heard: float | None = None
    """When that sign was, in seconds since 1970; None before the game, after it, and in a pause.

    A restart of the server sets it to 0, which is a long silence.
    """
    interrupted: bool = False

    def seconds(self, now: float) -> float:
        """Return how long the game has been played."""
        if self.heard is None or self.stands(now):
            return self.played
        return self.played + max(0.0, now - self.heard)

    def stands(self, now: float) -> bool:
        """Return True if the clock is stopped, because nobody is there."""
        return self.heard is None or now - self.heard > SILENCE

    def beat(self, now: float) -> "Clock":
        """Return the clock after a sign of life, which ends no pause."""
        return self if self.heard is None else self.tick(now)

    def tick(self, now: float) -> "Clock":
        """Return the clock after the player has done something: it runs, or runs again."""
        gone = self.heard is not None and self.stands(now)
        return Clock(self.seconds(now), now, self.interrupted or gone)

    def pause(self, now: float) -> "Clock":
        """Return the clock stopped by the player, for a break."""
        return self.tick(now)._replace(heard=None, interrupted=True)

    def stop(self, now: float) -> "Clock":
        """Return the clock stopped at the end of the game."""
        return self.tick(now)._replace(heard=None)
