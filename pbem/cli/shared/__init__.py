"""What verbs share: the home, the clock, printing, help and questions."""
