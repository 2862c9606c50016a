"""MineBot."""
