"""A step, and the numbers behind its words, as JSON data for programs and pages."""

from typing import TypedDict

from minewright.deduction.reasons import BalanceData, PairData, SuppositionData, pairs_of
from minewright.deduction.step import Deduction
from minewright.deduction.words import Speaker, TotalData

Place = tuple[int, ...]


class StepData(TypedDict):
    """A step as data; cells are the coordinates of a topology, counted from 0."""

    kind: int
    order: int
    pattern: str | None
    total: bool
    clues: list[Place]
    safe: list[Place]
    mined: list[Place]
    sentence: str


class ClueData(TypedDict):
    """A clue: its number, the mines it still needs, and its covered cells."""

    cell: int
    coordinates: Place
    number: int
    left: int
    cells: list[int]


class Arithmetic(TypedDict):
    """A step with every number that its sentence is made of; cells are indices."""

    kind: int
    order: int
    pattern: str | None
    clues: list[ClueData]
    pairs: list[PairData]
    balance: BalanceData | None
    total: TotalData | None
    safe: list[int]
    mined: list[int]
    supposition: SuppositionData | None
    sentence: str


def as_data(step: Deduction) -> StepData:
    """Return a step as JSON data, with cells as coordinates."""
    place = step.position.topology.coordinates
    return {
        "kind": step.kind,
        "order": step.order,
        "pattern": step.pattern,
        "total": step.total,
        "clues": [place(cell) for cell in step.clues],
        "safe": [place(cell) for cell in step.safe],
        "mined": [place(cell) for cell in step.mined],
        "sentence": step.sentence,
    }


def arithmetic(step: Deduction) -> Arithmetic:
    """Return the numbers behind a step as JSON data, for a page to draw."""
    speaker = Speaker(step)
    place = step.position.topology.coordinates
    return {
        "kind": step.kind,
        "order": step.order,
        "pattern": step.pattern,
        "clues": [
            {
                "cell": clue.cell,
                "coordinates": place(clue.cell),
                "number": clue.number,
                "left": clue.left,
                "cells": sorted(clue.cells),
            }
            for clue in speaker.clues
        ],
        "pairs": list(pairs_of(speaker.clues)),
        "balance": None if speaker.balance is None else speaker.balance.as_data(),
        "total": speaker.total,
        "safe": list(step.safe),
        "mined": list(step.mined),
        "supposition": None if speaker.supposition is None else speaker.supposition.as_data(),
        "sentence": speaker.sentence,
    }
