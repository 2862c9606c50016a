"""Postolaki and Rahman, Final Report."""
