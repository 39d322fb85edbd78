"""The verbs of a game: new, check, submit, run, undo, verify, show, simulate."""
