"""Kofford, Max Minesweeper."""
