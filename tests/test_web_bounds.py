"""Who is next when many ask at once."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from socket import create_connection
from threading import Semaphore
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from fastapi import HTTPException
from patient import EASY
from processes import HANG
from web_client import serving

from minewright.lab.arm import Arm
from minewright.web.server.bounds import Asker, Gate, Gone, Shares
from minewright.web.watch import routes as watch
from minewright.web.watch.players import Failed, PlayedTurn, perform

ANNA, BERT = Asker("here", "anna"), Asker("here", "bert")
CARL = Asker("there", "carl")
SLOW = {"board": "100x100x2000", "start": "open", "strategy": "fringe:nodes=1000000000"}
"""A game that takes some minutes."""


class Door:
    """A gate, and the names of those who came in, in order."""

    def __init__(self, at_once: int, waiting: Shares) -> None:
        self.gate = Gate(at_once, waiting)
        self.inside: list[str] = []
        self._held: dict[str, AsyncExitStack] = {}

    async def ask(
        self, name: str, asker: Asker, gone: Gone | None = None, *, first: bool = False
    ) -> asyncio.Task[None]:
        """Let somebody ask, and go in if there is a place."""

        async def enter() -> None:
            stack = AsyncExitStack()
            await stack.enter_async_context(self.gate.enter(asker, gone, first=first))
            self._held[name] = stack
            self.inside.append(name)

        task = asyncio.create_task(enter())
        await settled()
        return task

    async def leave(self, name: str) -> None:
        """Let somebody leave, and whoever is next go in."""
        await self._held.pop(name).aclose()
        await settled()


async def settled() -> None:
    """Let everything happen that can happen."""
    for _ in range(10):
        await asyncio.sleep(0)


def at_a_door(at_once: int, waiting: Shares, then: Callable[[Door], Awaitable[None]]) -> None:
    async def all_of_it() -> None:
        await then(Door(at_once, waiting))

    asyncio.run(all_of_it())


def test_nobody_takes_all_places_alone_nor_an_address() -> None:
    async def then(door: Door) -> None:
        for name in ("anna 1", "anna 2", "anna 3"):
            await door.ask(name, ANNA)
        assert door.inside == ["anna 1", "anna 2"]
        await door.ask("bert 1", BERT)
        await door.ask("bert 2", BERT)
        await door.ask("carl", CARL)
        assert door.inside[2:] == ["bert 1", "carl"]

    at_a_door(4, Shares(9, 9, 9), then)


def test_next_is_who_has_the_fewest_places_then_a_move_then_who_came_first() -> None:
    async def then(door: Door) -> None:
        dora = Asker("here", "dora")
        await door.ask("anna 1", ANNA)
        await door.ask("bert 1", BERT)
        await door.ask("anna 2", ANNA)
        await door.ask("dora asks", dora)
        await door.ask("bert moves", BERT, first=True)
        await door.ask("dora moves", dora, first=True)
        await door.ask("carl", CARL)
        assert door.inside == ["anna 1", "bert 1", "carl"]
        for leaving in ("carl", "anna 1", "bert 1", "dora moves", "bert moves"):
            await door.leave(leaving)
        assert door.inside[3:] == ["dora moves", "bert moves", "anna 2", "dora asks"]

    at_a_door(3, Shares(9, 9, 9), then)


def test_who_may_not_even_wait_is_sent_away_and_takes_no_room() -> None:
    async def then(door: Door) -> None:
        await door.ask("anna 1", ANNA)
        await door.ask("anna 2", ANNA)
        refused = await door.ask("anna 3", ANNA)
        error = refused.exception()
        assert isinstance(error, HTTPException)
        assert error.status_code == 429
        waiting = await door.ask("bert", BERT)
        assert not waiting.done()
        for leaving in ("anna 1", "anna 2"):
            await door.leave(leaving)
        assert door.inside == ["anna 1", "anna 2", "bert"]

    at_a_door(1, Shares(9, 9, 1), then)


@pytest.mark.parametrize("how", ["left", "cancelled", "called and cancelled"])
def test_who_has_gone_takes_nobody_s_place(how: str) -> None:
    async def then(door: Door) -> None:
        gone = Gone()
        await door.ask("anna", ANNA)
        leaving = await door.ask("bert", BERT, gone)
        await door.ask("carl", CARL)
        if how == "left":
            gone.set_result(None)
        elif how == "cancelled":
            leaving.cancel()
        else:
            await door._held.pop("anna").aclose()
            leaving.cancel()
        await settled()
        assert leaving.done()
        with suppress(HTTPException, asyncio.CancelledError):
            await leaving
        if "called" not in how:
            await door.leave("anna")
        assert door.inside == ["anna", "carl"]

    at_a_door(1, Shares(9, 9, 9), then)


def test_a_player_stops_when_nobody_is_there_to_see_it() -> None:
    arm = Arm(SLOW["strategy"], SLOW["board"], "open")
    gone, began = Gone(), monotonic()
    turns = perform(arm, 7, 2 * HANG, gone)
    assert isinstance(next(turns), PlayedTurn)
    gone.set_result(None)
    assert isinstance(list(turns)[-1], Failed)
    assert monotonic() - began < HANG


def test_who_leaves_the_page_leaves_the_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = Semaphore(0)

    def tell(*given: Any) -> Iterator[Any]:
        begun.release()
        yield from perform(*given)

    monkeypatch.setattr(watch, "perform", tell)
    settings = replace(EASY, data=tmp_path, lab=tmp_path, seconds=HANG)
    with serving(settings) as address, httpx.Client(base_url=address, timeout=HANG) as anna:
        anna.get("/")
        place, body = urlsplit(address), json.dumps(SLOW)
        cookie = "; ".join(f"{name}={value}" for name, value in anna.cookies.items())
        head = (
            f"POST /api/watch HTTP/1.1\r\nHost: {place.netloc}\r\nCookie: {cookie}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        with ExitStack() as page:
            for _ in range(5):
                line = page.enter_context(create_connection((place.hostname, place.port)))
                line.sendall(f"{head}{body}".encode())
            # Anna has as many places as one person may have; the other requests wait.
            assert all(begun.acquire(timeout=HANG) for _ in range(2))
        quick = SLOW | {"board": "9x9x10", "strategy": "exact"}
        assert anna.post("/api/watch", json=quick).status_code == 200
