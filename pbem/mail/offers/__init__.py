"""Orders that could not be taken as they came: why, and what would do."""
