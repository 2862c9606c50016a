"""What all tests share."""

import os

from hypothesis import settings

# The same examples every time, so that a change is judged by what it changed. To look further:
# HYPOTHESIS_PROFILE=explore pytest
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))
