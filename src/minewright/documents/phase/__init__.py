"""What two documents say of the density of mines: where the game is too easy, and where it is lost.

The claims are Collet's and those of Neller and Tran; the same games decide them.
"""
