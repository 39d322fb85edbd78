// What scrolls sideways can be reached with the keyboard.
