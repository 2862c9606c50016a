"""Rate limits: per person, and per address that people share."""

from collections import OrderedDict
from time import monotonic

from minewright.web.server.settings import Settings


class Buckets:
    """Token buckets, one per key: each fills at a rate up to a burst; a request takes a token."""

    def __init__(self, rate: float, burst: int, most: int = 20_000) -> None:
        self._rate, self._burst, self._most = rate, burst, most
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> float:
        """Take a token; return 0, or the seconds until there is one."""
        now = monotonic()
        level, at = self._levels.pop(key, (float(self._burst), now))
        level = min(float(self._burst), level + (now - at) * self._rate)
        wait = 0.0 if level >= 1 else (1 - level) / self._rate
        self._levels[key] = (level if wait else level - 1, now)
        # The oldest buckets are full again, or nearly so.
        while len(self._levels) > self._most:
            self._levels.popitem(last=False)
        return wait


class Rates:
    """Counts a request twice, since whoever drops the cookie still has an address."""

    def __init__(self, settings: Settings) -> None:
        self._person = Buckets(settings.rate, settings.burst)
        self._address = Buckets(settings.address_rate, settings.address_burst)
        self._newcomers = Buckets(settings.newcomers, settings.newcomers_burst)
        self._files = Buckets(settings.file_rate, settings.file_burst)

    def ask(self, address: str, person: str | None) -> float:
        """Count a request of a person, or of somebody new (None); return the seconds to wait."""
        return self._address.take(address) or (
            self._newcomers.take(address) if person is None else self._person.take(person)
        )

    def fetch(self, address: str) -> float:
        """Count a file of a page; return the seconds to wait."""
        return self._files.take(address)
