"""Kofford, Max Minesweeper."""

PAPER = "Kofford, Max Minesweeper"
