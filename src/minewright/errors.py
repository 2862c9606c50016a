"""The base of every error that this package raises on purpose."""


class MinewrightError(Exception):
    """Something that Minewright cannot do, in one line that says why and, if possible, what to do.

    Every exception of this package derives from it, so that a program can catch them all at once.
    """
