"""The clock of a game: it runs while the game is played, and stands while nobody is there.

A page that shows a running game gives a sign of life every few seconds: a move, or else a word.
What lies between two signs was played. If a page falls silent for longer (it was closed or hidden,
it crashed, the machine slept), the clock stood still from its last sign on; it stands, too, while
the server is down and while the player pauses. Nobody can know whether the board was studied
meanwhile, so a game that was interrupted counts for no best time. A reload is short, and part of
the play.
"""

from typing import Final, NamedTuple

SILENCE: Final = 20.0
"""Seconds without a sign of life that still count as played; a page gives one every eight."""


class Clock(NamedTuple):
    """What a clock shows, as of its last sign of life."""

    played: float = 0.0
    """Seconds."""
    heard: float | None = None
    """When that sign was, in seconds since 1970; None while the clock stands."""
    interrupted: bool = False

    def seconds(self, now: float) -> float:
        """Give how long the game has been played."""
        if self.heard is None or self.stands(now):
            return self.played
        return self.played + max(0.0, now - self.heard)

    def stands(self, now: float) -> bool:
        """Whether nobody is there."""
        return self.heard is None or now - self.heard > SILENCE

    def tick(self, now: float) -> "Clock":
        """Note a sign of life: the clock runs, or runs again."""
        gone = self.heard is not None and self.stands(now)
        return Clock(self.seconds(now), now, self.interrupted or gone)

    def pause(self, now: float) -> "Clock":
        """Let the clock stand because the player wants a break."""
        return self.tick(now)._replace(heard=None, interrupted=True)

    def stop(self, now: float) -> "Clock":
        """Let the clock stand because the game is over."""
        return self.tick(now)._replace(heard=None)
