"""The moderator's desk: status, acts, the watch over the machine, samples and units."""
