"""Texts as they are read, looked at as a difference and asserted nowhere else; `make texts` makes them."""
