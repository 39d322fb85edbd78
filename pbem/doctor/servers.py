"""Mail servers: those of `home.yaml`, reached and secure; and the domain as others see it (MX, SPF, DKIM)."""

from __future__ import annotations

import contextlib
import datetime
import imaplib
import os
import shlex
import smtplib
import socket
import ssl
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from pbem.core.interface import Json
from pbem.doctor import (
    Finding,
    NotCheckableError,
    Patient,
    as_shell_comment,
    secret_file,
)
from pbem.mail.account.settings import (
    KNOWN_BY,
    Imap,
    Login,
    MailSettings,
    OAuth,
    is_foreign_certificate,
    is_unknown_signer,
    mail_settings,
)
from pbem.mail.account.tokens import UnencryptedError, read_token, require_oauth
from pbem.mail.arrivals.sources import SPOOL, check_mailbox
from pbem.mail.outgoing.transports import Smtp
from pbem.play.homes.home import SETTINGS
from pbem.store.errors import WrongInput
from pbem.text.names import mask_tokens

if TYPE_CHECKING:
    from dns.resolver import Resolver


_SECONDS: Final = 5.0


def look_at_mail_in(patient: Patient) -> Iterator[Finding]:
    """Yield why mail cannot come in."""
    settings = patient.needed_mail()
    if settings.maildir is not None:
        yield from _check_maildir(settings.maildir, "maildir")
    if settings.imap is not None:
        yield from _check_imap(patient, settings.imap)
    if settings.maildir is None and settings.imap is None and not _has_other_intake(patient):
        text = "nothing brings mail in: home.yaml names no maildir and no imap, and nobody takes LMTP here."
        yield Finding(text, patient.settings_edit_command("below mail: maildir: or imap:"))


def _has_other_intake(patient: Patient) -> bool:
    """Tell whether mail comes by `pbem-spool` or by LMTP."""
    if (patient.home.store.beside / SPOOL).is_dir():
        return True
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", patient.lmtp_port), _SECONDS):
        return True
    return False


def _check_maildir(folder: Path, name: str) -> Iterator[Finding]:
    missing = [one for one in ("new", "cur", "tmp") if not (folder / one).is_dir()]
    if missing:
        made = " ".join(shlex.quote(str(folder / one)) for one in missing)
        text = f"the {name} {folder} is no Maildir: it has no {', '.join(missing)}."
        way = f"install -d -m 700 {shlex.quote(str(folder))} {made}"
        other = "# if it is the right name; your mail server must deliver there. Else mend it in home.yaml"
        yield Finding(text, f"{way}   {other}")
    elif not os.access(folder / "new", os.R_OK | os.W_OK | os.X_OK):
        text = f"the {name} {folder} cannot be read and changed by whoever types this."
        yield Finding(text, f"ls -ld {shlex.quote(str(folder))}   # and become the user that it belongs to")


def _check_imap(patient: Patient, imap: Imap) -> Iterator[Finding]:
    login = imap.login
    try:
        check_mailbox(imap)
    except UnencryptedError as wrong:
        yield _encryption_finding(patient, "imap", wrong)
    except WrongInput as wrong:
        yield patient.refused(wrong, patient.settings_edit_command(_secret_place(login, "imap")))
    except OSError as wrong:  # first, for the error about a certificate is a ValueError too
        yield _unreached_finding(patient, login, "imap", wrong)
    except (ValueError, imaplib.IMAP4.error) as wrong:
        text = f"{login.server} does not let {login.user} into {imap.folder}: {_error_text(wrong)}."
        yield Finding(text, _login_fix(patient, login))


def look_at_mail_out(patient: Patient) -> Iterator[Finding]:
    """Yield why mail cannot go out."""
    settings = patient.needed_mail()
    if settings.smtp is not None:
        yield from _check_smtp(patient, settings.smtp)
    elif settings.sendmail is None:
        text = "home.yaml does not say how mail goes out."
        yield Finding(text, patient.settings_edit_command("below mail: smtp: {server: 127.0.0.1}"))
    elif not os.access(settings.sendmail, os.X_OK):
        text = f"{settings.sendmail} is no program that takes mail out."
        yield Finding(text, "apt-get install postfix")
    if settings.archive is not None:
        yield from _check_maildir(settings.archive, "archive of what was sent")


