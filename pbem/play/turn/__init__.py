"""One run of one game, and the files of its turn."""
