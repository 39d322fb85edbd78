"""Orders that a player says in words, by what the rules declare of their fields and things."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json, Menu
from pbem.core.labels import OPEN, START
from pbem.play.saved import SavedGame
from pbem.text.codec import fields_of, items_of
from pbem.text.layout import named
from pbem.text.mail.fieldwords import leaves_out, orders_in_fields
from pbem.text.mail.orderplaces import Spot, spots_of
from pbem.text.mending.known import Known


def orders_in_words(
    saved: SavedGame, seat: Seat, ask: Ask, known: Known, lines: Sequence[str]
) -> Iterator[Json]:
    """Yield the order that a seat's player seems to say in words, with names as in reports; or none.

    Args:
        saved: The game.
        seat: The seat, which is asked now.
        ask: What it is asked.
        known: What its owner may know.
        lines: What its player wrote.
    """
    if ask.label in (START, OPEN) or not any(line.strip() for line in lines):
        return
    spots = spots_of(menus_of(saved, seat), saved.system.move_schema.schema)
    found = orders_in_fields(lines, spots, _names(saved, known, spots), ask.label)
    if order := next((one for one in found if saved.system.takes(one)), None):
        yield named(order, saved.opening.wording.names)


def menus_of(saved: SavedGame, seat: Seat) -> Sequence[Menu]:
    """Return what a seat may order now, place by place."""
    return saved.opening.choices(saved.view(saved.position.game, seat)).menus


def says_more(saved: SavedGame, seat: Seat, known: Known, lines: Sequence[str], order: Json) -> bool:
    """Tell whether words name more than an order has: another field, thing, number or player."""
    spots, text = spots_of(menus_of(saved, seat), saved.system.move_schema.schema), "\n".join(lines)
    others = (name for one, names in known.seats.ids.items() if one != seat for name in (one, *names))
    if any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text, re.IGNORECASE) for name in others):
        return True
    return leaves_out(text, spots, _names(saved, known, spots), fields_of(order))


def _names(saved: SavedGame, known: Known, spots: Sequence[Spot]) -> Mapping[str, tuple[str, ...]]:
    """Return what the things of a game are called, by id."""
    called = saved.opening.wording.names
    listed = [str(one) for spot in spots for one in items_of(spot.schema.get("enum"))]
    ids = {**dict.fromkeys([*listed, *called], ()), **known.things.ids}
    return {one: (*names, called.get(one, one)) for one, names in ids.items()}
