"""The archive of all mails that went out, as proof: a mail that is in it was sent, whoever was killed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Final

from pbem.store.errors import WrongInput

PATIENCE: Final = 30.0
"""So many seconds are waited at most until a probe is in the archive."""

GRACE: Final = 1.5
"""So many seconds more for a mail that went the same way just before the probe."""

_HEAD: Final = 16 * 1024
_MESSAGE_ID: Final = re.compile(
    rb"^message-id:[ \t]*(?:\r?\n[ \t]+)?(<[^>\r\n]*>)", re.IGNORECASE | re.MULTILINE
)


def found_in(archive: Path, wanted: Collection[str]) -> dict[str, Path]:
    """Return where the mails with these Message-IDs are in the archive; the newest files are read first.

    Raises:
        WrongInput: There is no such Maildir.
    """
    found: dict[str, Path] = {}
    for path in _newest_first(archive):
        try:
            with path.open("rb") as file:
                head = re.split(rb"\r?\n\r?\n", file.read(_HEAD), maxsplit=1)[0]
        except OSError:
            continue  # moved on meanwhile, by who reads it
        said = _MESSAGE_ID.search(head)
        message_id = said[1].decode("ascii", "replace") if said else ""
        if message_id in wanted:
            found[message_id] = path
            if len(found) == len(wanted):
                break
    return found


def await_probe(archive: Path, message_id: str, sleep: Callable[[float], None]) -> bool:
    """Wait until a probe is in the archive, and a little longer: what was sent before it should be there too.

    Returns:
        Whether it came; if not, the archive proves nothing now.
    """
    for _ in range(int(PATIENCE / 0.1)):
        if found := found_in(archive, (message_id,)):
            sleep(GRACE)
            for path in found.values():
                path.unlink(missing_ok=True)
            return True
        sleep(0.1)
    return False


def _newest_first(archive: Path) -> Iterator[Path]:
    folders = [archive / name for name in ("new", "cur")]
    if not all(folder.is_dir() for folder in folders):
        raise WrongInput(f"{archive} is no Maildir: it has no new and cur.", "See `archive` in home.yaml.")
    names = []
    for folder in folders:
        with os.scandir(folder) as entries:
            names += [(entry.stat().st_mtime, entry.path) for entry in entries if entry.name[0] != "."]
    for _, path in sorted(names, reverse=True):
        yield Path(path)
