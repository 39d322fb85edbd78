"""What the form page needs besides a view: cards as data, each way to sail, and what can be done there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import product

from pbem.core.interface import Json
from pbem.rules.game_of_powers.actions import due_cards
from pbem.rules.game_of_powers.bounded import Tables
from pbem.rules.game_of_powers.choices import list_ways
from pbem.rules.game_of_powers.facts import Facts
from pbem.rules.game_of_powers.moves import Turn
from pbem.rules.game_of_powers.offers import Accept
from pbem.rules.game_of_powers.rules import GameOfPowers
from pbem.rules.game_of_powers.sailing import Course, find_course
from pbem.rules.game_of_powers.state import Card
from pbem.rules.game_of_powers.trading import check_accept
from pbem.rules.game_of_powers.view import View


def list_hints(rules: GameOfPowers, view: View) -> Json:
    """Return the hints; what they tell of cards is the same for all, and none of it secret.

    Returns:
        `cards`: name, site, category, token and points of each card by its number; `resting`: whether cards
        that are returned to sail leave the game. For who answers an offer, too: `lines`, which are sentences,
        and `accept`: what is wrong with accepting it, as a number of them. For who is on turn: `lines`;
        `courses`: for each two cards of the hand, as "reverse/extra", and of each city, in the order of the
        ring, how many spaces it is ahead, how many cards must be taken and what comes of no action there, or
        the part of the order that is wrong, and why; `ways`: to each city the ways to sail, those that cost
        least first; and as `Tables` has them `tokens` and `plays` of each city in reach, `fields`: the cards
        to take in each section, for each number of them that is due, `claims` and `pile`.
    """
    facts = rules.facts
    hints: dict[str, Json] = {
        "cards": {card: asdict(face) for card, face in facts.cards.items()},
        "resting": len(view.order) <= facts.seats_to_box,
    }
    tables = Tables(facts, view)
    if view.me is None or view.asked != view.me or view.kind == "start city":
        return hints
    if view.kind != "move":
        hints["accept"] = [tables.wrong(problem) for problem in check_accept(facts, view, Accept(None))]
        return {**hints, "lines": tables.net.lines}
    reached, rows = list[Course](), dict[str, list[Json]]()
    for order in _orders(facts, view):
        course, problems = find_course(facts, view, order)
        row = rows.setdefault(f"{order.reverse or ''}/{order.extra or ''}", [])
        if course is None:
            row.append([problems[0].path[0], tables.wrong(problems[0])])
        else:
            reached.append(course)
            row.append([course.spaces, due_cards(facts, view, course), tables.idle(course)])
    fields: dict[str, dict[str, Json]] = {}
    for course in reached:
        field, due = fields.setdefault(view.cities[course.city].section, {}), due_cards(facts, view, course)
        if str(due) not in field:
            field[str(due)] = tables.cards(course)
    ends = dict.fromkeys(course.city for course in reached)
    hints |= {
        "courses": {**rows},
        "ways": _ways(facts, view),
        "tokens": {city: tables.tokens(city) for city in ends},
        "plays": {city: tables.plays(city) for city in ends},
        "fields": {**fields},
        "claims": tables.claims(),
        "pile": tables.pile(),
    }
    return {**hints, "lines": tables.net.lines}


def _orders(facts: Facts, view: View) -> Iterator[Turn]:
    """Yield each way to order where a ship sails: for each two cards of the hand, each city."""
    uses = (None, *view.hand)
    for reverse, extra in product(uses, uses):
        if reverse is None or reverse != extra:
            yield from (Turn(city, reverse, extra) for city in facts.ring)


def _ways(facts: Facts, view: View) -> Json:
    """Return the ways to each city: the numbers of the cards that are `reverse` and `extra`.

    Those of the fewest and cheapest cards come first, and those with a card that can be played there last.
    Where no way goes without a card, each single card that does is a way.
    """
    found: dict[str, list[Mapping[str, Card]]] = {city: [] for city in facts.ring}
    ways = [course for course in list_ways(facts, view) if course.city != view.own.city]
    free = {course.city for course in ways if not course.cards}
    for course in ways:
        named = [course.returned]
        if len(course.cards) == 1 and course.city not in free:
            (use,) = course.returned
            named = [{use: card} for card in view.hand]
        for cards in named:
            order = Turn(course.city, cards.get("reverse"), cards.get("extra"))
            if find_course(facts, view, order)[0] is not None:
                found[course.city].append(cards)
    return {
        city: [
            {name: int(card) for name, card in cards.items()}
            for cards in sorted(all_ways, key=lambda cards: _cost(facts, city, cards.values()))
        ]
        for city, all_ways in found.items()
    }


def _cost(facts: Facts, city: str, cards: Iterable[Card]) -> tuple[int, bool, int]:
    """Return what it costs to return cards on the way to a city, as it is compared."""
    faces = [facts.cards[card] for card in cards]
    return len(faces), any(face.site == city for face in faces), sum(face.score for face in faces)
