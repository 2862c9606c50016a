"""`python -m minewright` is the command `minewright`."""

import sys

from minewright.cli import main

if __name__ == "__main__":
    sys.exit(main())
