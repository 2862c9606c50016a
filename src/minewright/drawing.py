"""Things that a notebook shows as a picture.

Data does not know how it looks, and what draws it stands further up in the house. So the front door
of the package passes the function that draws down to here.
"""

from collections.abc import Callable


class Drawn:
    """A thing with a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        """Draw it for a notebook."""
        return _how[-1](self)


_how: list[Callable[[Drawn], str]] = []


def draw_with(svg: Callable[[Drawn], str]) -> None:
    """Set the function that draws everything."""
    _how[:] = [svg]
