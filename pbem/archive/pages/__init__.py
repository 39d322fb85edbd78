"""Pages of games: what may be published, and which files are made anew."""
