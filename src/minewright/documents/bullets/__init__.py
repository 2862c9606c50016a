"""Neller and Tran, The Bullets Puzzle: a paper-and-pencil Minesweeper."""

PAPER = "Neller and Tran, The Bullets Puzzle: A Paper-and-Pencil Minesweeper"
