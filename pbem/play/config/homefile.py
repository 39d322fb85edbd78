"""What may stand in the moderator's files: `home.yaml`, and a game's `game.yaml` as a JSON Schema."""

from __future__ import annotations

from functools import cache
from typing import Final

from pbem.core.interface import Json
from pbem.core.turn import STANDBY
from pbem.play.config.schedule import ALWAYS, CLOCK, DAYS, NEVER, SPAN, SPAN_OR_NONE
from pbem.text.names import LONGEST_ADDRESS, PLAIN
from pbem.text.schema import Schema

SILENT: Json = ["wait", "hold", "random", "greedy"]

ABSENT: Final = ("excuse", "wait")
VOTES: Final = ("public", "secret", "none")


def _span(what: str, *words: str, or_none: bool = False) -> Json:
    """Return the schema of a span of time, or one of a few words instead; or of none: 0m."""
    span: dict[str, Json] = {"type": "string", "pattern": SPAN_OR_NONE if or_none else SPAN}
    if not words:
        return {**span, "description": what}
    return {"anyOf": [{"enum": list[Json](words)}, span], "description": what}


_SCHEDULE: Final[dict[str, Json]] = {
    "type": "object",
    "additionalProperties": False,
    "description": "When the turns are due.",
    "properties": {
        "days": {
            "type": "array",
            "minItems": 1,
            "maxItems": 7,
            "items": {"enum": list[Json](DAYS)},
            "description": "The days of the week on which orders are due.",
        },
        "at": {"type": "string", "pattern": CLOCK, "description": "The hour on these days: 20:00."},
        "zone": {"type": "string", "description": "The time zone of that hour: Europe/Helsinki."},
        "grace": _span(
            "So long after the deadline orders still count: 90m, 36h, 2d; 0m: not at all.", or_none=True
        ),
        "early": _span("When a turn that all have answered may run: so long after the last.", ALWAYS, NEVER),
        "least": _span("The players have at least so long for a turn: 12h, 2d; or 0m.", or_none=True),
        "remind": _span("So long before the deadline those who owe orders are reminded.", NEVER),
        "extension": _span("What a vote for an extension adds to the deadline."),
    },
}

_PROPERTIES: dict[str, Json] = {
    "player": {
        "type": "string",
        "minLength": 1,
        "maxLength": 60,
        "pattern": r"^[^\x00-\x1f]+(?!\n)$",
        "description": "The player's name, in one line.",
    },
    "address": {
        "type": "string",
        "maxLength": LONGEST_ADDRESS,
        "pattern": PLAIN,
        "description": "Where reports go: a plain address, such as ann@example.org.",
    },
    "bot": {"enum": ["random", "greedy"], "description": "A bot plays this seat at once."},
    "silent": {"enum": SILENT, "description": "As for the game, here only."},
    "luck": {"type": "string", "maxLength": 200, "description": "Luck words, for `pbem new --deal`."},
    "answers": {"type": "object", "description": "What else the start form asks, for the same."},
    "zone": {"type": "string", "description": "The player's time zone: Europe/Helsinki."},
}

_SEAT: dict[str, Json] = {
    "type": "object",
    "additionalProperties": False,
    "properties": _PROPERTIES,
}

_PERSON: dict[str, Json] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["player"],
    "properties": {name: _PROPERTIES[name] for name in ("player", "address")},
}

_MISSES: dict[str, Json] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["after", "then"],
    "description": "What becomes of a seat that misses turns.",
    "properties": {
        "after": {"type": "integer", "minimum": 1, "maximum": 1000, "description": "So many in a row."},
        "then": {"enum": [STANDBY, "random", "greedy"], "description": "Who plays it then."},
    },
}

_PRESS: dict[str, Json] = {
    "type": "object",
    "additionalProperties": False,
    "description": "Messages between seats.",
    "properties": {
        "deliver": {
            "enum": ["off", "report", "at once"],
            "description": "When their readers get them.",
        },
        "anonymous": {"type": "boolean", "description": "true: a seat may leave its name out."},
    },
}

ARCHIVE_FIELDS: Final[dict[str, Json]] = {
    "show": {"type": "boolean", "description": "false: nothing."},
    "names": {"type": "boolean", "description": "true: players are named; else only seats are."},
    "press": {
        "enum": ["none", "public", "all"],
        "description": "What was said to all; or, of finished games, between seats too.",
    },
}

ARCHIVE: Final[dict[str, Json]] = {
    "type": "object",
    "additionalProperties": False,
    "description": "What `pbem archive` publishes.",
    "properties": ARCHIVE_FIELDS,
}

QUESTIONS: Final[Json] = {
    "enum": ["digest", "at once"],
    "description": "When the moderator reads mails of players that ask a person.",
}

AUTH: Final[Json] = ["token and sender", "token", "sender", "openpgp"]

_GAME: dict[str, Json] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["seats"],
    "properties": {
        "seats": {"type": "object", "additionalProperties": _SEAT, "description": "Who sits where."},
        "silent": {"enum": SILENT, "description": "What answers for a silent seat at the deadline."},
        "misses": _MISSES,
        "standby": {
            "type": "array",
            "maxItems": 30,
            "items": _PERSON,
            "description": "Who takes the seat of a player who misses too many turns, the next one first.",
        },
        "key": {"type": "boolean", "description": "true: orders files must carry the seat's key."},
        "press": _PRESS,
        "auth": {"enum": AUTH, "description": "What proves whose a mail is."},
        "questions": QUESTIONS,
        "deadline": {"type": "string", "description": "When orders are due: 2026-12-01T20:00:00+01:00."},
        "schedule": _SCHEDULE,
        "absent": {"enum": list[Json](ABSENT), "description": "What an announced absence does."},
        "votes": {"enum": list[Json](VOTES), "description": "Who learns what the seats vote for."},
        "archive": ARCHIVE,
        "open": {"type": "boolean", "description": "true: seats without a player can be taken by mail."},
    },
}


@cache
def game_schema() -> Schema:
    """Return the schema of `game.yaml`."""
    return Schema(_GAME)


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
