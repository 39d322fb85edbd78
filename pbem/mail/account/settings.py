"""The `mail` section of `home.yaml`: the host's address, ways in and out, and providers with OAuth 2."""

from __future__ import annotations

import os
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Final, Literal, TypeAlias

from pbem.core.interface import Json
from pbem.play.config.homefile import TOKEN_FILE
from pbem.play.homes.home import SETTINGS, Home
from pbem.store.disk import exposure_error
from pbem.store.errors import WrongInput


@dataclass(frozen=True, slots=True)
class Provider:
    """Where a provider lets people log in, and gives tokens.

    Attributes:
        name: What `home.yaml` calls it.
        scopes: What is asked for.
        token: Where tokens are given and renewed.
        device: Where a login on another device is begun; "" if it cannot be.
        authorize: The page on which a person logs in, which sends the browser back here; "" if there is none.
        revoke: Where a login is taken back; "" if nowhere.
        more: What the page wants to be told besides.
        loopback: What the browser is to call this machine when it is sent back.
        plain_sender: A mail goes out from the very address of the mailbox only.
    """

    name: str
    scopes: tuple[str, ...]
    token: str
    device: str = ""
    authorize: str = ""
    revoke: str = ""
    more: Mapping[str, str] = field(default_factory=dict)
    loopback: str = "127.0.0.1"
    plain_sender: bool = False


_MICROSOFT: Final = "https://login.microsoftonline.com/{tenant}/oauth2/v2.0"

MICROSOFT: Final = Provider(
    "microsoft",
    (
        "https://outlook.office.com/IMAP.AccessAsUser.All",
        "https://outlook.office.com/SMTP.Send",
        "offline_access",
    ),
    token=f"{_MICROSOFT}/token",
    device=f"{_MICROSOFT}/devicecode",
    authorize=f"{_MICROSOFT}/authorize",
    loopback="localhost",
    plain_sender=True,
)
"""Outlook.com and Microsoft 365; its page knows this machine by no other name than localhost.

Source: "Authenticate an IMAP, POP or SMTP connection using OAuth", and "Plus Addressing in Exchange Online"
(addresses with a plus sign are for recipients, not for senders), learn.microsoft.com.
"""

GOOGLE: Final = Provider(
    "google",
    ("https://mail.google.com/",),
    token="https://oauth2.googleapis.com/token",
    authorize="https://accounts.google.com/o/oauth2/v2/auth",
    revoke="https://oauth2.googleapis.com/revoke",
    more={"access_type": "offline", "prompt": "consent"},
)
"""Gmail; its login on another device is not for mail. What renews a token is given on consent only.

Source: "OAuth 2.0 Mechanism", "OAuth 2.0 for Mobile & Desktop Apps", developers.google.com.
"""

KNOWN: Final = {one.name: one for one in (MICROSOFT, GOOGLE)}


@dataclass(frozen=True, slots=True)
class OAuth:
    """How a home logs in to its mailbox.

    Attributes:
        provider: Where.
        client_id: What the provider calls the program, which the host has registered.
        secret_file: Where the program's own secret stands, for providers that give one; or None.
        file: Where the token stands.
    """

    provider: Provider
    client_id: str
    secret_file: Path | None
    file: Path


def oauth_settings(folder: Path, path: str, section: Json) -> OAuth:
    """Return how a home logs in to its mailbox.

    Args:
        folder: The home's folder, in which files are looked for.
        path: What errors call `home.yaml`.
        section: Its `mail.oauth`, which fits the schema.

    Raises:
        WrongInput: It does not fit together.
    """
    assert isinstance(section, dict), "the schema says so"
    secret = folder / str(section["client_secret_file"]) if "client_secret_file" in section else None
    file = folder / str(section.get("token_file", TOKEN_FILE))
    return OAuth(_provider(path, section), str(section["client_id"]), secret, file)


