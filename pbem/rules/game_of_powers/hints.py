"""What the form page needs besides a view: cards as data, each way to sail, and what can be done there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
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
        "resting": facts.is_resting(view.order),
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
        "ways": _ways(facts, view, reached),
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


def _ways(facts: Facts, view: View, reached: Collection[Course]) -> Json:
    """Return the ways to each city: the numbers of the cards that are `reverse` and `extra`.

    Fewer cards come first; of as many, those that cannot be played there, then cheap ones. Where no way goes
    without a card, each single card that does is a way.

    Args:
        facts: The sea and the cards.
        view: What the seat on turn knows.
        reached: Every legal course.
    """
    found: dict[str, list[Course]] = {city: [] for city in facts.ring}
    ways = list_ways(facts, view)
    free = {course.city for course in ways if not course.cards}
    for course in ways:
        if len(course.cards) == 1 and course.city not in free:
            uses = course.returned.keys()
            alike = [one for one in reached if one.city == course.city and one.returned.keys() == uses]
        else:
            alike = [course]
        found[course.city] += alike
    return {
        city: [
            {use: int(card) for use, card in course.returned.items()}
            for course in sorted(courses, key=lambda course: _cost(facts, city, course.cards))
        ]
        for city, courses in found.items()
    }


def _cost(facts: Facts, city: str, cards: Iterable[Card]) -> tuple[int, bool, int]:
    """Return what it costs to return cards on the way to a city, as it is compared."""
    faces = [facts.cards[card] for card in cards]
    return len(faces), any(face.site == city for face in faces), sum(face.score for face in faces)
