"""What a legal order will do, in sentences for its seat: what it places, and what fills the hand up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pbem.core.interface import Forecast
from pbem.rules.kit.ranking import without
from pbem.rules.kit.words import count, listing
from pbem.rules.web_of_power.board import Board
from pbem.rules.web_of_power.choices import say_changes, say_seat
from pbem.rules.web_of_power.drawing import DEFAULT_ENTRY, Wanted, entry_at
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.orders import Seated, choose_act
from pbem.rules.web_of_power.placing import Said
from pbem.rules.web_of_power.state import ADVISOR, MATCH, PILE, Card, Country, Discarded, Move, Placed
from pbem.rules.web_of_power.view import View, seated
from pbem.rules.web_of_power.worth import Gain, gain_of


def forecast(facts: Facts, view: View, move: Move) -> Forecast:
    """Return what a move will do as things stand; the move is legal on the view."""
    if view.me is None:
        return Forecast(())
    me = seated(facts, view, view.me)
    act = choose_act(me, move)
    if act is None:
        return Forecast(())
    hand = without(me.hand, act.cards)
    titles, cards = facts.titles, [facts.titles[card] for card in act.cards]
    if isinstance(act, Placed):
        pieces = [Said.SENT if one == ADVISOR else Said.BUILT.format(titles[one]) for one in act.pieces]
        paid = Said.PAID.format(listing(cards), listing(pieces), titles[act.country])
        said = (paid, *say_after(me, view, act))
    else:
        said = (Said.THROWN.format(*cards),)
    return Forecast((*_passed_over(move, act), *said, say_hand(facts, view, move, hand)))


def _passed_over(move: Move, act: Placed | Discarded) -> tuple[str, ...]:
    """Say that a choice was made, where the order leaves one."""
    if isinstance(act, Discarded) and move.plans:
        return (Said.NONE,)
    if len(move.plans) > 1 or any(len(plan.countries) > 1 or "any" in plan.countries for plan in move.plans):
        return (Said.FIRST,)
    return ()


def say_after(me: Seated, view: View, act: Placed) -> tuple[str, ...]:
    """Return what a placement brings and opens; the order of its pieces and the cards make no difference."""
    after = me.board.after(me.seat, act)
    held = after.cloisters_in(act.country)
    counts = ", ".join(f"{say_seat(me, seat)} {held[seat]}" for seat in view.players if seat in held)
    name, room = me.facts.titles[act.country], after.advisor_room(act.country)
    more = count(room, "more advisor") if room else "no more advisors"
    return (
        f"Cloisters in {name} are then: {counts}; it takes {more}.",
        *_points(me, gain_of(me, act)),
        *_exposed(me, after, act.country),
    )


def _points(me: Seated, gain: Gain) -> tuple[str, ...]:
    """Say what each part of the scoring brings."""
    scored = {"Cloisters": gain.cloisters, "Alliances": gain.alliances}
    lines = [f"{what}, if scored right then: {say_changes(me, one)}." for what, one in scored.items() if one]
    if gain.longest > 1:
        points = f", and brings {count(gain.chain, 'point')}" if gain.chain else ""
        lines.append(f"Your chain there is then {gain.longest} long{points}.")
    return tuple(lines) or ("No points change by it, if scored right then.",)


def _exposed(me: Seated, after: Board, country: Country) -> Iterator[str]:
    """Say what a placement in a country lets others do that they could not do before."""
    if (room := after.advisor_room(country)) > me.board.advisor_room(country):
        yield f"Others can send advisors to {me.facts.titles[country]} then: there is room for {room}."
    held = after.cloisters_in(country)
    others = max((count for seat, count in held.items() if seat != me.seat), default=0)
    if held.get(me.seat, 0) == others > 0 and after.free_sites(country):
        yield "You share the lead there; one more cloister of a rival takes it."


OLDEST = "the oldest open card"
"""What is taken if nothing surely can be had of what a card is drawn by."""


class Prospect(NamedTuple):
    """The cards beside the map while a hand is filled up, as far as they are known beforehand.

    Attributes:
        hand: The cards that the hand has for certain.
        open: The open cards, oldest first.
        least: So many cards the pile has at least.
        most: So many it has at most.
        is_open: Whether one of the open cards may be gone.
        is_blind: Whether the hand may have a card that is not known.
    """

    hand: tuple[Card, ...]
    open: tuple[Card, ...]
    least: int
    most: int
    is_open: bool = False
    is_blind: bool = False

    def source(self, name: str) -> tuple[str | None, bool]:
        """Return an open card, `match` or `pile` if it may be had by a name, and whether it surely can."""
        if name == PILE:
            return (PILE if self.most > 0 else None), self.least > 0
        if name == MATCH:
            fits = [card for card in self.open if card in self.hand]
            if fits and not self.is_open:  # a card of the pile may be like one that has lain longer
                return (MATCH if self.is_blind and fits[0] != self.open[0] else fits[0]), True
            return (MATCH if self.open and (fits or self.is_blind) else None), False
        return (name if name in self.open else None), not self.is_open

    def after(self, source: str, *, is_only: bool) -> Prospect:
        """Return what is known once a card was taken, or one of several that may have been."""
        if not is_only or source == MATCH:
            return self._replace(is_open=True, is_blind=True, least=self.least - (not is_only))
        if source == PILE:
            return self._replace(least=self.least - 1, most=self.most - 1, is_blind=True)
        card = Card(source)
        return self._replace(hand=(*self.hand, card), open=without(self.open, (card,)))


def prospect_of(view: View, hand: tuple[Card, ...]) -> Prospect:
    """Return what lies beside the map when a hand begins to fill up."""
    return Prospect(hand, view.face_up, view.pile, view.pile)


def say_source(facts: Facts, source: str) -> str:
    """Return an open card, `match` or `pile` in words."""
    words = {MATCH: "an open card of a type that you then hold", PILE: "the pile"}
    return words.get(source) or facts.titles[source]


def say_lacking(facts: Facts, view: View, card: Card) -> str:
    """Say that a card cannot be had: none lies open, or those that do are taken before."""
    return f"no {'other ' * (card in view.face_up)}{facts.titles[card]} lies open"


def say_kept(facts: Facts, view: View, hand: tuple[Card, ...]) -> str:
    """Return the sentence about what a hand keeps, with `{}` where it says what is drawn."""
    kept = f"You keep {listing(facts.titles[card] for card in hand)}" if hand else "You keep no card"
    if view.closing:
        return f"{kept}; nobody draws any more."
    missing = facts.limits.hand - len(hand)
    then = {1: "the first scoring comes then", 2: "this round is the last, and the final scoring follows"}
    ends = f"; the pile runs out with it, and {then[view.half]}" if view.pile <= missing else ""
    return f"{kept}, and draw {count(missing, 'card')}{{}}{ends}."


def say_drawn(texts: Sequence[str]) -> str:
    """Return for that sentence what each missing card is."""
    if len(texts) > 1 and len(set(texts)) == 1:
        return f", each: {texts[0]}"
    return f": {', then '.join(texts)}"


def say_hand(facts: Facts, view: View, move: Move, hand: tuple[Card, ...]) -> str:
    """Return what a hand keeps and what fills it up: "You keep no card, and draw 1 card: the pile."

    Args:
        facts: The facts of the game.
        view: What the seat knows.
        move: The move, which may say what to draw.
        hand: The cards that the seat keeps.
    """
    return say_kept(facts, view, hand).format(say_drawn([*_each(facts, view, move.draw, hand)]))


def _each(facts: Facts, view: View, wanted: Wanted, hand: tuple[Card, ...]) -> Iterator[str]:
    """Yield what each missing card is, by preference as far as it depends on what comes before."""
    prospect = prospect_of(view, hand)
    for place in range(facts.limits.hand - len(hand)):
        found, lacking = list[str](), list[str]()
        for name in dict.fromkeys((*entry_at(wanted, place), *DEFAULT_ENTRY)):
            source, is_sure = prospect.source(name)
            if source is not None:
                found.append(say_source(facts, source))
            elif name in facts.counts:
                lacking.append(say_lacking(facts, view, Card(name)))
            if source is not None and is_sure:
                prospect = prospect.after(source, is_only=len(found) == 1)
                break
        else:
            prospect = prospect.after(MATCH, is_only=not found)
            found.append(OLDEST)
        why = f" ({', '.join(lacking)})" if lacking else ""
        yield f"{', else '.join(found)}{why}"
