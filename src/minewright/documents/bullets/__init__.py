"""Neller and Tran, The Bullets Puzzle."""
