"""What may stand in a game's `game.yaml`, as a JSON Schema."""

from __future__ import annotations

from functools import cache
from typing import Final

from pbem.core.engine.missed import STANDBY
from pbem.core.interface import Json
from pbem.play.config.schedule import ALWAYS, CLOCK, DAYS, NEVER, SPAN, SPAN_OR_NONE
from pbem.text.names.mailaddress import LONGEST, PLAIN
from pbem.text.schemas.schema import Schema

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
        "maxLength": LONGEST,
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
        "deliver": {"enum": ["off", "report", "at once"], "description": "When their readers get them."},
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
