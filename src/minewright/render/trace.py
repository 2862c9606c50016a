"""One game turn by turn, as text and as a strip of boards.

Each board is shown before its turn. A tick means called safe, a mine means called mined. A guessed
cell has a question mark or, in a picture, its chance of a mine. The last board shows the minefield.
With `chain`, the steps by which a strategy came to a finding follow its turn, where it can show
them: the number that each step looks at is outlined, and what it assumes is hatched.
"""

from collections.abc import Iterator
from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from minewright.messages import counted
from minewright.position import MARKED, MAX_NUMBER, MINED
from minewright.render import percent
from minewright.render.steps import MAX_CELLS
from minewright.render.svg import CELL, MARGIN, Picture, page, short, write
from minewright.render.terminal import NUMBERS, Cell, Run, Screen, paint, picture
from minewright.topology import Point, Topology

if TYPE_CHECKING:
    from minewright.lab.trace import Trace, TracedTurn
    from minewright.position import Position
    from minewright.strategies import Finding, Scene

LISTED: Final = 6
"""The most cells of a finding to name; the board shows them all."""

_COVERED: Final = "#000000 on #a8b0ba"
_SAFE: Final = "bold #ffffff on #12813b"
_MINED: Final = "bold #ffffff on #b3142a"
_GUESS: Final = "bold #000000 on #f7dc50"
_OPEN: Final = "on #e4e4e4"

_SCALE: Final = 0.6
_WIDTH: Final = 64
"""The width of a strip, in cells."""
_LEAST: Final = 8
"""The least width of a board in a strip, in cells: its words need room."""
_GAP: Final = 1.3
_HEAD: Final = 1.6
_LINES: Final = 3
"""The most lines of reasons below a board."""
_LINE: Final = 0.55
_LETTER: Final = 0.25
"""The height of such a line and the width of a letter, in cells."""
_STYLE: Final = (
    "<style>.minewright .turn{font-size:16px;text-anchor:start;font-weight:700}"
    ".minewright .why{font-size:14px;text-anchor:start}"
    ".minewright .game{font-size:20px;text-anchor:start;font-weight:700}</style>"
)


def heading(trace: "Trace") -> str:
    """Return which game it was, who played it and how it ended."""
    arm = trace.arm
    board = f"{arm.board} {arm.topology_name}, start {arm.start}"
    return f"game {trace.number} of seed {trace.seed}, {board}, {arm.strategy}: {_outcome(trace)}"


def trace_text(trace: "Trace", screen: Screen, *, chain: bool = False) -> str:
    """Return a game, one block per turn: what was concluded or guessed, why, and the board."""
    arm, topology = trace.arm, trace.end.topology
    lines: list[list[Run]] = [
        *_paragraph(_upper(heading(trace)), screen, "", "bold"),
        *_paragraph(f"Guesser {arm.chosen_guesser}, first move {arm.chosen_first}.", screen, ""),
        *_paragraph(
            f"On the boards: {screen.safe} called safe, {screen.mined} called mined, "
            "? guessed, F marked before, # covered.",
            screen,
            "",
        ),
        [],
    ]
    for number, step in enumerate(trace.steps, 1):
        lines += _paragraph(f"Turn {number}: {_title(step)}", screen, "", "bold")
        for text in _reasons(step, trace):
            lines += _paragraph(text, screen)
        for scene in _scenes(step) if chain else ():
            lines += _paragraph(scene.words, screen, "    ")
        lines += [*picture(topology, list(_cells(step, screen)), screen), []]
    lines += _paragraph(f"The end: {_outcome(trace)}", screen, "", "bold")
    lines += _paragraph(_signs(trace, screen), screen)
    lines += picture(topology, list(_end_cells(trace, screen)), screen)
    return paint(lines, screen)


