"""What the conditions of the card game say, counted on the table itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.web_of_power_cards.scoring import fill_chart
from pbem.rules.web_of_power_cards.state import Card, State
from tests.rules.drawn import Truths

from .table import playout, rules

GAMES: list[tuple[int, dict[str, Json]]] = [(3, {}), (4, {"own_claim_free": True}), (5, {})]


def positions() -> Iterator[State]:
    """Yield positions of three games, from their beginnings to their ends."""
    for seats, options in GAMES:
        game = playout("conditions", seats, ("greedy", "random"), **options)
        yield from (found for found, _, _ in islice(game, 2, None, 6))


def holder(table: State, card: str) -> Seat | None:
    return next((seat for seat, one in table.players.items() if card in one.cards), None)


def ends(table: State) -> set[Card]:
    rows = [[card for card in row if holder(table, card) is None] for row in table.layout]
    return {card for row in rows if row for card in (row[0], row[-1])}


def can_take(table: State, card: str, me: Seat) -> bool:
    """Under a stone of another one has to pay a stone; under an own stone nothing else must be possible."""
    has_stone = table.players[me].reserve > 0 or me in table.stones.values()
    stones = {one: table.stones.get(one) for one in ends(table)}
    others = {one for one, stone in stones.items() if stone is None or (stone != me and has_stone)}
    is_own = card in stones and stones[Card(card)] == me
    return card in others or (is_own and (table.own_claim_free or not others))


def points(table: State, seat: str, me: Seat) -> int:
    held = {one: player.cards for one, player in table.players.items()}
    is_over = all(holder(table, card) for card in rules().facts.lands)
    laws = {one: player.laws if is_over or one == me else None for one, player in table.players.items()}
    return fill_chart(rules().facts, held, laws)[Seat(seat)].total


def cards_of(table: State, told: Mapping[str, str]) -> int:
    cards = table.players[Seat(told["player"])].cards
    return len([card for card in cards if rules().facts.lands[card].country == told["country"]])


def leads_in(table: State, told: Mapping[str, str]) -> bool:
    counts = {seat: cards_of(table, {**told, "player": seat}) for seat in table.players}
    return counts[Seat(told["player"])] == max(counts.values()) > 0


def routes(table: State, told: Mapping[str, str]) -> int:
    cards = table.players[Seat(told["player"])].cards
    return len([card for card in cards if rules().facts.lands[card].route == told["route"]])


TRUTHS: Truths[State] = {
    "can_take": lambda table, me, told: can_take(table, told["card"], me),
    "at_end": lambda table, me, told: told["card"] in ends(table),
    "on_table": lambda table, me, told: holder(table, told["card"]) is None,
    "has_card": lambda table, me, told: holder(table, told["card"]) == told["player"],
    "unclaimed": lambda table, me, told: table.stones.get(Card(told["card"])) in (None, me),
    "stone_on": lambda table, me, told: table.stones.get(Card(told["card"])) == told["player"],
    "lost_claim": lambda table, me, told: len(table.players[me].lost) > 0,
    "reserve": lambda table, me, told: table.players[Seat(told["player"])].reserve,
    "hold_law": lambda table, me, told: told["law"] in table.players[me].laws,
    "cards_of": lambda table, me, told: cards_of(table, told),
    "leads_in": lambda table, me, told: leads_in(table, told),
    "routes": lambda table, me, told: routes(table, told),
    "cards_left": lambda table, me, told: len([one for one in rules().facts.lands if not holder(table, one)]),
    "ahead_of": lambda table, me, told: points(table, me, me) - points(table, told["player"], me),
}
