"""What the server may be told: where it listens, where it keeps things, and all its bounds."""

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from minewright.inference import Budget


def data_directory() -> Path:
    """Give the directory where programs of this user keep what they have to remember."""
    home = Path.home()
    if chosen := os.environ.get("XDG_DATA_HOME"):
        return Path(chosen) / "minewright"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "Minewright"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Minewright"
    return home / ".local" / "share" / "minewright"


@dataclass(frozen=True, slots=True)
class Settings:
    """All that can be set; the defaults suit one machine and the people around it."""

    data: Path = field(default_factory=data_directory)
    lab: Path = Path()
    """Where the lab page looks for runs."""
    host: str = "127.0.0.1"
    port: int = 8765
    names: tuple[str, ...] = ()
    """Further host names under which people reach the server."""
    proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies: what they say of where a request comes from counts."""

    max_cells: int = 10_000
    max_body: int = 262_144
    """Bytes of a request."""
    seconds: float = 2.0
    """How long one question may take: hints, the best move, an analysis."""
    help_seconds: float = 0.5
    """How long the assistant may think after a move."""
    states: int = 20_000_000
    at_once: int = 4
    """How many questions are worked on at the same time; others wait for their turn."""
    waiting: int = 400
    """How many may wait."""
    address_waiting: int = 200
    """How many of one address: a whole class may wait after the same move."""
    person_waiting: int = 4

    rate: float = 30.0
    """Requests a second that one person may make for long."""
    burst: int = 120
    """Requests that one person may make in a row."""
    address_rate: float = 300.0
    """Requests a second from one address, for long: a whole class may share one."""
    address_burst: int = 1_200
    newcomers: float = 2.0
    """New people a second from one address, for long."""
    newcomers_burst: int = 400
    file_rate: float = 200.0
    """Files of pages a second to one address, for long: a page has some thirty."""
    file_burst: int = 4_000

    requests: int = 800
    """Requests answered at the same time, live streams among them."""
    address_requests: int = 250
    """Those of one address: a browser has six connections."""
    patience: float = 10.0
    """Seconds a client may go without reading its answer."""
    body_seconds: float = 20.0
    """How long a client may take to send the body of a request."""
    streams: int = 200
    """Live streams at the same time: pages that hear of the lab."""
    address_streams: int = 50
    person_streams: int = 4
    """A browser has six connections to one server."""
    stream_seconds: float = 600.0
    """How long a stream lasts; the page asks for another then."""

    memory: int = 64 * 2**20
    """Bytes of the games held in memory; any other is replayed from the store when asked for."""
    person_memory: int = 8 * 2**20
    """Bytes of those that are one person's."""
    store: int = 2**30
    """Bytes of the store: when it is full old finished games go."""
    session_hours: float = 6.0
    """After so long without a move a game leaves the memory."""
    person_days: int = 400
    """After so long without a visit a person and all games are forgotten."""
    games: int = 300
    """Games kept of one person, the newest; statistics keep counting all."""

    @property
    def budget(self) -> Budget:
        """The budget of one question."""
        return Budget(self.states, self.seconds)
