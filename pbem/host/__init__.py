"""Time and people around a game: deadlines, absences, votes, seats, and the reasons of the host."""
