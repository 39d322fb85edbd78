"""A turn is taken back, or a game ended."""
