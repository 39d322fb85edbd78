"""The journal of a home: what came in, what goes out, who did what; and how a folder keeps it."""
