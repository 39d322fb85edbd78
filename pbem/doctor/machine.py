"""The machine that a home is on: who can read what is secret, room, clock, and what starts the night job."""

from __future__ import annotations

import contextlib
import datetime
import os
import pwd
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pbem.doctor.patient import Finding, Patient, by_hand
from pbem.host.office.units import SYSTEM, folder_of_user
from pbem.host.office.watch import FREE_MEGABYTES, NIGHTS, Beats, down_after, gate_settings, read_beats
from pbem.mail.conversation.acts import mails_with_secret
from pbem.play.config.schedule import span_in_words
from pbem.play.homes.home import open_secrets
from pbem.play.homes.saves import load_record
from pbem.store.errors import WrongInput

SKEW: Final = datetime.timedelta(minutes=5)
"""A clock that is off by more is wrong."""

LONG: Final = datetime.timedelta(hours=6)
"""What was done again and again for so long is done by a program."""

SET_CLOCK: Final = "timedatectl set-ntp true"
"""What sets a clock."""


def look_at_secrets(patient: Patient) -> Iterator[Finding]:
    """Yield what others on this machine can read and must not, and what the owner of the home cannot."""
    for told in open_secrets(patient.home, patient.games):
        yield patient.refused(told, by_hand("let nobody but its owner read it"))
    if not patient.is_database:
        yield from _of_others(patient.home.store.beside)
    if patient.mail is not None and patient.home.has_journal:
        yield from _in_mails(patient)


def _in_mails(patient: Patient) -> Iterator[Finding]:
    """Yield whether the secret for acts stands in mails that an older version kept."""
    with patient.home.journal() as db:
        numbers = mails_with_secret(patient.home, db)
    if numbers:
        count = f"mail {numbers[0]}" if len(numbers) == 1 else f"{len(numbers)} mails"
        text = f"the secret for acts by mail stands in {count} that the home keeps, and in copies of it."
        yield Finding(text, patient.pbem("home secret --again"))


def _of_others(home: Path) -> Iterator[Finding]:
    """Yield what in the folder of a home belongs to another user than the folder: root typed a command."""
    owner = home.stat().st_uid
    for place, folders, files in os.walk(home):
        strange = [name for name in (*folders, *files) if os.lstat(f"{place}/{name}").st_uid != owner]
        if strange:
            name = _user(owner)
            text = f"{place}/{sorted(strange)[0]} does not belong to {name}, as the home does."
            yield Finding(text, f"chown -R {name} {shlex.quote(str(home))}")
            return


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def look_at_disk(patient: Patient) -> Iterator[Finding]:
    """Yield whether less room is left than a run wants."""
    wanted = gate_settings(patient.home).get("disk", FREE_MEGABYTES)
    free = patient.home.store.free_bytes() // 1_000_000
    if isinstance(wanted, int) and free < wanted:
        text = f"{free} MB are free where the home is, and {wanted} MB should be: no turn is run until then."
        place = shlex.quote(str(patient.home.store.beside))
        yield Finding(
            text,
            f"du -xh {place} | sort -h | tail   # and make room; `gate: {{disk: 20}}` asks for less",
        )


def look_at_clock(patient: Patient) -> Iterator[Finding]:
    """Yield whether what was done before is still to come by this clock."""
    for game in patient.games:
        try:
            turns = patient.home.turns(game)
            made = datetime.datetime.fromisoformat(str(load_record(turns.at(turns.newest()))["at"]))
        except (WrongInput, KeyError, ValueError):
            continue  # told with the games
        if made > patient.now + SKEW:
            yield Finding(
                f"{game}: its newest turn was made at {made.isoformat()}, which is still to come.",
                SET_CLOCK,
            )
            return
    beats = _beats(patient)
    if beats.stretches and beats.stretches[-1].end > patient.now + SKEW:
        when = beats.stretches[-1].end.isoformat(timespec="minutes")
        yield Finding(f"the host was at work at {when}, which is still to come.", SET_CLOCK)


def look_at_night_job(patient: Patient) -> Iterator[Finding]:
    """Yield whether whatever is due is done by itself."""
    beats = _beats(patient)
    if not (beats.stretches or patient.has_deadlines):
        patient.needed_mail()
    if patient.is_database:
        yield from _of_workers(patient)
        return
    way = patient.pbem("service install --user", "or a line of cron that does: pbem run --due")
    if not beats.stretches and patient.mail is not None:
        yield Finding("nothing has ever taken mail in here, or run what is due.", way)
        return
    last = beats.stretches[-1].end if beats.stretches else patient.now
    if patient.now - last > down_after(patient.home):
        unseen = span_in_words(
            datetime.timedelta(minutes=(patient.now - last) // datetime.timedelta(minutes=1))
        )
        text = f"what is due was done {unseen} ago for the last time ({last.isoformat(timespec='minutes')})."
        yield Finding(text, way)
    elif (
        (patient.mail is not None or patient.has_deadlines)
        and not _runs_by_itself(patient)
        and patient.running  # else nothing is due
    ):
        yield from look_at_starters(_user(patient.home.store.beside.stat().st_uid), way)


def _runs_by_itself(patient: Patient) -> bool:
    """Tell whether what is due was done again and again, for longer than somebody types."""
    with patient.home.journal() as db:
        nights = read_beats(db, NIGHTS)
    return bool(nights.stretches) and nights.stretches[-1].end - nights.stretches[-1].start >= LONG


def _of_workers(patient: Patient) -> Iterator[Finding]:
    found = patient.home.store.figures(patient.now)
    if not any(one.name == "workers" and one.value for one in found):
        yield Finding("no worker does what is due in this home.", patient.pbem("worker"))


def _beats(patient: Patient) -> Beats:
    if not patient.home.has_journal:
        return Beats()
    with patient.home.journal() as db:
        return read_beats(db)


TABLES: Final = (Path("/etc/crontab"), Path("/etc/cron.d"))
"""Tables of cron that everybody may read."""

PROCESSES: Final = Path("/proc")

_CRONS: Final = frozenset(
    ["cron", "crond", "fcron", "cronie", "bcron-sched", "dcron", "supercronic", "systemd-cron"]
)
_SECONDS: Final = 10
_START_CRON: Final = "systemctl enable --now cron   # as root; without systemd: service cron start"


def look_at_starters(owner: str, way: str) -> Iterator[Finding]:
    """Yield why nothing on this machine starts the night job by itself; nothing if something does.

    Args:
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
        yield Finding(f"{table} has a line for pbem, but cron does not run on this machine.", _START_CRON)
    elif timers:
        timer = next(iter(timers))
        user = "--user " if timer.parent == folder_of_user() else ""
        text = f"{timer} was written, but never started."
        yield Finding(text, f"systemctl {user}daemon-reload && systemctl {user}enable --now {timer.name}")
    else:
        text = (
            "no line of cron and no timer on this machine starts pbem: what was done here was typed by hand."
        )
        yield Finding(text, way)


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
