"""The Play page: games, the assistant, statistics."""
