"""The moderator's file of one game, `game.yaml`: who sits where, and what becomes of those who are silent."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.missed import STANDBY, Misses
from pbem.edge.errors import WrongInput
from pbem.edge.registry import read_table
from pbem.text.codec import decode
from pbem.text.schema import Schema

SILENT: Json = ["wait", "hold", "random", "greedy"]

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
        "maxLength": 200,
        "pattern": r"^[!-~]+@[!-~]+(?!\n)$",
        "description": "Where reports go.",
    },
    "bot": {"enum": ["random", "greedy"], "description": "A bot plays this seat at once."},
    "silent": {"enum": SILENT, "description": "As for the game, here only."},
    "luck": {"type": "string", "maxLength": 200, "description": "Luck words, for `pbem new --deal`."},
    "answers": {"type": "object", "description": "What else the start form asks, for the same."},
}

_SEAT: dict[str, Json] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["player"],
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
        "deadline": {"type": "string", "description": "When orders are due: 2026-12-01T20:00:00+01:00."},
    },
}


@cache
def game_schema() -> Schema:
    """Return the schema of `game.yaml`."""
    return Schema(_GAME)


@dataclass(frozen=True, slots=True)
class PressRule:
    """What a game allows of press.

    Attributes:
        deliver: "off", with the next "report", or "at once" and with the report again.
        anonymous: A seat may leave its name out.
    """

    deliver: str
    anonymous: bool


@dataclass(frozen=True, slots=True)
class Table:
    """The moderator's file of one game, `game.yaml`.

    Attributes:
        players: Name of the player in each seat.
        luck: Luck words the moderator was given, by seat.
        answers: What else these seats' start forms would say.
        bots: Skill of the bot in each seat that one plays.
        silent: What answers for each seat that is silent at the deadline: wait, hold, or a bot's skill.
        misses: What becomes of seats that miss turns.
        key: Whether orders must carry the seat's key.
        deadline: When orders are due, or None.
        addresses: Where mail for each seat goes, as far as it is written.
        standby: Address of each player who waits to take a seat over, by name; "" where none is written.
        press: What messages between seats are allowed.
        auth: What proves whose a mail is: "token and sender", "token", "sender" or "openpgp".
    """

    players: Mapping[Seat, str]
    luck: Mapping[Seat, str]
    answers: Mapping[Seat, dict[str, Json]]
    bots: Mapping[Seat, str]
    silent: Mapping[Seat, str]
    misses: Misses
    key: bool
    deadline: datetime.datetime | None
    addresses: Mapping[Seat, str]
    standby: Mapping[str, str]
    press: PressRule
    auth: str


def read_game_file(path: Path, seats: tuple[Seat, ...], silent: Json = None) -> Table:
    """Return a `game.yaml` or a file of players.

    Args:
        path: The file.
        seats: The seats of the game, in seating order.
        silent: The home's default for silent seats.

    Raises:
        WrongInput: It does not fit the schema or the seats.
    """
    value = read_table(path)
    refuse_misfits(path, game_schema(), value)
    written = value["seats"]
    assert isinstance(written, dict), "the schema says so"
    if strange := [seat for seat in written if seat not in seats]:
        raise WrongInput(f"{path}: there is no seat {strange[0]!r}.", f"The seats are {', '.join(seats)}.")
    if missing := [seat for seat in seats if seat not in written]:
        raise WrongInput(f"{path}: the seat {missing[0]!r} has no player.")

    rows = {seat: row for seat in seats if isinstance(row := written[seat], dict)}

    def column(name: str) -> dict[Seat, str]:
        return {seat: str(row[name]) for seat, row in rows.items() if name in row}

    players = column("player")
    general = str(value.get("silent") or silent or "wait")
    return Table(
        players,
        column("luck"),
        {seat: answers for seat, row in rows.items() if isinstance(answers := row.get("answers"), dict)},
        column("bot"),
        {**dict.fromkeys(seats, general), **column("silent")},
        _misses(path, value, players),
        value.get("key") is True,
        _moment(path, value.get("deadline")),
        column("address"),
        {str(one["player"]): str(one.get("address", "")) for one in _standby(value)},
        _press_rule(value.get("press")),
        str(value.get("auth", "token and sender")),
    )


def _standby(value: Mapping[str, Json]) -> list[dict[str, Json]]:
    """Return the rows of those who wait to take a seat over."""
    listed = value.get("standby")
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _press_rule(written: Json) -> PressRule:
    rule = written if isinstance(written, dict) else {}
    return PressRule(str(rule.get("deliver", "report")), rule.get("anonymous") is True)


def _misses(path: Path, value: Mapping[str, Json], players: Mapping[Seat, str]) -> Misses:
    """Return what becomes of seats that miss turns; a standby who has a seat already waits for none."""
    names = [str(one["player"]) for one in _standby(value)]
    if twice := [name for place, name in enumerate(names) if name in names[:place]]:
        raise WrongInput(f"{path}: standby: {twice[0]} is there twice.", "Give each a name of their own.")
    misses = value.get("misses")
    if not isinstance(misses, dict):
        return Misses()
    waiting = tuple(name for name in names if name not in players.values())
    return Misses(decode(int, misses["after"], "after"), str(misses["then"]), waiting, players)


def refuse_misfits(path: Path, schema: Schema, value: Json) -> None:
    """Refuse a file that does not fit its schema.

    Raises:
        WrongInput: The first misfit, with its place in the file.
    """
    for problem in schema.problems(value):
        place = ".".join(map(str, problem.path))
        raise WrongInput(f"{path}: {place + ': ' if place else ''}{problem.text}.", problem.hint)


def _moment(path: Path, text: Json) -> datetime.datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.datetime.fromisoformat(str(text))
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        example = "Write 2026-12-01T20:00:00+01:00."
        raise WrongInput(f"{path}: deadline: {text} is no moment with a zone.", example)
    return moment
