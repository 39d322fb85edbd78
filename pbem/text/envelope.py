"""The one shape that orders files of all games share: its fields, the line above a form, its JSON Schema."""

from __future__ import annotations

import base64
import hmac
import json
import re
from collections.abc import Callable, Collection, Mapping
from typing import Final, NamedTuple

from pbem.core.book import BEFORE_DEAL, START
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.opening import SEAL
from pbem.text.schema import Schema

TOP: Final = ("game", "seat", "key", "orders", "stop_if", "press", "partial", "wait", "detail")
MAIN: Final = frozenset(["orders", "stop_if", "press"])
OF_ORDERS: Final = ("at", "when", "keep", "until", "if_silent", "do")
OF_PRESS: Final = ("to", "say", "anonymous")
LINE: Final = (*OF_ORDERS, *OF_PRESS)

BULLETS: Final = "–—•·●○▪‣◦⁃*§"
BULLET: Final = rf"(?:[-{BULLETS}]|[0-9]{{1,2}}[.)])"

_CODE_LENGTH: Final = 10
_MARKER: Final = re.compile(
    r"#\s*pbem form\s+(?P<game>[a-z0-9][a-z0-9-]{0,20})\s+(?P<seat>[^\s/]{1,40})\s+(?P<label>[^\s/]{1,80})"
    rf"(?:\s+(?P<code>[a-z2-7]{{{_CODE_LENGTH}}}))?\s*"
)


class Marker(NamedTuple):
    """What a marker line says.

    Attributes:
        game: The id of the game.
        seat: Whose form it is.
        label: The ask that it answers.
        code: What proves it; "" if the line has none.
    """

    game: str
    seat: str
    label: str
    code: str


def marker_line(game: str, seat: str, label: str, secret: bytes) -> str:
    """Return the marker line of a form, such as `# pbem form web-1 7 turn-3 k3v9qq7t2m`.

    Args:
        game: The id of the game.
        seat: Whose form it is.
        label: The ask that it answers.
        secret: What only the host knows of this game.
    """
    return f"# pbem form {game} {seat} {label} {_code(game, seat, label, secret)}"


def read_marker(line: str) -> Marker | None:
    """Return what a line says if it is a marker line, quoted or not."""
    found = _MARKER.fullmatch(line.lstrip("> |\t").rstrip())
    return Marker(found["game"], found["seat"], found["label"], found["code"] or "") if found else None


def marker_matcher(game: str, seat: str, labels: Collection[str], secret: bytes) -> Callable[[str], bool]:
    """Return what tells whether a line is the marker of a seat's own form for one of these asks."""

    def is_ours(line: str) -> bool:
        said = read_marker(line)
        if said is None or (said.game, said.seat) != (game, seat) or said.label not in labels:
            return False
        return hmac.compare_digest(said.code, _code(game, seat, said.label, secret))

    return is_ours


def _code(game: str, seat: str, label: str, secret: bytes) -> str:
    text = json.dumps(["form", game, seat, label]).encode()
    digest = hmac.digest(secret, text, "sha256")
    return base64.b32encode(digest).decode().lower()[:_CODE_LENGTH]


GAME_NAME: Final = "^[a-z0-9][a-z0-9-]{0,20}(?!\\n)$"

_CONDITION: Final[dict[str, Json]] = {
    "title": "Conditions",
    "description": "Conditions of the game, each with what it is about: {crown: E5}. They can be joined: "
    "all, any and not.",
    "type": "object",
    "maxProperties": 30,
}

