"""The browser that a provider sends back: it is awaited on this machine, and told that it can be closed."""

from __future__ import annotations

import time
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Final
from urllib.parse import urlsplit

from pbem.mail.account.granting import BrowserLogin, ForeignAddressError
from pbem.mail.account.providers import OAuth
from pbem.mail.account.tokens import Token
from pbem.store.errors import WrongInput

SECONDS: Final = 900.0
"""So long a person is waited for."""

_TRIES: Final = 3
"""So often a person may paste an address."""

_PAGE: Final = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>pbem</title>"
    "<p>{}</p><p>You can close this page.</p></html>"
)


class _Door(HTTPServer):
    """Waits for the browser; whoever else calls is sent away."""

    login: BrowserLogin
    code: str = ""
    wrong: WrongInput | None = None


class _Caller(BaseHTTPRequestHandler):
    """Looks at one call."""

    server: _Door
    timeout = 10.0

    def do_GET(self) -> None:
        """Take the code, if it is for this login."""
        try:
            self.server.code = self.server.login.code_in(f"{self.server.login.redirect}{self.path}")
        except ForeignAddressError as wrong:
            self._say(HTTPStatus.BAD_REQUEST, str(wrong))
        except WrongInput as wrong:
            self.server.wrong = wrong
            self._say(HTTPStatus.OK, "The login was refused.")
        else:
            self._say(HTTPStatus.OK, "The login is done.")

    def _say(self, status: HTTPStatus, text: str) -> None:
        data = _PAGE.format(text).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: an address holds a code."""


def by_browser(oauth: OAuth, port: int, show: Callable[[str], None], seconds: float = SECONDS) -> Token:
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
        door = _Door(("127.0.0.1", port), _Caller)
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


def by_pasting(oauth: OAuth, ask: Callable[[str], str], again: Callable[[str], str] | None = None) -> Token:
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
            code = _code_in(login, address.strip())
            break
        except ForeignAddressError as wrong:
            tries -= 1
            if again is None or not tries:
                raise
            address = again(str(wrong))
    return login.token_for(code)


def _code_in(login: BrowserLogin, address: str) -> str:
    if not urlsplit(address).query:
        hint = "It begins with http:// and holds code=."
        raise ForeignAddressError("that is no address to which the provider sent a browser.", hint)
    return login.code_in(address)
