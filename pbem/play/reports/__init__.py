"""Reports, forms, pages and books of a game."""
