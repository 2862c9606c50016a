"""The web app under mixed load: errors, times and memory; attacked, killed or restarted."""

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer
from rich.console import Console
from web import EXPERT, KNOWING, Caller, add, choose, figures

console = Console(width=100)

POSITION = "8x8x10\n" + "\n".join(["########"] * 3 + ["##11####", "#21#####"] + ["########"] * 3)
FINISHED = ("won", "lost")
SAMPLE = 5.0
"""Seconds between two looks at the server's memory."""
PATIENCE = 60.0
"""Seconds after which an answer counts as missing."""
ATTACKER = "127.0.0.2"
HEAD = b"Host: 127.0.0.1\r\n"


class Server:
    """`minewright serve` on a port that stays the same, and what the system says about it."""

    def __init__(self, directory: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self._port}"
        self._data = directory
        self.log = directory / "log"
        self.starts = 0
        self.memory: list[tuple[float, float]] = []
        self.files = 0
        self.seconds = 0.0

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [sys.executable, "-m", "minewright", "serve", "--port", str(self._port)]
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [*command, "--data", self._data, "--lab", self._data],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        self._process.stdout.readline()
        self.starts += 1

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Send it a signal, and wait until it has ended."""
        self._process.send_signal(number)
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def look(self) -> None:
        """Record its memory in MB, its open files, and its seconds of processor time."""
        place = Path("/proc", str(self._process.pid))
        with suppress(OSError, IndexError):
            pages = int((place / "statm").read_text().split()[1])
            self.memory.append((perf_counter(), pages * os.sysconf("SC_PAGE_SIZE") / 1e6))
            spent = (place / "stat").read_text().rpartition(")")[2].split()[11:13]
            self.seconds = sum(map(int, spent)) / os.sysconf("SC_CLK_TCK")
            self.files = max(self.files, sum(1 for _ in (place / "fd").iterdir()))


class Load:
    """All clients, and what they found."""

    def __init__(self, server: Server, until: float, *, forgiving: bool) -> None:
        self.server = server
        self.until = until
        self.forgiving = forgiving
        """Whether a broken connection is no error, because the server is ended on purpose."""
        self.times: defaultdict[str, list[float]] = defaultdict(list)
        self.problems: Counter[str] = Counter()
        self.checked: Counter[str] = Counter()
        self.attacks: Counter[str] = Counter()

    def told(self) -> str:
        """Return the state of things in one line."""
        load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
        size = self.server.memory[-1][1] if self.server.memory else 0.0
        return (
            f"{sum(map(len, self.times.values())):,} answers, {self.problems.total()} errors; "
            f"the server has {size:.0f} MB and took {self.server.seconds:.0f} s of the processor; "
            f"load {load}"
        )

    @property
    def on(self) -> bool:
        """Whether there is time left."""
        return perf_counter() < self.until

    async def ask(
        self, caller: Caller, kind: str, method: str, path: str, body: object = None
    ) -> Any:
        """Ask until there is an answer; note the time, or the problem."""
        while True:
            try:
                asked = asyncio.wait_for(caller.ask(method, path, body), PATIENCE)
                status, answer, seconds = await asked
            except (OSError, EOFError, TimeoutError) as error:
                caller.close()
                if not self.forgiving or isinstance(error, TimeoutError):
                    self.problems[f"{kind}: {error!r}"] += 1
                if kind == "a move":
                    # The move may have been made: the player looks.
                    return None
                await asyncio.sleep(0.5)
                continue
            if status == 503 and self.forgiving:
                self.checked["requests asked again"] += 1
                await asyncio.sleep(0.5)
                continue
            if status >= 400:
                self.problems[f"{kind}: {status} {answer}"[:200]] += 1
                return None
            self.times[kind].append(seconds)
            return answer

    async def repeat(
        self, kind: str, pause: float, question: Callable[[], tuple[str, str, object]]
    ) -> None:
        """Ask the same kind of question again and again, as one person."""
        caller = Caller(self.server.address)
        while self.on:
            await self.ask(caller, kind, *question())
            await asyncio.sleep(random.uniform(0.5, 1.5) * pause)
        caller.close()

    async def play(self, number: int, pause: float) -> None:
        """Play game after game; at the end, check that all of it is still there."""
        dice, caller = random.Random(number), Caller(self.server.address)
        finished: dict[str, tuple[str, int]] = {}
        while self.on:
            board, first = dice.choice(((EXPERT, 247), ("9x9x10", 40)))
            asked = {"board": board, "seed": dice.randrange(2**32), "assistant": KNOWING}
            game = await self.ask(caller, "a new game", "POST", "/api/games", asked)
            if game is None:
                await asyncio.sleep(1)
                continue
            ended = await self._play(caller, f"/api/games/{game['id']}", first, dice, pause)
            if ended is not None:
                finished[game["id"]] = ended
        for name, (state, moves) in list(finished.items())[-250:]:
            game = await self.ask(caller, "a look back", "GET", f"/api/games/{name}")
            self.checked["finished games"] += 1
            if game is None or (game["state"], game["moves"]) != (state, moves):
                self.problems["lost: a finished game"] += 1
        told = await self.ask(caller, "statistics", "GET", "/api/me")
        if finished and (told is None or told["played"] < len(finished)):
            self.problems["lost: a game in the statistics"] += 1
        caller.close()

    async def _play(
        self, caller: Caller, path: str, cell: int, dice: random.Random, pause: float
    ) -> tuple[str, int] | None:
        """Play a game; return how it ended and after how many moves, or None if it did not."""
        moves, opened = 0, set[int]()
        while self.on:
            await asyncio.sleep(dice.uniform(0.5, 1.5) * pause)
            move = {"kind": "open", "cell": cell}
            made = await self.ask(caller, "a move", "POST", f"{path}/moves", move)
            if made is None:
                made = await self.ask(caller, "a look", "GET", path)
                if made is None:
                    return None
                self.checked["games after a broken answer"] += 1
                if made["moves"] not in (moves, moves + 1):
                    self.problems["lost: a move that was acknowledged"] += 1
                opened = {at for at, code in enumerate(made["cells"]) if code <= 26}
            else:
                opened.update(at for at, _ in made["changes"])
            moves = made["moves"]
            if made["state"] in FINISHED:
                return made["state"], moves
            cell = choose(made["help"], opened, dice)
        return None

    async def listen(self) -> None:
        """Hear the lab's news, stream after stream."""
        while self.on:
            begun = perf_counter()
            with suppress(OSError, EOFError, TimeoutError):
                reader, writer = await self._connect()
                writer.write(b"GET /api/lab/events HTTP/1.1\r\n" + HEAD + b"\r\n")
                async with asyncio.timeout(PATIENCE):
                    head = await reader.readuntil(b"data: ")
                if not head.startswith(b"HTTP/1.1 200"):
                    self.problems[f"a stream: {head[:80]!r}"] += 1
                self.times["a stream's first word"].append(perf_counter() - begun)
                with suppress(TimeoutError):
                    async with asyncio.timeout(min(20, max(0, self.until - perf_counter()))):
                        await reader.read()
                writer.close()
            await asyncio.sleep(0.5)

    async def attack(self, kind: str, what: bytes, seconds: float, *, read: bool) -> None:
        """Send something bad, wait, hang up without a word, and begin again."""
        while self.on:
            with suppress(OSError, EOFError):
                reader, writer = await self._connect(ATTACKER)
                writer.write(what)
                with suppress(TimeoutError):
                    async with asyncio.timeout(seconds):
                        await (reader.read() if read else asyncio.sleep(seconds))
                writer.transport.abort()
                self.attacks[kind] += 1
            await asyncio.sleep(0)

    def _connect(
        self, source: str = "127.0.0.1"
    ) -> Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        place = urlsplit(self.server.address)
        return asyncio.open_connection(
            place.hostname, place.port, local_addr=(source, 0), limit=2**20
        )

    async def watch_server(self, end: signal.Signals, pause: float) -> None:
        """Record the server's memory; end it by a signal every `pause` seconds, if not 0."""
        ended = told = perf_counter()
        while self.on:
            self.server.look()
            if perf_counter() > told + 60:
                told = perf_counter()
                console.print(f"{(self.until - told) / 60:.0f} min left: {self.told()}")
            if pause and perf_counter() > ended + pause:
                await asyncio.to_thread(self.server.stop, end)
                await asyncio.to_thread(self.server.start)
                ended = perf_counter()
            await asyncio.sleep(min(SAMPLE, pause or SAMPLE))

    async def run(self, players: int, end: signal.Signals, pause: float, *, attacked: bool) -> None:
        """Run all of them at once."""
        dice = random.Random(1)

        def analyse() -> tuple[str, str, object]:
            return "POST", "/api/analyse", {"text": POSITION}

        def make() -> tuple[str, str, object]:
            return "POST", "/api/bullets", {"size": 5, "iterations": 20, "seed": dice.randrange(99)}

        def watch() -> tuple[str, str, object]:
            return "POST", "/api/watch", {"board": "9x9x10", "strategy": "exact"}

        await asyncio.gather(
            self.watch_server(end, pause),
            *(self.play(number, 1.0) for number in range(players)),
            *(self.repeat("an analysis", 1.0, analyse) for _ in range(6)),
            *(self.repeat("a puzzle", 2.0, make) for _ in range(3)),
            *(self.repeat("a game watched", 2.0, watch) for _ in range(3)),
            *(self.repeat("a page", 1.0, lambda: ("GET", "/api/meta", None)) for _ in range(3)),
            *(self.listen() for _ in range(4)),
            *(self._attackers() if attacked else ()),
        )

    def _attackers(self) -> list[Awaitable[None]]:
        ask = b"GET /api/layout?shape=100x100 HTTP/1.1\r\n" + HEAD + b"\r\n"
        post = b"POST /api/games HTTP/1.1\r\n" + HEAD
        kinds: dict[str, tuple[bytes, float, bool, int]] = {
            "floods": (
                b"GET /api/meta HTTP/1.1\r\n" + HEAD + b"Connection: close\r\n\r\n",
                5,
                True,
                8,
            ),
            "garbage": (b"\x16\x03\x01 \xff\r\n\r\n", 5, True, 4),
            "garbage into streams": (
                b"GET /api/lab/events HTTP/1.1\r\n" + HEAD + b"\r\n\x00\xff",
                1,
                True,
                4,
            ),
            "slow heads": (b"GET / HTTP/1.1\r\nX: ", 30, False, 40),
            "slow bodies": (post + b"Content-Length: 100\r\n\r\n{", 30, False, 40),
            "deaf readers": (ask * 20, 30, False, 20),
            "abandoned requests": (ask, 0.05, False, 4),
        }
        return [
            self.attack(kind, what, seconds, read=read)
            for kind, (what, seconds, read, many) in kinds.items()
            for _ in range(many)
        ]


