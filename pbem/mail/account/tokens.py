"""The token of a mailbox: fetched from its provider, kept, renewed, and shown to a mail server (RFC 7628)."""

from __future__ import annotations

import base64
import binascii
import contextlib
import imaplib
import json
import signal
import smtplib
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from http.client import HTTPException
from importlib.util import find_spec
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

from pbem.mail.account.settings import Login, OAuth, refuse_open_secret
from pbem.store.disk import Disk, hold_folder_lock, replace_file
from pbem.store.errors import GateClosedError, WrongInput
from pbem.text.codec import decode, dumps, encode
from pbem.text.names import mask_tokens

T = TypeVar("T")

EARLY: Final = 300.0
"""A token is renewed so many seconds before it runs out; but not before half of its time is over."""

LONGEST: Final = 10 * 365 * 86400
"""Seconds; what a provider says beyond that is no time."""

WAIT_SECONDS: Final = 90.0
"""So long another program is waited for that renews the token."""

LOG_IN: Final = "pbem mailbox login"
RUN_OUT: Final = "the login to the mailbox has run out, and nothing renews it."


@dataclass(frozen=True, slots=True)
class Token:
    """What a provider gave for a login.

    Attributes:
        access: What a mail server is shown; it holds for about an hour.
        refresh: What the next one is asked for with; "" if the provider gave none.
        got: When `access` was given, in seconds since 1970 (UTC).
        expires: When it runs out; 0 if the provider did not say.
        scopes: What it is good for, as far as the provider said.
        client_id: The program for which it was given.
        logged_in: When a person logged in, in seconds since 1970 (UTC).
        ended: Why the provider takes it no more, as it said when it was to be renewed; "" if it did not.
    """

    access: str
    refresh: str
    got: float
    expires: float
    scopes: tuple[str, ...]
    client_id: str
    logged_in: float
    ended: str = ""

    def is_fresh(self, now: float) -> bool:
        """Tell whether it need not be renewed yet."""
        early = min(EARLY, (self.expires - self.got) / 2)
        return not self.expires or now < self.expires - early

    def is_usable_after(self, refused: str) -> bool:
        """Tell whether a mail server that has refused another can be shown it now."""
        now = time.time()
        holds = self.is_fresh(now) if self.refresh else not self.has_run_out(now)
        return holds and self.access != refused

    def has_run_out(self, now: float) -> bool:
        """Tell whether it is good for nothing any more."""
        return not self.refresh and bool(self.expires) and self.expires <= now


class LoginNeededError(WrongInput):
    """Only a person can help: there is no token, or the provider takes it no more."""

    def __init__(self, text: str) -> None:
        super().__init__(text, command=LOG_IN)


class RefusedTokenError(WrongInput):
    """A mail server does not take a token."""


def read_token(oauth: OAuth) -> Token:
    """Return the token of a mailbox.

    Raises:
        LoginNeededError: There is none, or it is damaged, or was given to another program.
        WrongInput: Others on this machine could read it.
    """
    if not oauth.file.exists():
        raise LoginNeededError("nobody has logged in to the mailbox.")
    refuse_open_secret(oauth.file)
    try:
        value = json.loads(oauth.file.read_text(encoding="utf-8"))
        token = decode(Token, {"ended": "", **value}, "token")
    except (ValueError, TypeError):
        raise LoginNeededError(f"{oauth.file} holds no token, or a damaged one.") from None
    if token.client_id != oauth.client_id:
        raise LoginNeededError(f"{oauth.file} was given to the client_id {token.client_id}.")
    return token


def save_token(oauth: OAuth, token: Token) -> None:
    """Keep a token in place of the one before, in one step that no kill can cut in two."""
    Disk().make_folder(oauth.file.parent, 0o700)
    beside = oauth.file.with_name(f".{oauth.file.name}.tmp")
    beside.unlink(missing_ok=True)  # which a killed program left, perhaps with another mode
    replace_file(Disk(), oauth.file, dumps(encode(token)).encode(), mode=0o600)


def forget_token(oauth: OAuth) -> bool:
    """Remove the token of a mailbox; return whether there was one."""
    with lock_token(oauth):
        if not oauth.file.exists():
            return False
        Disk().remove(oauth.file)
        Disk().sync_names(oauth.file.parent)
    return True


def access_token(oauth: OAuth, refused: str = "") -> str:
    """Return what a mail server is to be shown, renewed if need be.

    Args:
        oauth: How the home logs in.
        refused: A token that the mail server has refused: another is wanted, fresh or not.

    Raises:
        LoginNeededError: Only a person can help.
        WrongInput: The provider is not reached, and there is no token that still holds.
    """
    if (token := read_token(oauth)).is_usable_after(refused):
        return token.access
    with lock_token(oauth), defer_signals():
        token = read_token(oauth)  # another program may have renewed it meanwhile
        return (
            token.access if token.is_usable_after(refused) else _renew_or_keep(oauth, token, refused).access
        )


