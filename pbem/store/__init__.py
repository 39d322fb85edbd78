"""A home as bytes: its folder, the door to the disk, and the journal of what happened around the games."""
