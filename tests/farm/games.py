"""The games of the campaign: all rules in turn, with settings that make them short."""

from __future__ import annotations

import datetime
import random
import tempfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Final

from pbem.core.interface import Json
from pbem.play.config.newgame import new_game
from pbem.play.homes.home import Home
from pbem.text.strictyaml import dump

PLAYERS: Final = "example.test"
DOMAINS: Final = [f"n{n}.{PLAYERS}" for n in range(10)]
"""Where players have their mailboxes; mails to one domain go out one after the other."""

ADDRESS: Final = "host@lmtp.test"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of game.

    Attributes:
        short: What its games are called, with a number.
        seats: The seats.
        turns: About how many turns it has, a little too few.
        options: Its options.
        answers: What start forms say besides luck words.
        is_long: Whether it has so many turns that the house may play all seats but the first.
    """

    short: str
    seats: tuple[str, ...]
    turns: int
    options: Mapping[str, Json] = field(default_factory=dict)
    answers: Mapping[str, Json] = field(default_factory=dict)
    is_long: bool = False


KINDS: Final[Mapping[str, Kind]] = {
    "rose-king": Kind("rose", ("red", "white"), 9, {"own_tokens": 4}),
    "web-of-intrigue": Kind("intrigue", ("1", "2", "3"), 4, {"turns": 3}, {"target": 250}),
    "web-of-power": Kind("power", ("yellow", "red", "green"), 38, is_long=True),
    "web-of-power-cards": Kind("cards", ("yellow", "red", "green"), 38, is_long=True),
    "game-of-powers": Kind("powers", ("white", "black"), 44, is_long=True),
}


MORE: Final = [
    *["rose-king", "web-of-intrigue", "web-of-intrigue", "rose-king", "web-of-intrigue"] * 10,
    *["web-of-power", "web-of-power-cards", "game-of-powers"],
]
"""The rules of further games, again and again: the last three have many times more turns than the others."""


@dataclass(frozen=True, slots=True)
class Seated:
    """Who plays a seat, by mail.

    Attributes:
        game: The game.
        rules: Its rules.
        seat: The seat.
        address: Where mail for it goes; nobody else's.
    """

    game: str
    rules: str
    seat: str
    address: str


def tables(games: int) -> list[tuple[str, str]]:
    """Return the id and the rules of so many games: two of all rules first, then more of the short ones."""
    rules = [*KINDS] * 2 + MORE * games
    return [(f"{KINDS[one].short}-{n}", one) for n, one in enumerate(rules[:games])]


def seated(game: str, rules: str, *, with_house: bool) -> list[Seated]:
    """Return who plays the seats of a game by mail.

    Args:
        game: The game.
        rules: Its rules.
        with_house: In long games all seats but the first are the house's.
    """
    kind = KINDS[rules]
    seats = kind.seats[:1] if kind.is_long and with_house else kind.seats
    domain = DOMAINS[zlib.crc32(game.encode()) % len(DOMAINS)]
    return [Seated(game, rules, seat, f"{game}.{seat}@{domain}") for seat in seats]


def write_home(home: Home, smtp: int) -> None:
    """Write what the home says of mail; nothing is held back because there is much of it.

    Args:
        home: The home.
        smtp: The port of this machine where mail goes out.
    """
    section: Json = {
        "address": ADDRESS,
        "moderator": f"moderator@{PLAYERS}",
        "smtp": {"server": "127.0.0.1", "port": smtp},
        "orders_per_hour": 1000,
        "receipts_per_hour": 1000,
    }
    home.store.lodge("home.yaml", dump({"mail": section}).encode())


def make_games(home: Home, seats: Iterable[Seated], luck: random.Random, now: datetime.datetime) -> None:
    """Make games that wait for their start forms, with seeds by chance; nobody's seats are the house's."""
    with tempfile.TemporaryDirectory() as folder:
        for (game, rules), its in groupby(seats, lambda one: (one.game, one.rules)):
            kind = KINDS[rules]
            house: Json = {"player": "The house", "bot": "random"}
            rows: dict[str, Json] = dict.fromkeys(kind.seats, house)
            rows |= {one.seat: {"player": f"P {one.seat}", "address": one.address} for one in its}
            players = Path(folder) / f"{game}.yaml"
            players.write_text(dump({"seats": rows}), encoding="utf-8")
            new_game(home, rules, game, players, kind.options, now=now, seed=luck.randbytes(32))
