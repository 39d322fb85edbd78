"""Where the program meets the world: disk, registry, gate and command line."""
