"""The parts of the Bullets page: codes, views, making, solving, paper."""
