"""The loop and what it starts from: the opening of a game, its steps, pending lines, press, missed turns."""