def slope(samples: list[tuple[float, float]]) -> float:
    """Return the change per hour of the best line through the second half of the samples."""
    half = samples[len(samples) // 2 :]
    at = sum(when for when, _ in half) / len(half)
    mean = sum(size for _, size in half) / len(half)
    spread = sum((when - at) ** 2 for when, _ in half)
    return 3_600 * sum((when - at) * (size - mean) for when, size in half) / (spread or 1)


def report(load: Load) -> bool:
    """Print what was found; return True if nothing went wrong."""
    table = figures("Times, ms")
    for kind, times in sorted(load.times.items()):
        add(table, kind, times)
    console.print(table)
    server = load.server
    sizes = [size for _, size in server.memory]
    if server.starts == 1 and len(sizes) > 3:
        tenths = [sizes[min(len(sizes) - 1, len(sizes) * n // 10)] for n in range(11)]
        console.print(f"Memory, MB, in tenths of the time: {', '.join(f'{s:.0f}' for s in tenths)}")
        console.print(f"Slope over the second half: {slope(server.memory):+.1f} MB per hour.")
    console.print(f"Open files at most: {server.files}. Starts: {server.starts}.")
    for title, counts in (("Checked", load.checked), ("Attacks", load.attacks)):
        if counts:
            console.print(f"{title}: {', '.join(f'{n:,} {what}' for what, n in counts.items())}.")
    log = server.log.read_text()
    tracebacks = log.count("Traceback")
    console.print(f"The server's log: {len(log.splitlines())} lines, {tracebacks} tracebacks.")
    console.print(f"{load.told()}.")
    for problem, number in load.problems.most_common(5):
        console.print(f"{number} times: {problem}")
    return not (load.problems or tracebacks)


def main(
    minutes: Annotated[float, typer.Option(min=0.1)] = 3,
    players: Annotated[int, typer.Option(min=1)] = 40,
    kill: Annotated[float, typer.Option(min=0, help="seconds between two kill -9; 0: none")] = 0,
    restart: Annotated[
        float, typer.Option(min=0, help="seconds between two polite restarts; 0: none")
    ] = 0,
    attack: Annotated[bool, typer.Option("--attack", help="Let others attack it.")] = False,
) -> None:
    """Put a server on 127.0.0.1 under mixed load; exit code 1 if anything goes wrong."""
    if kill and restart:
        raise typer.BadParameter("choose --kill or --restart")
    with TemporaryDirectory() as directory:
        server = Server(Path(directory))
        server.start()
        load = Load(server, perf_counter() + 60 * minutes, forgiving=bool(kill or restart))
        try:
            end = signal.SIGKILL if kill else signal.SIGTERM
            asyncio.run(load.run(players, end, kill or restart, attacked=attack))
        finally:
            server.stop()
        raise typer.Exit(not report(load))


if __name__ == "__main__":
    typer.run(main)
