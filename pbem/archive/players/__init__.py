"""Players and results over many games: pages, ratings, records."""
