"""Asking a provider for a token: on another device, by way of a browser, or with the one that runs out."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from oauthlib.oauth2 import DeviceClient, OAuth2Error, WebApplicationClient
from oauthlib.oauth2.rfc6749.errors import MismatchingStateError, MissingCodeError
from oauthlib.oauth2.rfc6749.parameters import parse_token_response

from pbem.mail.account.settings import OAuth, refuse_open_secret
from pbem.mail.account.tokens import (
    LoginNeededError,
    NotReachedError,
    ProviderRefusalError,
    Token,
    flatten_text,
    next_token,
    post_form,
    refusal_error,
)
from pbem.store.errors import WrongInput

LONGEST_WAIT: Final = 3600.0
"""Seconds that a person is waited for, whatever the provider says."""

SLOWER: Final = 5.0
"""So many seconds are added where a provider says that it is asked too often (RFC 8628, 3.5)."""

sleep: Callable[[float], None] = time.sleep
monotonic: Callable[[], float] = time.monotonic


@dataclass(frozen=True, slots=True)
class DeviceCode:
    """What a person types at another device.

    Attributes:
        code: The code.
        page: The page where it is typed.
        whole: A page that knows the code already; "" if there is none.
        device: What tells the provider which login is asked for.
        seconds: So long it can be typed.
        every: So many seconds are between two questions, at least.
    """

    code: str
    page: str
    whole: str
    device: str
    seconds: float
    every: float


def renew_token(oauth: OAuth, token: Token) -> Token:
    """Return the next token, given for the one before.

    Raises:
        LoginNeededError: The provider takes the one before no more.
        NotReachedError: It does not answer.
        ProviderRefusalError: It refuses, and a login would not help.
    """
    body = WebApplicationClient(oauth.client_id).prepare_refresh_body(
        refresh_token=token.refresh, client_id=oauth.client_id, **_client_secret(oauth)
    )
    try:
        return _request_token(oauth, body, token)
    except ProviderRefusalError as wrong:
        if wrong.error not in ("invalid_grant", "interaction_required", "consent_required"):
            raise
        raise LoginNeededError(f"the provider takes the login to the mailbox no more: {wrong.why}.") from None


def _request_token(oauth: OAuth, body: str, before: Token | None = None) -> Token:
    """Return the token that a provider gives for a form."""
    now = time.time()
    return next_token(before, _token_answer(oauth.provider.token, body), oauth.client_id, now)


def _token_answer(address: str, body: str) -> dict[str, Any]:
    """Return an answer with a token.

    Raises:
        NotReachedError: There is none.
        ProviderRefusalError: It is an error.
    """
    answer = post_form(address, body)
    if "error" in answer:
        raise refusal_error(answer)
    if str(answer.get("expires_in", "")).isdigit():
        answer["expires_in"] = int(answer["expires_in"])  # some say it as a text
    try:
        return dict(parse_token_response(json.dumps(answer)))
    except (OAuth2Error, ValueError, TypeError, AttributeError, OverflowError):
        raise NotReachedError(f"{address} does not answer as RFC 6749 says.") from None


def request_device_code(oauth: OAuth) -> DeviceCode:
    """Return what a person is to type at another device.

    Raises:
        NotReachedError: The provider does not answer.
        ProviderRefusalError: It refuses.
    """
    answer = post_form(
        oauth.provider.device,
        urlencode({"client_id": oauth.client_id, "scope": " ".join(oauth.provider.scopes)}),
    )
    if "error" in answer:
        raise refusal_error(answer)
    try:
        return DeviceCode(
            flatten_text(str(answer["user_code"])),
            flatten_text(str(answer.get("verification_uri") or answer["verification_url"])),
            flatten_text(str(answer.get("verification_uri_complete") or "")),
            str(answer["device_code"]),
            min(float(answer.get("expires_in", 900)), LONGEST_WAIT),
            min(float(answer.get("interval", 5)), LONGEST_WAIT),
        )
    except (KeyError, TypeError, ValueError):
        raise NotReachedError(f"{oauth.provider.device} does not answer as RFC 8628 says.") from None


def await_device(oauth: OAuth, begun: DeviceCode) -> Token:
    """Wait until a person has typed the code, and return the token.

    Raises:
        WrongInput: The person refused, or the code ran out.
        NotReachedError: The provider does not answer.
        ProviderRefusalError: It refuses.
    """
    body = DeviceClient(oauth.client_id).prepare_request_body(
        begun.device, include_client_id=True, **_client_secret(oauth)
    )
    every, ends = max(begun.every, 1.0), monotonic() + begun.seconds
    while monotonic() < ends:
        sleep(every)
        try:
            return _request_token(oauth, body)
        except NotReachedError:
            every *= 2  # RFC 8628, 3.5
        except ProviderRefusalError as wrong:
            if wrong.error == "slow_down":
                every += SLOWER
            elif wrong.error == "access_denied":
                raise WrongInput("the login was refused there.", "Nothing was changed.") from None
            elif wrong.error == "expired_token":
                break
            elif wrong.error != "authorization_pending":
                raise
    raise WrongInput("the code has run out before it was typed.", command="pbem mailbox login")


class BrowserLogin:
    """A login on a page that sends the browser back here, with a code.

    Attributes:
        url: The page.
        redirect: Where it sends the browser.
    """

    def __init__(self, oauth: OAuth, redirect: str) -> None:
        """Think of what nobody else can know: the state (RFC 6749, 10.12), and the verifier (RFC 7636)."""
        self._oauth, self.redirect = oauth, redirect
        self._client = WebApplicationClient(oauth.client_id)
        self._state = self._client.create_code_verifier(43)
        self._verifier = self._client.create_code_verifier(64)
        self.url: str = self._client.prepare_request_uri(
            oauth.provider.authorize,
            redirect_uri=redirect,
            scope=list(oauth.provider.scopes),
            state=self._state,
            code_challenge=self._client.create_code_challenge(self._verifier, "S256"),
            code_challenge_method="S256",
            **oauth.provider.more,
        )

    def code_in(self, address: str) -> str:
        """Return the code in an address to which the browser was sent.

        Raises:
            ForeignAddressError: It does not belong to this login.
            WrongInput: The person or the provider refused.
        """
        if not urlsplit(address).query:
            hint = "It begins with http:// and holds code=."
            raise ForeignAddressError("that is no address to which the provider sent a browser.", hint)
        secure = address.replace("http://", "https://", 1)  # which the library wants; here it is one machine
        try:
            return str(self._client.parse_request_uri_response(secure, self._state)["code"])
        except (MismatchingStateError, MissingCodeError):
            raise ForeignAddressError("that address does not belong to this login.") from None
        except OAuth2Error as wrong:
            if wrong.error == "access_denied":
                raise WrongInput("the login was refused.", "Nothing was changed.") from None
            raise ProviderRefusalError(str(wrong.error), flatten_text(wrong.description)) from None

    def token_for(self, code: str) -> Token:
        """Return the token for a code.

        Raises:
            NotReachedError: The provider does not answer.
            ProviderRefusalError: It refuses.
        """
        secret: dict[str, Any] = _client_secret(self._oauth)
        body = self._client.prepare_request_body(
            code=code, redirect_uri=self.redirect, code_verifier=self._verifier, **secret
        )
        return _request_token(self._oauth, body)


class ForeignAddressError(WrongInput):
    """Somebody called or pasted what is not of this login."""


def _client_secret(oauth: OAuth) -> dict[str, str]:
    """Return the secret that the provider gave the program itself, as it is told; nothing if there is none.

    Raises:
        WrongInput: Its file is not there, or others can read it.
    """
    if oauth.secret_file is None:
        return {}
    refuse_open_secret(oauth.secret_file)
    return {"client_secret": oauth.secret_file.read_text(encoding="utf-8").strip()}


SECONDS: Final = 900.0
"""So long a person is waited for."""

_TRIES: Final = 3
"""So often a person may paste an address."""

_PAGE: Final = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>pbem</title>"
    "<p>{}</p><p>You can close this page.</p></html>"
)


class _LoginServer(HTTPServer):
    """Waits for the browser; whoever else calls is sent away."""

    login: BrowserLogin
    code: str = ""
    wrong: WrongInput | None = None


class _LoginHandler(BaseHTTPRequestHandler):
    """Looks at one call."""

    server: _LoginServer
    timeout = 10.0

    def do_GET(self) -> None:
        """Take the code, if it is for this login."""
        status, text = HTTPStatus.OK, "The login is done."
        try:
            self.server.code = self.server.login.code_in(f"{self.server.login.redirect}{self.path}")
        except ForeignAddressError as wrong:
            status, text = HTTPStatus.BAD_REQUEST, str(wrong)
        except WrongInput as wrong:
            self.server.wrong, text = wrong, "The login was refused."
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(_PAGE.format(text).encode())

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: an address holds a code."""


