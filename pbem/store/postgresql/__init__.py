"""A home in a PostgreSQL database; nothing else imports it."""
