"""The pure heart: dice, events, the rules interface, the book of pending lines and the loop."""
