"""Trends and counts as pictures: plain SVG, which any browser shows.

Every part has a class beside its colour, so that the web app can give it the colours of its theme.
"""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import accumulate
from statistics import fmean
from typing import Final

from minewright.ledger import Entry

WIDTH: Final = 640
HEIGHT: Final = 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 12, 30, 26
WINDOW: Final = 10
"""The line is the mean of this many games, up to each."""
_INK, _SOFT, _LINE, _OTHER = "#333333", "#9aa5b1", "#0072B2", "#D55E00"
_FAULTS: Final = {"missed proof": "#D55E00", "bad guess": "#E69F00"}


def trend(title: str, values: Sequence[float | None]) -> str:
    """Return a picture of a figure over the games, in their order: dots, and a running mean."""
    known = [(at, value) for at, value in enumerate(values) if value is not None]
    if not known:
        return _chart(title, [_text(WIDTH / 2, HEIGHT / 2, "not known for these games", "middle")])
    scale = _Scale(len(values), [value for _, value in known])
    dots = [
        f'<circle class="dot" cx="{scale.x(at):.1f}" cy="{scale.y(value):.1f}" r="3"'
        f' fill="{_SOFT}"/>'
        for at, value in known
    ]
    running = [
        (at, fmean(value for _, value in known[max(0, n + 1 - WINDOW) : n + 1]))
        for n, (at, _) in enumerate(known)
    ]
    return _chart(title, [*scale.axes(), *dots, scale.line(running, "mean", _LINE)])


def sums(title: str, series: Mapping[str, Sequence[float]]) -> str:
    """Return a picture of two figures added up over the games, each under its name."""
    totals = {name: list(accumulate(values)) for name, values in series.items()}
    games = len(next(iter(totals.values())))
    scale = _Scale(games, [0.0, *(value for values in totals.values() for value in values)])
    parts = [*scale.axes()]
    for nth, ((name, values), kind, colour) in enumerate(
        zip(totals.items(), ("mean", "other"), (_LINE, _OTHER), strict=False)
    ):
        parts.append(scale.line(list(enumerate(values)), kind, colour))
        top = _TOP + 16 * (nth + 1)
        parts.append(
            f'<rect class="{kind}-key" x="{_LEFT + 8}" y="{top - 5.5}" width="14" height="3"'
            f' fill="{colour}"/>'
        )
        parts.append(_text(_LEFT + 28, top, name, "start"))
    return _chart(title, parts)


class _Scale:
    """Where games and values stand in a picture."""

    def __init__(self, games: int, values: Sequence[float]) -> None:
        self._games = games
        self._low, self._high = _range(values)

    def x(self, at: float) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * (at + 0.5) / self._games

    def y(self, value: float) -> float:
        share = (self._high - value) / (self._high - self._low)
        return _TOP + (HEIGHT - _TOP - _BOTTOM) * share

    def axes(self) -> Iterator[str]:
        """Yield the lines across with their values, and what the width means."""
        for tick in (self._low, (self._low + self._high) / 2, self._high):
            at = f"{self.y(tick):.1f}"
            yield (
                f'<line class="rule" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{at}" y2="{at}"'
                f' stroke="{_SOFT}" stroke-width="0.5"/>'
            )
            yield _text(_LEFT - 6, self.y(tick) + 4, f"{tick:.3g}", "end")
        yield _text(_LEFT, HEIGHT - 8, "first game", "start")
        yield _text(WIDTH - _RIGHT, HEIGHT - 8, "last", "end")

    def line(self, points: Sequence[tuple[int, float]], kind: str, colour: str) -> str:
        """Return a line through some games."""
        places = " ".join(f"{self.x(at):.1f},{self.y(value):.1f}" for at, value in points)
        return (
            f'<polyline class="{kind}" points="{places}" fill="none" stroke="{colour}"'
            f' stroke-width="2"/>'
        )


