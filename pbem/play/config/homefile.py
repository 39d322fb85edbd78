"""The moderator's file of the home, `home.yaml`: what may stand in it."""

from __future__ import annotations

from functools import cache
from typing import Final

from pbem.core.interface import Json
from pbem.play.config.gameschema import ARCHIVE, ARCHIVE_FIELDS, QUESTIONS, SILENT
from pbem.play.config.schedule import SPAN
from pbem.text.names.mailaddress import PLAIN
from pbem.text.schemas.schema import Schema

TOKEN_FILE: Final = "mailbox-token.json"
"""Where the token of a mailbox stands in a home, if nothing else is said."""

_ONE_LINE = r"^[^\x00-\x1f]+(?!\n)$"
_PORT: Json = {"type": "integer", "minimum": 1, "maximum": 65535}


def _login(what: str, **more: Json) -> dict[str, Json]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["server"],
        "description": what,
        "properties": {
            "server": {"type": "string", "pattern": r"^[!-~]+(?!\n)$", "description": "Its name."},
            "port": _PORT,
            "security": {"enum": ["none", "starttls", "tls"], "description": "How the line is made secure."},
            "user": {"type": "string", "pattern": _ONE_LINE, "description": "Who logs in."},
            "password_file": {"type": "string", "description": "A file with the password, mode 0600."},
            **more,
        },
    }


_ADDRESS: dict[str, Json] = {"type": "string", "pattern": r"^https://[!-~]+(?!\n)$", "maxLength": 300}
_WORD: dict[str, Json] = {"type": "string", "pattern": r"^[!-~]+(?!\n)$", "maxLength": 300}

_OAUTH: dict[str, Json] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["provider", "client_id"],
    "description": "Logging in to the mailbox with OAuth 2, in place of a password.",
    "properties": {
        "provider": {"enum": ["google", "microsoft", "other"], "description": "Whose mailbox it is."},
        "client_id": {**_WORD, "description": "What the provider calls the program that you registered."},
        "client_secret_file": {"type": "string", "description": "A file with its secret, mode 0600."},
        "token_file": {"type": "string", "description": "Where the token is kept, mode 0600."},
        "tenant": {
            "type": "string",
            "pattern": r"^[A-Za-z0-9.-]+(?!\n)$",
            "description": "Of Microsoft.",
        },
        "token_url": {**_ADDRESS, "description": "For `other`: where tokens are given."},
        "device_url": {**_ADDRESS, "description": "For `other`: where a login on another device begins."},
        "authorize_url": {**_ADDRESS, "description": "For `other`: the page to log in on."},
        "revoke_url": {**_ADDRESS, "description": "For `other`: where a login is taken back."},
        "scopes": {
            "anyOf": [
                {"type": "array", "maxItems": 20, "items": _WORD},
                {"type": "string", "pattern": r"^[!-~]+( [!-~]+){0,19}(?!\n)$"},
            ],
            "description": "For `other`: for what; a list, or words with blanks between.",
        },
    },
}

_FOLDER: Json = {"type": "string", "pattern": _ONE_LINE, "maxLength": 200}

_MAIL: dict[str, Json] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["address"],
    "description": "Play by mail.",
    "properties": {
        "address": {
            "type": "string",
            "pattern": PLAIN,
            "description": "The host's own, without a plus sign.",
        },
        "name": {"type": "string", "maxLength": 60, "pattern": _ONE_LINE, "description": "Its name."},
        "moderator": {"type": "string", "pattern": PLAIN, "description": "Where the moderator reads mail."},
        "authserv": {"type": "string", "pattern": r"^[!-~]+(?!\n)$", "description": "The own server's name."},
        "maildir": {"type": "string", "description": "A Maildir where mail comes in."},
        "imap": _login("A mailbox where mail comes in.", folder=_FOLDER, processed=_FOLDER),
        "oauth": _OAUTH,
        "smtp": _login("The server that takes mail out."),
        "sendmail": {"type": "string", "description": "The program that takes mail out."},
        "plain_sender": {"type": "boolean", "description": "true: mails go out from the very address only."},
        "per_minute": {"type": "integer", "minimum": 0, "maximum": 100_000},
        "archive": {"type": "string", "description": "A Maildir that gets a copy of every mail."},
        "archive_address": {"type": "string", "pattern": PLAIN, "description": "Where the copies go."},
        "orders_per_hour": {"type": "integer", "minimum": 1, "maximum": 1000},
        "receipts_per_hour": {"type": "integer", "minimum": 1, "maximum": 1000},
    },
}

_GATE: dict[str, Json] = {
    "type": "object",
    "additionalProperties": False,
    "description": "When a run does not resolve by itself.",
    "properties": {
        "down": {"type": "string", "pattern": SPAN, "description": "So long unseen, the host was down."},
        "disk": {
            "type": "integer",
            "minimum": 0,
            "maximum": 1_000_000,
            "description": "Megabytes kept free.",
        },
    },
}

_ARCHIVE: dict[str, Json] = {
    **ARCHIVE,
    "properties": {
        **ARCHIVE_FIELDS,
        "punctual": {"type": "boolean", "description": "true: missed turns of finished games are told."},
        "address": {
            "type": "string",
            "maxLength": 200,
            "pattern": r"^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?(?!\n)$",
            "description": "Where the archive can be found, such as https://games.example/mail.",
        },
    },
}

_HOME: dict[str, Json] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "moderator": {"type": "string", "maxLength": 60, "description": "The moderator's name."},
        "silent": {"enum": SILENT, "description": "For games that do not say it themselves."},
        "sealed": {"type": "boolean", "description": "true: new games have sealed luck words."},
        "zone": {"type": "string", "description": "The time zone, such as Europe/Helsinki."},
        "gate": _GATE,
        "archive": _ARCHIVE,
        "questions": QUESTIONS,
        "mail": _MAIL,
    },
}


@cache
def home_schema() -> Schema:
    """Return the schema of `home.yaml`."""
    return Schema(_HOME)
