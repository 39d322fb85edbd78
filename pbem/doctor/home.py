"""A home on its machine: secrets, room, clock, the night job; and its games, whole and fit for the rules."""

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

from jinja2 import TemplateNotFound

from pbem.core.events import Seat
from pbem.core.interface import Outcome
from pbem.doctor import Finding, Patient, as_shell_comment
from pbem.host.office.status import status_of
from pbem.host.office.units import SYSTEM, folder_of_user
from pbem.host.office.watch import FREE_MEGABYTES, NIGHTS, Beats, down_after, gate_settings, read_beats
from pbem.host.run.losses import lost_findings, lost_turn_advice, skip_turn_advice
from pbem.mail.conversation.acts import mails_with_secret
from pbem.play.config.registry import find_rules
from pbem.play.config.schedule import span_in_words
from pbem.play.config.templates import (
    archive_templates,
    faults_of_overrides,
    mail_templates,
    translate_template_errors,
)
from pbem.play.homes.home import Home, exposed_secrets
from pbem.play.homes.integrity import Finding as Damage
from pbem.play.homes.integrity import missing_findings, newest_findings, secret_findings
from pbem.play.homes.players import why_unreachable
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import SPECTATOR, load_record, load_start, read_json
from pbem.play.submissions.seatkeys import key_advice
from pbem.store.errors import WrongInput
from pbem.text.reports.report import Report

SKEW: Final = datetime.timedelta(minutes=5)
"""A clock that is off by more is wrong."""

LONG: Final = datetime.timedelta(hours=6)
"""What was done again and again for so long is done by a program."""

SET_CLOCK: Final = "timedatectl set-ntp true"
"""What sets a clock."""


def look_at_secrets(patient: Patient) -> Iterator[Finding]:
    """Yield what others on this machine can read and must not, and what the owner of the home cannot."""
    for told in exposed_secrets(patient.home, patient.games):
        yield patient.refused(told, as_shell_comment("let nobody but its owner read it"))
    if not patient.is_database:
        yield from _check_owners(patient.home.store.beside)
    if patient.mail is not None and patient.home.has_journal:
        yield from _check_mails(patient)


def _check_mails(patient: Patient) -> Iterator[Finding]:
    """Yield whether the secret for acts stands in mails that an older version kept."""
    with patient.home.journal() as db:
        numbers = mails_with_secret(patient.home, db)
    if numbers:
        count = f"mail {numbers[0]}" if len(numbers) == 1 else f"{len(numbers)} mails"
        text = f"the secret for acts by mail stands in {count} that the home keeps, and in copies of it."
        yield Finding(text, patient.pbem("home secret --again"))


def _check_owners(home: Path) -> Iterator[Finding]:
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
        yield from _check_workers(patient)
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
        and not _is_run_regularly(patient)
        and patient.running  # else nothing is due
    ):
        yield from look_at_cron_and_timers(_user(patient.home.store.beside.stat().st_uid), way)


def _is_run_regularly(patient: Patient) -> bool:
    """Tell whether what is due was done again and again, for longer than somebody types."""
    with patient.home.journal() as db:
        nights = read_beats(db, NIGHTS)
    return bool(nights.stretches) and nights.stretches[-1].end - nights.stretches[-1].start >= LONG


def _check_workers(patient: Patient) -> Iterator[Finding]:
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


def look_at_cron_and_timers(owner: str, way: str) -> Iterator[Finding]:
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
    return not found or any(_process_name(one) in _CRONS for one in found)


def _process_name(path: Path) -> str:
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


_RUNS = "a change of it was begun and cut off; the next command for it finishes that."


def look_at_games(patient: Patient) -> Iterator[Finding]:
    """Yield what is wrong with what was committed of each game, its `game.yaml`, and lodged orders."""
    for game in patient.games:
        yield from _check_game(patient, game)


def _check_game(patient: Patient, game: str) -> Iterator[Finding]:
    if _why_not_played(patient, game):  # told where the rules are looked at
        return
    if patient.home.store.kind(f"games/{game}/intent.json"):
        yield Finding(f"{game}: {_RUNS}", patient.pbem(f"run {game}"))
    backup = as_shell_comment(f"restore it from your backup; then: {patient.pbem(f'verify {game}')}")
    again = as_shell_comment(lost_turn_advice(game, patient.home_words))
    found = [(one, backup) for one in secret_findings(patient.home, game)]
    if not found:
        seed = SavedGame(patient.home, game).secret.seed
        turns, on = patient.home.turns(game), as_shell_comment(skip_turn_advice(game, patient.home_words))
        missing = [*missing_findings(turns)]
        mend = f"{patient.pbem(f'home mend {game}')}   # what it cannot make again: from your backup"
        found = [
            (
                one,
                _delete_command(patient.home, game, one) if one.is_stray else on if one in missing else mend,
            )
            for one in newest_findings(turns, seed)
        ]
        found += [(one, again) for one in lost_findings(patient.home, game)]
    yield from (Finding(f"{game}/{one.place}: {one.text}", way) for one, way in found)
    if found:
        return
    try:
        status = status_of(patient.home, game)
    except WrongInput as wrong:
        yield patient.refused(wrong, patient.edit(f"games/{game}/game.yaml"))
        return
    for bad in status.bad:
        way = f"rm {shlex.quote(bad.file)}"
        if bad.kind == "unread":  # they may be good orders, which somebody else lodged, such as root
            home = shlex.quote(str(patient.home.store.beside))
            way = f'chown "$(stat -c %U {home})" {shlex.quote(bad.file)}   # as root'
        elif bad.kind == "key":
            way = as_shell_comment(key_advice(game))
        yield Finding(f"lodged orders of {game} are not good: {bad.text}", way)
    yield from _check_names(patient, SavedGame(patient.home, game))


