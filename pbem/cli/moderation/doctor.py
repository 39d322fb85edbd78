"""The verb that finds what is wrong with a home and its mail."""

from __future__ import annotations

import datetime
import time
from dataclasses import replace
from typing import TYPE_CHECKING

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
from pbem.doctor.checkup import CheckUp, check_up
from pbem.doctor.domain import Names
from pbem.doctor.patient import Finding, Patient
from pbem.doctor.roundtrip import RoundTrip
from pbem.store.errors import GateClosedError, WrongInput
from pbem.text.codec import encode

if TYPE_CHECKING:
    from pbem.core.interface import Json


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
    from pbem.doctor.roundtrip import PART, RoundTrip, Waiting, send_and_await

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
