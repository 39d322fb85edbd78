"""What players and the moderator are told: notices, the digest, news of a report."""
