"""What the form page needs besides a view: cards and tasks as data, and each way to sail."""

from __future__ import annotations

from dataclasses import asdict

from pbem.core.interface import Json
from pbem.rules.game_of_powers.actions import can_act, due_cards, due_tokens
from pbem.rules.game_of_powers.choices import cheapest
from pbem.rules.game_of_powers.facts import Facts
from pbem.rules.game_of_powers.moves import Turn
from pbem.rules.game_of_powers.rules import GameOfPowers
from pbem.rules.game_of_powers.sailing import courses, find_course
from pbem.rules.game_of_powers.state import Card, City
from pbem.rules.game_of_powers.view import View


def list_hints(rules: GameOfPowers, view: View) -> Json:
    """Return the hints; what they tell of cards and tasks is the same for all, and none of it secret.

    Returns:
        `cards`: name, site, category, token and points of each card by its number; `tasks`: of each task what
        the played cards are sorted by, the one group that counts or "", how many groups, and cards in each.
        For who is on turn, too: `courses`, as `_courses` returns them, with the texts that they number as
        `lines`; `ways`: to each city the ways to sail that take the cheapest cards; `due`: how many tokens
        must be taken in each city.
    """
    facts = rules.facts
    cards: dict[str, Json] = {card: asdict(face) for card, face in facts.cards.items()}
    tasks: dict[str, Json] = {
        name: {"by": task.by, "of": task.of, "groups": task.groups, "each": task.each, "name": task.name}
        for name, task in facts.tasks.items()
    }
    always: dict[str, Json] = {"cards": cards, "tasks": tasks}
    if view.me is None or view.asked != view.me or view.kind != "move":
        return always
    lines: dict[str, int] = {}
    return {
        **always,
        "courses": _courses(facts, view, lines),
        "lines": list(lines),
        "ways": _ways(facts, view),
        "due": {city: due_tokens(facts, view, city) for city in facts.ring},
    }


def _courses(facts: Facts, view: View, lines: dict[str, int]) -> Json:
    """Return what comes of sailing: for each two cards of the hand, as "reverse/extra", a row of the cities.

    Returns:
        Of each city, in the order of the ring: how many spaces it is ahead, how many cards must be taken
        there, and whether an action is possible; or the part of the order that is wrong, and why.
    """

    def course(city: City, reverse: Card | None, extra: Card | None) -> Json:
        found, problems = find_course(facts, view, Turn(city, reverse, extra, None, (), None))
        if found is None:
            return [problems[0].path[0], lines.setdefault(problems[0].text, len(lines))]
        return [found.spaces, due_cards(facts, view, found), int(can_act(facts, view, found))]

    uses = (None, *view.hand)
    return {
        f"{reverse or ''}/{extra or ''}": [course(city, reverse, extra) for city in facts.ring]
        for reverse in uses
        for extra in uses
        if reverse is None or reverse != extra
    }


def _ways(facts: Facts, view: View) -> Json:
    """Return the ways to each city: the numbers of the cards that are `reverse` and `extra`."""
    found: dict[str, list[Json]] = {city: [] for city in facts.ring}
    for course in courses(facts, view, cheapest(facts, view)):
        if course.city != view.own.city:
            found[course.city].append({name: int(card) for name, card in course.returned.items()})
    return dict(found.items())
