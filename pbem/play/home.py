"""The moderator's folder: where things are in it, and what the moderator wrote there."""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.gamefile import Table, read_game_file, refuse_misfits, refuse_strange_zone
from pbem.play.homefile import home_schema
from pbem.play.registry import read_table
from pbem.store.errors import WrongInput
from pbem.store.folder import Folder
from pbem.text.envelope import GAME_NAME
from pbem.text.schema import Schema


@cache
def _name_schema() -> Schema:
    return Schema({"type": "string", "pattern": GAME_NAME})


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

    def key(self, seat: Seat, standby: str = "") -> str:
        """Return a seat's key: the one it was made with, or the one of the standby who took it over."""
        if not standby:
            return self.keys[seat]
        place = json.dumps(["key", seat, standby]).encode()
        return spelled_key(hmac.digest(self.seed, place, "sha256"))

    def as_json(self) -> dict[str, Json]:
        """Return the content of the file."""
        keys: dict[str, Json] = {str(seat): key for seat, key in self.keys.items()}
        return {"seed": self.seed.hex(), "keys": keys, **({"sample": True} if self.sample else {})}


def spelled_key(secret: bytes) -> str:
    """Return a key from at least 27 secret bytes: 39 bits, a letter first so that YAML reads it as text."""
    letters = "abcdefghjkmnpqrstuvwxyz"
    signs = letters + "23456789"
    first, *rest = (int.from_bytes(secret[place : place + 3], "big") for place in range(0, 27, 3))
    spelled = "".join(signs[number % len(signs)] for number in rest)
    return letters[first % len(letters)] + spelled[:3] + "-" + spelled[4:]


class Home(Folder):
    """A moderator's folder, with what the moderator wrote there."""

    def table(self, game: Path, seats: tuple[Seat, ...]) -> Table:
        """Return the moderator's file of the game in this folder.

        Raises:
            WrongInput: It does not fit its schema or the game's seats.
        """
        return read_game_file(game / "game.yaml", seats, self.settings().get("silent"), self.zone())

    def zone(self) -> str:
        """Return the time zone of players who have named none; "" if the home names none either.

        Raises:
            WrongInput: There is no such zone.
        """
        zone = str(self.settings().get("zone", ""))
        if zone:
            refuse_strange_zone(self.path / "home.yaml", "zone", zone)
        return zone

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

    def mail_section(self) -> Mapping[str, Json]:
        """Return what `home.yaml` says about mail; nothing if it does not play by mail.

        Raises:
            WrongInput: `home.yaml` does not fit its schema.
        """
        section = self.settings().get("mail")
        return section if isinstance(section, dict) else {}

    def settings(self) -> Mapping[str, Json]:
        """Return what `home.yaml` says; nothing if there is none.

        Raises:
            WrongInput: It does not fit its schema.
        """
        path = self.path / "home.yaml"
        if not path.exists():
            return {}
        settings = read_table(path)
        refuse_misfits(path, home_schema(), settings)
        return settings


def is_game_name(name: str) -> bool:
    """Tell whether a text may be the id of a game: lower case letters, digits and hyphens."""
    return not _name_schema().problems(name)
