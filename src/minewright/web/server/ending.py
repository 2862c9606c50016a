"""How live answers learn that the server is shutting down."""

import asyncio

from starlette.types import Message, Receive


class Ending:
    """Makes every client seem to leave when the server shuts down."""

    def __init__(self) -> None:
        self._begun = False
        self._waiting: set[asyncio.Future[None]] = set()

    def begin(self) -> None:
        """Tell all running answers that their clients have left."""
        self._begun = True
        for told in self._waiting:
            if not told.done():
                told.set_result(None)

    def watch(self, receive: Receive, *, read: bool = False) -> Receive:
        """Return a `receive` that passes messages on, and says `http.disconnect` at shutdown.

        Unless the request has been `read`, it is still read to its end: half of it would be refused
        as unreadable, though nobody made a mistake.
        """

        async def hear() -> Message:
            nonlocal read
            if not read:
                message = await receive()
                read = not message.get("more_body", False)
                return message
            if self._begun:
                return {"type": "http.disconnect"}
            told = asyncio.get_running_loop().create_future()
            heard = asyncio.ensure_future(receive())
            self._waiting.add(told)
            try:
                await asyncio.wait((heard, told), return_when=asyncio.FIRST_COMPLETED)
                return heard.result() if heard.done() else {"type": "http.disconnect"}
            finally:
                self._waiting.discard(told)
                heard.cancel()

        return hear
