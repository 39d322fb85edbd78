"""Orders that a player says in words, by what the rules declare of their fields and things."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json, Menu
from pbem.core.labels import OPEN, START
from pbem.play.homes.saved import SavedGame
from pbem.text.mail.sayings.orderplaces import spots_of
from pbem.text.mail.sayings.ordertokens import Vocabulary
from pbem.text.mail.sayings.saidorders import MOST_SIGNS, orders_said
from pbem.text.mending.meaning.known import Known
from pbem.text.reports.layout import named
from pbem.text.schemas.codec import fields_of, items_of
from pbem.text.yaml.strictyaml import dump_flow


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
    player = saved.players.holder(seat)
    said = orders_said(lines, _vocabulary(saved, seat, known), ask.label, player)
    shaped = [next((one for one in shapes if saved.system.takes(one)), None) for shapes in said]
    found = {dump_flow(one): one for one in shaped if one is not None}
    legal = [one for one in found.values() if not known.problems({"at": ask.label, "do": one})]
    if len(only := legal or [*found.values()]) == 1:
        yield named(only[0], saved.opening.wording.names)


def menus_of(saved: SavedGame, seat: Seat) -> Sequence[Menu]:
    """Return what a seat may order now, place by place."""
    return saved.opening.choices(saved.view(saved.position.game, seat)).menus


def says_more(saved: SavedGame, seat: Seat, known: Known, lines: Sequence[str], order: Json) -> bool:
    """Tell whether words name more than an order has: another field, thing, number or player."""
    text = "\n".join(lines)
    if len(text) > MOST_SIGNS:
        return True
    others = (name for one, names in known.seats.ids.items() if one != seat for name in (one, *names))
    if any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text, re.IGNORECASE) for name in others):
        return True
    return _vocabulary(saved, seat, known).leaves_out(text, fields_of(order))


def _vocabulary(saved: SavedGame, seat: Seat, known: Known) -> Vocabulary:
    """Return the words of a game's orders: fields, and what things are called, by id."""
    spots = spots_of(menus_of(saved, seat), saved.system.move_schema.schema)
    called = saved.opening.wording.names
    listed = [str(one) for spot in spots for one in items_of(spot.schema.get("enum"))]
    ids = {**dict.fromkeys([*listed, *called], ()), **known.things.ids}
    return Vocabulary(spots, {one: (*names, called.get(one, one)) for one, names in ids.items()})