def _renew_or_keep(oauth: OAuth, token: Token, refused: str) -> Token:
    """Return the next token, or this one where it still holds and the provider is silent; it is kept."""
    if not token.refresh:
        raise LoginNeededError(RUN_OUT)
    require_oauth()
    from pbem.mail.account.granting import renew_token  # it needs the library

    save_token(oauth, token)  # a full disk is told before the provider gives what it gives only once
    try:
        token = renew_token(oauth, token)
    except NotReachedError:
        if token.access == refused or token.expires <= time.time():
            raise
    except LoginNeededError as wrong:
        save_token(oauth, replace(token, ended=wrong.text))
        raise
    else:
        save_token(oauth, token)
    return token


def with_token(oauth: OAuth, attempt: Callable[[str], T]) -> T:
    """Do something for which a mail server wants a token, once more with another if it refuses the first.

    Raises:
        RefusedTokenError: It refuses both.
        LoginNeededError: Only a person can help.
    """
    token = access_token(oauth)
    try:
        return attempt(token)
    except RefusedTokenError:
        return attempt(access_token(oauth, refused=token))


@contextlib.contextmanager
def lock_token(oauth: OAuth) -> Iterator[None]:
    """Let nobody else renew the token meanwhile: a provider may take what renews it only once.

    Raises:
        WrongInput: Another program renews it and does not end.
    """
    Disk().make_folder(oauth.file.parent, 0o700)
    try:
        with hold_folder_lock(oauth.file.parent, wait_seconds=WAIT_SECONDS):
            yield
    except GateClosedError:
        raise WrongInput("another pbem renews the token of the mailbox and does not end.") from None


@contextlib.contextmanager
def defer_signals() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM wait: what the provider has answered is to be kept first."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def next_token(before: Token | None, answer: dict[str, Any], client_id: str, now: float) -> Token:
    """Return the token of an answer of the provider.

    Args:
        before: The one that was renewed; None for a login. What the answer leaves out is kept from it.
        answer: The answer, with an `access_token`.
        client_id: The program that asked.
        now: When it was asked for, in seconds since 1970.
    """
    lasts, scopes = answer.get("expires_in"), answer.get("scope")
    holds = isinstance(lasts, int | float) and 0 < lasts < LONGEST
    said = scopes.split() if isinstance(scopes, str) else scopes or ()
    made = Token(
        access=str(answer["access_token"]),
        refresh=str(answer.get("refresh_token") or ""),
        got=now,
        expires=now + float(lasts or 0) if holds else 0.0,
        scopes=tuple("".join(filter(str.isprintable, str(one))) for one in said),
        client_id=client_id,
        logged_in=now,
    )
    if before is None:
        return made
    return replace(
        made,
        refresh=made.refresh or before.refresh,
        scopes=made.scopes or before.scopes,
        logged_in=before.logged_in,
    )


TIMEOUT: Final = 20.0
"""Seconds."""

MOST_BYTES: Final = 256 * 1024


class NotReachedError(WrongInput):
    """A provider does not answer now, or not as one should; later it may."""


class ProviderRefusalError(WrongInput):
    """A provider refuses what it was asked for.

    Attributes:
        error: Its word for it, such as `invalid_grant`.
        why: The same, with what it says besides.
    """

    def __init__(self, error: str, said: str, hint: str = "") -> None:
        self.error, self.why = error, f"{error}{f' ({said})' if said else ''}"
        super().__init__(f"the provider refuses: {self.why}.", hint)


def require_oauth() -> None:
    """See that the library is there that speaks OAuth 2.

    Raises:
        WrongInput: It is not.
    """
    if find_spec("oauthlib") is None:
        raise WrongInput("OAuth 2 needs the package oauthlib.", command="pip install 'pbem[oauth]'")


def post_form(address: str, body: str) -> dict[str, Any]:
    """Return what a provider answers to a form."""
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    form = urllib.request.Request(address, body.encode("ascii"), headers, method="POST")
    try:
        try:
            with urllib.request.urlopen(form, timeout=TIMEOUT) as answer:
                data = answer.read(MOST_BYTES)
        except urllib.error.HTTPError as refusal:
            with refusal:
                if refusal.code >= 500 or refusal.code == 429:
                    raise NotReachedError(f"{address} answers {refusal.code}.", "Try again later.") from None
                data = refusal.read(MOST_BYTES)
    except (OSError, HTTPException) as wrong:
        said = flatten_text(str(getattr(wrong, "reason", "") or wrong)) or type(wrong).__name__
        raise NotReachedError(f"{address} is not reached: {said}.", "Try again later.") from None
    try:
        value = json.loads(data or b"{}")
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise NotReachedError(f"{address} does not answer with JSON.")
    return value


