"""pbem: a play-by-email turn processor."""

__version__ = "0.1.0"
