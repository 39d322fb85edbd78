"""Homes and saved games: their files, the chain of turns, and whether it holds."""
