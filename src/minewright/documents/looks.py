"""More games for claims that are still undecided, with an error that stays bounded.

The claims are looked at with 1, 2, 4 and 8 times the games of the scale. A look is allowed half
the error of the one before it, so that all looks together err no more often than a single one
would. A claim keeps the verdict of the first look that decides it.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from minewright.documents.claims import Finding, allowed_error
from minewright.documents.work import times
from minewright.lab.page import Block, Heading, Paragraph, Table

LAST: Final = 4
"""The last look: 8 times the games of the scale is the limit that we set."""


def another(look: int, findings: Iterable[Finding]) -> bool:
    """Return True if there is another look, and its games might decide a claim that is counted."""
    return look < LAST and any(
        one.counted and not one.decided and not one.theirs_too_few for one in findings
    )


def first_decisions(before: Sequence[Finding], now: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return for each claim the finding of the first look that decided it, or the latest one."""
    return tuple(old if old.decided else new for old, new in zip(before, now, strict=True))


def told(findings: Sequence[Finding], last: int) -> list[Block]:
    """Say which looks were taken, and which decided what; nothing if there was only one."""
    if not last:
        return []
    own = [one for one in findings if one.counted and one.verdict != "not testable"]
    rows = [
        (
            str(look),
            f"{times(look)} times the scale's" if look > 1 else "the scale's",
            f"{allowed_error(look):.2%}",
            _ids(one for one in own if one.decided and one.look == look),
        )
        for look in range(1, last + 1)
    ]
    left = [one for one in own if not one.decided]
    why = "the limit" if last == LAST else "as more games of ours would decide nothing"
    if another(last, findings):
        why = "and the same command continues"
    return [
        Heading("More games for what was undecided"),
        Paragraph(
            "While a claim was undecided that more games of ours might decide, twice as many were "
            "played, and it was judged again. Each look is allowed half the error of the one "
            "before it: together they err in at most 5% of the cases. A claim keeps the verdict "
            "and the interval of the first look that decided it; tables and pictures show all "
            "games."
        ),
        Table(("look", "games", "allowed error", "decided"), rows),
        Paragraph(f"The last look was number {last}, {why}. Undecided: {_ids(left)}."),
    ]


def _ids(findings: Iterable[Finding]) -> str:
    return ", ".join(one.id for one in findings) or "none"
