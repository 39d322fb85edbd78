"""The host's mailbox: its settings and addresses, and tokens of a provider."""
