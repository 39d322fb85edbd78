"""The doctor: looks at a home and its mail from outside in, and says what is wrong and what mends it."""
