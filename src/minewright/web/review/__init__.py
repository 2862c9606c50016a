"""The Review page: a finished game, move by move."""
