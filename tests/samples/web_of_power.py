"""The sample game of Web of Power: four greedy bots play two weeks, and write standing orders for more."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterator
from typing import Final

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.rules.web_of_power.view import View
from pbem.text.strictyaml import dump_flow
from tests.samples.making import Sample

GAME: Final = "wop-1"

SAMPLE: Final = Sample(
    rules="web-of-power",
    game=GAME,
    seed=hashlib.sha256(b"Web of Power, sample game 3").digest(),
    first=datetime.datetime(2026, 9, 7, 20, 0, tzinfo=datetime.UTC),
    players="""\
# Who sits where. The moderator may change this file at any time.
seats:
  yellow: {player: Abbess Hedwig, address: hedwig@example.org}
  red: {player: Brother Odo, address: odo@example.org}
  green: {player: Canon Lull, address: lull@example.org}
  purple: {player: Dean Ida, address: ida@example.org}
silent: hold
""",
    luck={
        Seat("yellow"): "hops and barley",
        Seat("red"): "a cardinal's hat",
        Seat("green"): "the road to Cluny",
        Seat("purple"): "seven bells",
    },
    weeks=2,
    steps=6,
)

STANDING: Final = """\
- keep: true                    # where I am strong; else an advisor; else anything
  do:
    place:
    - {{country: {country}, pieces: [cloister, [advisor, cloister]]}}
    - {{country: any, pieces: [advisor, advisor]}}
    - {{country: any, pieces: [cloister, [advisor, cloister]]}}
    - {{country: any, pieces: [[advisor, cloister]]}}
    discard: any
    draw: [{card}, [match, pile]]
stop_if: {{half: 2}}              # after the first scoring I want to look again"""


def make(home: Home) -> dict[str, str]:
    """Play the sample game in a home, and return the orders of its seats for the next turn."""
    return SAMPLE.played(home, _orders)


def _orders(saved: SavedGame, seat: Seat) -> Iterator[str]:
    """Write a seat's orders: its next turn, if it is asked now, and a standing order for the rest."""
    yield f"game: {GAME}\nseat: {seat}\norders:"
    view = saved.opening.view(saved.position.game, seat)
    assert isinstance(view, View), "the game was dealt"
    assert isinstance(saved.ask, Ask), "the sample stops before the end"
    if seat in saved.ask.seats:
        yield f"- at: {saved.ask.label}\n  do: {dump_flow(_best(saved, seat))}"
    country = max(view.cloisters, key=lambda one: (view.cloisters[one][seat], one))
    yield STANDING.format(country=country, card=view.places[country].card)


def _best(saved: SavedGame, seat: Seat) -> Json:
    dice = Dice(b"sample", saved.position.steps).apart("bot", seat)
    return saved.opening.bot_order(saved.position.game, seat, dice, "greedy")
