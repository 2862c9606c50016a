"""The Lab page: the runs of `minewright lab`, live."""
