"""The Drills page: the pattern book, and a person's missed steps set again."""
