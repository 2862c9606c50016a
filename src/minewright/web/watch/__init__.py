"""The Watch page: strategies at play, each in a process of its own."""