_LINE: Final[dict[str, Json]] = {
    "title": "A line of orders",
    "type": "object",
    "additionalProperties": False,
    "required": ["do"],
    "properties": {
        "at": {
            "title": "For which ask",
            "description": "The label from your report, such as red-7. Leave it out for "
            '"whenever I am asked".',
            "type": "string",
        },
        "when": _CONDITION,
        "keep": {
            "title": "Standing order",
            "description": "true: the line stays after it was used.",
            "type": "boolean",
        },
        "until": {
            "title": "Standing up to",
            "description": "A label such as red-9: the line stays up to and with this ask.",
            "type": "string",
        },
        "if_silent": {
            "title": "If silent",
            "description": "true: the line counts only if the deadline passes and nothing else has answered.",
            "type": "boolean",
        },
        "do": {"title": "The order", "description": "What to do, in the words of the game."},
    },
}

_PRESS: Final[dict[str, Json]] = {
    "title": "A message",
    "type": "object",
    "additionalProperties": False,
    "required": ["to", "say"],
    "properties": {
        "to": {
            "title": "Readers",
            "description": "A list of seats, or all; moderator writes to the moderator.",
            "type": ["array", "string"],
            "items": {"type": "string"},
            "minItems": 1,
            "maxItems": 30,
        },
        "say": {"title": "Text", "description": "What they will read.", "type": "string", "maxLength": 4000},
        "anonymous": {
            "title": "Anonymous",
            "description": "true: the readers do not learn whose it is, where the game allows that.",
            "type": "boolean",
        },
    },
}

ENVELOPE: Final[dict[str, Json]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Orders of one seat",
    "type": "object",
    "additionalProperties": False,
    "required": ["game", "seat"],
    "properties": {
        "game": {
            "title": "Game",
            "description": "The id of the game, from your report.",
            "type": "string",
            "pattern": GAME_NAME,
        },
        "seat": {"title": "Seat", "description": "Your seat, from your report.", "type": "string"},
        "key": {
            "title": "Key",
            "description": "Your secret key, only where the game asks for it.",
            "type": "string",
            "maxLength": 64,
        },
        "orders": {
            "title": "Orders",
            "description": "Lines, tried in the order written; the first that fits and is legal is played. "
            "none withdraws the lines that stand.",
            "type": ["array", "string"],
            "pattern": "^[Nn][Oo][Nn][Ee]$",
            "maxItems": 200,
            "items": _LINE,
        },
        "stop_if": {
            **_CONDITION,
            "title": "Stop if",
            "description": "When this holds on your view, your lines for later asks are over.",
        },
        "press": {
            "title": "Press",
            "description": "Messages to other seats, delivered with the next reports.",
            "type": "array",
            "maxItems": 30,
            "items": _PRESS,
        },
        "wait": {
            "title": "Wait",
            "description": "true: the lines count at the deadline, and the game is not run early for you.",
            "type": "boolean",
        },
        "detail": {
            "title": "Detail",
            "description": "How long your reports are from now on: short, or full.",
            "enum": ["short", "full"],
        },
        "partial": {
            "title": "Partial",
            "description": "true: what has a mistake is dropped and named, and the rest counts.",
            "type": "boolean",
        },
    },
}


def names_as_text(value: dict[str, Json]) -> dict[str, Json]:
    """Turn the names that YAML read as numbers into text: game, seat, key and the readers of press."""
    out = dict(value)
    for name in ("game", "seat", "key"):
        if type(out.get(name)) is int:
            out[name] = str(out[name])
    if isinstance(press := out.get("press"), list):
        out["press"] = [_with_text_readers(message) for message in press]
    return out


def _with_text_readers(message: Json) -> Json:
    if not isinstance(message, dict):
        return message
    to = message.get("to")
    if isinstance(to, list):
        return {**message, "to": [str(seat) if type(seat) is int else seat for seat in to]}
    return {**message, "to": str(to)} if type(to) is int else message


def has_luck(move: Mapping[str, Json]) -> bool:
    """Tell whether the rules' orders have a field `luck` of their own."""
    own = move.get("properties")
    return isinstance(own, dict) and "luck" in own


