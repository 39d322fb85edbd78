"""Reports, order pages and game books as text, page and picture."""
