"""Things that a notebook shows as a picture.

Data does not know how it looks: the rooms that draw are further up in the house and may not be
imported here. So the package's front door hands the drawing function down to this module.
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
