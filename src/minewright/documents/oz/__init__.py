"""Collet, Playing the Minesweeper with Constraints."""

PAPER = "Collet, Playing the Minesweeper with Constraints"
