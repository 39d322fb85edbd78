"""Orders that players hand in: read, judged, lodged, and what becomes of them."""
