"""Showing a token to a mail server: XOAUTH2 and OAUTHBEARER (RFC 7628), by IMAP and by SMTP."""

from __future__ import annotations

import base64
import binascii
import contextlib
import imaplib
import json
import smtplib
from collections.abc import Iterable
from typing import Any, Final

from pbem.mail.account.settings import Login
from pbem.mail.account.tokens import LOG_IN, RefusedTokenError
from pbem.store.errors import WrongInput
from pbem.text.names import mask

MECHANISMS: Final = ("OAUTHBEARER", "XOAUTH2")
"""What can be spoken, the standard first."""


class UnencryptedError(WrongInput):
    """A server takes no tokens on a line that is not encrypted, and could encrypt it (STARTTLS)."""


class Bearer:
    """What is said to a server in one of the two ways.

    Attributes:
        mechanism: The way.
        said: What the server said of a token that it refuses; "" as long as it says nothing.
    """

    def __init__(self, mechanism: str, login: Login, token: str) -> None:
        self.mechanism, self.said, self._is_begun = mechanism, "", False
        self._end = b"\x01" if mechanism == "OAUTHBEARER" else b""  # RFC 7628, 3.2.3
        if mechanism == "OAUTHBEARER":
            who = login.user.replace("=", "=3D").replace(",", "=2C")
            text = f"n,a={who},\x01host={login.server}\x01port={login.port}\x01auth=Bearer {token}\x01\x01"
        else:
            text = f"user={login.user}\x01auth=Bearer {token}\x01\x01"
        self.first = text.encode()

    def answer(self, challenge: bytes) -> bytes:
        """Return what is answered to the server: the token at first, then what ends a refusal."""
        if not self._is_begun:
            self._is_begun = True
            return self.first
        self.said = self.said or _told(challenge)
        return self._end

    def begin(self) -> bytes:
        """Return the token, said before the server has asked."""
        return self.answer(b"")


def log_into_imap(client: imaplib.IMAP4, login: Login, token: str) -> None:
    """Log in to an IMAP server, at once where it can be (SASL-IR, RFC 4959).

    Raises:
        RefusedTokenError: It does not take the token.
        WrongInput: It takes no tokens at all.
        imaplib.IMAP4.error: Something else is wrong, for a while perhaps.
    """
    able = client.capabilities
    offered = (one.removeprefix("AUTH=") for one in able)
    bearer = Bearer(_chosen(login, offered, can_encrypt="STARTTLS" in able), login, token)
    try:
        if "SASL-IR" in client.capabilities:
            _authenticate_at_once(client, bearer)
        else:
            client.authenticate(bearer.mechanism, bearer.answer)
    except imaplib.IMAP4.abort:
        raise
    except imaplib.IMAP4.error as wrong:
        if "[UNAVAILABLE]" in str(wrong):
            raise
        raise _refused(login, bearer, str(wrong)) from None


def _authenticate_at_once(client: Any, bearer: Bearer) -> None:
    """Do what `authenticate` of imaplib does, with the token in its first line."""
    client.literal = _Continued(bearer).process
    try:
        kind, told = client.xatom("AUTHENTICATE", bearer.mechanism, base64.b64encode(bearer.begin()).decode())
    finally:
        client.literal = None
    if kind != "OK":
        raise imaplib.IMAP4.error(told[-1].decode("utf-8", "replace"))
    client.state = "AUTH"


class _Continued:
    """Answers a server in base64, as imaplib asks for it."""

    def __init__(self, bearer: Bearer) -> None:
        self.bearer = bearer

    def process(self, challenge: bytes) -> bytes:
        """Return the answer to a challenge."""
        return base64.b64encode(self.bearer.answer(_decoded(challenge)))


def log_into_smtp(line: smtplib.SMTP, login: Login, token: str) -> None:
    """Log in to an SMTP server.

    Raises:
        RefusedTokenError: It does not take the token.
        WrongInput: It takes no tokens at all.
        smtplib.SMTPException: Something else is wrong, for a while perhaps.
    """
    offered = line.esmtp_features.get("auth", "").upper().split()
    bearer = Bearer(_chosen(login, offered, can_encrypt=line.has_extn("starttls")), login, token)
    try:
        first = base64.b64encode(bearer.begin()).decode()
        code, told = line.docmd("AUTH", f"{bearer.mechanism} {first}")
        if code == 334:
            code, told = line.docmd(base64.b64encode(bearer.answer(_decoded(told))).decode())
    except smtplib.SMTPServerDisconnected as wrong:
        if not bearer.said:
            raise
        raise _refused(login, bearer, str(wrong)) from None
    if code in (235, 503):
        return
    text = told.decode("utf-8", "replace")
    if not 500 <= code < 600:
        raise smtplib.SMTPAuthenticationError(code, told)
    raise _refused(login, bearer, f"{code} {text}")


def _chosen(login: Login, offered: Iterable[str], *, can_encrypt: bool) -> str:
    known = {*offered}
    for one in MECHANISMS:
        if one in known:
            return one
    if login.security == "none" and can_encrypt:
        text = f"{login.server}, port {login.port}, takes no tokens (OAuth 2) without encryption."
        raise UnencryptedError(text, "Write security: starttls for it in home.yaml.")
    hint = "Use a password_file in home.yaml, or see which port and security the provider names."
    raise WrongInput(f"{login.server}, port {login.port}, takes no tokens (OAuth 2).", hint)


def _refused(login: Login, bearer: Bearer, said: str) -> RefusedTokenError:
    why = "; ".join(filter(None, [bearer.said, _plain(said)]))
    text = f"{login.server} does not take the token of {login.user}: {why or 'it does not say why'}."
    return RefusedTokenError(text, "If that is who logged in, log in again.", command=LOG_IN)


def _told(challenge: bytes) -> str:
    """Return what a server says of a token that it refuses (RFC 7628, 3.2.2)."""
    with contextlib.suppress(ValueError):
        value = json.loads(challenge)
        if isinstance(value, dict):
            parts = [f"{name} {value[name]}" for name in ("status", "scope") if value.get(name)]
            return _plain(", ".join(parts))
    return _plain(challenge.decode("utf-8", "replace"))


def _decoded(challenge: bytes) -> bytes:
    try:
        return base64.b64decode(challenge)
    except binascii.Error:
        return challenge


def _plain(said: str) -> str:
    return mask(" ".join("".join(one if one.isprintable() else " " for one in said).split()))[:300].rstrip(
        "."
    )
