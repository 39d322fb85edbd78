"""A mail as bytes and as rows of text, within limits; and mails to send."""
