"""What may be ordered, place by place, and what it would do."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.events import Seat
from pbem.core.interface import Choice, Choices, Menu
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.orders import Seated, move_of, write_move
from pbem.rules.web_of_power.state import ADVISOR, MATCH, PILE, SEATS, Card, Country, Discarded, Placed
from pbem.rules.web_of_power.view import View, seated
from pbem.rules.web_of_power.worth import Gain, Gains, by_worth, possible_acts

SHOWN = 12
"""So many placements are listed whole; the others follow from the menus of places."""


def list_choices(facts: Facts, view: View) -> Choices:
    """Return what the owner of a view may order; nothing when it is not on turn."""
    if view.me is None or view.me != view.to_move:
        return Choices(())
    me = seated(facts, view, view.me)
    gains = Gains(me)
    acts = [(act, gains.of(act)) for act in possible_acts(me)]
    note = f"no piece this turn; you keep {len(me.hand) - 1} cards and draw one"
    thrown = (Choice(write_move(move_of(Discarded(card))), note) for card in dict.fromkeys(me.hand))
    whole = (*_placements(me, acts), *thrown)
    if len(whole) == 1 and not view.closing:
        whole = tuple(_with_draw(whole[0], source) for source in dict.fromkeys((*view.face_up, PILE)))
    menus = [Menu(("",), "Best first, with points gained if scored now", whole)]
    if sites := _sites(me, acts):
        menus.append(Menu(("place.pieces",), "Free sites that you can pay for", sites))
    if not view.closing:
        entries = "an entry for each missing card, the last for all further ones; else match, pile"
        menus.append(Menu(("draw",), f"What to draw: {entries}", _draws(view)))
    return Choices(tuple(menus), only=whole[0].order if len(whole) == 1 else None)


def _with_draw(choice: Choice, source: str) -> Choice:
    assert isinstance(choice.order, dict), "an order is an object"
    return Choice({**choice.order, "draw": [source]}, f"{choice.note}; then takes {source}")


def _placements(me: Seated, acts: list[tuple[Placed, Gain]]) -> list[Choice]:
    """Return the best placement of each kind: where, and how many cloisters and advisors."""
    kinds: dict[tuple[Country, int, int], tuple[Placed, Gain]] = {}
    for act, gain in sorted(acts, key=lambda found: by_worth(me, found[1])):
        kinds.setdefault(act.kind, (act, gain))
    return [
        Choice(write_move(move_of(act)), f"{note_gain(me, gain)}; for {_bundle(me.facts, act.cards)}")
        for act, gain in [*kinds.values()][:SHOWN]
    ]


def note_gain(me: Seated, gain: Gain) -> str:
    """Return in a few words what a placement brings to each seat."""
    others = {seat: gain.of(seat) for seat in SEATS if gain.of(seat)}
    chain = f"; chain {gain.longest}" if gain.longest > 1 else ""
    return f"{say_changes(me, {**others, me.seat: gain.own(me.seat)})}{chain}"


def say_changes(me: Seated, changes: Mapping[Seat, int]) -> str:
    """Return the points that seats gain or lose, with those of the seat itself first: "you +3, Red -1"."""
    order = sorted(changes, key=lambda seat: (seat != me.seat, SEATS.index(seat)))
    return ", ".join(f"{say_seat(me, seat)} {changes[seat]:+d}" for seat in order)


def say_seat(me: Seated, seat: Seat) -> str:
    """Return a seat in a sentence to one of them."""
    return "you" if seat == me.seat else seat.capitalize()


def _bundle(facts: Facts, cards: tuple[Card, ...]) -> str:
    counts = {facts.titles[card]: cards.count(card) for card in cards}
    return " + ".join(f"{count} {title}" if count > 1 else title for title, count in counts.items())


def _sites(me: Seated, acts: list[tuple[Placed, Gain]]) -> tuple[Choice, ...]:
    """Return every free site that one cloister can be built on, with what it brings."""
    found = []
    for (country, pieces, _), gain in acts:
        if len(pieces) == 1 and pieces[0] != ADVISOR:
            chain = f", chain of {gain.longest}" if gain.longest > 1 else ""
            note = f"{me.facts.titles[country]}: {gain.own(me.seat):+d}{chain}"
            found.append(Choice(pieces[0], note))
    return tuple(found)


def _draws(view: View) -> tuple[Choice, ...]:
    """Return the words for what can be drawn now."""
    found = []
    for card in dict.fromkeys(view.face_up):
        number = view.held[card]
        found.append(Choice(card, f"lies open; you hold {number}" if number else "lies open"))
    match = Choice(MATCH, "an open card of a type that you then hold")
    return (*found, match, Choice(PILE, f"the top card of {view.pile}"))
