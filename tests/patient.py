"""A server that finds nobody too fast, too slow or gone, however busy the machine is.

Importing this module also makes those parts of the server patient that have no setting for it.
"""

from processes import HANG

from minewright.web.people import clock
from minewright.web.profile import work
from minewright.web.review import risks
from minewright.web.server.settings import Settings

EASY = Settings(
    rate=1e6,
    burst=1_000_000,
    address_rate=1e6,
    address_burst=1_000_000,
    newcomers=1e6,
    newcomers_burst=1_000_000,
    file_rate=1e6,
    file_burst=1_000_000,
    seconds=60.0,
    help_seconds=60.0,
    patience=HANG,
    body_seconds=HANG,
)
# A test that stalls for a while does not count as gone, and no move counts as too hard.
for module, name in ((clock, "SILENCE"), (work, "MOVE_SECONDS"), (risks, "MOVE_SECONDS")):
    setattr(module, name, HANG)
