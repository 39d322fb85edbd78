"""Reports and order pages as text, page and picture."""
