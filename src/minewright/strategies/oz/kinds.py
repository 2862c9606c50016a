"""The engines of Oz Minesweeper in the registry, each alone and all together."""

from functools import partial

from minewright.strategies.oz.assistant import ENGINES, USUAL
from minewright.strategies.oz.autoplayer import Autoplayer
from minewright.strategies.registry import Kind, Option, register


def _chosen(engines: str) -> Autoplayer:
    return Autoplayer(engines.split("+"))


_ALONE = (
    ("zero", "Oz zero propagator", "4.2", "finds nothing, since the game opens around a 0 itself"),
    ("simple", "Oz simple propagators", "3.1", "one sum at a time, over single cells"),
    ("set", "Oz set propagators", "3.2", "sums share what they know about sets of cells"),
    ("binary", "Oz binary solver", "3.3", "finds all solutions, with one variable per cell"),
    ("sets", "Oz set solver", "3.4", "finds all solutions, with one variable per box"),
)
_SOLVERS = ("binary", "sets")

for _engine, _title, _section, _summary in _ALONE:
    register(
        Kind(
            f"oz-{_engine}",
            f"Collet 2004, section {_section}",
            _summary,
            partial(Autoplayer, (_engine,)),
            complete="yes" if _engine in _SOLVERS else "no",
            guesser="safest" if _engine in _SOLVERS else "random",
            title=_title,
        )
    )
register(
    Kind(
        "oz",
        "Collet 2004, section 4",
        "any combination of engines, expensive ones only when needed",
        _chosen,
        title="Oz assistant",
        complete="yes",
        guesser="safest",
        options={
            "engines": Option("+".join(USUAL), tuple(ENGINES), "the engines that are on", many=True)
        },
    )
)
