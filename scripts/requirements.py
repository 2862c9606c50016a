"""Print what pip needs to build, run and use the given extras of pyproject.toml, one a line.

`pip install .[extra]` would build the kernel too; fetched apart, they stay when only it changes.
"""

import sys
import tomllib
from pathlib import Path

settings = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
project = settings["project"]
for requirement in [
    *settings["build-system"]["requires"],
    *project["dependencies"],
    *(line for extra in sys.argv[1:] for line in project["optional-dependencies"][extra]),
]:
    print(requirement)
