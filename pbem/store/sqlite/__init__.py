"""The journal of a home in a folder: what came in, what goes out, who did what."""
