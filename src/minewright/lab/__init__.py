"""Experiments: what is run how often, where the rows go, and what they say."""
