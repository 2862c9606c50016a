"""Pictures of results: how often somebody won, with the interval."""

from html import escape
from typing import Final

from minewright.lab.simulate import Simulation

_WIDTH, _HEIGHT, _LEFT, _RIGHT = 480, 84, 16, 16
_INK, _BAR, _SOFT = "#333333", "#0072B2", "#d5dde5"
_TICKS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)


def simulation_svg(result: Simulation) -> str:
    """Draw the win rate of a simulation as a bar from 0 to 1, with its 95% interval."""

    def x(share: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * share

    low, high = result.ci95
    title = (
        f"{result.strategy} on {result.board}: {result.win_rate:.1%} of {result.games:,} games won"
        f" (95% {low:.1%} to {high:.1%})"
    )
    parts = [
        f'<rect x="{x(0)}" y="30" width="{x(1) - x(0):.1f}" height="20" fill="{_SOFT}"/>',
        f'<rect x="{x(0)}" y="30" width="{x(result.win_rate) - x(0):.1f}" height="20"'
        f' fill="{_BAR}"/>',
        f'<line x1="{x(low):.1f}" x2="{x(high):.1f}" y1="40" y2="40" stroke="{_INK}"'
        ' stroke-width="2"/>',
    ]
    for end in (low, high):
        parts.append(
            f'<line x1="{x(end):.1f}" x2="{x(end):.1f}" y1="34" y2="46" stroke="{_INK}"'
            ' stroke-width="2"/>'
        )
    for tick in _TICKS:
        parts.append(
            f'<text x="{x(tick):.1f}" y="68" text-anchor="middle" fill="{_INK}">{tick:.0%}</text>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
        f' width="{_WIDTH}" height="{_HEIGHT}" font-family="system-ui, sans-serif" font-size="12"'
        f' role="img"><title>{escape(title)}</title>'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>'
        f'<text x="{_LEFT}" y="18" fill="{_INK}">{escape(title)}</text>{"".join(parts)}</svg>'
    )
