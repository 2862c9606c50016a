"""Who is asking: a cookie that only this server can make."""

import hmac
from hashlib import sha256
from secrets import token_hex
from typing import Annotated, Final

from fastapi import Depends, Request

_SECONDS_A_DAY: Final = 86_400


class People:
    """Makes and recognises cookies; all it knows about a person is a random number.

    A cookie is signed, so that nobody gets a fresh allowance of requests by inventing one.
    """

    def __init__(self, secret: bytes, days: int) -> None:
        self._secret = secret
        self._days = days
        # A browser sends a cookie to every port of a machine. Each store's cookie has its own name,
        # or a second server would turn everybody into somebody new.
        self.name = f"minewright-{sha256(b'name' + secret).hexdigest()[:8]}"

    def recognise(self, cookie: str) -> str | None:
        """Return the person whose cookie this is, or None if it is not one of ours."""
        person, _, signature = cookie.partition(".")
        good = hmac.compare_digest(self._sign(person).encode(), signature.encode())
        return person if person and good else None

    def newcomer(self) -> str:
        """Return the name of a new person."""
        return token_hex(16)

    def cookie(self, person: str, *, secure: bool) -> str:
        """Return the cookie of a person as a header sets it.

        Lax, so that somebody who follows a link from another site is still known here. A request
        that another site's page sends comes without the cookie, and the guard refuses it anyway.
        """
        return (
            f"{self.name}={person}.{self._sign(person)}; Path=/; HttpOnly; SameSite=Lax; "
            f"Max-Age={self._days * _SECONDS_A_DAY}{'; Secure' if secure else ''}"
        )

    def _sign(self, person: str) -> str:
        return hmac.new(self._secret, person.encode(), sha256).hexdigest()[:32]


async def _person(request: Request) -> str:
    # `async`, since without it this would run in a thread of its own.
    person: str = request.state.person
    return person


Person = Annotated[str, Depends(_person)]
"""A dependency: the person asking."""
