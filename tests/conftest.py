"""No test times anything, also not one example of a property."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("untimed", settings.get_profile("default"), deadline=None)
settings.load_profile("untimed")
