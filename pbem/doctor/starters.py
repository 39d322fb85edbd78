"""What starts the night job by itself: lines of cron and timers of systemd, as far as they can be seen."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pbem.doctor.patient import Finding
from pbem.host.office.units import SYSTEM, folder_of_user

TABLES: Final = (Path("/etc/crontab"), Path("/etc/cron.d"))
"""Tables of cron that everybody may read."""

PROCESSES: Final = Path("/proc")

_CRONS: Final = frozenset(
    ["cron", "crond", "fcron", "cronie", "bcron-sched", "dcron", "supercronic", "systemd-cron"]
)
_SECONDS: Final = 10
_START_CRON: Final = "systemctl enable --now cron   # as root; without systemd: service cron start"


def look_at_starters(part: str, owner: str, way: str) -> Iterator[Finding]:
    """Yield why nothing on this machine starts the night job by itself; nothing if something does.

    Args:
        part: What was looked at.
        owner: Whose home it is: root looks at the owner's table of cron.
        way: What sets a night job up.
    """
    timers = dict(_timers())
    if any(timers.values()):
        return
    table = next(_lines(owner), "")
    if table and _cron_runs():
        return
    if table:
        yield Finding(
            part, f"{table} has a line for pbem, but cron does not run on this machine.", _START_CRON
        )
    elif timers:
        timer = next(iter(timers))
        user = "--user " if timer.parent == folder_of_user() else ""
        text = f"{timer} was written, but never started."
        yield Finding(
            part, text, f"systemctl {user}daemon-reload && systemctl {user}enable --now {timer.name}"
        )
    else:
        text = (
            "no line of cron and no timer on this machine starts pbem: what was done here was typed by hand."
        )
        yield Finding(part, text, way)


def _lines(owner: str) -> Iterator[str]:
    """Yield the tables of cron that have a line for pbem."""
    for place in TABLES:
        for path in sorted(place.iterdir()) if place.is_dir() else [place]:
            with contextlib.suppress(OSError):
                if _names_pbem(path.read_text(encoding="utf-8", errors="replace")):
                    yield str(path)
    if (program := shutil.which("crontab")) is not None:
        whose = ["-u", owner] if os.geteuid() == 0 and owner else []
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            ran = subprocess.run(
                [program, *whose, "-l"], capture_output=True, text=True, timeout=_SECONDS, check=False
            )
            if ran.returncode == 0 and _names_pbem(ran.stdout):
                yield shlex.join(["crontab", *whose, "-l"])


def _names_pbem(table: str) -> bool:
    return re.search(r"^\s*[^#\s].*\bpbem\b.*--due\b", table, re.MULTILINE) is not None


def _cron_runs() -> bool:
    """Tell whether cron runs; where processes cannot be seen, it is taken for granted."""
    found = list(PROCESSES.glob("[0-9]*/comm"))
    return not found or any(_comm(one) in _CRONS for one in found)


def _comm(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:  # it has ended meanwhile
        return ""


def _timers() -> Iterator[tuple[Path, bool]]:
    """Yield the timers of systemd that start pbem, each with whether it is started when the machine is."""
    for folder in (folder_of_user(), SYSTEM):
        for timer in sorted(folder.glob("*.timer")):
            with contextlib.suppress(OSError):
                if re.search(
                    r"^ExecStart=.*--due\b", timer.with_suffix(".service").read_text(), re.MULTILINE
                ):
                    yield timer, os.path.lexists(folder / "timers.target.wants" / timer.name)
