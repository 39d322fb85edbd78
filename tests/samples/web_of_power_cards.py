"""The sample game of the card game: four greedy bots play to its middle, and say what they want next."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterator

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.rules.web_of_power_cards.rules import WebOfPowerCards
from pbem.rules.web_of_power_cards.scoring import Standing
from pbem.rules.web_of_power_cards.state import Card
from pbem.rules.web_of_power_cards.view import View
from pbem.text.strictyaml import dump_flow
from tests.samples.making import Sample

GAME = "cards-1"
WISHES = 5
CAREFUL = "red"

SAMPLE = Sample(
    rules="web-of-power-cards",
    game=GAME,
    seed=hashlib.sha256(b"Web of Power, the card game, sample game 7").digest(),
    first=datetime.datetime(2026, 9, 2, 20, 0, tzinfo=datetime.UTC),
    players="""\
# Who sits where. The moderator may change this file at any time.
seats:
  yellow: {player: Andreas Roth, address: andreas@example.org}
  red: {player: Beate Lang, address: beate@example.org}
  green: {player: Claus Weber, address: claus@example.org}
  purple: {player: Dora Stein, address: dora@example.org}
silent: hold
""",
    luck={
        Seat("yellow"): "three crowns and a mitre",
        Seat("red"): "ora et labora",
        Seat("green"): "all roads lead to Rome",
        Seat("purple"): "the ships of Castile",
    },
    weeks=4,
    steps=5,
)
PRESS = {
    "yellow": '- {to: [red, purple], say: "Green has the ships. Shall we leave him the carriages too?"}',
    "purple": '- {to: [all], say: "Whoever breaks a claim of mine loses a stone. I only mention it."}',
}


def make(home: Home) -> dict[str, str]:
    """Play the sample game in a home, and return the orders of its seats for the next turn."""
    return SAMPLE.played(home, _orders)


def _orders(saved: SavedGame, seat: Seat) -> Iterator[str]:
    """Write a seat's orders: its turn if it is asked, then wishes for its next two turns."""
    assert isinstance(saved.ask, Ask), "the sample stops before the end"
    view = saved.opening.view(saved.position.game, seat)
    assert isinstance(view, View), "the game was dealt"
    yield f"game: {GAME}\nseat: {seat}\norders:"
    count = saved.position.asked.get(seat, 0) + 1
    gone: list[Card] = []
    if seat in saved.ask.seats:
        best = saved.opening.bot_order(
            saved.position.game, seat, Dice(b"sample", 1).apart("bot", seat), "greedy"
        )
        assert isinstance(best, dict) and isinstance(best["take"], list), "a turn takes cards"
        gone = [Card(str(card)) for card in best["take"]]
        yield f"- at: {seat}-{count}\n  do: {dump_flow(best)}"
        count += 1
    yield from _wishes(saved, view, seat, f"{seat}-{count}", gone)
    if seat in PRESS:
        yield f"press:\n{PRESS[seat]}"
    if seat == CAREFUL:
        yield "stop_if: {lost_claim: true}  # I want to look again if a card under my stone was taken"


def _wishes(saved: SavedGame, view: View, seat: Seat, label: str, gone: list[Card]) -> Iterator[str]:
    """Write what a seat would take in a later turn: the best card if it is there, or else what there is."""
    rules = saved.opening.rules
    assert isinstance(rules, WebOfPowerCards), "these are the rules of the sample"
    standing = Standing(rules.facts, {one: side.cards for one, side in view.players.items()})
    worth = {
        card: standing.change(seat, [card])[seat] - 2 * (place.depth or 0)
        for card, place in view.cards.items()
        if place.depth is not None and place.stone is None and card not in gone
    }
    best = sorted(worth, key=lambda card: -worth[card])
    country = view.cards[best[0]].country
    yield f"- at: {label}\n  when: {{can_take: {{has: {best[0]}}}}}"
    yield f"  do: {dump_flow({'take': [best[0]], 'also': [country], 'claim': [*best[1:4]]})}"
    yield f"- at: {label}  # it is gone, or cannot be reached"
    yield f"  do: {dump_flow({'take': [[*best[1:WISHES], 'any']]})}"
