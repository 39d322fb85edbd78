"""What players can make their orders wait for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pbem.core.interface import Json
from pbem.core.predicates import Argument, Bound, Predicate, Predicates, by_name
from pbem.rules.kit.conditions import one_of, other_player, player
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.state import MINUS, SEATS
from pbem.rules.web_of_power_cards.view import ON_TABLE, View

_ONE: Final[Mapping[str, int]] = {"at_least": 1}


def conditions(facts: Facts) -> Predicates:
    """Return the conditions of this game, the most useful first."""
    card, who = one_of("card", facts.lands), player(SEATS, str.capitalize)
    return by_name(
        (
            Predicate(
                "can_take", "you could begin by taking {card}", {"can_take": {"has": "{card}"}}, (card,)
            ),
            Predicate("at_end", "{card} lies at an end of its row", {"ends": {"has": "{card}"}}, (card,)),
            Predicate("on_table", "{card} lies on the table", {"cards.{card}.holder": ON_TABLE}, (card,)),
            Predicate(
                "has_card", "{player} [have/has] {card}", {"cards.{card}.holder": "{player}"}, (card, who)
            ),
            *_of_stones(facts, card, who),
            *_of_counts(facts, who),
        )
    )


def _of_stones(facts: Facts, card: Argument, who: Argument) -> Iterator[Predicate]:
    """Yield what is said of claiming stones."""
    yield Predicate(
        "unclaimed",
        "no other player has a stone on {card}",
        {"cards.{card}.stone": ["{me}", None]},
        (card,),
    )
    yield Predicate(
        "stone_on", "{player} [have/has] a stone on {card}", {"cards.{card}.stone": "{player}"}, (card, who)
    )
    yield Predicate(
        "lost_claim",
        "others took a card under your stone since your last turn",
        {"lost_claim": True},
    )
    yield Predicate(
        "reserve",
        "{player} [have/has] {number} [stone|stones] in reserve",
        {"players.{player}.reserve": "{number}"},
        (who,),
        Bound(0, facts.stones, _ONE),
    )


def _of_counts(facts: Facts, who: Argument) -> Iterator[Predicate]:
    """Yield what is said of law cards, and of numbers of cards and points."""
    law = one_of("law", facts.law_names, facts.titles.__getitem__)
    country = one_of("country", facts.countries, facts.titles.__getitem__)
    yield Predicate("hold_law", 'you hold the law card "{law}"', {"laws": {"has": "{law}"}}, (law,))
    yield Predicate(
        "cards_of",
        "{player} [have/has] {number} [card|cards] of {country}",
        {"players.{player}.lands.{country}": "{number}"},
        (country, who),
        Bound(0, max(facts.countries.values()), _ONE),
    )
    yield Predicate(
        "leads_in",
        "{player} [have/has] or [share/shares] most cards of {country}",
        {"leads.{country}": {"has": "{player}"}},
        (country, who),
    )
    yield Predicate(
        "routes",
        "{player} [have/has] {number} [card|cards] with a {route}",
        {"players.{player}.routes.{route}": "{number}"},
        (one_of("route", facts.routes), who),
        Bound(0, len(facts.lands), _ONE),
    )
    yield Predicate(
        "cards_left",
        "{number} [card is|cards are] left",
        {"left": "{number}"},
        (),
        Bound(0, len(facts.lands)),
    )
    yield Predicate(
        "ahead_of",
        "you would be ahead of {player} by {number} [point|points] if the game ended now",
        {"difference": ["players.{me}.points", "players.{player}.points", "{number}"]},
        (other_player(SEATS, str.capitalize),),
        Bound(None, None, _ONE),
    )


def conditions_in(facts: Facts, view: View) -> Iterator[Mapping[str, Json]]:
    """Yield conditions that matter in a position, the most useful first."""
    if view.me is None:
        return
    me, others = view.me, [seat for seat in view.players if seat != view.me]
    place, names = view.cards, list[Json](seat.capitalize() for seat in others)
    deep = [card for card in view.table().cards if card not in view.ends]
    near = sorted(deep, key=lambda card: (place[card].depth or 0, -place[card].symbols))
    wanted = [*view.players[me].stones, *near]
    for card in [one for one in wanted if one not in view.can_take][:1]:
        yield {"can_take": card}
    for card in near[:1]:
        yield {"at_end": card}
    yield {"lost_claim": True}
    reserve = view.players[me].reserve
    yield {"reserve": {"exactly": 0} if reserve else {"at_least": 1}}
    yield {"cards_left": {"at_most": max(view.left // 2, 1)}}
    for card in wanted[:1]:
        yield {"has_card": {"card": card, "player": names}}
    for card in [one for one in view.ends if place[one].stone not in (None, me)][:1]:
        yield {"unclaimed": card}
    for card in [one for one in near if place[one].stone is None][:1]:
        yield {"stone_on": {"card": card, "player": names}}
    for law in [one for one, number in view.unseen.items() if number and one != MINUS][:1]:
        yield {"hold_law": law}
    most = max(facts.countries, key=lambda one: view.players[me].lands[one])
    yield {"cards_of": {"country": most, "at_least": view.players[me].lands[most] + 1}}
    leader = max(others, key=lambda seat: view.players[seat].points)
    yield {"ahead_of": leader.capitalize()}
