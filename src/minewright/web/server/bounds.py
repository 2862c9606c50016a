"""Limits on what may be asked: the size of a board, and how much work is done at once."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from math import prod
from typing import Annotated, NamedTuple, Self

from fastapi import Depends, HTTPException, Request

from minewright.board import Board, BoardError
from minewright.inference import BudgetExceeded
from minewright.messages import read_number, write_sides

Gone = Future[None]
"""Done when the person asking has left, or the server is shutting down."""


def read_board(text: str, most: int) -> Board:
    """Return a board of at most `most` cells; raise BoardError.

    There is one limit, that of the server: a board too large even for the library is refused in
    the same words.
    """
    sides = [read_number(side) for side in text.split("x")[:-1]]
    whole = tuple(side for side in sides if side is not None)
    if len(whole) == len(sides) >= 2:
        check_size(whole, most)
    board = Board.parse(text)
    check_size(board.shape, most)
    return board


def check_size(shape: tuple[int, ...], most: int) -> None:
    """Raise BoardError if a board has more than `most` cells."""
    if prod(shape) > most:
        raise BoardError(
            f"{write_sides(shape)} is too large: this server allows at most {most:,} cells"
        )


def in_short(error: BudgetExceeded) -> str:
    """Return what was too hard, without the advice on budgets, which a player cannot change."""
    what, _, advice = str(error).rpartition("; ")
    return what if advice.startswith("allow") else str(error)


class Asker(NamedTuple):
    """Who is asking, and from where."""

    address: str
    person: str

    @classmethod
    def of(cls, request: Request) -> Self:
        """Return who sent a request."""
        return cls(request.state.address, request.state.person)


class Shares:
    """Counts what is in use, and limits it: in all, per address, and per person."""

    def __init__(self, most: int, address: int, person: int) -> None:
        self._most, self._address, self._person = most, address, person
        self._all = 0
        self._addresses: Counter[str] = Counter()
        self._people: Counter[str] = Counter()

    def taken(self, asker: Asker) -> tuple[int, int]:
        """Return how many are taken from the asker's address, and by the asker."""
        # `get` is faster than a subscript for missing keys, which are nearly all in a long queue.
        return self._addresses.get(asker.address, 0), self._people.get(asker.person, 0)

    def room(self, asker: Asker) -> bool:
        """Return True if the asker may take another."""
        address, person = self.taken(asker)
        return self._all < self._most and address < self._address and person < self._person

    def take(self, asker: Asker) -> None:
        """Take one."""
        self._add(asker, 1)

    def leave(self, asker: Asker) -> None:
        """Give one back."""
        self._add(asker, -1)

    @contextmanager
    def hold(self, asker: Asker) -> Iterator[None]:
        """Take one for as long as the context lasts."""
        self.take(asker)
        try:
            yield
        finally:
            self.leave(asker)

    def _add(self, asker: Asker, number: int) -> None:
        self._all += number
        for counts, name in zip((self._addresses, self._people), asker, strict=True):
            counts[name] += number
            # Forget whoever has none.
            if not counts[name]:
                del counts[name]


class _Waiting:
    """Somebody in the queue."""

    def __init__(self, asker: Asker, *, first: bool) -> None:
        self.asker = asker
        self.first = first
        self.called: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class Gate:
    """Lets `at_once` requests through at a time; others wait, and too many are turned away.

    One person never has more than half of the places, and one address never all of them. The person
    with the fewest places is served next, however many requests of others came before.
    """

    def __init__(self, at_once: int, waiting: Shares) -> None:
        self._places = Shares(at_once, max(1, at_once - 1), (at_once + 1) // 2)
        self._waiting = waiting
        self._line: list[_Waiting] = []

    @asynccontextmanager
    async def enter(
        self, asker: Asker, gone: Gone | None = None, *, first: bool = False
    ) -> AsyncIterator[None]:
        """Wait for a place and hold it; answer 429 if too many are waiting already.

        Among people with equally few places, a request marked `first` goes first. A request whose
        asker is `gone` is dropped.
        """
        own = _Waiting(asker, first=first)
        # Nobody in the queue could go in now, or they would have already.
        self._line.append(own)
        self._call([own])
        try:
            if not own.called.done():
                await self._wait(own, gone)
            if gone is not None and gone.done():
                # Whoever has left does not read this. At shutdown everybody seems to have left.
                raise HTTPException(503, "the server is shutting down; try again in a moment")
            yield
        finally:
            if own in self._line:
                self._line.remove(own)
            else:
                self._places.leave(asker)
                self._call(self._line)

    async def _wait(self, own: _Waiting, gone: Gone | None) -> None:
        if not self._waiting.room(own.asker):
            raise HTTPException(
                429, "the server is busy; try again in a moment", {"Retry-After": "2"}
            )
        until: list[asyncio.Future[None]] = [own.called]
        if gone is not None:
            until.append(asyncio.wrap_future(gone))
        with self._waiting.hold(own.asker):
            await asyncio.wait(until, return_when=asyncio.FIRST_COMPLETED)

    def _call(self, line: Iterable[_Waiting]) -> None:
        """Give a free place to the next in the queue who may have it."""
        able = [own for own in line if self._places.room(own.asker)]
        if able:
            # If all else is equal, `min` takes whoever came first.
            called = min(able, key=lambda own: (self._places.taken(own.asker), not own.first))
            self._line.remove(called)
            self._places.take(called.asker)
            called.called.set_result(None)


@asynccontextmanager
async def queue(request: Request, gate: Gate) -> AsyncIterator[Gone]:
    """Wait for a place while the asker stays, and hold it; yield a future done once they leave."""
    gone = Gone()

    async def listen() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        gone.set_result(None)

    listening = asyncio.create_task(listen())
    try:
        async with gate.enter(Asker.of(request), gone):
            yield gone
    finally:
        listening.cancel()


async def _queue(request: Request) -> AsyncIterator[None]:
    async with queue(request, request.app.state.gate):
        yield


Queued = Annotated[None, Depends(_queue, scope="function")]
"""A dependency of every endpoint that may take long: it waits without holding a thread.

The place is freed once the answer is found, however slowly the client reads it.
"""