def _check_smtp(patient: Patient, login: Login) -> Iterator[Finding]:
    try:
        Smtp(login).greet()
    except UnencryptedError as wrong:
        yield _encryption_finding(patient, "smtp", wrong)
    except WrongInput as wrong:
        yield patient.refused(wrong, patient.settings_edit_command(_secret_place(login, "smtp")))
    except smtplib.SMTPAuthenticationError as wrong:
        text = f"{login.server} does not let {login.user} in: {_error_text(wrong)}."
        yield Finding(text, _login_fix(patient, login))
    except smtplib.SMTPException as wrong:
        text = f"{login.server}, port {login.port}, does not talk as asked for: {_error_text(wrong)}."
        yield Finding(
            text, patient.settings_edit_command("below smtp: port: and security: (none, starttls, tls)")
        )
    except OSError as wrong:
        yield _unreached_finding(patient, login, "smtp", wrong)


def _unreached_finding(patient: Patient, login: Login, name: str, wrong: OSError) -> Finding:
    """Return that a server was not reached, or is not the one it should be."""
    where = f"{login.server}, port {login.port}"
    if isinstance(wrong, ssl.SSLCertVerificationError):
        return _certificate_finding(patient, where, name, wrong)
    if isinstance(wrong, ssl.SSLError):
        text = f"{where} does not talk as securely as asked for ({login.security})."
        return Finding(
            text, patient.settings_edit_command(f"below {name}: port: and security: (none, starttls, tls)")
        )
    text = f"no server is reached at {where}: {_error_text(wrong)}."
    if login.is_here and login.security == "none" and isinstance(wrong, TimeoutError):
        text = f"{where} says nothing without encryption, and security: is none where nothing is said."
        return Finding(text, patient.settings_edit_command(f"below {name}: security: (starttls, tls)"))
    if login.is_here:
        return Finding(text, f"systemctl restart {'postfix' if name == 'smtp' else 'dovecot'}")
    return Finding(
        text, patient.settings_edit_command(f"below {name}: server: and port: as the provider says")
    )


def _certificate_finding(
    patient: Patient, where: str, name: str, wrong: ssl.SSLCertVerificationError
) -> Finding:
    """Return why the certificate of a server is not taken."""
    said = wrong.verify_message.rstrip(".")
    if is_unknown_signer(wrong):
        text = f"nobody whom this machine knows has signed the certificate of {where}: {said}."
        return Finding(text, f"{KNOWN_BY}   # of whoever signed it; the night job needs it too")
    if is_foreign_certificate(wrong):
        mend = patient.settings_edit_command(f"below {name}: server: the name in its certificate")
        return Finding(f"the certificate of {where} is not its own: {said}.", mend)
    mend = "date   # if the clock is right, the server needs another certificate"
    return Finding(f"the certificate of {where} is not valid: {said}.", mend)


def _encryption_finding(patient: Patient, name: str, wrong: UnencryptedError) -> Finding:
    return patient.refused(wrong, patient.settings_edit_command(f"below {name}: security: starttls"))


def _secret_place(login: Login, name: str) -> str:
    """Return where `home.yaml` says with what one logs in."""
    return f"below {name}: password_file:" if login.oauth is None else "below mail: oauth:"


def _login_fix(patient: Patient, login: Login) -> str:
    if login.oauth is not None:
        return patient.pbem("mailbox login", "and look whether it is the right user and folder")
    if login.password_file is None:
        return as_shell_comment(f"set ${login.variable} to the password that the provider takes")
    return secret_file(str(login.password_file))


def _error_text(wrong: Exception) -> str:
    """Return what was said, in one line and without secrets."""
    if isinstance(wrong, smtplib.SMTPResponseException):
        error = wrong.smtp_error
        said = f"{wrong.smtp_code} {error.decode('utf-8', 'replace') if isinstance(error, bytes) else error}"
    else:
        said = getattr(wrong, "strerror", None) or str(wrong) or type(wrong).__name__
    return mask_tokens(" ".join(said.split()))[:200].rstrip(".")


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
        yield patient.refused(wrong, patient.edit(SETTINGS))
        return
    if settings is not None:
        yield from _check_mail(patient, settings)


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
                yield Finding(f"{file}, which should hold {what}, is not there.", secret_file(str(file)))


def _check_token(patient: Patient, oauth: OAuth) -> Iterator[Finding]:
    """Yield what is wrong with the login to the mailbox, as far as can be seen without asking anybody."""
    try:
        require_oauth()
        token = read_token(oauth)
    except WrongInput as wrong:
        yield patient.refused(wrong, patient.pbem("mailbox login"))
        return
    if token.ended:
        yield Finding(token.ended, patient.pbem("mailbox login"))
    elif not token.refresh and token.expires:
        until = datetime.datetime.fromtimestamp(token.expires, datetime.UTC).isoformat(timespec="minutes")
        text = f"the login to the mailbox runs out at {until}, and nothing renews it."
        yield Finding(text, patient.pbem("mailbox login"))


