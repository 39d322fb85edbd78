"""The start: cards and tokens are laid out, and the first player is drawn (rulebook, "Game setup")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.game_of_powers.facts import Facts, minus
from pbem.rules.game_of_powers.state import Card, City, Player, Section, State, Tokens
from pbem.rules.kit.ruled import round_from

Cards: TypeAlias = tuple[Card, ...]

MOST: Final = 2
"""What the last player begins with: bots who begin score that much more, with two players as with five."""


def set_up(facts: Facts, seats: tuple[Seat, ...], options: Mapping[str, Json], dice: Dice) -> State:
    """Return the first state: everything is laid out, and no ship is placed yet.

    Source: rulebook, "Game setup", 1 to 7; "Simplified variant" is the option `tasks: false`.
    """
    cards = dice.shuffled(tuple(facts.cards), "cards")
    fields, cards = _lay_cards(facts, cards)
    size, evens_out = facts.dealt, options.get("start_points") is True
    hands = {seat: cards[number * size : (number + 1) * size] for number, seat in enumerate(seats)}
    stock, pool = _lay_tokens(facts, dice)
    first = dice.below(len(seats), "first player")
    order = round_from(seats, seats[first])
    return State(
        order=order,
        to_move=order[0],
        players={
            seat: _deal(facts, hand, start_points(order, seat) if evens_out else 0)
            for seat, hand in hands.items()
        },
        fields=fields,
        stock=stock,
        pool=pool,
        pile=cards[len(seats) * facts.dealt :],
        tasks={name: task.values for name, task in facts.tasks.items()} if options.get("tasks", True) else {},
        may_trade=options.get("trade", True) is not False,
    )


def start_points(order: tuple[Seat, ...], seat: Seat) -> int:
    """Return the points that make up for the place of a seat: none for the first, `MOST` for the last.

    Those between have their share of it, a half rounded up.

    Source: the option `start_points`, which is no part of the rulebook; greedy bots win alike by it.
    """
    behind, last = order.index(seat), len(order) - 1
    return (2 * MOST * behind + last) // (2 * last)


def _lay_cards(facts: Facts, cards: Cards) -> tuple[dict[Section, Cards], Cards]:
    """Lay out cards on the fields of every section, and return the rest of the pack.

    Source: rulebook, "Game setup", 2.
    """
    fields: dict[Section, Cards] = {}
    for section, count in facts.sections.items():
        fields[section], cards = cards[:count], cards[count:]
    return fields, cards


def _deal(facts: Facts, cards: tuple[Card, ...], points: int) -> Player:
    """Return a player with the cards dealt to it, which nobody else has seen.

    Source: rulebook, "Game setup", 3 and 6.
    """
    hand, nothing = facts.in_order(cards), facts.no_tokens()
    return Player(hand=hand, open=(), shown={}, tokens=nothing, tasks={}, start_points=points)


def _lay_tokens(facts: Facts, dice: Dice) -> tuple[dict[City, Tokens], Tokens]:
    """Lay out tokens at every city at random, and return the pool that is left.

    Source: rulebook, "Game setup", 4.
    """
    bag = dice.shuffled([one for one in facts.types for _ in range(facts.per_type)], "tokens")
    stock: dict[City, Tokens] = {}
    pool = facts.count_tokens(bag)
    for number, city in enumerate(facts.ring):
        stock[city] = facts.count_tokens(bag[number * facts.per_field : (number + 1) * facts.per_field])
        pool = minus(pool, stock[city])
    return stock, pool