def trace_svg(trace: "Trace", *, chain: bool = False) -> str:
    """Draw a game as a strip of boards: one before each turn, and a last one with the minefield.

    Only the first `most_turns` boards are drawn; the strip says how many turns it leaves out.
    """
    topology = trace.end.topology
    members = [
        member
        for at, step in enumerate(trace.steps)
        for member in (partial(_board, trace, at), *(_chain(step, at) if chain else ()))
    ]
    members = members[: most_turns(topology)]
    drawn = sum(member.func is _board for member in members)
    missing = len(trace.steps) - drawn
    members.append(partial(_end, trace, missing))
    width, height = topology.extent
    across = max(width, _LEAST) + _GAP
    down = height + _HEAD + (_LINES + 0.5) * _LINE
    boards = len(members)
    rows = -(-boards // max(1, int(_WIDTH / across)))
    columns = -(-boards // rows)
    top = 1.2
    wide = max(columns * across + _GAP, _LEAST * 3)
    title = wrap(_upper(heading(trace)), int(wide / 0.4))
    top += 0.8 * (len(title) - 1)
    content = [_STYLE]
    content += (
        write(_GAP * CELL, (0.9 + 0.8 * at) * CELL, line, "ink game")
        for at, line in enumerate(title)
    )
    for at, member in enumerate(members):
        row, column = divmod(at, columns)
        content += member(((column * across + _GAP) * CELL, (row * down + top + _HEAD) * CELL))
    size = (wide * CELL, (rows * down + top + MARGIN) * CELL)
    note = f" {counted(missing, 'turn')} more, not drawn." if missing else ""
    description = f"{counted(len(trace.steps), 'turn')}.{note}"
    return page(_upper(heading(trace)), description, size, content, _SCALE)


def most_turns(topology: Topology) -> int:
    """Return how many boards a strip can draw before the last."""
    return max(1, MAX_CELLS // topology.size - 1)


# Words


def _outcome(trace: "Trace") -> str:
    record = trace.record
    safe = trace.end.topology.size - len(trace.minefield)
    how = (
        "won"
        if record.won
        else "ended by the timeout"
        if record.timed_out
        else "lost"
        if MINED in trace.end.cells
        else "given up"
    )
    cleared = "" if record.won else f", {record.cleared:,} of {counted(safe, 'safe cell')} open"
    blunder = ", with a blunder" if record.blunder else ""
    guesses = counted(record.guesses, "guess")
    return f"{how} after {counted(len(trace.steps), 'turn')}, {guesses}{cleared}{blunder}"


def _title(step: "TracedTurn") -> str:
    turn = step.turn
    if turn.guess is not None:
        risk = (
            "unknown risk"
            if step.risk is None
            else f"risk {step.risk:.1%}"
            if step.risk
            else "no risk"
        )
        return f"{'first move' if step.first else 'guess'}, {risk}"
    safe = {cell for finding in turn.findings for cell in finding.safe}
    mined = {cell for finding in turn.findings for cell in finding.mined}
    return ", ".join(
        f"{len(cells):,} {what}" for cells, what in ((safe, "safe"), (mined, "mined")) if cells
    )


def _reasons(step: "TracedTurn", trace: "Trace") -> Iterator[str]:
    """Yield one sentence per finding, or what there is to say about a guess."""
    topology = trace.end.topology
    guess = step.turn.guess
    if guess is None:
        yield from (_finding(finding, topology) for finding in step.turn.findings)
    else:
        # The title already says what it is.
        why = guess.reason.removeprefix("a guess: ").removeprefix("the first move: ")
        yield f"{topology.describe(guess.cell)}: {why}"
        if step.missed:
            is_ = "cell is" if step.missed == 1 else "cells are"
            yield f"exact inference knows better: {step.missed:,} covered {is_} safe"
    if step.turn.conclusion.gave_up:
        yield "a budget ran out: there may be more to find"


def _finding(finding: "Finding", topology: Topology) -> str:
    parts = [
        f"{what} {_named(cells, topology)}"
        for what, cells in (("safe", finding.safe), ("mined", finding.mined))
        if cells
    ]
    return f"{finding.reason}: {'; '.join(parts)}"


def _named(cells: tuple[int, ...], topology: Topology) -> str:
    named = ", ".join(f"({topology.describe(cell)})" for cell in cells[:LISTED])
    more = len(cells) - LISTED
    return f"{named} and {more:,} more" if more > 0 else named


def _signs(trace: "Trace", screen: Screen) -> str:
    signs = [f"{screen.mined} a mine", "F a mine that was marked"]
    if MINED in trace.end.cells:
        signs.insert(0, "X the mine that exploded")
    if any(_wrong(trace)):
        signs.append("! a mark without a mine")
    return f"The minefield: {', '.join(signs)}."


def _wrong(trace: "Trace") -> Iterator[int]:
    """Yield the cells that were marked but hold no mine."""
    for cell, code in enumerate(trace.end.cells):
        if code == MARKED and cell not in trace.minefield:
            yield cell


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


# Text


def _paragraph(text: str, screen: Screen, indent: str = "  ", style: str = "") -> list[list[Run]]:
    if screen.columns is None:
        return [[(indent + text, style)]]
    lines = wrap(
        text,
        max(screen.columns - 1, 40),
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_on_hyphens=False,
    )
    return [[(line, style)] for line in lines]


def _cells(step: "TracedTurn", screen: Screen) -> Iterator[Cell]:
    safe, mined = _called(step)
    guess = step.turn.guess.cell if step.turn.guess else None
    for cell, code in enumerate(step.position.cells):
        if cell == guess:
            yield Cell("?", _GUESS, ">")
        elif cell in safe:
            yield Cell(screen.safe, _SAFE)
        elif cell in mined:
            yield Cell(screen.mined, _MINED)
        else:
            yield _plain(code, screen)


def _end_cells(trace: "Trace", screen: Screen) -> Iterator[Cell]:
    wrong = frozenset(_wrong(trace))
    for cell, code in enumerate(trace.end.cells):
        if code == MINED:
            yield Cell("X", _MINED, ">")
        elif cell in wrong:
            yield Cell("!", _MINED)
        elif cell in trace.minefield and code != MARKED:
            yield Cell(screen.mined, _COVERED)
        else:
            yield _plain(code, screen)


def _plain(code: int, screen: Screen) -> Cell:
    if code > MAX_NUMBER:
        return Cell("F" if code == MARKED else "#", _COVERED)
    text = "." if code == 0 else f"({code})" if code > 9 else str(code)
    return Cell(text, f"bold {NUMBERS[min(code, len(NUMBERS) - 1)]} {_OPEN}")


def _called(step: "TracedTurn") -> tuple[frozenset[int], frozenset[int]]:
    findings = step.turn.findings
    return (
        frozenset(cell for finding in findings for cell in finding.safe),
        frozenset(cell for finding in findings for cell in finding.mined),
    )


# Pictures


def _board(trace: "Trace", at: int, corner: Point) -> Iterator[str]:
    """Yield the board before a turn, with its title above and the reasons below."""
    step = trace.steps[at]
    drawing = Picture(trace.end.topology)
    safe, mined = _called(step)
    guess = step.turn.guess.cell if step.turn.guess else None
    for cell, code in enumerate(step.position.cells):
        if cell in safe or cell in mined:
            drawing.tile("deduced", cell)
            drawing.hatch(cell)
            (drawing.tick if cell in safe else drawing.mine)(cell)
        else:
            _seen(drawing, cell, code)
        if cell == guess:
            if step.risk:
                drawing.level(cell, step.risk)
                drawing.text("percent ink", cell, percent(step.risk))
            else:
                drawing.text("number ink", cell, "?")
            drawing.tile("highlight", cell)
    reasons = list(_reasons(step, trace))
    # The board shows the cells, so only the reasons are written below it, each once.
    shown = list(dict.fromkeys(f.reason for f in step.turn.findings)) or reasons
    told = ". ".join((_title(step), *reasons))
    yield from _member(drawing, f"{at + 1}: {_title(step)}", shown, told, corner)


def _scenes(step: "TracedTurn") -> Iterator["Scene"]:
    """Yield how the strategy came to each finding of a turn, as far as it can show it."""
    for finding in step.turn.findings:
        yield from step.turn.chain(finding)


def _chain(step: "TracedTurn", at: int) -> Iterator["partial[Iterator[str]]"]:
    """Yield what draws the steps that led to the findings of a turn, one board each."""
    for number, scene in enumerate(_scenes(step), 1):
        yield partial(_scene, step.position, scene, f"{at + 1}, step {number}")


def _scene(position: "Position", scene: "Scene", title: str, corner: Point) -> Iterator[str]:
    """Yield the board of one step, with what it assumes, and its sentence below."""
    drawing = Picture(position.topology)
    for cell, code in enumerate(position.cells):
        if cell in scene.safe or cell in scene.mined:
            drawing.tile("deduced", cell)
            drawing.hatch(cell)
            (drawing.tick if cell in scene.safe else drawing.mine)(cell)
            continue
        _seen(drawing, cell, code)
        if cell in scene.clues:
            drawing.tile("used", cell)
    yield from _member(drawing, title, [scene.words], scene.words, corner)


def _end(trace: "Trace", missing: int, corner: Point) -> Iterator[str]:
    """Yield the minefield as the game left it."""
    drawing = Picture(trace.end.topology)
    wrong = frozenset(_wrong(trace))
    for cell, code in enumerate(trace.end.cells):
        if code == MINED:
            drawing.tile("mined", cell)
            drawing.mine(cell)
        elif cell in trace.minefield and code != MARKED:
            drawing.tile("covered", cell)
            drawing.mine(cell)
        else:
            _seen(drawing, cell, code)
        if cell in wrong:
            drawing.tile("highlight", cell)
    words = [f"{counted(missing, 'turn')} before this, not drawn"] if missing else []
    words.append(_outcome(trace))
    yield from _member(drawing, "the end", words, "the end", corner)


def _seen(drawing: Picture, cell: int, code: int) -> None:
    drawing.tile("open" if code <= MAX_NUMBER else "covered", cell)
    if code <= MAX_NUMBER:
        drawing.number(cell, code)
    elif code == MARKED:
        drawing.flag(cell, small=False)


def _member(
    drawing: Picture, title: str, words: list[str], told: str, corner: Point
) -> Iterator[str]:
    """Yield one board with its title above, a few words below, and a tooltip."""
    x, y = corner
    width, height = drawing.topology.extent
    yield f'<g transform="translate({short(x - MARGIN * CELL)} {short(y - MARGIN * CELL)})">'
    yield f"<title>{escape(told)}</title>"
    yield from drawing.body()
    yield from drawing.labels()
    yield "</g>"
    yield write(x, y - 0.75 * CELL, title, "ink turn")
    room = int(max(width, _LEAST) / _LETTER)
    for at, line in enumerate(_few(words, room)):
        yield write(x, y + (height + 0.2 + (at + 0.75) * _LINE) * CELL, line, "label why")


def _few(words: list[str], room: int) -> list[str]:
    """Return texts as lines; the last line counts those that do not fit."""
    lines: list[str] = []
    for at, text in enumerate(words):
        more = wrap(text, room)
        last = at == len(words) - 1
        if len(lines) + len(more) > _LINES - (not last):
            if not lines:
                return wrap(text, room, max_lines=_LINES, placeholder=" …")
            return [*lines, f"and {len(words) - at:,} more"]
        lines += more
    return lines
