"""Who it is: a cookie that only this server can make, and what it keeps about its holder."""

import hmac
from hashlib import sha256
from secrets import token_hex
from typing import Annotated, Final

from fastapi import Depends, Request

_SECONDS_A_DAY: Final = 86_400


class People:
    """Makes and recognises cookies; knows nothing about anybody but a random number.

    A cookie is signed, so that nobody gets a fresh allowance of requests by inventing one.
    """

    def __init__(self, secret: bytes, days: int) -> None:
        self._secret = secret
        self._days = days
        # A browser sends a cookie to all ports of a machine: each store's has a name of its own,
        # or a second server would make somebody new of everybody.
        self.name = f"minewright-{sha256(b'name' + secret).hexdigest()[:8]}"

    def recognise(self, cookie: str) -> str | None:
        """Give the person whose cookie this is; None if it is none of ours."""
        person, _, signature = cookie.partition(".")
        good = hmac.compare_digest(self._sign(person).encode(), signature.encode())
        return person if person and good else None

    def newcomer(self) -> str:
        """Make somebody new."""
        return token_hex(16)

    def cookie(self, person: str, *, secure: bool) -> str:
        """Write the cookie of a person as a header sets it.

        Lax: who follows a link from another site is still known here. What another site's page
        asks or changes comes with no cookie, and the guard refuses it anyway.
        """
        return (
            f"{self.name}={person}.{self._sign(person)}; Path=/; HttpOnly; SameSite=Lax; "
            f"Max-Age={self._days * _SECONDS_A_DAY}{'; Secure' if secure else ''}"
        )

    def _sign(self, person: str) -> str:
        return hmac.new(self._secret, person.encode(), sha256).hexdigest()[:32]


async def _person(request: Request) -> str:
    # Not worth a thread of its own, which it would get without `async`.
    person: str = request.state.person
    return person


Person = Annotated[str, Depends(_person)]
"""A dependency: who asks."""
