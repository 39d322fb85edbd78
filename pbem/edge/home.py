"""The moderator's folder: where things are in it, and what the moderator wrote there."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.edge.errors import WrongInput
from pbem.edge.registry import read_table
from pbem.text.envelope import GAME_NAME
from pbem.text.schema import Schema, near

_SEAT: dict[str, Json] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["player"],
    "properties": {
        "player": {
            "type": "string",
            "minLength": 1,
            "maxLength": 60,
            "pattern": r"^[^\x00-\x1f]+(?!\n)$",
            "description": "The player's name, in one line.",
        },
        "address": {"type": "string", "maxLength": 200, "description": "Where reports go."},
        "bot": {"enum": ["random", "greedy"], "description": "A bot plays this seat at once."},
        "luck": {"type": "string", "maxLength": 200, "description": "Luck words, for `pbem new --deal`."},
        "answers": {"type": "object", "description": "What else the start form asks, for the same."},
    },
}

_SILENT: Json = ["wait", "hold", "random", "greedy"]

_GAME: dict[str, Json] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["seats"],
    "properties": {
        "seats": {"type": "object", "additionalProperties": _SEAT, "description": "Who sits where."},
        "silent": {"enum": _SILENT, "description": "What answers for a silent seat at the deadline."},
        "key": {"type": "boolean", "description": "true: orders files must carry the seat's key."},
        "deadline": {"type": "string", "description": "When orders are due: 2026-12-01T20:00:00+01:00."},
    },
}

_HOME: dict[str, Json] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "moderator": {"type": "string", "maxLength": 60, "description": "The moderator's name."},
        "silent": {"enum": _SILENT, "description": "For games that do not say it themselves."},
    },
}


@cache
def _schemas() -> tuple[Schema, Schema, Schema]:
    return Schema(_HOME), Schema(_GAME), Schema({"type": "string", "pattern": GAME_NAME})


@dataclass(frozen=True, slots=True)
class Table:
    """The moderator's file of one game, `game.yaml`.

    Attributes:
        players: Name of the player in each seat.
        luck: Luck words the moderator was given, by seat.
        answers: What else these seats' start forms would say.
        bots: Skill of the bot in each seat that one plays.
        silent: What answers for a silent seat at the deadline: wait, hold, or a bot's skill.
        key: Whether orders must carry the seat's key.
        deadline: When orders are due, or None.
    """

    players: Mapping[Seat, str]
    luck: Mapping[Seat, str]
    answers: Mapping[Seat, dict[str, Json]]
    bots: Mapping[Seat, str]
    silent: str
    key: bool
    deadline: datetime.datetime | None


@dataclass(frozen=True, slots=True)
class Secret:
    """A game's `secret.json`: the dice seed and the seats' keys.

    Attributes:
        seed: 32 bytes.
        keys: The key of each seat.
        sample: The game is a shipped sample: its seed is known to all the world.
    """

    seed: bytes
    keys: Mapping[Seat, str]
    sample: bool = False

    def as_json(self) -> dict[str, Json]:
        """Return the content of the file."""
        keys: dict[str, Json] = {str(seat): key for seat, key in self.keys.items()}
        return {"seed": self.seed.hex(), "keys": keys, **({"sample": True} if self.sample else {})}


class Home:
    """A moderator's folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.games_folder = path / "games"
        self.orders_folder = path / "orders"
        self.templates_folder = path / "templates"

    def games(self) -> list[str]:
        """Return the ids of all games of this home, in order.

        Raises:
            WrongInput: This folder is no home.
        """
        if not self.games_folder.is_dir():
            raise WrongInput(
                f"{self.path} is no pbem home: it has no games folder.", "Make one: pbem init DIR."
            )
        games = (path for path in self.games_folder.iterdir() if (path / "turns").is_dir())
        return sorted(path.name for path in games if not path.name.startswith("."))

    def game(self, name: str) -> Path:
        """Return the folder of a game.

        Raises:
            WrongInput: There is no such game here.
        """
        if not self.has(name):
            hint = near(name, self.games()) or "`pbem status` lists the games of a home."
            raise WrongInput(f"there is no game {name!r} in {self.path}.", hint)
        return self.games_folder / name

    def has(self, name: str) -> bool:
        """Tell whether there is a game of this id, without looking at the others."""
        is_plain = bool(name) and not name.startswith(".") and not set(name) & set("/\0")
        return is_plain and (self.games_folder / name / "turns").is_dir()

    def orders_file(self, game: str, seat: Seat) -> Path:
        """Return where a seat's newest submission lies."""
        return self.orders_folder / game / f"{seat}.yaml"

    def table(self, game: Path, seats: tuple[Seat, ...]) -> Table:
        """Return the moderator's file of the game in this folder.

        Raises:
            WrongInput: It does not fit its schema or the game's seats.
        """
        return read_game_file(game / "game.yaml", seats, self._settings().get("silent"))

    def secret(self, game: Path) -> Secret:
        """Return the secret of the game in this folder.

        Raises:
            WrongInput: The file is missing or damaged.
        """
        path = game / "secret.json"
        try:
            value = json.loads(path.read_text(encoding="utf-8"))
            keys = {Seat(seat): str(key) for seat, key in value["keys"].items()}
            return Secret(bytes.fromhex(value["seed"]), keys, value.get("sample") is True)
        except (OSError, ValueError, KeyError, AttributeError, TypeError, RecursionError):
            hint = "Without the seed no turn can be run; restore it from your backup."
            raise WrongInput(f"{path} is missing or damaged.", hint) from None

    def _settings(self) -> Mapping[str, Json]:
        path = self.path / "home.yaml"
        if not path.exists():
            return {}
        settings = read_table(path)
        _complain(path, _schemas()[0], settings)
        return settings


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
    _complain(path, _schemas()[1], value)
    written = value["seats"]
    assert isinstance(written, dict), "the schema says so"
    if strange := [seat for seat in written if seat not in seats]:
        raise WrongInput(f"{path}: there is no seat {strange[0]!r}.", f"The seats are {', '.join(seats)}.")
    if missing := [seat for seat in seats if seat not in written]:
        raise WrongInput(f"{path}: the seat {missing[0]!r} has no player.")

    rows = {seat: row for seat in seats if isinstance(row := written[seat], dict)}

    def column(name: str) -> dict[Seat, str]:
        return {seat: str(row[name]) for seat, row in rows.items() if name in row}

    return Table(
        column("player"),
        column("luck"),
        {seat: answers for seat, row in rows.items() if isinstance(answers := row.get("answers"), dict)},
        column("bot"),
        str(value.get("silent") or silent or "wait"),
        value.get("key") is True,
        _moment(path, value.get("deadline")),
    )


def is_game_name(name: str) -> bool:
    """Tell whether a text may be the id of a game: lower case letters, digits and hyphens."""
    return not _schemas()[2].problems(name)


def _complain(path: Path, schema: Schema, value: Json) -> None:
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
