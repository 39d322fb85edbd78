"""What players can make their orders wait for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pbem.core.interface import Json
from pbem.core.predicates import Argument, Bound, Predicate, Predicates, by_name
from pbem.rules.game_of_powers.facts import Facts
from pbem.rules.game_of_powers.state import SEATS, WAYS, Card
from pbem.rules.game_of_powers.view import View
from pbem.rules.kit.conditions import one_of, other_player, player

SOME: Final[Mapping[str, int]] = {"at_least": 1}
"""What is meant of a number where nothing is said."""


def conditions(facts: Facts) -> Predicates:
    """Return the conditions of this game, the most useful first."""
    return by_name((*_at_sea(facts), *_of_players(facts), *_of_all(facts)))


def _at_sea(facts: Facts) -> Iterator[Predicate]:
    """Yield conditions on what lies at the cities, and on the ships."""
    city, token = one_of("city", facts.ring, facts.names.__getitem__), one_of("token", facts.types)
    card, who = one_of("card", facts.cards, lambda one: facts.title(Card(one))), _player()
    yield Predicate(
        "tokens_at",
        "{number} {token} [token lies|tokens lie] at {city}",
        {"cities.{city}.tokens.{token}": "{number}"},
        (city, token),
        Bound(0, facts.per_type, SOME),
    )
    yield Predicate("open_card", "{card} lies open", lies_open("{card}"), (card,))
    yield Predicate(
        "ship_at",
        "{player} [are/is] at {city}",
        {"players.{player}.city": "{city}"},
        (city, who),
    )
    yield Predicate(
        "heading",
        "{player} [sail/sails] {direction}",
        {"players.{player}.direction": "{direction}"},
        (one_of("direction", WAYS), who),
    )
    yield Predicate("i_hold", "you hold {card}", {"hand": {"has": "{card}"}}, (card,))
    yield Predicate(
        "has_tokens",
        "{player} [have/has] {number} {token} [token|tokens]",
        {"players.{player}.tokens.{token}": "{number}"},
        (token, who),
        Bound(0, min(facts.per_type, facts.token_limit), SOME),
    )


def _of_players(facts: Facts) -> Iterator[Predicate]:
    """Yield conditions on what players have played, collected and offered."""
    who, task = _player(), _task(facts)
    yield Predicate(
        "played",
        "{player} [have/has] played {number} [card|cards] of the category {category}",
        {"players.{player}.categories.{category}": "{number}"},
        (one_of("category", facts.categories), who),
        Bound(0, len(facts.cards), SOME),
    )
    yield Predicate(
        "played_from",
        "{player} [have/has] played {number} [card|cards] from {site}",
        {"players.{player}.sites.{site}": "{number}"},
        (one_of("site", facts.sites, facts.names.__getitem__), who),
        Bound(0, len(facts.cards), SOME),
    )
    yield Predicate(
        "lacks",
        "{player} [lack/lacks] {number} [card|cards] for the task {task}",
        {"players.{player}.lacking.{task}": "{number}"},
        (task, who),
        Bound(0),
    )
    yield Predicate(
        "points",
        "{player} [have/has] {number} [point|points]",
        {"players.{player}.points": "{number}"},
        (who,),
        Bound(0),
    )
    yield Predicate(
        "offer_from",
        "the offer on the table is from {player}",
        {"trade.by": "{player}"},
        (other_player(SEATS, str.capitalize),),
    )


def _of_all(facts: Facts) -> Iterator[Predicate]:
    """Yield conditions on what all share: the task tokens, the pile, the last round."""
    most = max((len(one.values) for one in facts.tasks.values()), default=0)
    yield Predicate(
        "task_left",
        "{number} task [token|tokens] for {task} [is|are] left",
        {"count": ["tasks.{task}", {"at_least": 0}, "{number}"]},
        (_task(facts),),
        Bound(0, most, SOME),
    )
    yield Predicate(
        "pile", "the pile has {number} [card|cards]", {"pile": "{number}"}, (), Bound(0, len(facts.cards))
    )
    yield Predicate("last_round", "the last round is being played", {"last_round": True})


def _player() -> Argument:
    return player(SEATS, str.capitalize)


def _task(facts: Facts) -> Argument:
    return one_of("task", facts.tasks, facts.names.__getitem__)


def lies_open(card: str) -> dict[str, Json]:
    """Return what is tested to know whether a card lies open in any section."""
    return {"count": ["fields", {"has": card}, 1]}


def conditions_in(facts: Facts, view: View) -> Iterator[Mapping[str, Json]]:
    """Yield conditions that matter in a position, the most useful first."""
    if view.me is None or view.kind == "over":
        return
    yield from _ahead(facts, view)
    lying = facts.best_first(card for cards in view.fields.values() for card in cards)
    for card in lying[:1]:
        yield {"not": {"open_card": int(card)}}
    missing = [card for card in facts.best_first(facts.cards) if card not in (*lying, *view.hand)]
    for card in missing[:1]:
        yield {"open_card": int(card)}
    rival = max(view.rivals(), key=lambda seat: view.players[seat].points)
    name = rival.capitalize()
    yield {"ship_at": {"city": view.own.ahead or facts.ring[0], "player": name}}
    for task, lack in sorted(view.players[rival].lacking.items(), key=lambda one: one[1])[:1]:
        yield {"lacks": {"task": task, "player": name, **_fewer(lack)}}
    for task, values in view.tasks.items():
        if values and task not in view.own.tasks:
            yield {"task_left": {"task": task, **_fewer(len(values))}}
            break
    yield {"points": {"player": name, "at_least": view.players[rival].points + 6}}
    yield {"last_round": True}
    yield {"pile": {"at_most": max(view.pile // 2, 1)}}
    if view.may_trade:
        yield {"offer_from": name}


def _fewer(number: int) -> dict[str, int]:
    """Return the test that a number is less than it is."""
    return {"at_most": number - 1} if number > 1 else {"exactly": 0}


def _ahead(facts: Facts, view: View) -> Iterator[Mapping[str, Json]]:
    """Yield conditions on the way of the seat's ship, and on what it holds."""
    own = view.own
    near = facts.near(own.city, own.direction) if own.city is not None else facts.ring[:1]
    for city in near:
        tokens = view.cities[city].tokens
        few = [token for token, number in tokens.items() if not number] or [*tokens]
        yield {"tokens_at": {"city": city, "token": few[0], "at_least": tokens[few[0]] + 1}}
    for token in sorted(facts.types, key=lambda one: view.tokens[one])[:1]:
        yield {"has_tokens": {"token": token, "at_least": view.tokens[token] + 1}}
