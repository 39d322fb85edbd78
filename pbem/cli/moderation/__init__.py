"""The verbs of moderators and hosts."""
