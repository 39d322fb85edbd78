"""Conditions in the game's own words hold where their sentences are so, on positions of played games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from itertools import islice
from random import Random

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.predicates import Predicate
from pbem.rules.web_of_power_cards.scoring import fill_chart
from pbem.rules.web_of_power_cards.state import Card, State
from tests.rules.drawn import compare, draw

from .table import playout, rules

DRAWS, MANY = 12, 60

GAMES: list[tuple[int, dict[str, Json]]] = [(3, {}), (4, {"own_claim_free": True}), (5, {})]


@cache
def positions() -> tuple[State, ...]:
    """Return positions of three games, from their beginnings to their ends."""
    games = (playout("conditions", seats, ("greedy", "random"), **options) for seats, options in GAMES)
    return tuple(found for game in games for found, _, _ in islice(game, 2, None, 6))


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


SAID: Mapping[str, Callable[[State, Seat, Mapping[str, str]], bool | int]] = {
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


def views() -> Iterator[tuple[State, Seat]]:
    yield from ((table, seat) for table in positions() for seat in table.players)


@pytest.mark.parametrize("draws", [DRAWS, pytest.param(MANY, marks=pytest.mark.worlds)])
def test_each_condition_holds_where_its_sentence_is_so(draws: int) -> None:
    dice, seen = Random("conditions"), Counter[tuple[str, bool]]()
    for table, me in views():
        seen += _compared(table, me, dice, draws)

    assert len(positions()) >= 12
    assert seen.keys() == {(name, is_so) for name in SAID for is_so in (True, False)}
    assert draws == DRAWS or seen.total() >= 20_000


def _compared(table: State, me: Seat, dice: Random, draws: int) -> Counter[tuple[str, bool]]:
    def drawn(name: str, predicate: Predicate) -> tuple[Json, bool]:
        one = draw(predicate, dice, me, tuple(table.players))
        return one.written, one.is_so(partial(SAID[name], table, me))

    return compare(rules(), rules().view(table, me), me, drawn, dice, draws)