def _provider(path: str, section: Mapping[str, Json]) -> Provider:
    name = str(section["provider"])
    addresses = {one: str(section[f"{one}_url"]) for one in _ADDRESSES if f"{one}_url" in section}
    if name != "other":
        if addresses or "scopes" in section:
            hint = "Leave them out, or write provider: other."
            raise WrongInput(f"{path}: mail.oauth: the addresses and scopes of {name} are known.", hint)
        found = KNOWN[name]
        tenant = str(section.get("tenant", "common"))
        said = {one: str(getattr(found, one)).replace("{tenant}", tenant) for one in _ADDRESSES}
        return replace(found, **said)  # type: ignore[arg-type]
    if "token" not in addresses or not addresses.keys() & {"device", "authorize"}:
        hint = "Write token_url, and device_url or authorize_url, as the provider says."
        raise WrongInput(f"{path}: mail.oauth: where to log in is not said.", hint)
    scopes = section.get("scopes", [])
    wanted = scopes if isinstance(scopes, list) else str(scopes).split()
    return Provider(name, tuple(map(str, wanted)), **addresses)  # type: ignore[arg-type]


_ADDRESSES: Final = ("token", "device", "authorize", "revoke")


Security: TypeAlias = Literal["none", "starttls", "tls"]

IMAP_PASSWORD: Final = "PBEM_IMAP_PASSWORD"
SMTP_PASSWORD: Final = "PBEM_SMTP_PASSWORD"

LONGEST_HOST: Final = 36
"""So many letters stand before the @ of the host's address: with those of a game there are 64 at most."""

LONGEST_DOMAIN: Final = 100
"""So many stand behind it: so every Message-ID stays short enough."""

_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Login:
    """A server to log in to.

    Attributes:
        server: Its name or IP address.
        port: Its port.
        security: "starttls" and "tls" demand a certificate that fits the name.
        user: Who logs in; "" for nobody.
        password_file: Where the password stands; None for the environment's.
        variable: The environment variable that holds the password instead.
        oauth: How one logs in with OAuth 2, in place of a password; or None.
    """

    server: str
    port: int
    security: Security
    user: str
    password_file: Path | None
    variable: str
    oauth: OAuth | None = None

    @property
    def is_here(self) -> bool:
        """Tell whether the server is this very machine, so that nothing goes over a net."""
        return self.server in _LOOPBACK

    def password(self) -> str:
        """Return the password.

        Raises:
            WrongInput: There is none, or others on this machine could read it.
        """
        if self.password_file is None:
            if found := os.environ.get(self.variable):
                return found
            hint = f"Name a password_file in home.yaml, or set ${self.variable}."
            raise WrongInput(f"{self.user} at {self.server} needs a password.", hint)
        refuse_open_secret(self.password_file)
        return self.password_file.read_text(encoding="utf-8").strip()


@dataclass(frozen=True, slots=True)
class Imap:
    """A mailbox on an IMAP server.

    Attributes:
        login: The server.
        folder: Where mail comes in.
        processed: Where a mail goes once it is taken in.
    """

    login: Login
    folder: str
    processed: str


@dataclass(frozen=True, slots=True)
class MailSettings:
    """What `home.yaml` says about mail.

    Attributes:
        address: The host's own address, without anything after a plus sign.
        name: The name beside it in the mails that go out.
        moderator: Where the moderator reads digests and notices; "" for nowhere.
        zone: The time zone of players who have named none.
        authserv: The name by which the moderator's own server signs Authentication-Results; "" for none.
        maildir: The Maildir where mail comes in, or None.
        imap: The mailbox where mail comes in, or None.
        smtp: The server that takes mail out, or None.
        sendmail: The program that takes mail out, or None.
        per_minute: The most mails in a minute; 0 for no limit.
        archive: The Maildir that gets a copy of every mail, or None. With it a mail is sent once, whatever
            is killed.
        archive_address: The address by which the copies get there.
        orders_per_hour: So many mails of one seat are read in an hour.
        receipts_per_hour: So many of them are answered.
        oauth: How one logs in to the mailbox with OAuth 2, or None.
        plain_sender: The server for sending takes mails from the host's very address only, so that what comes
            back comes to that too.
    """

    address: str
    name: str
    moderator: str
    zone: str
    authserv: str
    maildir: Path | None
    imap: Imap | None
    smtp: Login | None
    sendmail: Path | None
    per_minute: int
    archive: Path | None
    archive_address: str
    orders_per_hour: int
    receipts_per_hour: int
    oauth: OAuth | None = None
    plain_sender: bool = False

    @property
    def local(self) -> str:
        """What stands before the @ of the host's address."""
        return self.address.rpartition("@")[0]

    @property
    def domain(self) -> str:
        """What stands behind it."""
        return self.address.rpartition("@")[2]


