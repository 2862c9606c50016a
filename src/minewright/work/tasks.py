"""A task: a piece of work that any process can do."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Task(Generic[T]):
    """A function and its arguments, all of which can be pickled.

    `number` identifies the task among those of the same work. `effort` is its share of the
    progress, in any unit.
    """

    number: int
    effort: float
    function: Callable[..., T]
    arguments: tuple[object, ...] = ()
