"""The verb that finds what is wrong with a home and its mail: it looks at part after part."""

from __future__ import annotations

import datetime
import shlex
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

import click

from pbem.cli.base import (
    hint,
    home_option,
    home_words,
    json_option,
    moment,
    next_step,
    now_option,
    open_home,
    print_json,
    say,
    tell,
)
from pbem.cli.moderation.mailed import MailedCommands
from pbem.doctor.games import look_at_games, look_at_rules, look_at_seats, look_at_templates
from pbem.doctor.machine import look_at_clock, look_at_disk, look_at_night_job, look_at_secrets
from pbem.doctor.patient import SALVAGE, Finding, NotLookedAtError, Patient, by_hand
from pbem.doctor.post import RoundTrip, look_at_stuck_mails
from pbem.doctor.servers import Names, look_at_domain, look_at_mail_in, look_at_mail_out, look_at_settings
from pbem.store.errors import GateClosedError, WrongInput, told_in_words
from pbem.store.rests import how_closed
from pbem.text.codec import encode

if TYPE_CHECKING:
    from pbem.core.interface import Json


Look: TypeAlias = Callable[[Patient], Iterator[Finding]]

HOME: Final = "home"

PARTS: Final[tuple[tuple[str, Look], ...]] = (
    ("settings", look_at_settings),
    ("secrets", look_at_secrets),
    ("games", look_at_games),
    ("rules", look_at_rules),
    ("templates", look_at_templates),
    ("addresses", look_at_seats),
    ("disk", look_at_disk),
    ("clock", look_at_clock),
    ("night job", look_at_night_job),
    ("stuck mails", look_at_stuck_mails),
    ("mail in", look_at_mail_in),
    ("mail out", look_at_mail_out),
    ("DNS", look_at_domain),
)
"""What is looked at, in this order, once the home can be opened at all."""


@dataclass(frozen=True, slots=True)
class CheckUp:
    """What a look at a home came to.

    Attributes:
        findings: What is wrong.
        looked_at: The parts that were looked at.
        left_out: Why others were not, by the part.
    """

    findings: tuple[Finding, ...]
    looked_at: tuple[str, ...]
    left_out: Mapping[str, str]

    def line(self) -> str:
        """Return what was looked at, in one line."""
        whys = dict.fromkeys(self.left_out.values())
        parts = {why: ", ".join(part for part, of in self.left_out.items() if of == why) for why in whys}
        left = "; ".join(f"{those} ({why})" for why, those in parts.items())
        looked = f"Looked at: {', '.join(self.looked_at)}."
        return f"{looked} Not looked at: {left}." if left else looked


def check_up(patient: Patient) -> CheckUp:
    """Look at a home. Nothing is changed by looking."""
    try:
        patient.games  # noqa: B018
    except WrongInput as wrong:
        return CheckUp((_of_home(patient, wrong),), (HOME,), {})
    if (how := how_closed(patient.home.store)) is not None:
        text = f"{how.told('this home')}: nothing is run here, and no mail is taken in or sent."
        again = f"pbem home close --reopen --home {shlex.quote(patient.where)}"
        way = by_hand(f"work in the home that took its place; only if there is none: {again}")
        if how.is_copy:
            way = by_hand("remove it, and copy the home anew: pbem home copy SOURCE TARGET")
        return CheckUp((Finding(text, way, HOME),), (HOME,), {})
    found = {one.text: one for one in _of_journal(patient)}
    is_told = any(one.mend == SALVAGE for one in found.values())
    looked, left = [HOME], dict[str, str]()
    for part, look in PARTS:
        try:
            for one in _looked(look, patient):
                if not (is_told and one.mend == SALVAGE):
                    found.setdefault(one.text, replace(one, part=part))  # the same may show in two parts
        except NotLookedAtError as why:
            left[part] = str(why)
        else:
            looked.append(part)
    return CheckUp(tuple(found.values()), tuple(looked), left)


def _of_journal(patient: Patient) -> Iterator[Finding]:
    """Yield why the journal cannot be read, wherever it is damaged; then much else trips over it."""
    if not patient.home.has_journal:
        return
    try:
        with patient.home.journal() as db:
            if not patient.is_database:
                db.check_whole()
    except WrongInput as wrong:
        yield Finding(told_in_words(wrong), SALVAGE, HOME)


