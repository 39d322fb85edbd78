"""The sample game of Game of Powers: three greedy bots play half of it, and write orders some turns ahead."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterator

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.rules.game_of_powers.view import View
from pbem.text.strictyaml import dump_flow
from tests.samples.making import Sample

GAME = "powers-1"
AHEAD = 8

SAMPLE = Sample(
    rules="game-of-powers",
    game=GAME,
    seed=hashlib.sha256(b"Game of Powers, sample game 315").digest(),
    first=datetime.datetime(2026, 9, 2, 20, 0, tzinfo=datetime.UTC),
    players="""\
# Who sits where. The moderator may change this file at any time.
seats:
  white: {player: Ann Lund, address: ann@example.org}
  black: {player: Bo Nowak, address: bo@example.org}
  orange: {player: Cleo Berg, address: cleo@example.org}
silent: wait
""",
    luck={
        Seat("white"): "amber and salt",
        Seat("black"): "a fair wind to Owidz",
        Seat("orange"): "nine gold foils",
    },
    weeks=2,
    steps=9,
)


def make(home: Home) -> dict[str, str]:
    """Play the sample game in a home, and return the orders of its seats for the next turn."""
    return SAMPLE.played(home, _orders)


def _orders(saved: SavedGame, seat: Seat) -> Iterator[str]:
    """Write a seat's orders: turns it hopes to make, each with an else, and a standing answer to offers."""
    ask, view = saved.ask, saved.opening.view(saved.position.game, seat)
    assert isinstance(ask, Ask), "the sample stops before the end"
    assert isinstance(view, View), "the game was dealt"
    yield f"game: {GAME}\nseat: {seat}\norders:"
    for step in SAMPLE.plan(saved, AHEAD):
        if seat not in step.moves:
            continue
        do = step.moves[seat]
        assert isinstance(do, dict), "an order is an object"
        yield f"- at: {step.label}\n  do: {dump_flow(_with_preferences(do))}"
        if step.label != ask.label and "." not in step.label:
            yield f"- at: {step.label}  # else\n  do: {{sail: 1, take_tokens: [any, any]}}"
    most, least = (
        max(view.tokens, key=lambda one: view.tokens[one]),
        min(view.tokens, key=lambda one: view.tokens[one]),
    )
    yield "- keep: true  # whoever offers me this may have that"
    yield f"  do: {{accept: {{give: [{most}], want: [{least}]}}}}"
    yield "stop_if: {last_round: true}  # I want to look again before my last turn"
    if seat not in ask.seats:
        (mover,) = ask.seats
        yield f'press:\n- {{to: [{mover}], say: "I have {most} tokens to spare, should we meet."}}'


def _with_preferences(do: dict[str, Json]) -> dict[str, Json]:
    """Return a turn that goes on if what it hopes for is gone."""
    kept = dict(do)
    for name in ("take_cards", "take_tokens"):
        wanted = kept.get(name)
        if isinstance(wanted, list):
            kept[name] = [*wanted, "any"]
    return kept
