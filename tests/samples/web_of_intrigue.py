"""The sample game of Web of Intrigue: twelve greedy bots play five turns, and write orders for the sixth."""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Iterator
from typing import Final
from unittest.mock import patch

from pbem.core.book import START
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.play.config.newgame import new_game
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.rules.web_of_intrigue.bots import beliefs
from pbem.rules.web_of_intrigue.view import View
from pbem.text.strictyaml import dump, dump_flow
from tests.homes import top
from tests.samples.making import ordered, send

GAME: Final = "web-1"
SEED: Final = hashlib.sha256(b"Web of Intrigue, sample game 4").digest()
FIRST: Final = datetime.datetime(2026, 9, 4, 20, 0, tzinfo=datetime.UTC)
TURNS: Final = 5

# Name, luck words, suggested target.
PLAYERS: Final = [
    ("Ada Lovell", "engines of reason", 260),
    ("Bram Harker", "the blood is the life", 300),
    ("Clara Voss", "a clock that runs backwards", 240),
    ("Dmitri Orlov", "snow on the Neva", 320),
    ("Edith Crane", "two ravens and a crow", 220),
    ("Felix Brandt", "Prague by gaslight", 280),
    ("Gwen Pryce", "the red book under the hill", 200),
    ("Hugo Marchetti", "masks of Venice", 350),
    ("Irene Adley", "to be the woman", 250),
    ("Jonas Weil", "quicksilver", 270),
    ("Katya Sorokin", "seven veils", 230),
    ("Lionel Ashe", "a gentleman never tells", 400),
]
PRESS: Final = {
    "2": '- {to: [5, 9], say: "Leave the entities to me, and I leave your discoveries alone."}',
    "7": '- {to: [all], say: "Somebody among you took what is mine. It was noted."}',
    "11": '- {to: [12], say: "You lead. Everybody knows it. Shall we talk?"}',
}
# Who writes ids instead of names, and who keeps a standing order.
BY_ID: Final = ("4", "8")
CAREFUL: Final = "3"


def make(home: Home) -> dict[str, str]:
    """Play the sample game in a home, and return the orders of its seats for the next turn."""
    _play(home)
    return ordered(home, GAME, _orders)


def _play(home: Home) -> None:
    """Play five turns through orders files, one a week."""
    players = top(home) / "players.yaml"
    table: dict[str, Json] = {
        str(number): {"player": name, "address": f"{name.split()[0].lower()}@example.org"}
        for number, (name, _, _) in enumerate(PLAYERS, 1)
    }
    head = "# Who sits where. The moderator may change this file at any time.\n"
    players.write_text(head + dump({"seats": table, "silent": "wait"}), encoding="utf-8")
    new_game(home, "web-of-intrigue", GAME, players, {}, now=FIRST, seed=SEED)
    for seat, (_, words, target) in zip(SavedGame(home, GAME).start.seats, PLAYERS, strict=True):
        send(home, GAME, seat, [(START, {"luck": words, "target": target})])
    run(home, GAME, now=FIRST)
    for week in range(1, TURNS + 1):
        saved = SavedGame(home, GAME)
        for seat in saved.start.seats:
            send(home, GAME, seat, [(f"turn-{week}", _best(saved, seat))])
        run(home, GAME, now=FIRST + datetime.timedelta(weeks=week))
    players.unlink()


def _best(saved: SavedGame, seat: Seat) -> Json:
    """Return a greedy bot's order with the guess that promises most: the guides quote this game."""
    dice = Dice(b"sample", saved.position.steps).apart("bot", seat)
    with patch.object(beliefs, "NEAR", 1.0):
        return saved.opening.bot_order(saved.position.game, seat, dice, "greedy")


def _view(saved: SavedGame, seat: Seat) -> View:
    view = saved.opening.view(saved.position.game, seat)
    assert isinstance(view, View), "the game was dealt"
    return view


def _orders(saved: SavedGame, seat: Seat) -> Iterator[str]:
    """Write a seat's orders as a player would: one action a line, tiles by name."""
    view, do = _view(saved, seat), _best(saved, seat)
    assert isinstance(do, dict), "a move is an object"
    yield f"game: {GAME}\nseat: {seat}\norders:\n- at: turn-{TURNS + 1}\n  do:"
    for place, action in do.items():
        is_named = isinstance(action, dict) and seat not in BY_ID
        yield f"    {place}: {dump_flow(_by_name(view, action) if is_named else action)}"
    if seat == CAREFUL:
        name, spot = next((name, spot) for name, spot in view.specials.items() if not spot.subject)
        yield "- keep: true            # should I miss a turn: while I see it, and stay where I am"
        yield f"  when: {{specials.{name}.distance: {{at_most: 4}}}}"
        yield f"  do: {{special_1: {{enact: {spot.name}, points: 1}}}}"
    if seat in PRESS:
        yield f"press:\n{PRESS[seat]}"


def _by_name(view: View, action: Json) -> Json:
    """Return an action with the names that a report says, where YAML takes them as they are."""
    assert isinstance(action, dict), "an action is an object"
    names: dict[Json, str] = {name: spot.name for name, spot in view.specials.items()}
    names |= {name: offer.name for name, offer in view.objects.items()}
    names |= {house.lower(): house for house in view.houses}
    plain = {name: said for name, said in names.items() if re.fullmatch(r"[A-Z][A-Za-z -]+", said)}
    return {
        key: plain.get(value, value) if isinstance(value, str) else value for key, value in action.items()
    }
