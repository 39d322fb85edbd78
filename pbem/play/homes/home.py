"""The home: what its moderator wrote there, its secrets, and what nobody else on the machine may read."""

from __future__ import annotations

import contextlib
import hmac
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.config.gamefile import GameTable, read_game_file
from pbem.play.config.homefile import TOKEN_FILE, home_schema
from pbem.play.config.registry import FieldsFile, read_fields_file
from pbem.play.homes.saves import Turns
from pbem.store.disk import exposure_error
from pbem.store.errors import WrongInput
from pbem.store.interface import Place
from pbem.text.envelope import GAME_NAME
from pbem.text.schema import Schema, near

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from pbem.store.interface import Change, Store
    from pbem.store.journal import Journal
    from pbem.store.records import Act, QueuedNotice


SETTINGS: Final = "home.yaml"
"""The name of the moderator's file about the whole home."""


@cache
def _name_schema() -> Schema:
    return Schema({"type": "string", "pattern": GAME_NAME})


class Secret(NamedTuple):
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
        return make_key(hmac.digest(self.seed, place, "sha256"))

    def as_json(self) -> dict[str, Json]:
        """Return the content of the file."""
        keys: dict[str, Json] = {str(seat): key for seat, key in self.keys.items()}
        more: dict[str, Json] = {"sample": True} if self.sample else {}
        return {"seed": self.seed.hex(), "keys": keys, **more, "sum": self.sum}

    @property
    def sum(self) -> str:
        """What shows whether a key was changed: only the holder of the seed can make it."""
        place = json.dumps(["secret", sorted(self.keys.items()), self.sample]).encode()
        return hmac.digest(self.seed, place, "sha256").hex()


def make_key(secret: bytes) -> str:
    """Return a key from at least 27 secret bytes: 39 bits, a letter first so that YAML reads it as text."""
    letters = "abcdefghjkmnpqrstuvwxyz"
    signs = letters + "23456789"
    first, *rest = (int.from_bytes(secret[place : place + 3], "big") for place in range(0, 27, 3))
    spelled = "".join(signs[number % len(signs)] for number in rest)
    return letters[first % len(letters)] + spelled[:3] + "-" + spelled[4:]


class Home:
    """A moderator's home, in a store, with what the moderator wrote there."""

    def __init__(self, store: Store, unmailed: dict[str, QueuedNotice] | None = None) -> None:
        """Look at a home.

        Args:
            store: What keeps it.
            unmailed: Keeps, by its name, what is to be told and no mail can tell; None if nobody asks for it.
        """
        self.store = store
        self.unmailed = unmailed
        self._is_journal_read = True

    def __str__(self) -> str:
        return self.store.spelled("")

    def games(self) -> list[str]:
        """Return the ids of all games of this home, in order.

        Raises:
            WrongInput: This is no home.
        """
        return self.store.games()

    def has(self, name: str) -> bool:
        """Tell whether there is a game of this id, without looking at the others."""
        return self.store.has(name)

    def game(self, name: str) -> Place:
        """Return where a game lies.

        Raises:
            WrongInput: There is no such game here.
        """
        if not self.has(name):
            hint = near(name, self.games()).hint or "`pbem status` lists the games of a home."
            raise WrongInput(f"there is no game {name!r} in {self}.", hint)
        return self.store.at(f"games/{name}")

    def turns(self, game: str) -> Turns:
        """Return the turns of a game.

        Raises:
            WrongInput: There is no such game here.
        """
        self.game(game)
        return Turns(self.store, game)

    def held(self, game: str, *, wait_seconds: float = 0.0) -> AbstractContextManager[Change | None]:
        """Hold a game, so that nobody else changes it; a change that was cut off is finished first.

        Raises:
            GateClosedError: Another program held it all the while.
            WrongInput: There is no such game here.
        """
        return self.store.held(self.game(game).path, wait_seconds=wait_seconds)

    def orders_file(self, game: str, seat: Seat) -> Place:
        """Return where a seat's newest submission lies."""
        return self.store.at(f"orders/{game}/{seat}.yaml")

    @property
    def templates(self) -> Place:
        """Where the moderator's own templates lie."""
        return self.store.at("templates")

    @property
    def has_journal(self) -> bool:
        """Tell whether anything was ever noted in this home."""
        return self._is_journal_read and self.store.has_journal

    def without_journal(self) -> Home:
        """Return this home without what was noted, to look at it while its journal is damaged."""
        found = Home(self.store)
        found._is_journal_read = False
        return found

    def journal(self) -> AbstractContextManager[Journal]:
        """Open the journal, made if it is not there. Use it in `with`.

        Raises:
            WrongInput: It is damaged or of a newer pbem.
        """
        return self.store.journal()

    def public_acts(self, game: str) -> list[Act]:
        """Return what was done to a game, as all may know; a home without notes stays without."""
        if not self.has_journal:
            return []
        with self.journal() as db:
            return db.acts(game, public=True)

    def table(self, game: Place, seats: tuple[Seat, ...]) -> GameTable:
        """Return the moderator's file of the game that lies here.

        Raises:
            WrongInput: It does not fit its schema or the game's seats.
        """
        return read_game_file(game / "game.yaml", seats, self.settings().get("silent"), self.zone())

    def zone(self) -> str:
        """Return the time zone of players who have named none; "" if the home names none either.

        Raises:
            WrongInput: There is no such zone.
        """
        file = self._settings_file()
        zone = str(file.value.get("zone", "")) if file is not None else ""
        if file is not None and zone:
            file.refuse_strange_zone(zone, "zone")
        return zone

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
        file = self._settings_file()
        return file.value if file is not None else {}

    def _settings_file(self) -> FieldsFile | None:
        place = self.store.at(SETTINGS)
        if not place.exists():
            return None
        file = read_fields_file(place)
        file.refuse_misfits(home_schema())
        return file


