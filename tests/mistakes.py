"""What `pbem check` and `pbem submit` say of a file: its mistakes, without the lines shown with them."""

from __future__ import annotations

import re
from pathlib import Path


def mistakes(out: str, path: Path) -> list[str]:
    """Return the lines of an output that name a place in a file: `FILE:LINE:COLUMN: what is wrong`."""
    return [line for line in out.splitlines() if re.match(rf"{re.escape(str(path))}:\d", line)]
