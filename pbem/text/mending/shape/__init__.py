"""The outer shape of orders that was broken: braces, dashes, quotes, comments."""
