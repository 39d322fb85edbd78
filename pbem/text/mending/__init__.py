"""Orders files with slips, mended at named places: what can only be meant is taken, and told."""
