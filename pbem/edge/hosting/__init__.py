"""What a host does around the turns: deadlines, reminders, absences, votes, and the acts of its moderator."""
