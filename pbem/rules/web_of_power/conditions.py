"""What players can make their orders wait for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Final

from pbem.core.interface import Json
from pbem.core.predicates import Argument, Bound, Predicate, Predicates, by_name
from pbem.rules.kit.conditions import one_of, player
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.state import SEATS, Country
from pbem.rules.web_of_power.view import FREE, View

_ONE: Final[Mapping[str, int]] = {"at_least": 1}
_PIECES: Final[Mapping[str, str]] = {"cloister": "cloisters", "advisor": "advisors"}


def conditions(facts: Facts) -> Predicates:
    """Return the conditions of this game, the most useful first."""
    who = player(SEATS, str.capitalize)
    site = one_of("site", facts.home, facts.titles.__getitem__)
    country = one_of("country", facts.lands, facts.titles.__getitem__)
    most = max(len(land.sites) for land in facts.lands.values())
    return by_name(
        (
            Predicate("site_free", "{site} is free", {"sites.{site}": FREE}, (site,)),
            Predicate(
                "cloister_on",
                "{player} [have/has] a cloister on {site}",
                {"sites.{site}": "{player}"},
                (site, who),
            ),
            *_of_leads(country, who),
            Predicate(
                "placed_in",
                "others have placed pieces in {country} since your last turn",
                {"news": {"has": "{country}"}},
                (country,),
            ),
            Predicate(
                "room_in",
                "{country} has room for {number} more [advisor|advisors]",
                {"room.{country}": "{number}"},
                (country,),
                Bound(0, most, _ONE),
            ),
            Predicate(
                "free_in",
                "{country} has {number} free [site|sites]",
                {"free.{country}": "{number}"},
                (country,),
                Bound(0, most, _ONE),
            ),
            Predicate(
                "pieces_in",
                "{player} [have/has] {number} of the {piece} in {country}",
                {"{piece}.{country}.{player}": "{number}"},
                (country, one_of("piece", _PIECES.values(), also=_PIECES), who),
                Bound(0, most, _ONE),
            ),
            Predicate(
                "chain",
                "the longest chain of {player} has {number} [cloister|cloisters]",
                {"players.{player}.chain": "{number}"},
                (who,),
                Bound(0, len(facts.home), _ONE),
            ),
            *_of_cards(facts),
        )
    )


def _of_leads(country: Argument, who: Argument) -> Iterator[Predicate]:
    """Yield what is said of most cloisters in a country."""
    yield Predicate(
        "overtaken_in",
        "you lost the lead in {country} after your turn",
        {"lost": {"has": "{country}"}},
        (country,),
    )
    yield Predicate(
        "lost_lead",
        "you lost a lead after your turn",
        {"lost_lead": True},
    )
    yield Predicate(
        "leads_in",
        "{player} [have/has] or [share/shares] most cloisters in {country}",
        {"leads.{country}": {"has": "{player}"}},
        (country, who),
    )
    yield Predicate(
        "behind_in",
        "somebody has more cloisters in {country} than you",
        {
            "leads.{country}": {"not": {"has": "{me}"}},
            "count": ["cloisters.{country}", {"at_least": 1}, {"at_least": 1}],
        },
        (country,),
    )


def _of_cards(facts: Facts) -> Iterator[Predicate]:
    """Yield what is said of cards."""
    card = one_of("card", facts.counts, facts.titles.__getitem__, facts.card_names)
    yield Predicate(
        "hold",
        "you hold {number} {card} [card|cards]",
        {"held.{card}": "{number}"},
        (card,),
        Bound(0, facts.limits.hand, _ONE),
    )
    yield Predicate(
        "pile",
        "the pile has {number} [card|cards]",
        {"pile": "{number}"},
        (),
        Bound(0, sum(facts.counts.values())),
    )


def conditions_in(facts: Facts, view: View) -> Iterator[Mapping[str, Json]]:
    """Yield conditions that matter in a position, the most useful first."""
    if view.me is None:
        return
    me, others = view.me, [seat for seat in view.seats if seat != view.me]
    held = [country for country in facts.lands if view.cloisters[country][me]]
    led = [country for country in held if me in view.leads[country]]
    rest = [country for country in facts.lands if view.free[country] and country not in led]
    for country in led[:1]:
        yield {"overtaken_in": country}
    yield {"lost_lead": True}
    yield {"pile": {"at_most": max(view.pile // 2, 1)}}
    for card in sorted(facts.counts, key=lambda one: -view.held[one])[:1]:
        yield {"hold": {"card": card, "at_least": min(view.held[card] + 1, facts.limits.hand)}}
    if not held:
        return
    wanted = next((site for group in view.groups for site in group.grows), None)
    if wanted is not None:
        yield {"not": {"site_free": wanted}}
    for country in held[:1]:
        yield {"placed_in": country}
    for country in [one for one in rest if not view.room[one]][:1]:
        yield {"room_in": country}
    for country in led[-1:]:
        yield {"behind_in": country}
    for country in [one for one in held if one not in led][:1]:
        yield {"leads_in": country}
    for country in [one for one in _first(led, rest) if view.free[one]]:
        yield {"free_in": {"country": country, "at_most": view.free[country] - 1}}
        rival = max(others, key=view.cloisters[country].__getitem__)
        number = view.cloisters[country][rival] + 1
        said: Json = {
            "country": country, "piece": "cloisters", "player": rival.capitalize(), "at_least": number
        }  # fmt: skip
        yield {"pieces_in": said}


def _first(*lists: Iterable[Country]) -> list[Country]:
    """Return the first of some countries, if there is any."""
    return [*chain(*lists)][:1]
