"""Recently used values in memory, limited in bytes, in all and per person."""

from collections import OrderedDict
from time import monotonic
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class _Kept(NamedTuple, Generic[T]):
    value: T
    owner: str
    weight: int
    at: float


class Recent(Generic[T]):
    """Values by name, each with its owner and its weight in bytes; the caller holds a lock.

    If they weigh more than `most` in all, or more than `share` for one owner, the least recently
    used are dropped. So are those that nobody has used for `seconds`. A value just put in stays,
    whatever it weighs.
    """

    def __init__(self, most: int, share: int, seconds: float = float("inf")) -> None:
        self._most, self._share, self._seconds = most, share, seconds
        self._kept: OrderedDict[str, _Kept[T]] = OrderedDict()
        self._owned: dict[str, OrderedDict[str, None]] = {}
        self._weights: dict[str, int] = {}
        self.weight = 0

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, name: str) -> T | None:
        """Return a value, or None if it is gone."""
        found = self._kept.get(name)
        return None if found is None else found.value

    def put(self, name: str, owner: str, value: T, weight: int) -> None:
        """Put a value in, or note that it was used and what it weighs now."""
        self.drop(name)
        now = monotonic()
        self._kept[name] = _Kept(value, owner, weight, now)
        self._owned.setdefault(owner, OrderedDict())[name] = None
        self._weigh(owner, weight)
        mine = self._owned[owner]
        while self._weights[owner] > self._share and len(mine) > 1:
            self.drop(next(iter(mine)))
        while len(self) > 1:
            oldest, kept = next(iter(self._kept.items()))
            if self.weight <= self._most and kept.at >= now - self._seconds:
                break
            self.drop(oldest)

    def drop(self, name: str) -> None:
        """Remove a value, if it is there."""
        kept = self._kept.pop(name, None)
        if kept is not None:
            self._owned[kept.owner].pop(name)
            self._weigh(kept.owner, -kept.weight)

    def drop_all(self, owner: str) -> None:
        """Remove all values of an owner."""
        for name in list(self._owned.get(owner, ())):
            self.drop(name)

    def _weigh(self, owner: str, weight: int) -> None:
        self.weight += weight
        self._weights[owner] = self._weights.get(owner, 0) + weight
        if not self._owned[owner]:
            del self._owned[owner], self._weights[owner]
