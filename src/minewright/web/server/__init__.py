"""The server: its process, its bounds, and its guard at the door."""
