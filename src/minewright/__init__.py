"""Minewright: a Minesweeper workbench."""

__version__ = "0.1.0"
