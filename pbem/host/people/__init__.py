"""Who plays: seats that change hands, names, sign-up, and votes."""
