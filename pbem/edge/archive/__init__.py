"""The archive: a static site of a home's games, public pages of running ones and all of finished ones."""
