"""Files in formats for which we have no real file, written according to their layout.

ms_toollib reads these files in the same way; `benchmarks/formats.py` shows it.
"""

from collections.abc import Callable, Iterable, Iterator

from minewright.formats import Replay, TimedMove
from minewright.formats.mvf import order
from minewright.game import Move

Event = tuple[float, str, int, int]
"""Seconds, a button of RawVF, and the pixels."""
Writer = Callable[[int, int, Iterable[int], Iterable[Event], str], bytes]

AVF = {"mv": 1, "lc": 3, "lr": 5, "rc": 9, "rr": 17, "mc": 33, "mr": 65}
BUTTONS = {"r": 0, "m": 1, "l": 2}


def avf(width: int, height: int, mined: Iterable[int], events: Iterable[Event], name: str) -> bytes:
    """Write a custom game as Arbiter does."""
    cells = sorted(mined)
    head = bytes((52, 1, 2, 3, 4, 6, width - 1, height - 1)) + len(cells).to_bytes(2, "big")
    places = bytes(number + 1 for cell in cells for number in divmod(cell, width))
    # A sum over the board and the country come before the sign of the question marks.
    sums = b"\x0a\x0b\x0c\x0d" * 5
    dates = b"\x7f9[3|W8H8M10|3.9.2025.17:00:08:6660|3.17:00:14:0810|B8T6.42]"
    body = bytearray()
    for seconds, button, x, y in events:
        whole, rest = divmod(round(seconds * 100), 100)
        low, high = (whole + 1) & 255, (whole + 1) >> 8
        body += bytes((AVF[button], x >> 8, low, x & 255, rest, y >> 8, high, y & 255))
    end = f"cs=1234567890123456\rRealTime: 6.42\rSkin: 3.1\r{name}\rMinesweeper Arbiter 0.52.3. "
    return head + places + sums + dates + bytes(body) + bytes(8) + end.encode() + bytes(40)


def mvf(width: int, height: int, mined: Iterable[int], events: Iterable[Event], name: str) -> bytes:
    """Write a game as Minesweeper Clone 0.97 does."""
    cells = sorted(mined)
    head = bytearray(74)
    head[:2], head[27] = b"\x11\x4d", ord("5")
    facts = bytes((1, 2, 7, 0xD5, 3, 4, 5, 1, 1, 0, 6, 42)) + bytes(10) + b"\0"
    board = bytes((width, height)) + len(cells).to_bytes(2, "big")
    board += bytes(n + 1 for cell in cells for n in reversed(divmod(cell, width)))
    leading = 4711
    down = [0, 0, 0]
    body = bytearray()
    count = 0
    for seconds, button, x, y in events:
        if button != "mv":
            down[BUTTONS[button[0]]] = int(button[1] == "c")
        whole, rest = divmod(round(seconds * 100), 100)
        parts = ((1, down[0]), (1, down[1]), (1, down[2]), (9, y), (9, x), (7, rest), (10, whole))
        bits = [number >> bit & 1 for size, number in parts for bit in range(size)]
        mixed = sum(bit << place for bit, place in zip(bits, order(leading), strict=False))
        body += mixed.to_bytes(5, "little")
        count += 1
    who = bytes((len(name.encode()),)) + name.encode() + leading.to_bytes(2, "big")
    return bytes(head) + facts + board + who + count.to_bytes(3, "big") + bytes(body)


def rawvf(
    width: int, height: int, mined: Iterable[int], events: Iterable[Event], name: str
) -> bytes:
    """Write a game as text."""
    cells = set(mined)
    lines = ["RawVF_Version: Rev6", f"Player: {name}", f"Width: {width}", f"Height: {height}"]
    lines += [f"Mines: {len(cells)}", "Marks: Off", "Board:"]
    for row in range(height):
        lines.append("".join("0*"[row * width + column in cells] for column in range(width)))
    lines.append("Events:")
    for seconds, button, x, y in events:
        lines.append(f"{seconds:.2f} {button} {x // 16 + 1} {y // 16 + 1} ({x} {y})")
    return "\n".join([*lines, ""]).encode()


def timed(moves: Iterable[Move]) -> Iterator[TimedMove]:
    """Make a move every tenth of a second."""
    for number, move in enumerate(moves, 1):
        yield TimedMove(number / 10, move)


CLICKS = {
    "open": ("lc", "lr"),
    "mark": ("rc", "rr"),
    "chord": ("lc", "rc", "lr", "rr"),
}


def clicks(game: Replay) -> Iterator[Event]:
    """Return the button presses that make the moves of a game."""
    for made in game.moves:
        assert made.move.cell is not None
        row, column = divmod(made.move.cell, game.topology.shape[0])
        for button in CLICKS[made.move.kind]:
            yield made.seconds, button, 16 * column + 5, 16 * row + 9
