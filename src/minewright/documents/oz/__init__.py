"""Collet, Playing the Minesweeper with Constraints."""
