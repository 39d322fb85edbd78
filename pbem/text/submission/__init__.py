"""Orders as one text: read, judged, and what becomes of each line."""