def _check_names(patient: Patient, saved: SavedGame) -> Iterator[Finding]:
    """Yield which names of a running game others take for somebody else: only a hand writes them."""
    if isinstance(saved.ask, Outcome):
        return
    for one in saved.players.unfit_names():
        way, whose = patient.pbem(f"seat {saved.name} {one.seat} --name NAME"), str(one.seat)
        if not one.seat:
            way, whose = patient.edit(f"games/{saved.name}/game.yaml"), "a standby"
        yield Finding(f"{saved.name}: the name of {whose}: {one.why}.", way)


def look_at_rules(patient: Patient) -> Iterator[Finding]:
    """Yield which games are of rules that are not installed, or of newer ones than are."""
    for game in patient.games:
        if why := _why_not_played(patient, game):
            yield Finding(f"{game}: {why}", as_shell_comment("install the package that brings these rules"))
            continue
        try:
            saved = SavedGame(patient.home, game)
            made_by, here = saved.record["rules_version"], saved.rules.version
        except WrongInput:
            continue  # told with the games
        if isinstance(made_by, int) and made_by > here:
            text = f"{game} is at version {made_by} of its rules, and version {here} is installed."
            yield Finding(text, "pip install --upgrade pbem")


def _why_not_played(patient: Patient, game: str) -> str:
    """Say why the rules of a game are not there; "" if they are, or nobody can tell which they are."""
    try:
        rules = load_start(patient.home.turns(game).at(0)).rules
    except WrongInput:
        return ""
    try:
        find_rules(rules)
    except WrongInput as wrong:
        return str(wrong)
    return ""


def look_at_seats(patient: Patient) -> Iterator[Finding]:
    """Yield which players of running games have no address, or one to which nothing can go."""
    patient.needed_mail()
    for game in patient.games:
        try:
            saved = SavedGame(patient.home, game)
            if isinstance(saved.ask, Outcome):
                continue
            people = [seat for seat in saved.start.seats if _is_played(saved, seat)]
            written = {seat: saved.players.address(seat) for seat in people}
        except WrongInput:
            continue  # told with the games
        for seat, address in written.items():
            mend = patient.pbem(f"seat {game} {seat} --address NAME@DOMAIN")
            if not address:
                yield Finding(f"{game}: no address of {seat} is known, so no report goes there.", mend)
            elif why := why_unreachable(patient.home, address):
                yield Finding(f"{game}: {address} is no address of {seat}: {why}.", mend)


def _is_played(saved: SavedGame, seat: Seat) -> bool:
    return seat not in saved.table.free and seat not in saved.players.bots


def _delete_command(home: Home, game: str, stray: Damage) -> str:
    """Return the command that deletes what lies in a turn's folder and is none of its files."""
    return f"rm {shlex.quote(home.store.spelled(f'games/{game}/{stray.place}'))}"


def look_at_templates(patient: Patient) -> Iterator[Finding]:
    """Yield what fails in the templates that the host has changed."""
    for fault in faults_of_templates(patient.home):
        way = as_shell_comment("mend it, or remove it to have the shipped one, which takes its place now")
        yield Finding(f"a template of this home fails: {fault}", way)


def faults_of_templates(home: Home) -> tuple[str, ...]:
    """Return what fails in the templates that a host has changed, each as `FILE:LINE: fault`.

    The newest reports of all games are made with them. Templates of mails, whose facts come with the mails,
    are only read.
    """
    names = [name for name in home.templates.below() if name.endswith(".j2")]
    if not names:
        return ()
    found = [mail_templates(home.templates), archive_templates(home.templates)]
    for game in home.games():
        try:
            saved = SavedGame(home, game)
            found.append(saved.environment)
            for reader in (*saved.start.seats, SPECTATOR):
                facts = read_json(saved.turns.at(saved.turn) / "reports" / reader / "report.json")
                with translate_template_errors():
                    Report(saved.environment, facts).files()
        except WrongInput:
            continue  # told with the games
    for templates in found:
        for name in names:
            with contextlib.suppress(TemplateNotFound):  # it is of mails, or of other rules
                templates.get_template(name)
    return tuple(dict.fromkeys(fault for one in found for fault in faults_of_overrides(one)))
