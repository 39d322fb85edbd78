"""Words that can only mean one thing here: names, labels, values, fields, paths."""
