"""What `home.yaml` says: whether it can be read, and whether all that play by mail needs stands in it."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping

from pbem.core.interface import Json
from pbem.doctor.patient import Finding, Patient, secret_file
from pbem.mail.account.providers import OAuth
from pbem.mail.account.settings import Login, MailSettings, mail_settings
from pbem.play.homes.home import SETTINGS
from pbem.store.errors import WrongInput

PART = "settings"


def look_at_settings(patient: Patient) -> Iterator[Finding]:
    """Yield what is wrong with `home.yaml`."""
    try:
        patient.home.zone()
        section = patient.home.mail_section()
        if lost := [*_lost_passwords(patient, section)]:
            yield from lost
            return
        settings = mail_settings(patient.home) if section else None
    except WrongInput as wrong:
        yield patient.refused(PART, wrong, patient.edit(SETTINGS))
        return
    if settings is not None:
        yield from _of_mail(patient, settings)


def _lost_passwords(patient: Patient, section: Mapping[str, Json]) -> Iterator[Finding]:
    """Yield which files with passwords, or with the secret of the program, are not there."""
    for name, key, what in (
        ("imap", "password_file", "a password"),
        ("smtp", "password_file", "a password"),
        ("oauth", "client_secret_file", "the secret of the program"),
    ):
        part = section.get(name)
        if isinstance(part, dict) and key in part:
            file = patient.home.store.beside / str(part[key])
            if not file.exists():
                yield Finding(
                    PART, f"{file}, which should hold {what}, is not there.", secret_file(str(file))
                )


def _of_token(patient: Patient, oauth: OAuth) -> Iterator[Finding]:
    """Yield what is wrong with the login to the mailbox, as far as can be seen without asking anybody."""
    from pbem.mail.account.tokens import read_token
    from pbem.mail.account.tokenserver import need_library

    try:
        need_library()
        token = read_token(oauth)
    except WrongInput as wrong:
        yield patient.refused(PART, wrong, patient.pbem("mailbox login"))
        return
    if token.ended:
        yield Finding(PART, token.ended, patient.pbem("mailbox login"))
    elif not token.refresh and token.expires:
        until = datetime.datetime.fromtimestamp(token.expires, datetime.UTC).isoformat(timespec="minutes")
        text = f"the login to the mailbox runs out at {until}, and nothing renews it."
        yield Finding(PART, text, patient.pbem("mailbox login"))


def _of_mail(patient: Patient, settings: MailSettings) -> Iterator[Finding]:
    if not settings.moderator:
        name = patient.home.settings().get("moderator")
        lacks = f"has no address of {name}, the moderator" if name else "names no moderator"
        text = f"home.yaml {lacks}: digests and what goes wrong at night reach nobody."
        yield Finding(PART, text, patient.edit_settings("below mail: moderator: YOU@YOUR.DOMAIN"))
    elif settings.moderator.casefold() == settings.address.casefold():
        text = (
            "the moderator's address is that of the host: what it is told comes back to it, and is dropped."
        )
        yield Finding(PART, text, patient.edit_settings("below mail: moderator: an address that you read"))
    if settings.oauth is not None:
        yield from _of_token(patient, settings.oauth)
    for name, login in (("imap", settings.imap and settings.imap.login), ("smtp", settings.smtp)):
        if login and _is_told_openly(login):
            text = (
                f"the password for {login.server} goes over the net for all to read (mail.{name}.security)."
            )
            yield Finding(PART, text, patient.edit_settings(f"below {name}: security: starttls, or tls"))


def _is_told_openly(login: Login) -> bool:
    return bool(login.user) and login.security == "none" and not login.is_here