def bars(title: str, counts: Mapping[str, int]) -> str:
    """Return a picture of how often each thing happened."""
    rows = list(counts.items())[:12]
    height = _TOP + 24 * max(len(rows), 1) + 8
    parts = []
    most = max((count for _, count in rows), default=1)
    for row, (name, count) in enumerate(rows):
        top = _TOP + 24 * row
        wide = (WIDTH - 240) * count / most
        parts.append(_text(176, top + 15, name, "end"))
        parts.append(
            f'<rect class="bar" x="184" y="{top + 3}" width="{wide:.1f}" height="16"'
            f' fill="{_LINE}"/>'
        )
        parts.append(_text(190 + wide, top + 15, f"{count:,}", "start"))
    if not rows:
        parts.append(_text(12, _TOP + 15, "none", "start"))
    return _chart(title, parts, height, 12)


def chances(title: str, moves: int, start: float | None, entries: Sequence[Entry]) -> str:
    """Return a picture of the chance to win over a game, with what its moves gave away."""
    parts: list[str] = []

    def x(number: float) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * (number - 0.5) / moves

    def y(chance: float) -> float:
        return _TOP + (HEIGHT - _TOP - _BOTTOM) * (1 - chance)

    for tick in (0.0, 0.5, 1.0):
        parts.append(
            f'<line x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"'
            f' stroke="{_SOFT}" stroke-width="0.5"/>'
        )
        parts.append(_text(_LEFT - 6, y(tick) + 4, f"{tick:.0%}", "end"))
    if start is None:
        parts.append(_text(WIDTH / 2, HEIGHT / 2, "too hard to estimate", "middle"))
    else:
        path = f"M{_LEFT} {y(start):.1f}"
        for entry in entries:
            if entry.after is not None:
                path += f"H{x(entry.number):.1f}V{y(entry.after):.1f}"
        path += f"H{WIDTH - _RIGHT}"
        parts.append(f'<path d="{path}" fill="none" stroke="{_LINE}" stroke-width="2"/>')
    for entry in entries:
        if entry.given and entry.before is not None:
            told = f"Move {entry.number}: {entry.fault}, {100 * entry.given:.1f} points"
            parts.append(
                f'<rect x="{x(entry.number) - 2.5:.1f}" y="{y(entry.before):.1f}" width="5"'
                f' height="{y(entry.before - entry.given) - y(entry.before):.1f}"'
                f' fill="{_FAULTS[entry.fault]}"><title>{escape(told)}</title></rect>'
            )
    parts.append(_text(_LEFT, HEIGHT - 8, "first move", "start"))
    parts.append(_text(WIDTH - _RIGHT, HEIGHT - 8, f"move {moves}", "end"))
    middle = WIDTH / 2
    for at, (fault, colour) in enumerate(_FAULTS.items()):
        left = middle - 90 + 110 * at
        parts.append(
            f'<rect x="{left:.1f}" y="{HEIGHT - 17}" width="8" height="10" fill="{colour}"/>'
        )
        parts.append(_text(left + 13, HEIGHT - 8, fault, "start"))
    return _chart(title, parts)


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    if high - low < 1e-9:
        return low - 0.5, high + 0.5
    # A scale that nearly reaches 0 begins there.
    return (0.0 if 0 <= low < 0.4 * high else low), high


def _text(x: float, y: float, words: str, anchor: str, bold: bool = False) -> str:
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text class="ink" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{_INK}"{weight}>'
        f"{escape(words)}</text>"
    )


def _chart(title: str, parts: Sequence[str], height: int = HEIGHT, left: int = _LEFT) -> str:
    """Return a picture of parts below a title."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"'
        f' font-family="system-ui, sans-serif" font-size="12"><title>{escape(title)}</title>'
        f'<rect class="paper" width="{WIDTH}" height="{height}" fill="#ffffff"/>'
        f"{_text(left, 18, title, 'start', bold=True)}{''.join(parts)}</svg>"
    )
