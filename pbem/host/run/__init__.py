"""Games are run: by name, by night, or again; on which terms, and what stands in the way."""
