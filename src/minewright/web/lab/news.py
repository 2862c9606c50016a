"""Live news as server-sent events: one task looks, and all listeners hear of changes."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from time import monotonic
from typing import Final

from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

PULSE: Final = 1.0
"""Seconds between two looks."""
BEAT: Final = 15.0
"""Seconds of silence before a sign of life is sent: only sending shows a broken connection."""

log = logging.getLogger("minewright.web")


class EventStream(StreamingResponse):
    """An answer that goes on: events, each with one line of data."""

    media_type = "text/event-stream"


class News:
    """The latest state of something that changes; it is looked at only while somebody listens."""

    def __init__(self, look: Callable[[], str], pulse: float = PULSE) -> None:
        self._look = look
        self._pulse = pulse
        self._listeners = 0
        self._latest = ""

    async def listen(self, seconds: float) -> AsyncGenerator[str, None]:
        """Yield an event with the whole state for each change, and a sign of life now and then.

        `seconds` count from the first look, so that everybody hears the state at least once.
        """
        self._listeners += 1
        if self._listeners == 1:
            self._latest, self._changed, self._looked = "", asyncio.Event(), asyncio.Event()
            self._watching = asyncio.create_task(self._watch())
        try:
            await self._looked.wait()
            heard, end = "", monotonic() + seconds
            while True:
                changed = self._changed
                if heard != self._latest:
                    heard = self._latest
                    yield f"data: {heard}\n\n"
                left = end - monotonic()
                if left <= 0:
                    return
                try:
                    await asyncio.wait_for(changed.wait(), min(left, BEAT))
                except TimeoutError:
                    yield ": still here\n\n"
        finally:
            self._listeners -= 1
            if not self._listeners:
                self._watching.cancel()

    async def _watch(self) -> None:
        while True:
            try:
                found = await run_in_threadpool(self._look)
            except Exception:  # the next look may succeed
                log.exception("could not look for news")
            else:
                if found != self._latest:
                    self._latest = found
                    self._changed.set()
                    self._changed = asyncio.Event()
            self._looked.set()
            await asyncio.sleep(self._pulse)
