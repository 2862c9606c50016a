"""How the API says that it cannot answer."""

from typing import Final

from pydantic import BaseModel


class Problem(BaseModel):
    """Why there is no answer: one line that says what is wrong, where, and how to fix it."""

    problem: str


PROBLEMS: Final[dict[int | str, dict[str, object]]] = {
    code: {"model": Problem, "description": words}
    for code, words in {
        400: "The request cannot be read.",
        403: "The request comes from another site's page.",
        404: "There is nothing of this name.",
        409: "The rules do not allow this now.",
        413: "The request is too large.",
        422: "Something in the request is impossible or too hard.",
        429: "Too many requests: wait a moment.",
        503: "This could not be saved, or the server is busy.",
    }.items()
}
"""The errors that any request under /api may be answered with."""
