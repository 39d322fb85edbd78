"""The games of the campaign: all rules in turn, with settings that make them short."""

from __future__ import annotations

import datetime
import random
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pbem.core.interface import Json
from pbem.play.home import Home
from pbem.play.newgame import new_game
from pbem.text.strictyaml import dump

PLAYERS: Final = "example.test"
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
    """

    short: str
    seats: tuple[str, ...]
    turns: int
    options: Mapping[str, Json] = field(default_factory=dict)
    answers: Mapping[str, Json] = field(default_factory=dict)


KINDS: Final[Mapping[str, Kind]] = {
    "rose-king": Kind("rose", ("red", "white"), 9, {"own_tokens": 4}),
    "web-of-intrigue": Kind("intrigue", ("1", "2", "3"), 4, {"turns": 3}, {"target": 250}),
    "web-of-power": Kind("power", ("yellow", "red", "green"), 38),
    "web-of-power-cards": Kind("cards", ("yellow", "red", "green"), 38),
    "game-of-powers": Kind("powers", ("white", "black"), 44),
}


MORE: Final = [
    *["rose-king", "web-of-intrigue", "web-of-intrigue", "rose-king", "web-of-intrigue"] * 4,
    *["web-of-power", "web-of-power-cards", "game-of-powers"],
]
"""The rules of further games, again and again: the last three have many times more turns than the others."""


@dataclass(frozen=True, slots=True)
class Seated:
    """Who plays a seat.

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


def seated(game: str, rules: str) -> list[Seated]:
    """Return who plays the seats of a game."""
    return [Seated(game, rules, seat, f"{game}.{seat}@{PLAYERS}") for seat in KINDS[rules].seats]


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


def make_games(home: Home, games: list[tuple[str, str]], luck: random.Random, now: datetime.datetime) -> None:
    """Make games that wait for their start forms, with seeds by chance."""
    with tempfile.TemporaryDirectory() as folder:
        for game, rules in games:
            rows: dict[str, Json] = {
                one.seat: {"player": f"P {one.seat}", "address": one.address} for one in seated(game, rules)
            }
            players = Path(folder) / f"{game}.yaml"
            players.write_text(dump({"seats": rows}), encoding="utf-8")
            new_game(home, rules, game, players, KINDS[rules].options, now=now, seed=luck.randbytes(32))
