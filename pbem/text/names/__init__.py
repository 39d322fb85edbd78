"""Names of seats and players, and mail addresses."""
