"""Showing a token to a mail server: XOAUTH2 and OAUTHBEARER (RFC 7628), by IMAP and by SMTP."""

from __future__ import annotations

import base64
import binascii
import contextlib
import imaplib
import json
import smtplib
from collections.abc import Iterable
from typing import Final

from pbem.mail.account.settings import Login
from pbem.mail.account.tokens import LOG_IN, RefusedTokenError, in_one_line
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
        self.mechanism, self.said = mechanism, ""
        self._end = b"\x01" if mechanism == "OAUTHBEARER" else b""  # RFC 7628, 3.2.3
        if mechanism == "OAUTHBEARER":
            who = login.user.replace("=", "=3D").replace(",", "=2C")
            text = f"n,a={who},\x01host={login.server}\x01port={login.port}\x01auth=Bearer {token}\x01\x01"
        else:
            text = f"user={login.user}\x01auth=Bearer {token}\x01\x01"
        self._unsaid = [text.encode()]

    def answer(self, challenge: bytes) -> bytes:
        """Return what is answered to the server: the token at first, then what ends a refusal."""
        if self._unsaid:
            return self._unsaid.pop()
        self.said = self.said or _told(challenge)
        return self._end


def log_into_imap(client: imaplib.IMAP4, login: Login, token: str) -> None:
    """Log in to an IMAP server.

    Raises:
        RefusedTokenError: It does not take the token.
        WrongInput: It takes no tokens at all.
        imaplib.IMAP4.error: Something else is wrong, for a while perhaps.
    """
    able = client.capabilities
    offered = (one.removeprefix("AUTH=") for one in able)
    bearer = Bearer(_chosen(login, offered, can_encrypt="STARTTLS" in able), login, token)
    try:
        client.authenticate(bearer.mechanism, bearer.answer)
    except imaplib.IMAP4.abort:
        raise
    except imaplib.IMAP4.error as wrong:
        if "[UNAVAILABLE]" in str(wrong):
            raise
        raise _refused(login, bearer, str(wrong)) from None


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
        first = base64.b64encode(bearer.answer(b"")).decode()
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
    why = "; ".join(filter(None, [bearer.said, in_one_line(mask(said))]))
    text = f"{login.server} does not take the token of {login.user}: {why or 'it does not say why'}."
    return RefusedTokenError(text, "If that is who logged in, log in again.", command=LOG_IN)


def _told(challenge: bytes) -> str:
    """Return what a server says of a token that it refuses (RFC 7628, 3.2.2)."""
    with contextlib.suppress(ValueError):
        value = json.loads(challenge)
        if isinstance(value, dict):
            parts = [f"{name} {value[name]}" for name in ("status", "scope") if value.get(name)]
            return in_one_line(mask(", ".join(parts)))
    return in_one_line(mask(challenge.decode("utf-8", "replace")))


def _decoded(challenge: bytes) -> bytes:
    try:
        return base64.b64decode(challenge)
    except binascii.Error:
        return challenge
