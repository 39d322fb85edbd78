"""No test times anything, nor an example of a property; with CI set, examples are the same each time."""

from __future__ import annotations

import os

from hypothesis import settings

usual = settings.get_profile("ci" if os.environ.get("CI") else "default")
settings.register_profile("untimed", usual, deadline=None)
settings.load_profile("untimed")
