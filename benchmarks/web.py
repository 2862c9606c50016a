"""How fast the web app answers: one player with all help on, many at once, a large opening."""

import asyncio
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

app = typer.Typer(add_completion=False)
console = Console(width=100)

EXPERT = "30x16x99"
MOVE_MS = 50
"""Milliseconds that 95 of 100 moves of one player must stay below."""
OPENING_MS = 50
"""Milliseconds until a large opening is seen, on a machine that has nothing else to do."""
KNOWING = dict.fromkeys(("zero", "simple", "set", "solvers", "probabilities"), True)
FASTEST = 0.04
"""Seconds between two requests of a player: the server allows 30 per second in the long run."""

# From the end of a click to the frame on the screen: a word is added to the page together with what
# is to be measured, and the browser tells when it was presented. `seen` is then the milliseconds.
WATCH = """() => {
    let up;
    addEventListener('pointerup', ({ timeStamp }) => (up = timeStamp), { capture: true });
    new PerformanceObserver((list) => (window.seen = list.getEntries()[0].renderTime - up))
        .observe({ type: 'element' });
    window.note = () => {
        const word = document.createElement('p');
        word.setAttribute('elementtiming', 'seen');
        word.textContent = 'seen';
        word.style.cssText = 'position: fixed; left: 0; top: 0';
        document.body.append(word);
    };
}"""
WATCH_BOARD = """() => new MutationObserver((_, watcher) => {
    if (!performance.getEntriesByName('minewright:change').length) return;
    watcher.disconnect();
    note();
}).observe(document.querySelector('[role=grid]'), {
    attributes: true, childList: true, subtree: true,
})"""
WATCH_NOTHING = "() => addEventListener('pointerup', note)"
# As a function: a bare expression is evaluated from a string, which the page forbids.
SEEN = "() => window.seen"
ANSWER = """() => performance.getEntriesByType('resource')
    .find(({ name }) => name.endsWith('/moves')).duration"""

# What the page alone needs until a frame is done: opening all cells of a board, covering them again
# as undo and a new game do, and a chance on each of them.
DRAW = """async () => {
    const { Board } = await import('/static/js/board/board.js');
    const layout = await (await fetch('/api/layout?topology=moore&shape=100x100')).json();
    const place = document.createElement('div');
    document.querySelector('main').replaceChildren(place);
    const board = new Board(place, layout, { counts: true });
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const time = async (act) => {
        await frame();
        const begun = performance.now();
        act();
        await frame();
        return (performance.now() - begun) / 1000;
    };
    const chances = layout.centres.map((_, cell) => ((cell * 7) % 100) / 100);
    return [
        await time(() => board.change(layout.centres.map((_, cell) => [cell, cell % 4]))),
        await time(() => board.set(new Array(layout.size).fill(255))),
        await time(() => board.tint({ chances })),
    ];
}"""


@contextmanager
def serving() -> Iterator[str]:
    """Start `minewright serve` with a store of its own; yield its address."""
    command = [sys.executable, "-m", "minewright", "serve", "--port", "0", "--data"]
    with (
        TemporaryDirectory() as data,
        subprocess.Popen([*command, data], stdout=subprocess.PIPE, text=True) as server,
    ):
        try:
            assert server.stdout is not None
            yield server.stdout.readline().split()[3]
        finally:
            server.terminate()


@dataclass
class Figures:
    """What was measured."""

    moves: list[float] = field(default_factory=list)
    begun: list[float] = field(default_factory=list)
    problems: Counter[str] = field(default_factory=Counter)
    games: int = 0


