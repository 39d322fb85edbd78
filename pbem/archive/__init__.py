"""Pages of games: public ones of running games, and all of finished ones."""
