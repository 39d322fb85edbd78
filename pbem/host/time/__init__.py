"""When things are due: deadlines, pauses, reminders, and moments as people write them."""
