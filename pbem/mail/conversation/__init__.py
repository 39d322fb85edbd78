"""What people write besides orders: commands, press, sign-up, acts of the moderator; and our answers."""
