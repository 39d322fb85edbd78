"""Play by mail: mail in, what becomes of it, and mail out; the database and the raw mails of `mail/`."""
