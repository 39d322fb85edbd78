"""Orders in a mail: where they stand, and what mail programs did to them."""