def _check_mail(patient: Patient, settings: MailSettings) -> Iterator[Finding]:
    if not settings.moderator:
        name = patient.home.settings().get("moderator")
        lacks = f"has no address of {name}, the moderator" if name else "names no moderator"
        text = f"home.yaml {lacks}: digests and what goes wrong at night reach nobody."
        yield Finding(text, patient.settings_edit_command("below mail: moderator: YOU@YOUR.DOMAIN"))
    elif settings.moderator.casefold() == settings.address.casefold():
        text = (
            "the moderator's address is that of the host: what it is told comes back to it, and is dropped."
        )
        yield Finding(text, patient.settings_edit_command("below mail: moderator: an address that you read"))
    if settings.oauth is not None:
        yield from _check_token(patient, settings.oauth)
    for name, login in (("imap", settings.imap and settings.imap.login), ("smtp", settings.smtp)):
        if login and _is_password_unencrypted(login):
            text = (
                f"the password for {login.server} goes over the net for all to read (mail.{name}.security)."
            )
            yield Finding(text, patient.settings_edit_command(f"below {name}: security: starttls, or tls"))


def _is_password_unencrypted(login: Login) -> bool:
    return bool(login.user) and login.security == "none" and not login.is_here


SECONDS: Final = 5.0
"""So long a name server is waited for."""


class NoServerAnswersError(Exception):
    """No name server answers, or none can be asked; in words."""


def _library() -> SimpleNamespace:
    """Return the package that asks name servers, with its parts.

    Raises:
        ImportError: It is missing.
    """
    from dns import exception, resolver, reversename

    return SimpleNamespace(exception=exception, resolver=resolver, reversename=reversename)


class NameServers:
    """Asks name servers; those of this machine, or one that is named."""

    def __init__(self, server: str = "", port: int = 53) -> None:
        """Prepare to ask.

        Args:
            server: The address of a name server; "" for those of this machine.
            port: Its port.

        Raises:
            ImportError: The package dnspython is missing.
            ValueError: It is no address, or no port.
        """
        self._dns = _library()
        if not 0 < port < 1 << 16:
            raise ValueError(f"there is no port {port}")
        try:
            self._resolver: Resolver | None = self._dns.resolver.Resolver(configure=not server)
        except self._dns.resolver.NoResolverConfiguration:
            self._resolver = None
            return
        self._resolver.lifetime = SECONDS
        if server:
            self._resolver.nameservers = [server]
            self._resolver.port = port

    def mail_servers(self, domain: str) -> list[str] | None:
        """Return where mail for a domain goes, best first; "" for nowhere; None if it does not say."""
        found = self._query(domain, "MX")
        if not found:
            return None
        ranked = sorted((one.preference, str(one.exchange).rstrip(".")) for one in found)
        return [name for _, name in ranked]

    def texts(self, name: str) -> list[str]:
        """Return the texts that stand at a name."""
        return [b"".join(one.strings).decode("utf-8", "replace") for one in self._query(name, "TXT") or ()]

    def addresses(self, name: str) -> list[str]:
        """Return the IP addresses of a name."""
        return [str(one) for kind in ("A", "AAAA") for one in self._query(name, kind) or ()]

    def names_of(self, address: str) -> list[str]:
        """Return the names of an IP address."""
        found = self._query(str(self._dns.reversename.from_address(address)), "PTR")
        return [str(one).rstrip(".") for one in found or ()]

    def is_there(self, name: str) -> bool:
        """Tell whether anything stands at a name or below it."""
        return self._query(name, "TXT") is not None

    def _query(self, name: str, kind: str) -> list[Any] | None:
        """Return the records of a kind; none where there are others; None where there is no such name.

        Raises:
            NoServerAnswersError: Nobody can tell.
        """
        dns = self._dns
        if self._resolver is None:
            raise NoServerAnswersError("this machine knows no name server")
        try:
            return list(self._resolver.resolve(name, kind, search=False))
        except dns.resolver.NXDOMAIN:
            return None
        except dns.resolver.NoAnswer:
            return []
        except dns.exception.Timeout:
            raise NoServerAnswersError("none answers in time") from None
        except dns.exception.DNSException as wrong:
            raise NoServerAnswersError(" ".join(str(wrong).split())[:200].rstrip(".")) from None


RESERVED: Final = ("test", "example", "invalid", "localhost", "local", "internal", "lan", "home.arpa")
"""Ends of domains that are nobody's in the world, so that no name server knows them (RFC 6761 and others)."""