class Caller:
    """One connection of one person, which does as little as possible: the server is measured."""

    def __init__(self, address: str) -> None:
        place = urlsplit(address)
        self._host, self._port = place.hostname or "", place.port or 80
        self._cookie = ""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any, float]:
        """Ask; return the status, the answer and the seconds it took."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port)
        reader, writer = self._streams
        sent = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self._host}:{self._port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n"
            f"Cookie: {self._cookie}\r\n\r\n"
        )
        begun = perf_counter()
        writer.write(head.encode() + sent)
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        headers = dict(line.lower().split(": ", 1) for line in lines if line)
        answer = await reader.readexactly(int(headers.get("content-length", 0)))
        seconds = perf_counter() - begun
        if "set-cookie" in headers:
            self._cookie = headers["set-cookie"].partition(";")[0]
        return int(first.split()[1]), json.loads(answer) if answer else None, seconds

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


def choose(help: dict[str, Any], opened: set[int], dice: random.Random) -> int:
    """Return a cell to open: a safe one, or else the safest."""
    safe: list[int] = [cell for cell in help["safe"] if cell not in opened]
    if safe:
        return dice.choice(safe)
    chances: dict[str, float] = help["chances"] or {}
    left = [cell for cell in chances if int(cell) not in opened]
    return int(min(left, key=lambda cell: chances[cell])) if left else dice.randrange(480)


async def player(
    address: str, number: int, switches: dict[str, bool], until: float, pause: float, found: Figures
) -> None:
    """Play game after game until the time is up; `pause` is the time to think about a move."""
    dice = random.Random(number)
    caller = Caller(address)
    # Nobody opens the page at exactly the same moment as everybody else.
    await asyncio.sleep(dice.uniform(0, pause))
    try:
        while perf_counter() < until:
            asked = {"board": EXPERT, "seed": dice.randrange(2**32), "assistant": switches}
            status, game, took = await caller.ask("POST", "/api/games", asked)
            if status != 201:
                found.problems[f"{status} {game}"] += 1
                return
            found.begun.append(took)
            found.games += 1
            cell, opened = 247, set[int]()
            while perf_counter() < until:
                await asyncio.sleep(max(FASTEST, dice.uniform(0.5, 1.5) * pause))
                move = {"kind": "open", "cell": cell}
                path = f"/api/games/{game['id']}/moves"
                status, answer, took = await caller.ask("POST", path, move)
                if status != 200:
                    found.problems[f"{status} {answer}"] += 1
                    break
                found.moves.append(took)
                if answer["end"]:
                    break
                opened.update(at for at, _ in answer["changes"])
                cell = choose(answer["help"], opened, dice)
    except (OSError, EOFError) as error:
        found.problems[repr(error)] += 1
    finally:
        caller.close()


def run(
    address: str, players: int, switches: dict[str, bool], seconds: float, pause: float
) -> Figures:
    """Let `players` people play for `seconds` seconds."""
    found = Figures()

    async def all_of_them() -> None:
        until = perf_counter() + seconds
        playing: list[Coroutine[Any, Any, None]] = [
            player(address, number, switches, until, pause, found) for number in range(players)
        ]
        await asyncio.gather(*playing)

    asyncio.run(all_of_them())
    return found


def figures(title: str) -> Table:
    """Begin a table."""
    table = Table(title=title, title_justify="left", box=None)
    table.add_column("")
    for heading in ("requests", "median, ms", "p95", "p99", "worst"):
        table.add_column(heading, justify="right")
    return table


def add(table: Table, name: str, times: list[float]) -> float:
    """Add a row; return the 95th percentile in milliseconds."""
    ordered = sorted(1000 * each for each in times)
    at = [ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.95, 0.99)]
    table.add_row(name, f"{len(ordered):,}", *(f"{each:.1f}" for each in (*at, ordered[-1])))
    return at[1]


@app.command()
def one(
    seconds: Annotated[float, typer.Option(min=1, help="of play, each way")] = 15,
) -> None:
    """One player on expert with all help on; exit code 1 if a move is slow at p95."""
    table = figures("One player, expert, all assistants on")
    slow = False
    for name, switches in (
        ("a move", KNOWING),
        ("a move, and the autoplayer's", KNOWING | {"autoplay": True}),
    ):
        with serving() as address:
            found = run(address, 1, switches, seconds, 0)
        slow |= add(table, name, found.moves) >= MOVE_MS or bool(found.problems)
    console.print(table)
    console.print(f"p95 {'is NOT' if slow else 'is'} below {MOVE_MS} ms.")
    raise typer.Exit(slow)


@app.command()
def many(
    players: Annotated[int, typer.Option(min=1)] = 200,
    seconds: Annotated[float, typer.Option(min=1, help="of play")] = 30,
    pause: Annotated[float, typer.Option(min=0, help="seconds a move is thought about")] = 1.0,
) -> None:
    """Many players at once on expert with all help on; exit code 1 if anything goes wrong."""
    with serving() as address:
        found = run(address, players, KNOWING, seconds, pause)
    table = figures(f"{players} players at once, expert, all assistants on, a move in {pause:g} s")
    add(table, "a move", found.moves)
    add(table, "a new game", found.begun)
    console.print(table)
    console.print(
        f"{len(found.moves) / seconds:,.0f} moves a second, {found.games:,} games, "
        f"{found.problems.total()} errors."
    )
    for problem, times in found.problems.most_common(3):
        console.print(f"{times} times: {problem}")
    raise typer.Exit(bool(found.problems))


def seen(page: "Page", watch: str, target: str) -> float:
    """Click; return the seconds until what `watch` waits for is on the screen."""
    page.wait_for_load_state("networkidle")
    # Nobody clicks so quickly that the page is still drawing itself.
    page.wait_for_timeout(1_000)
    page.evaluate(WATCH)
    page.evaluate(watch)
    place = page.locator(target).bounding_box()
    assert place
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    page.wait_for_function(SEEN)
    return float(page.evaluate(SEEN)) / 1000


@app.command()
def large(
    games: Annotated[int, typer.Option(min=1)] = 10,
) -> None:
    """Open most of a 100x100 board in Chromium, from the click to the frame that shows it.

    Exit code 1 if that is slow, at the size a board has unless zoomed."""
    from playwright.sync_api import sync_playwright

    chromium = subprocess.run(
        ["sh", "scripts/chromium"], stdout=subprocess.PIPE, text=True, check=True
    )
    answered, fit, whole, nothing = list[float](), list[float](), list[float](), list[float]()
    drawn = list[tuple[float, float, float]]()
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.stdout.strip(), args=["--no-sandbox", "--disable-gpu"]
        )
        screen: ViewportSize = {"width": 1400, "height": 900}
        page = browser.new_page(base_url=address, viewport=screen)
        for game in range(games):
            for zoom, times in (("Fit", fit), ("Whole", whole)):
                # Another board each time: a game that was begun would continue.
                seed = game + games * (times is whole)
                page.goto(f"/?board=100x100x500&topology=moore&start=open&seed={seed}")
                page.get_by_text(zoom, exact=True).click()
                times.append(seen(page, WATCH_BOARD, ".board-frame"))
                answered.append(page.evaluate(ANSWER) / 1000)
            drawn.append(tuple(page.evaluate(DRAW)))
            page.goto("data:text/html,<p>Nothing")
            nothing.append(seen(page, WATCH_NOTHING, "html"))
        browser.close()
    table = figures("A 100x100 board with 500 mines: the first opening, from click to frame")
    add(table, "Fit: cells of 20 pixels", fit)
    add(table, "Whole: all cells in sight", whole)
    add(table, "of that the server's answer", answered)
    add(table, "a word on an empty page", nothing)
    names = ("opening all", "undo, a new game", "a chance on every cell")
    for name, column in zip(names, zip(*drawn, strict=True), strict=True):
        add(table, f"the page alone: {name}", list(column))
    console.print(table)
    slow = median(fit) >= OPENING_MS / 1000
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    console.print(f"The median {'is NOT' if slow else 'is'} below {OPENING_MS} ms. Load {load}.")
    raise typer.Exit(slow)


if __name__ == "__main__":
    app()
