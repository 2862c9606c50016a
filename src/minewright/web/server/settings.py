"""The settings of the server: where it listens, where it keeps its data, and all its limits."""

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from minewright.inference import Budget
from minewright.noguess.game import BUDGET


def data_directory() -> Path:
    """Return the directory where programs of this user keep their data.

    Raise RuntimeError if the user has no home, as in a container that runs under any user number.
    """
    if chosen := os.environ.get("XDG_DATA_HOME"):
        return Path(chosen) / "minewright"
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "Minewright"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Minewright"
    return home / ".local" / "share" / "minewright"


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; the defaults suit one machine and the people around it."""

    data: Path = field(default_factory=data_directory)
    lab: Path = Path()
    """Where the Lab page looks for runs."""
    host: str = "127.0.0.1"
    port: int = 8765
    names: tuple[str, ...] = ()
    """Other host names by which people reach the server."""
    proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies that are trusted to say where a request comes from."""
    table: bool | None = None
    """Whether to keep a table of the day; None means only if others can reach the server."""

    max_cells: int = 10_000
    max_body: int = 262_144
    """Bytes of a request."""
    seconds: float = 2.0
    """Seconds for one question: a hint, the best move, an analysis."""
    help_seconds: float = 0.5
    """Seconds that the assistant may think after a move."""
    states: int = 20_000_000
    laying: Budget = BUDGET
    """What the minefield of a no-guess game may cost; the first move waits for it."""
    at_once: int = 4
    """Questions worked on at the same time; others wait for their turn."""
    waiting: int = 400
    """Questions that may wait."""
    address_waiting: int = 200
    """Those from one address: a whole class may wait after the same move."""
    person_waiting: int = 4

    rate: float = 30.0
    """Requests per second that one person may make on average."""
    burst: int = 120
    """Requests that one person may make at once."""
    address_rate: float = 300.0
    """Requests per second from one address on average: a whole class may share one."""
    address_burst: int = 1_200
    newcomers: float = 2.0
    """New people per second from one address on average."""
    newcomers_burst: int = 400
    file_rate: float = 200.0
    """Files of pages per second to one address on average: a page has some thirty."""
    file_burst: int = 4_000

    name_rate: float = 1 / 600
    """Names per second that one person may choose on average."""
    name_burst: int = 5
    address_name_rate: float = 1 / 60
    address_name_burst: int = 40
    """Names from one address: a whole class may choose theirs at once."""

    requests: int = 800
    """Requests answered at the same time, including live streams."""
    address_requests: int = 250
    """Those from one address: a browser opens six connections."""
    patience: float = 10.0
    """Seconds that a client may go without reading its answer."""
    body_seconds: float = 20.0
    """Seconds that a client may take to send the body of a request."""
    streams: int = 200
    """Live streams at the same time: open Lab pages."""
    address_streams: int = 50
    person_streams: int = 4
    """A browser opens six connections to one server."""
    stream_seconds: float = 600.0
    """Seconds that a stream lasts; the page then asks for another."""
    exports: int = 8
    """How many people may export their data at the same time."""
    address_exports: int = 2

    memory: int = 64 * 2**20
    """Bytes of the games held in memory; others are replayed from the store when needed."""
    person_memory: int = 8 * 2**20
    """Bytes of those that belong to one person."""
    store: int = 2**30
    """Bytes of the store: when it is full, old finished games go."""
    session_hours: float = 6.0
    """Hours without a move after which a game leaves the memory."""
    person_days: int = 400
    """Days without a visit after which a person and all their games are forgotten."""
    games: int = 300
    """Games kept per person, the newest; statistics still count all."""

    @property
    def has_table(self) -> bool:
        """Whether there is a table of the day; a lone player would be the only one in it."""
        alone = self.host in ("localhost", "::1") or self.host.startswith("127.")
        return bool(self.proxies) or not alone if self.table is None else self.table

    @property
    def budget(self) -> Budget:
        """The budget of one question."""
        return Budget(self.states, self.seconds)