def look_at_domain(patient: Patient) -> Iterator[Finding]:
    """Yield what in the domain of the host keeps mail from coming in, or from being believed elsewhere."""
    settings = patient.needed_mail()
    domain = settings.domain.lower().rstrip(".")
    if not patient.asks_reserved and (
        "." not in domain or f".{domain}".endswith(tuple(f".{end}" for end in RESERVED))
    ):
        raise NotCheckableError(f"{domain} is no domain of the world")
    if patient.names is None:
        raise NotCheckableError("type: pip install 'pbem[dns]'")
    try:
        yield from _check_domain(patient.names, domain, settings)
    except NoServerAnswersError as wrong:
        text = f"no name server tells of {domain}: {wrong}."
        yield Finding(text, "cat /etc/resolv.conf   # and see that the servers named there answer")


def _check_domain(names: NameServers, domain: str, settings: MailSettings) -> Iterator[Finding]:
    servers = names.mail_servers(domain)
    if servers == [""]:
        yield _missing_record(f"{domain} says that it takes no mail.", f"{domain}. MX 10 MACHINE.{domain}.")
    elif not servers and not names.addresses(domain):
        text = f"{domain} names no server that takes its mail (MX), so none can come in."
        yield _missing_record(text, f"{domain}. MX 10 MACHINE.{domain}.")
    reached = [one for one in servers or [domain] if one]
    lost = [one for one in reached if servers and not names.addresses(one)]
    for one in lost:
        yield _missing_record(
            f"{one}, which takes the mail of {domain}, has no address.", f"{one}. A THE.IP.OF.IT"
        )
    yield from _check_spf(names, domain)
    yield from _check_dmarc(names, domain)
    if not names.is_there(f"_domainkey.{domain}"):
        text = f"{domain} publishes no key for DKIM, which large providers ask for."
        make = (
            f"opendkim-genkey -d {domain} -s pbem   # and add what stands in pbem.txt to the zone of {domain}"
        )
        yield Finding(text, f"apt-get install opendkim opendkim-tools && {make}")
    sends_itself = settings.sendmail is not None or (settings.smtp is not None and settings.smtp.is_here)
    for one in [one for one in reached if one not in lost][:1] if sends_itself and servers else []:
        yield from _check_machine(names, one)


def _check_spf(names: NameServers, domain: str) -> Iterator[Finding]:
    """Yield what is wrong with who may send for a domain (SPF, RFC 7208)."""
    found = sorted(one for one in names.texts(domain) if one.lower().split(" ")[0] == "v=spf1")
    if not found:
        text = f"{domain} does not say who may send its mail (SPF): it is taken for forged elsewhere."
        yield _missing_record(text, f'{domain}. TXT "v=spf1 mx -all"')
    elif len(found) > 1:
        text = f"{domain} says {len(found)} times who may send its mail (SPF), which counts as never."
        yield Finding(text, as_shell_comment(f"keep one of these records of {domain}: {'; '.join(found)}"))
    elif {"+all", "all"} & set(found[0].lower().split()):
        text = f"{domain} lets anybody send mail in its name (SPF: {found[0]})."
        yield _missing_record(text, f'{domain}. TXT "v=spf1 mx -all"')


def _check_dmarc(names: NameServers, domain: str) -> Iterator[Finding]:
    """Yield whether a domain says nothing of what becomes of forged mail (DMARC, RFC 7489)."""
    parts = domain.split(".")
    above = [".".join(parts[start:]) for start in range(len(parts) - 1)]
    for one in above:
        if any(text.lower().startswith("v=dmarc1") for text in names.texts(f"_dmarc.{one}")):
            return
    text = f"{domain} does not say what becomes of mail that is forged in its name (DMARC)."
    yield _missing_record(text, f'_dmarc.{domain}. TXT "v=DMARC1; p=none"')


def _check_machine(names: NameServers, machine: str) -> Iterator[Finding]:
    """Yield whether the addresses of the machine that sends have its name."""
    for address in names.addresses(machine):
        found = names.names_of(address)
        if not any(address in names.addresses(one) for one in found):
            told = f"is called {found[0]}, which is another" if found else "has no name (PTR)"
            text = f"{address}, the address of {machine}, {told}: mail from it is not believed elsewhere."
            yield Finding(
                text, as_shell_comment(f"let your provider of the net call {address} {machine} (PTR)")
            )


def _missing_record(text: str, record: str) -> Finding:
    return Finding(text, as_shell_comment(f"add to its zone: {record}"))
