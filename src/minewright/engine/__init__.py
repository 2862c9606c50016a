"""An engine for other programs: questions as JSON lines in, answers as JSON lines out.

`docs/engine.md` describes the protocol and `schema.json` defines it. `minewright engine` runs it on
standard input and output.
"""

from minewright.engine.answers import answer
from minewright.engine.engine import Engine
from minewright.engine.queries import PROTOCOL, Query, QueryError

__all__ = ["PROTOCOL", "Engine", "Query", "QueryError", "answer"]
