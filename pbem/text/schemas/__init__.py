"""Values and their shapes: JSON Schema, dataclasses, the envelope of orders."""
