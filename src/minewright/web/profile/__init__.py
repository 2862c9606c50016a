"""The Profile page: what all games of a person say about them."""
