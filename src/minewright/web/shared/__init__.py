"""What several pages need: models, layouts, positions."""
