"""Mail as bytes and values: letters read, orders found in them, and letters written; no disk, no network."""
