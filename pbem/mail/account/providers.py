"""Logging in with OAuth 2: the providers that are known, and what `home.yaml` says of another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from pbem.core.interface import Json
from pbem.play.config.homefile import TOKEN_FILE
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
