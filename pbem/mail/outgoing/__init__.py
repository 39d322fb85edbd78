"""Mails that go out: reports and notices as letters, the outbox, and what became of each."""
