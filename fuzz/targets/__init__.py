"""What is fuzzed: one function per parser.

A target is given any bytes. It returns if the parser answers, or refuses in the documented way;
anything it raises is a finding. Answers are written and read again where there is a writer.
"""

from targets import commands, dialogue, formats, runs, server, stores, texts
from targets.promises import Target

TARGETS: dict[str, Target] = {
    **formats.TARGETS,
    **texts.TARGETS,
    **runs.TARGETS,
    **commands.TARGETS,
    **server.TARGETS,
    **stores.TARGETS,
    **dialogue.TARGETS,
}

__all__ = ["TARGETS", "Target"]