def _looked(look: Look, patient: Patient) -> Iterator[Finding]:
    """Yield what is found in a part; what trips the look up is a finding itself, and the others go on."""
    try:
        yield from look(patient)
    except NotLookedAtError:
        raise
    except Exception as wrong:
        yield patient.refused(wrong, by_hand("mend what it names, or report it if it is a fault of pbem"))


def _of_home(patient: Patient, wrong: WrongInput) -> Finding:
    """Return what is wrong with a home that cannot be opened."""
    if not patient.is_database:
        store, named = patient.home.store, by_hand("name the folder that `pbem init` made: --home HOME")
        holds_others = store.kind("") == "folder" and bool(store.names(""))
        way = named if holds_others else f"pbem init {shlex.quote(patient.where)}"
        return Finding(f"{patient.where} is no home: it has no games folder.", way, HOME)
    way = by_hand("see that the server runs, holds the home, and lets you in")
    return replace(patient.refused(wrong, way), part=HOME)


@click.command()
@click.option("--mail", is_flag=True, help="Send a mail to the host itself too, and wait until it is back.")
@click.option(
    "--wait", type=click.IntRange(1, 3600), default=60, show_default=True, help="Seconds to wait for it."
)
@click.option("--dns", metavar="SERVER", help="Ask this name server: ADDRESS or ADDRESS:PORT.")
@json_option
@now_option
@home_option
def doctor(mail: bool, wait: int, dns: str | None, as_json: bool, now: str | None, home: str) -> int:
    """Find what is wrong with a home and its mail.

    It names each fault, and what mends it. It looks at the files of the home, its games and settings, what
    others can read, free disk space, the clock, the night job, stuck mails, the mail servers, and the DNS of
    the host's domain. Nothing is changed. It ends with 1 if something is wrong.

    With `--mail` a mail goes to the host's own address, and its way back is timed. Whatever mail comes in
    meanwhile is taken in and processed, as by `pbem receive`.
    """
    if mail and now is not None:
        raise click.UsageError("--mail is timed by the clock, so --now cannot take its place.")
    patient = Patient(
        open_home(home), home, moment(now), home_words(home), _names(dns), asks_reserved=dns is not None
    )
    found = check_up(patient)
    trip = _test_mail(patient, wait) if mail else None
    findings = (*found.findings, *(trip.findings if trip is not None else ()))
    if as_json:
        print_json(_as_json(found, trip))
        return 1 if findings else 0
    for one in findings:
        tell(f"{one.part}: {one.text}\n    {one.mend}")
    if trip is not None and trip.seconds is not None:
        say("; ".join([f"The test mail was back after {trip.seconds:.1f} seconds", *trip.facts]) + ".")
    if findings:
        hint(found.line())
        return 1
    deeper = " Of games the newest turn was read; pbem verify reads all." if patient.games else ""
    say(f"Nothing found. {found.line()}{deeper}")
    if patient.mail is not None and not mail:
        next_step(home, "doctor --mail", "sends a mail to the host itself, and times its way back")
    return 0


def _names(server: str | None) -> Names | None:
    """Return what asks name servers, or one; None if nothing on this machine can."""
    address, port = server or "", "53"
    if address.count(":") == 1:  # with more it is an address of IPv6
        address, port = address.split(":")
    try:
        return Names(address, int(port))
    except ImportError:
        return None
    except ValueError:
        raise click.BadParameter(f"{server} is no address of a server.", param_hint="--dns") from None


def _test_mail(patient: Patient, wait: int) -> RoundTrip:
    """Send a mail to the host itself, and wait for it."""
    from pbem.doctor.post import PART, RoundTrip, Waiting, send_and_await

    if patient.mail is None:
        text = "no test mail can be sent: home.yaml says nothing of mail, or says it wrong."
        return RoundTrip((Finding(text, patient.edit_settings("mail: {address: ..., smtp: ...}"), PART),))
    how = Waiting(
        lambda: datetime.datetime.now(datetime.UTC),
        lambda: time.sleep(1),
        datetime.timedelta(seconds=wait),
        hint,
        MailedCommands(),
    )
    try:
        return send_and_await(patient, patient.mail, how)
    except (WrongInput, GateClosedError, OSError) as wrong:
        told = patient.refused(wrong, patient.pbem("receive", "which says the same"))
        return RoundTrip((replace(told, part=PART),))


def _as_json(found: CheckUp, trip: RoundTrip | None) -> Json:
    value = encode(found)
    assert isinstance(value, dict), "a dataclass becomes an object"
    return {**value, "test_mail": encode(trip) if trip is not None else None}
