"""What the condition of an order supposes of a later ask, and whether it can come about."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from pbem.core.conditions import holds
from pbem.core.events import Seat
from pbem.core.foresight import CONDITION
from pbem.core.interface import Json, Problem
from pbem.rules.kit.supposed import why_unfit
from pbem.rules.kit.tables import as_list
from pbem.rules.web_of_power_cards.reach import Until
from pbem.rules.web_of_power_cards.state import Card
from pbem.rules.web_of_power_cards.view import ON_TABLE

FIXED: Final = ("me", "countries", "names", "law_names", "numbers")
"""Facts of a view that stay as they are for the whole game."""
OF_CARDS: Final = ("country", "symbol", "symbols", "route")
"""Facts of a card that stay."""
OWN: Final = ("cards", "lands", "routes", "removed", "laws")
"""Facts of a seat that only its own turns change."""


def impossible(then: Until, when: Mapping[str, Json]) -> Problem | None:
    """Say why a condition cannot hold at a later ask of a seat; None if it may.

    Args:
        then: What is certain of the table at that ask.
        when: The condition.
    """
    ids = (*then.view.cards, *then.view.players, *then.view.unseen, *then.facts.countries, *then.facts.routes)
    names = {str(name).casefold(): str(name) for name in ids}  # the case of names does not count
    for path, wanted in when.items():
        parts = [names.get(part.casefold(), part) for part in path.split(".")]
        if text := _why_not(then, path, parts, wanted):
            return Problem((*CONDITION, path), text)
    return None


def _why_not(then: Until, path: str, parts: Sequence[str], wanted: Json) -> str:
    """Say why what is wanted cannot stand at a path then; "" if it may, or if that is not known."""
    if stays := _stays(then, parts):
        return "" if holds({path: wanted}, then.view) else f"{path} {stays}"
    match parts, wanted:
        case ["ends" | "can_take"], dict():
            return _why_not_at_end(then, wanted.get("has"))
        case ["players", seat, "cards", *_], dict() if seat in then.view.players:
            return _why_not_held(then, Seat(seat), wanted.get("has"))
    unfit = why_unfit(_values(then, parts), wanted)
    return f"{path} {unfit} then" if unfit else ""


def _stays(then: Until, parts: Sequence[str]) -> str:
    """Say that what stands at a path stays; "" if it may change."""
    match parts:
        case ["cards", name, fact] if name in then.view.cards and fact in OF_CARDS:
            return "stays as it is"
        case ["laws", *_] if then.keeps():
            return "stays as it is until then"
        case ["players", seat, fact, *_] if seat == then.me and fact in OWN and then.keeps():
            return "stays as it is until then"
    return "stays as it is until then" if parts[0] in FIXED else ""


def _values(then: Until, parts: Sequence[str]) -> Collection[object] | None:
    """Return everything that may stand at a path then; None if that is not bounded."""
    view, me = then.view, then.me
    match parts:
        case ["to_move"]:
            return (me,)
        case ["left"]:
            return range(1, then.most_left() + 1)
        case ["unseen", law]:
            return range(1 + {str(one): number for one, number in view.unseen.items()}.get(law, 0))
        case ["lost_claim"] if not then.own_open:
            return _lost_claim(then)
        case ["cards", name, fact] if name in view.cards:
            return _card_values(then, Card(name), fact)
        case ["players", seat, "asks"] if seat in view.players:
            before = view.players[Seat(seat)].asks - (view.to_move == seat)
            return (before + (then.own + 1 if seat == me else then.turns_of.get(Seat(seat), 0)),)
        case ["players", seat, "lands" | "routes", name] if seat in view.players:
            side = view.players[Seat(seat)]
            counts = {str(one): n for one, n in (*side.lands.items(), *side.routes.items())}
            return range(counts[name], counts[name] + view.left + 1) if name in counts else None
    return None


def _lost_claim(then: Until) -> Collection[object] | None:
    """Others take cards under own stones only where one lies; it is told until the own turn."""
    if then.keeps() and then.view.lost:
        return (True,)
    return None if then.table.lying(then.me) else (False,)


def _card_values(then: Until, card: Card, fact: str) -> Collection[object] | None:
    """Return everything that a fact of a card may be then."""
    place = then.view.cards[card]
    if place.holder != ON_TABLE or not then.lies(card):
        holder = then.me if place.holder == ON_TABLE else place.holder
        return {"holder": (holder,), "law": (False,)}.get(fact, (None,))
    may_go = then.may_be_taken(card)
    match fact:
        case "holder":
            return (ON_TABLE, *(then.turns_of if may_go else ()))
        case "depth":
            return (*then.depths(card), *([None] if may_go else []))
        case "law":
            return (place.law, False) if may_go else (place.law,)
        case "stone" if then.keeps() and place.stone != then.me:
            return (None, *(seat for seat in then.view.players if seat != then.me))
    return None


def _why_not_at_end(then: Until, wanted: Json) -> str:
    """Say which card that is wanted at an end cannot lie there then."""
    for card in _cards(then, wanted):
        if not then.lies(card):
            return f"{card} does not lie on the table then"
        if not then.may_be_at_end(card):
            return f"{card} cannot come to an end of its row by then"
    return ""


def _why_not_held(then: Until, seat: Seat, wanted: Json) -> str:
    """Say which card that a seat should hold another one keeps."""
    for card in _cards(then, wanted):
        holder = then.view.cards[card].holder
        if holder not in (ON_TABLE, seat):
            return f"{card} stays with {holder}"
        if holder == ON_TABLE and then.lies(card) and not then.may_be_taken(card):
            return f"{card} cannot be taken by then"
    return ""


def _cards(then: Until, wanted: Json) -> Iterator[Card]:
    """Yield the cards that a condition names."""
    names = {str(one).casefold() for one in as_list(wanted)}
    yield from (card for card in then.view.cards if card.casefold() in names)
