"""Orders and wishes that are said in sentences."""
