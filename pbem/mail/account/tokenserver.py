"""The server of a provider that gives tokens: a form goes out, and facts or an error come back."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any, Final

from pbem.store.errors import WrongInput

TIMEOUT: Final = 20.0
"""Seconds."""

MOST_BYTES: Final = 256 * 1024


class NotReachedError(WrongInput):
    """A provider does not answer now, or not as one should; later it may."""


class DeclinedError(WrongInput):
    """A provider refuses what it was asked for.

    Attributes:
        error: Its word for it, such as `invalid_grant`.
    """

    def __init__(self, error: str, said: str, hint: str = "") -> None:
        self.error = error
        super().__init__(f"the provider refuses: {error}{f' ({said})' if said else ''}.", hint)


def need_library() -> None:
    """See that the library is there that speaks OAuth 2.

    Raises:
        WrongInput: It is not.
    """
    from importlib.util import find_spec

    if find_spec("oauthlib") is None:
        raise WrongInput("OAuth 2 needs the package oauthlib.", command="pip install 'pbem[oauth]'")


def asked(address: str, body: str) -> dict[str, Any]:
    """Return an answer with a token.

    Raises:
        NotReachedError: There is none.
        DeclinedError: It is an error.
    """
    from oauthlib.oauth2 import OAuth2Error
    from oauthlib.oauth2.rfc6749.parameters import parse_token_response

    answer = posted(address, body)
    if str(answer.get("expires_in", "")).isdigit():
        answer["expires_in"] = int(answer["expires_in"])  # some say it as a text
    try:
        return dict(parse_token_response(json.dumps(answer)))
    except OAuth2Error as wrong:
        if "error" in answer:
            raise declined(answer) from None
        raise NotReachedError(f"{address} does not answer as RFC 6749 says: {wrong.error}.") from None
    except (ValueError, TypeError, AttributeError, OverflowError):
        raise NotReachedError(f"{address} does not answer as RFC 6749 says.") from None


def posted(address: str, body: str) -> dict[str, Any]:
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
        said = in_one_line(str(getattr(wrong, "reason", "") or wrong)) or type(wrong).__name__
        raise NotReachedError(f"{address} is not reached: {said}.", "Try again later.") from None
    try:
        value = json.loads(data or b"{}")
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise NotReachedError(f"{address} does not answer with JSON.")
    return value


def declined(answer: Mapping[str, Any]) -> DeclinedError:
    """Return the error of an answer that is one."""
    error = in_one_line(str(answer["error"]))
    hint = ""
    if error in ("invalid_client", "unauthorized_client"):
        hint = "See mail.oauth in home.yaml: client_id and client_secret_file, and how they are registered."
    return DeclinedError(error, in_one_line(str(answer.get("error_description") or "")), hint)


def in_one_line(said: str | None) -> str:
    """Return what a provider said in one line."""
    text = "".join(one if one.isprintable() else " " for one in said or "")
    return " ".join(text.split())[:300].rstrip(".")