def log_in_by_browser(
    oauth: OAuth, port: int, show: Callable[[str], None], seconds: float = SECONDS
) -> Token:
    """Let a person log in with a browser on this machine, and return the token.

    Args:
        oauth: How the home logs in.
        port: Where the browser is awaited; 0 for any port that is free.
        show: Shows the person the page to log in on.
        seconds: So long is waited.

    Raises:
        WrongInput: The port is taken, nobody came in time, or the login was refused.
    """
    try:
        door = _LoginServer(("127.0.0.1", port), _LoginHandler)
    except OSError as wrong:
        raise WrongInput(
            f"cannot listen on port {port}: {wrong.strerror}.", "Name another: --port."
        ) from None
    with door:
        door.login = BrowserLogin(oauth, f"http://{oauth.provider.loopback}:{door.server_port}")
        show(door.login.url)
        ends = time.monotonic() + seconds
        while not door.code:
            door.timeout = ends - time.monotonic()
            if door.wrong is not None:
                raise door.wrong
            if door.timeout <= 0:
                raise WrongInput("nobody has logged in in time.", command="pbem mailbox login")
            door.handle_request()
        return door.login.token_for(door.code)


def log_in_by_pasting(
    oauth: OAuth, ask: Callable[[str], str], again: Callable[[str], str] | None = None
) -> Token:
    """Let a person log in with a browser elsewhere, and tell the address at which it ended.

    Args:
        oauth: How the home logs in.
        ask: Shows the person the page to log in on, and returns that address.
        again: Told what is wrong with it, returns another, twice at most; None where nobody can be asked.

    Raises:
        WrongInput: It does not belong to this login, or the login was refused.
    """
    login = BrowserLogin(oauth, f"http://{oauth.provider.loopback}:8400")
    address, tries = ask(login.url), _TRIES
    while True:
        try:
            return login.token_for(login.code_in(address.strip()))
        except ForeignAddressError as wrong:
            tries -= 1
            if again is None or not tries:
                raise
            address = again(str(wrong))