def mail_settings(home: Home) -> MailSettings:
    """Return what a home says about mail.

    Raises:
        WrongInput: It says nothing, something that does not fit, or names a secret that others can read.
    """
    path = home.store.at(SETTINGS)
    section = home.settings().get("mail")
    if not isinstance(section, dict):
        hint = "Write `mail: {address: host@your.domain}` and where mail comes in and goes out there."
        raise WrongInput(f"{path} has no mail section.", hint)
    return _settings(home.store.beside, str(path), section, home.zone() or "UTC")


def refuse_long_address(path: str, address: str) -> None:
    """Refuse an address of the host behind which the addresses of games would not fit.

    Raises:
        WrongInput: It is so, or it has a plus sign itself.
    """
    local, _, domain = address.rpartition("@")
    place = f"{path}: mail.address: {address}"
    if "+" in local:
        hint = "Write it without the plus sign and what follows: the games put their own names there."
        raise WrongInput(f"{place} has a plus sign.", hint)
    for part, text, most in (("before", local, LONGEST_HOST), ("behind", domain, LONGEST_DOMAIN)):
        if len(text) > most:
            hint = f"Take one with {most} at most: what the games write between it and the @ must fit in too."
            if part == "behind":
                hint = f"Take one with {most} at most."
            raise WrongInput(f"{place} has {len(text)} letters {part} the @.", hint)


def refuse_open_secret(path: Path) -> None:
    """Refuse a secret that is not there or that others on this machine could read.

    Raises:
        WrongInput: It is so.
    """
    try:
        open_secret = exposure_error(path)
    except OSError as wrong:
        raise WrongInput(f"{path} cannot be read: {wrong.strerror}.", "It should hold a password.") from None
    if open_secret is not None:
        raise open_secret


def _settings(folder: Path, path: str, section: Mapping[str, Json], zone: str) -> MailSettings:
    def text(name: str) -> str:
        return str(section.get(name, ""))

    def file(name: str) -> Path | None:
        return folder / text(name) if name in section else None

    refuse_long_address(path, text("address"))
    if ("archive" in section) != ("archive_address" in section):
        hint = "The copies of all mails go to the address, and are looked for in the Maildir."
        raise WrongInput(f"{path}: mail: archive and archive_address go together.", hint)
    if "smtp" in section and "sendmail" in section:
        raise WrongInput(f"{path}: mail: both smtp and sendmail are there.", "Keep one of them.")
    oauth = oauth_settings(folder, path, section["oauth"]) if "oauth" in section else None
    if oauth is not None and oauth.secret_file is not None:
        refuse_open_secret(oauth.secret_file)
    smtp = _login(folder, section, "smtp", {"starttls": 587, "tls": 465, "none": 25}, SMTP_PASSWORD, oauth)
    return MailSettings(
        address=text("address"),
        name=str(section.get("name", "The host")),
        moderator=text("moderator"),
        zone=zone,
        authserv=text("authserv"),
        maildir=file("maildir"),
        imap=_imap(folder, section, oauth),
        smtp=smtp,
        sendmail=file("sendmail"),
        per_minute=_number(section, "per_minute", 0 if smtp is None or smtp.server in _LOOPBACK else 20),
        archive=file("archive"),
        archive_address=text("archive_address"),
        orders_per_hour=_number(section, "orders_per_hour", 30),
        receipts_per_hour=_number(section, "receipts_per_hour", 10),
        oauth=oauth,
        plain_sender=bool(section.get("plain_sender", _has_plain_sender(smtp))),
    )


