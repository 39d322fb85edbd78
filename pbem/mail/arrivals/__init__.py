"""Mails that come in: fetched, kept, looked at, and screened."""