def refusal_error(answer: Mapping[str, Any]) -> ProviderRefusalError:
    """Return the error of an answer that is one."""
    error = flatten_text(str(answer["error"]))
    hint = ""
    if error in ("invalid_client", "unauthorized_client"):
        hint = "See mail.oauth in home.yaml: client_id and client_secret_file, and how they are registered."
    return ProviderRefusalError(error, flatten_text(str(answer.get("error_description") or "")), hint)


def flatten_text(said: str | None) -> str:
    """Return what a provider said in one line."""
    text = "".join(one if one.isprintable() else " " for one in said or "")
    return " ".join(text.split())[:300].rstrip(".")


def revoke(oauth: OAuth, token: Token) -> None:
    """Take a login back at the provider (RFC 7009).

    Raises:
        NotReachedError: It does not answer.
        ProviderRefusalError: It refuses.
    """
    answer = post_form(
        oauth.provider.revoke,
        urlencode({"token": token.refresh or token.access, "client_id": oauth.client_id}),
    )
    if answer.get("error") not in (None, "invalid_token", "invalid_grant"):  # which it takes no more anyway
        raise refusal_error(answer)


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
        self.said = self.said or _challenge_text(challenge)
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
    bearer = Bearer(_choose_mechanism(login, offered, can_encrypt="STARTTLS" in able), login, token)
    try:
        client.authenticate(bearer.mechanism, bearer.answer)
    except imaplib.IMAP4.abort:
        raise
    except imaplib.IMAP4.error as wrong:
        if "[UNAVAILABLE]" in str(wrong):
            raise
        raise _refusal(login, bearer, str(wrong)) from None


def log_into_smtp(line: smtplib.SMTP, login: Login, token: str) -> None:
    """Log in to an SMTP server.

    Raises:
        RefusedTokenError: It does not take the token.
        WrongInput: It takes no tokens at all.
        smtplib.SMTPException: Something else is wrong, for a while perhaps.
    """
    offered = line.esmtp_features.get("auth", "").upper().split()
    bearer = Bearer(_choose_mechanism(login, offered, can_encrypt=line.has_extn("starttls")), login, token)
    try:
        first = base64.b64encode(bearer.answer(b"")).decode()
        code, told = line.docmd("AUTH", f"{bearer.mechanism} {first}")
        if code == 334:
            code, told = line.docmd(base64.b64encode(bearer.answer(_decode_challenge(told))).decode())
    except smtplib.SMTPServerDisconnected as wrong:
        if not bearer.said:
            raise
        raise _refusal(login, bearer, str(wrong)) from None
    if code in (235, 503):
        return
    text = told.decode("utf-8", "replace")
    if not 500 <= code < 600:
        raise smtplib.SMTPAuthenticationError(code, told)
    raise _refusal(login, bearer, f"{code} {text}")


def _choose_mechanism(login: Login, offered: Iterable[str], *, can_encrypt: bool) -> str:
    known = {*offered}
    for one in MECHANISMS:
        if one in known:
            return one
    if login.security == "none" and can_encrypt:
        text = f"{login.server}, port {login.port}, takes no tokens (OAuth 2) without encryption."
        raise UnencryptedError(text, "Write security: starttls for it in home.yaml.")
    hint = "Use a password_file in home.yaml, or see which port and security the provider names."
    raise WrongInput(f"{login.server}, port {login.port}, takes no tokens (OAuth 2).", hint)


def _refusal(login: Login, bearer: Bearer, said: str) -> RefusedTokenError:
    why = "; ".join(filter(None, [bearer.said, flatten_text(mask_tokens(said))]))
    text = f"{login.server} does not take the token of {login.user}: {why or 'it does not say why'}."
    return RefusedTokenError(text, "If that is who logged in, log in again.", command=LOG_IN)


def _challenge_text(challenge: bytes) -> str:
    """Return what a server says of a token that it refuses (RFC 7628, 3.2.2)."""
    with contextlib.suppress(ValueError):
        value = json.loads(challenge)
        if isinstance(value, dict):
            parts = [f"{name} {value[name]}" for name in ("status", "scope") if value.get(name)]
            return flatten_text(mask_tokens(", ".join(parts)))
    return flatten_text(mask_tokens(challenge.decode("utf-8", "replace")))


def _decode_challenge(challenge: bytes) -> bytes:
    try:
        return base64.b64decode(challenge)
    except binascii.Error:
        return challenge