def start_schema(questions: Mapping[str, Json], *, sealed: bool = False) -> dict[str, Json]:
    """Return the schema of a start form's `do`: luck words, and what the rules ask besides.

    Args:
        questions: The rules' own fields, as JSON Schema properties.
        sealed: A seal may stand in place of luck words.
    """
    luck: dict[str, Json] = {"required": ["luck"]}
    seal: dict[str, Json] = {
        "title": "Seal",
        "description": "In place of luck words: the hash of words that you keep until all seals are in.",
        "type": "string",
        "pattern": f"^{SEAL}(?!\\n)$",
    }
    return {
        "title": "Start form",
        "description": "Your answer before the deal.",
        "type": "object",
        "additionalProperties": False,
        **({"if": {"required": ["seal"]}, "else": luck} if sealed else luck),
        "properties": {
            "luck": {
                "title": "Luck words",
                "description": "Any words of yours; they join the dice, so that no single one can fix them.",
                "type": "string",
                "maxLength": 200,
            },
            **({"seal": seal} if sealed else {}),
            **questions,
        },
    }


def full_schema(move: Mapping[str, Json], start: Mapping[str, Json]) -> dict[str, Json]:
    """Return the schema of a whole orders file of one rule system, for editors.

    Args:
        move: The rules' schema of `do`.
        start: The schema of a start form's `do`.
    """
    start_form: Json = {"properties": {"do": {"$ref": "#/$defs/start"}}}
    at: Json = {"enum": [*BEFORE_DEAL]} if "seal" in _fields(start) else {"const": START}
    line: dict[str, Json] = {
        **_LINE,
        "if": {"required": ["at"], "properties": {"at": at}},
        "then": start_form,
        "else": {"properties": {"do": {"$ref": "#/$defs/do"}}},
    }
    by_words: Json = {
        "if": {"required": ["luck"]},
        "then": {"$ref": "#/$defs/start"},
        "else": {"$ref": "#/$defs/move"},
    }
    orders: dict[str, Json] = {**_as_object(_fields(ENVELOPE)["orders"]), "items": line}
    return {
        **ENVELOPE,
        "properties": {**_fields(ENVELOPE), "orders": orders},
        "$defs": {
            "do": {"$ref": "#/$defs/move"} if has_luck(move) else by_words,
            "move": _without_dialect(move),
            "start": _without_dialect(start),
        },
    }


def _fields(schema: Mapping[str, Json]) -> dict[str, Json]:
    return _as_object(schema["properties"])


def _as_object(value: Json) -> dict[str, Json]:
    assert isinstance(value, dict), "a schema's properties are an object"
    return value


def _without_dialect(schema: Mapping[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in schema.items() if key not in ("$schema", "$id")}


class Grammar(NamedTuple):
    """What the orders of a game may look like.

    Attributes:
        seats: All seats.
        move: The schema of the rules' `do`.
        start: The schema of a start form's `do`.
        actions: Fields of `do` that stand for themselves.
        renew: Returns an order as the rules that are installed mean it, where an older version is answered.
        is_dealt: The game was dealt: what stands under the label of the start is an order with an old label,
            unless it has luck words or their seal.
        holders: Tells the name of each seat's player, where it may be told.
    """

    seats: tuple[Seat, ...]
    move: Schema
    start: Schema
    actions: frozenset[str] = frozenset()
    renew: Callable[[Json], Json] | None = None
    is_dealt: bool = False
    holders: Callable[[], Mapping[Seat, str]] = dict

    def schema_of(self, at: Json, do: Json) -> Schema:
        """Return what a line is read by: a start form has its label, or luck words where no order has such.

        Args:
            at: The label, None where there is none.
            do: The order.
        """
        fields = do.keys() if isinstance(do, dict) else frozenset[str]()
        is_theirs = has_luck(self.move.schema)
        if at == START and self.is_dealt and not is_theirs:
            return self.move if fields.isdisjoint(("luck", "seal")) else self.start
        return self.start if at in BEFORE_DEAL or ("luck" in fields and not is_theirs) else self.move
