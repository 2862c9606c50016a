"""How the API says that it cannot answer."""

from typing import Final

from pydantic import BaseModel


class Problem(BaseModel):
    """Why there is no answer: one line that says what, where, and how to mend it."""

    problem: str


PROBLEMS: Final[dict[int | str, dict[str, object]]] = {
    code: {"model": Problem, "description": words}
    for code, words in {
        400: "The request cannot be read.",
        403: "It comes from a foreign page.",
        404: "There is no such thing.",
        409: "The rules do not allow it now.",
        413: "The request is too large.",
        422: "Something in it cannot be, or is too hard.",
        429: "Too many requests: wait a little.",
        503: "It could not be kept.",
    }.items()
}
"""What any request under /api may be answered with when it goes wrong."""
