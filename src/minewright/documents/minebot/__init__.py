"""MineBot: its three experiments on expert boards, numbers of mines and shapes of the board."""

PAPER = "MineBot"