def _has_plain_sender(smtp: Login | None) -> bool:
    return smtp is not None and smtp.oauth is not None and smtp.oauth.provider.plain_sender


def _number(section: Mapping[str, Json], name: str, otherwise: int) -> int:
    found = section.get(name, otherwise)
    assert isinstance(found, int), "the schema says so"
    return found


def _imap(folder: Path, mail: Mapping[str, Json], oauth: OAuth | None) -> Imap | None:
    login = _login(folder, mail, "imap", {"tls": 993, "starttls": 143, "none": 143}, IMAP_PASSWORD, oauth)
    section = mail.get("imap")
    if login is None or not isinstance(section, dict):
        return None
    return Imap(login, str(section.get("folder", "INBOX")), str(section.get("processed", "Processed")))


def _login(
    folder: Path,
    mail: Mapping[str, Json],
    name: str,
    ports: Mapping[Security, int],
    variable: str,
    oauth: OAuth | None,
) -> Login | None:
    """Return a server; the first way to be secure is the usual one, and none on this very machine."""
    section = mail.get(name)
    if not isinstance(section, dict):
        return None
    server = str(section["server"])
    usual: Security = "none" if server in _LOOPBACK else next(iter(ports))
    chosen = section.get("security", usual)
    security = next(one for one in ports if one == chosen)
    file = folder / str(section["password_file"]) if "password_file" in section else None
    if file is not None:
        refuse_open_secret(file)
    port, user = _number(section, "port", ports[security]), str(section.get("user", ""))
    if file is not None or not user:
        oauth = None
    if oauth is not None and security == "none" and server not in _LOOPBACK:
        hint = "Write `security: tls` or `starttls` there."
        raise WrongInput(f"mail.{name}: a token would go over the net for all to read.", hint)
    return Login(server, port, security, user, file, variable, oauth)


KNOWN_BY: Final = "export SSL_CERT_FILE=/path/to/certificate.pem"
"""What makes certificates known that this machine does not know; the file is of whoever signed them."""

_UNKNOWN: Final = (18, 19, 20, 21)
"""Signed by itself or by nobody who is known here (X509_V_ERR_... of OpenSSL)."""

_FOREIGN: Final = (62, 64)
"""Of another name, or of another IP address."""


def is_unknown_signer(wrong: Exception) -> bool:
    """Tell whether a certificate was refused because nobody whom this machine knows has signed it."""
    return isinstance(wrong, ssl.SSLCertVerificationError) and wrong.verify_code in _UNKNOWN


def is_foreign_certificate(wrong: Exception) -> bool:
    """Tell whether a certificate was refused because it is another server's."""
    return isinstance(wrong, ssl.SSLCertVerificationError) and wrong.verify_code in _FOREIGN


def add_error_cure(said: str, wrong: Exception, login: Login) -> str:
    """Return what was said of a fault at a server, and what mends it if that is known; no full stop."""
    cure = ""
    if is_unknown_signer(wrong):
        cure = f"Type {KNOWN_BY} with the file of whoever signed it"
    elif is_foreign_certificate(wrong):
        cure = "Give the server in home.yaml the name that its certificate has"
    elif login.security == "none" and "timed out" in str(wrong):
        cure = "If it says nothing without encryption, write security: tls for it in home.yaml"
    return f"{said.rstrip('.')}. {cure}" if cure else said


def import_imap_tools() -> ModuleType:
    """Return the package that speaks IMAP.

    Raises:
        WrongInput: It is not.
    """
    try:
        import imap_tools
    except ImportError:
        raise WrongInput("IMAP needs the package imap-tools.", command="pip install 'pbem[imap]'") from None
    return imap_tools
