"""The bounds of what may be asked: sizes, and how much work is done at once."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import prod
from typing import Annotated

import anyio
from fastapi import Depends, HTTPException, Request

from minewright.board import BoardError, write_sides
from minewright.inference import BudgetExceeded


def check_size(shape: tuple[int, ...], most: int) -> None:
    """Raise BoardError if a board has more cells than the server takes."""
    if prod(shape) > most:
        raise BoardError(
            f"{write_sides(shape)} is too large for this server: a board has at most {most:,} cells"
        )


def in_short(error: BudgetExceeded) -> str:
    """Say what was too hard, without the advice on budgets: they are not the player's."""
    what, _, advice = str(error).rpartition("; ")
    return what if advice.startswith("allow") else str(error)


class Gate:
    """Lets only so many through at once; others wait, and too many are sent away."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self._slots = anyio.CapacityLimiter(at_once)
        self._waiting = waiting

    @asynccontextmanager
    async def enter(self) -> AsyncIterator[None]:
        """Wait for a place and keep it; 429 if too many wait already."""
        now = self._slots.statistics()
        if now.borrowed_tokens >= now.total_tokens and now.tasks_waiting >= self._waiting:
            raise HTTPException(
                429, "too many questions at once; ask again in a little while", {"Retry-After": "2"}
            )
        async with self._slots:
            yield


async def _queue(request: Request) -> AsyncIterator[None]:
    gate: Gate = request.app.state.gate
    async with gate.enter():
        yield


Queued = Annotated[None, Depends(_queue, scope="function")]
"""A dependency of every endpoint that may think for long: it waits without holding a thread.

The place is free again when the answer is found, however slowly it is read.
"""
