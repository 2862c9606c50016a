"""The engines of Oz Minesweeper in the registry, each alone and all together."""

from functools import partial

from minewright.strategies.oz.assistant import ENGINES, USUAL
from minewright.strategies.oz.autoplayer import Autoplayer
from minewright.strategies.registry import Kind, Option, register


def _chosen(engines: str) -> Autoplayer:
    return Autoplayer(engines.split("+"))


for _name, _engine, _section, _summary in (
    ("oz-zero", "zero", "4.2", "zero propagator: idle, as the game opens around a 0 itself"),
    ("oz-simple", "simple", "3.1", "simple propagators: one sum at a time, over single cells"),
    ("oz-set", "set", "3.2", "set propagators: sums share what they know about sets of cells"),
):
    register(
        Kind(_name, f"Collet 2004, section {_section}", _summary, partial(Autoplayer, (_engine,)))
    )
for _name, _engine, _section, _summary in (
    ("oz-binary", "binary", "3.3", "binary solver: all solutions, one variable per cell"),
    ("oz-sets", "sets", "3.4", "set solver: all solutions, one variable per box"),
):
    register(
        Kind(
            _name,
            f"Collet 2004, section {_section}",
            _summary,
            partial(Autoplayer, (_engine,)),
            complete="yes",
            guesser="safest",
        )
    )
register(
    Kind(
        "oz",
        "Collet 2004, section 4",
        "the assistant: any combination of engines, expensive ones only when needed",
        _chosen,
        complete="yes",
        guesser="safest",
        options={
            "engines": Option("+".join(USUAL), tuple(ENGINES), "the engines that are on", many=True)
        },
    )
)
