"""What `home.yaml` says: whether it can be read, and whether all that play by mail needs stands in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.core.interface import Json
from pbem.doctor.patient import Finding, Patient, secret_file
from pbem.mail.settings import Login, MailSettings, mail_settings
from pbem.play.home import SETTINGS
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
    """Yield which files with passwords are not there."""
    for name in ("imap", "smtp"):
        server = section.get(name)
        if isinstance(server, dict) and "password_file" in server:
            file = patient.home.store.beside / str(server["password_file"])
            if not file.exists():
                yield Finding(
                    PART, f"{file}, which should hold a password, is not there.", secret_file(str(file))
                )


def _of_mail(patient: Patient, settings: MailSettings) -> Iterator[Finding]:
    if not settings.moderator:
        text = "home.yaml names no moderator: digests and what goes wrong at night reach nobody."
        yield Finding(PART, text, patient.edit_settings("below mail: moderator: YOU@YOUR.DOMAIN"))
    elif settings.moderator.casefold() == settings.address.casefold():
        text = (
            "the moderator's address is that of the host: what it is told comes back to it, and is dropped."
        )
        yield Finding(PART, text, patient.edit_settings("below mail: moderator: an address that you read"))
    for name, login in (("imap", settings.imap and settings.imap.login), ("smtp", settings.smtp)):
        if login and _is_told_openly(login):
            text = (
                f"the password for {login.server} goes over the net for all to read (mail.{name}.security)."
            )
            yield Finding(PART, text, patient.edit_settings(f"below {name}: security: starttls, or tls"))


def _is_told_openly(login: Login) -> bool:
    return bool(login.user) and login.security == "none" and not login.is_here