def read_secret(game: Place) -> Secret:
    """Return the secret of the game that lies here.

    Raises:
        WrongInput: The file is missing or damaged.
    """
    place = game / "secret.json"
    try:
        value = json.loads(place.read_bytes())
        keys = {Seat(seat): str(key) for seat, key in value["keys"].items()}
        return Secret(bytes.fromhex(value["seed"]), keys, value.get("sample") is True)
    except (OSError, ValueError, KeyError, AttributeError, TypeError, RecursionError):
        hint = "Without the seed no turn can be run; restore it from your backup."
        raise WrongInput(f"{place} is missing or damaged.", hint) from None


def is_game_name(name: str) -> bool:
    """Tell whether a text may be the id of a game: lower case letters, digits and hyphens."""
    return _name_schema().takes(name)


def exposed_secrets(home: Home, games: Iterable[str] | None = None) -> list[WrongInput]:
    """Return a mistake for all in a home that others on this machine can read and must not.

    That are the files with passwords and tokens that `home.yaml` names; the folder of every game, which tells
    what is hidden in it, with its seed and keys; orders that were lodged; and mails. Sample games hold no
    secrets.

    Args:
        home: The home.
        games: The games to look at; None: all.

    Raises:
        WrongInput: The home is none, or its `home.yaml` is damaged.
    """
    games = [game for game in (home.games() if games is None else games) if not _is_sample(home, game)]
    secret = (name for game in games for name in (f"games/{game}", f"games/{game}/secret.json"))
    lodged = (f"orders/{game}" for game in games)
    return [*_open_passwords(home), *home.store.open_to_others([*secret, *lodged, "mail"])]


def is_exposed(home: Home, game: str) -> bool:
    """Tell whether others on this machine can read what they must not of a game."""
    names = (f"games/{game}", f"games/{game}/secret.json", f"orders/{game}")
    return bool(home.store.open_to_others(names)) and not _is_sample(home, game)


def _open_passwords(home: Home) -> Iterator[WrongInput]:
    """Yield a mistake for each file with a password or a token, beside the home, that others can read."""
    section = home.settings().get("mail")
    parts: list[Json] = list(section.values()) if isinstance(section, dict) else []
    files = [
        str(part[name])
        for part in parts
        if isinstance(part, dict)
        for name in ("password_file", "client_secret_file", "token_file")
        if name in part
    ]
    if isinstance(section, dict) and "oauth" in section:
        files.append(TOKEN_FILE)
    for file in dict.fromkeys(files):
        with contextlib.suppress(OSError):  # what is not there is told where it is needed
            if told := exposure_error(home.store.beside / file):
                yield told


def _is_sample(home: Home, game: str) -> bool:
    try:
        return read_secret(home.game(game)).sample
    except WrongInput:
        return False
