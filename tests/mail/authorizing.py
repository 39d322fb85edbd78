"""An authorization server of the tests: it lets people log in, gives tokens, and says whose they are."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import secrets
import ssl
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from tests.mail.stack import CERTIFICATE

CLIENT = "pbem-of-mary"
USER = "host@pbem.test"
SCOPES = ["mail.read", "mail.send"]
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"


@dataclass
class Authorizer:
    """What the server knows, and how it is to behave.

    Attributes:
        port: Where it listens by TLS, as `localhost`.
        plain_port: Where mail servers ask it what a token is worth.
        user: Who logs in.
        lasts: So many seconds a token holds.
        rotates: A token to renew with is good once; used again, all of its login are taken back.
        grace: An old one is good until the new one was used.
        device_answers: What is answered to the next questions for a login, before the token.
        state: What the browser is sent back with in place of the state; "" for the state.
        answers_nothing: It answers 503.
        secret: The program's own secret; "" if it has none.
        good: The tokens that mail servers may take, and until when.
        fresh: The tokens to renew with.
        grants: What was asked for, in order: the kind of grant, or its error.
        revoked: Tokens that were taken back by their owner.
    """

    port: int = 0
    plain_port: int = 0
    user: str = USER
    lasts: float = 3600
    rotates: bool = False
    grace: bool = False
    device_answers: list[str] = field(default_factory=list)
    state: str = ""
    answers_nothing: bool = False
    secret: str = ""
    gives_refresh: bool = True
    good: dict[str, float] = field(default_factory=dict)
    fresh: dict[str, str] = field(default_factory=dict)
    used: dict[str, str] = field(default_factory=dict)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    grants: list[str] = field(default_factory=list)
    revoked: list[str] = field(default_factory=list)
    asked: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def url(self, what: str) -> str:
        return f"https://localhost:{self.port}/{what}"

    def settings(self, **more: object) -> dict[str, Any]:
        """Return what `home.yaml` says of it."""
        return {
            "provider": "other",
            "client_id": CLIENT,
            "token_url": self.url("token"),
            "device_url": self.url("device"),
            "authorize_url": self.url("authorize"),
            "revoke_url": self.url("revoke"),
            "scopes": [*SCOPES, "offline_access"],
            **more,
        }

    def revoke_all(self) -> None:
        """Let no token be good any more."""
        with self.lock:
            self.good.clear()
            self.fresh.clear()
            self.used.clear()

    def spoil(self) -> None:
        """Let mail servers take no token that was given until now; they can be renewed."""
        with self.lock:
            self.good.clear()

    def reset(self) -> None:
        """Forget all, and behave as at first."""
        with self.lock:
            self.__dict__.update(
                {**Authorizer(self.port, self.plain_port).__dict__, "lock": self.__dict__["lock"]}
            )

    # --- what it answers; always under the lock

    def give(self, login: str) -> dict[str, Any]:
        token, refresh = f"at-{secrets.token_urlsafe(900)}", f"rt-{secrets.token_urlsafe(32)}"
        self.good[token] = time.time() + self.lasts
        answer: dict[str, Any] = {
            "access_token": token,
            "token_type": "Bearer",
            "expires_in": self.lasts,
            "scope": " ".join(SCOPES),
        }
        if self.gives_refresh:
            self.fresh[refresh] = login
            answer["refresh_token"] = refresh
        return answer

    def renew(self, refresh: str) -> dict[str, Any] | str:
        if refresh in self.fresh:
            login = self.fresh[refresh]
            for old in [one for one, whose in self.used.items() if whose == login]:
                del self.used[old]
            answer = self.give(login)
            if not self.rotates:
                del self.fresh[answer.pop("refresh_token")]
            else:
                del self.fresh[refresh]
                self.used[refresh] = login
            return answer
        if refresh in self.used:
            login = self.used[refresh]
            if self.grace:
                return self.give(login)
            for one in [one for one, whose in self.fresh.items() if whose == login]:
                del self.fresh[one]
        return "invalid_grant"

    def token(self, form: dict[str, str]) -> dict[str, Any] | str:
        kind = form.get("grant_type", "")
        if form.get("client_id") != CLIENT or form.get("client_secret", "") != self.secret:
            return "invalid_client"
        if kind == "refresh_token":
            return self.renew(form.get("refresh_token", ""))
        if kind == DEVICE:
            if form.get("device_code") not in self.codes:
                return "invalid_grant"
            if self.device_answers:
                return self.device_answers.pop(0)
            del self.codes[form["device_code"]]
            return self.give(secrets.token_hex(4))
        if kind == "authorization_code" and form.get("code") in self.codes:
            asked = self.codes.pop(form["code"])
            digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            if (asked["code_challenge"], asked["redirect_uri"]) == (challenge, form.get("redirect_uri")):
                return self.give(secrets.token_hex(4))
        return "invalid_grant"

    def device(self, form: dict[str, str]) -> dict[str, Any] | str:
        if form.get("client_id") != CLIENT:
            return "invalid_client"
        code = secrets.token_hex(16)
        self.codes[code] = form
        return {
            "device_code": code,
            "user_code": "WDJB-MJHT",
            "verification_uri": self.url("activate"),
            "expires_in": 900,
            "interval": 1,
        }

    def revocation(self, form: dict[str, str]) -> dict[str, Any] | str:
        self.fresh.pop(form["token"], None)
        self.revoked.append(form["token"])
        return {}

    def introspection(self, form: dict[str, str]) -> dict[str, Any] | str:
        self.asked += 1
        if self.good.get(form.get("token", ""), 0) > time.time():
            return {"active": True, "username": self.user, "scope": " ".join(SCOPES)}
        return {"active": False}


class _Answers(BaseHTTPRequestHandler):
    authorizer: Authorizer
    protocol_version = "HTTP/1.1"
    timeout = 20

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode()
        form = {name: values[0] for name, values in parse_qs(data).items()}
        name = urlsplit(self.path).path.strip("/")
        to_do = {
            "token": self.authorizer.token,
            "device": self.authorizer.device,
            "revoke": self.authorizer.revocation,
            "introspect": self.authorizer.introspection,
        }[name]
        if self.authorizer.answers_nothing:
            self._say(503, {})
            return
        with self.authorizer.lock:
            answer = to_do(form)
            if name == "token":
                self.authorizer.grants.append(answer if isinstance(answer, str) else form["grant_type"])
        if isinstance(answer, str):
            self._say(400, {"error": answer, "error_description": f"it is {answer}\nreally."})
        else:
            self._say(200, answer)

    def do_GET(self) -> None:
        """Send the browser of a person who agrees back at once."""
        if self.path.startswith("/introspect"):
            with self.authorizer.lock:
                self._say(200, self.authorizer.introspection({"token": self.path.partition("token=")[2]}))
            return
        asked = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        code = secrets.token_hex(16)
        with self.authorizer.lock:
            self.authorizer.codes[code] = asked
        back = {"code": code, "state": self.authorizer.state or asked["state"]}
        if self.authorizer.device_answers:
            back = {"error": self.authorizer.device_answers.pop(0), "state": asked["state"]}
        self.send_response(302)
        self.send_header("Location", f"{asked['redirect_uri']}/?{urlencode(back)}")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _say(self, status: int, value: object) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def an_authorizer() -> Iterator[Authorizer]:
    """Start an authorization server, and stop it for sure."""
    authorizer = Authorizer()
    handler = type("Answers", (_Answers,), {"authorizer": authorizer})
    secure, plain = (ThreadingHTTPServer(("127.0.0.1", 0), handler) for _ in range(2))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    secure.socket = context.wrap_socket(secure.socket, server_side=True)
    authorizer.port, authorizer.plain_port = secure.server_port, plain.server_port
    threads = [threading.Thread(target=one.serve_forever, args=(0.05,)) for one in (secure, plain)]
    for thread in threads:
        thread.start()
    try:
        yield authorizer
    finally:
        for one in (secure, plain):
            one.shutdown()
            one.server_close()
        for thread in threads:
            thread.join()
