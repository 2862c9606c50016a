"""What can go wrong outside the game."""

from minewright.errors import MinewrightError


class ModelError(MinewrightError, RuntimeError):
    """A model that does not answer, in one line; what it has said so far is kept."""


class ModelLogError(MinewrightError, ValueError):
    """A log that cannot be read, or that belongs to another run, in one line."""
