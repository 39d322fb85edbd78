"""The rule systems that ship with the program, one folder each."""
