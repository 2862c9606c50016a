"""Print what a lock file must hold, one requirement per line; without NAME, list the locks.

Usage: scripts/requirements.py [NAME ...]
"""

import sys
import tomllib
from pathlib import Path

# Each lock file, and the tables of pyproject.toml that it covers.
LOCKS = {
    "build": ["requires", "build"],
    "play": ["dependencies", "web", "pdf", "sat", "lab"],
    "test": ["dependencies", "web", "pdf", "sat", "lab", "dask", "gym", "test", "dev"],
    "bench": ["bench"],
    "docs": ["docs"],
    "fuzz": ["fuzz"],
    "release": ["release"],
}


def requirements(names: list[str]) -> list[str]:
    """Return the requirements of these locks, sorted."""
    settings = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
    tables: dict[str, list[str]] = {
        "requires": settings["build-system"]["requires"],
        "dependencies": settings["project"]["dependencies"],
        **settings["project"]["optional-dependencies"],
        **settings["dependency-groups"],
    }
    return sorted({line for name in names for table in LOCKS[name] for line in tables[table]})


print(*(requirements(sys.argv[1:]) or LOCKS), sep="\n")
