"""Workers: what a home in a database lets be done by many machines, a job at a time."""
