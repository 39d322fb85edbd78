"""Files that verbs write beside a home: forms, reports, manual pages."""

from __future__ import annotations

import secrets
from pathlib import Path

from pbem.store.disk import Disk


def write_file(path: Path, text: str) -> None:
    """Write a file into a folder that others may write into too; a link of its name is replaced.

    Raises:
        OSError: It cannot be written; what was there is as it was.
    """
    disk, beside = Disk(), path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    disk.write(beside, text.encode(), fresh=True)
    disk.rename(beside, path)
