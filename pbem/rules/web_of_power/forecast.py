"""What a legal order will do, in sentences for the seat that gives it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from pbem.core.events import Seat
from pbem.core.interface import Forecast
from pbem.rules.kit.words import count, listing
from pbem.rules.web_of_power.choosing import Seated, choose_act
from pbem.rules.web_of_power.drawing import DEFAULT_ENTRY, entry_at
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.state import ADVISOR, MATCH, PILE, SEATS, Card, Discarded, Move, Placed
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
    spent = act.cards if isinstance(act, Placed) else (act.card,)
    hand = facts.in_order((Counter(me.hand) - Counter(spent)).elements())
    if isinstance(act, Placed):
        titles = facts.titles
        pieces = ["an advisor" if one == ADVISOR else f"a cloister on {titles[one]}" for one in act.pieces]
        cards = [titles[card] for card in act.cards]
        paid = f"You pay {listing(cards)} for {listing(pieces)} in {titles[act.country]}."
        said = (paid, *say_after(me, view, act))
    else:
        said = (f"You place no piece and throw {facts.titles[act.card]} away.",)
    kept = f"You keep {listing(facts.titles[card] for card in hand)}" if hand else "You keep no card"
    then = "; nobody draws any more" if view.closing else f", and {say_draw(facts, view, move, hand)}"
    return Forecast((*_passed_over(move, act), *said, f"{kept}{then}."))


def _passed_over(move: Move, act: Placed | Discarded) -> tuple[str, ...]:
    """Say that a choice was made, where the order leaves one."""
    if isinstance(act, Discarded) and move.plans:
        return ("None of the placements is possible as things stand.",)
    if len(move.plans) > 1 or any(len(plan.countries) > 1 or "any" in plan.countries for plan in move.plans):
        return ("As things stand, the first placement that is possible is this:",)
    return ()


def say_after(me: Seated, view: View, act: Placed) -> tuple[str, ...]:
    """Return what a placement brings and opens; the order of its pieces and the cards make no difference."""
    gain, after = gain_of(me, act), me.board.after(me.seat, act)
    held = after.cloisters_in(act.country)
    counts = ", ".join(f"{_you(me, seat)} {held[seat]}" for seat in view.players if seat in held)
    name, room = me.facts.titles[act.country], after.advisor_room(act.country)
    more = count(room, "more advisor") if room else "no more advisors"
    return (
        f"Cloisters in {name} are then: {counts}; it takes {more}.",
        *_points(me, gain),
        *_exposed(me, act),
    )


def _points(me: Seated, gain: Gain) -> tuple[str, ...]:
    """Say what each part of the scoring brings."""
    lines = []
    if gain.cloisters:
        lines.append(f"Cloisters, if scored right then: {_changes(me, gain.cloisters)}.")
    if gain.alliances:
        lines.append(f"Alliances, if scored right then: {_changes(me, gain.alliances)}.")
    if gain.longest > 1:
        points = f", and brings {gain.chain:+d} points" if gain.chain else ""
        lines.append(f"Your chain there is then {gain.longest} long{points}.")
    return tuple(lines) or ("No points change by it, if scored right then.",)


def _exposed(me: Seated, act: Placed) -> tuple[str, ...]:
    """Say what the placement lets others do that they could not do before."""
    after, country = me.board.after(me.seat, act), act.country
    lines = []
    opened = after.advisor_room(country) - me.board.advisor_room(country)
    if opened > 0:
        room = after.advisor_room(country)
        name = me.facts.titles[country]
        lines.append(f"Others can send advisors to {name} then: there is room for {room}.")
    held = after.cloisters_in(country)
    others = max((count for seat, count in held.items() if seat != me.seat), default=0)
    if held.get(me.seat, 0) == others > 0 and after.free_sites(country):
        lines.append("You share the lead there; one more cloister of a rival takes it.")
    return tuple(lines)


def _changes(me: Seated, changes: Mapping[Seat, int]) -> str:
    seats = [me.seat, *(seat for seat in SEATS if seat != me.seat)]
    return ", ".join(f"{_you(me, seat)} {changes[seat]:+d}" for seat in seats if seat in changes)


def _you(me: Seated, seat: Seat) -> str:
    return "you" if seat == me.seat else seat.capitalize()


def say_draw(facts: Facts, view: View, move: Move, hand: tuple[Card, ...]) -> str:
    """Return what fills a hand up: "draw 2 cards: Frankreich, then the pile".

    Args:
        facts: The facts of the game.
        view: What the seat knows.
        move: The move, which may say what to draw.
        hand: The cards that the seat keeps.
    """
    missing = facts.limits.hand - len(hand)
    prospect = _Prospect(facts, view, hand)
    texts = [prospect.next(entry_at(move.draw, place)) for place in range(missing)]
    if missing > 1:
        each = len(set(texts)) == 1
        said = f"{missing} cards, each: {texts[0]}" if each else f"{missing} cards: {', then '.join(texts)}"
    else:
        said = f"1 card: {texts[0]}"
    ends = "; the pile runs out with it" if view.pile <= missing else ""
    return f"draw {said}{ends}"


class _Prospect:
    """The cards beside the map while a hand is filled up, as far as they are known beforehand."""

    def __init__(self, facts: Facts, view: View, hand: tuple[Card, ...]) -> None:
        self.facts, self.view = facts, view
        self.hand, self.open = list(hand), list(view.face_up)
        self.least = self.most = view.pile  # so many cards the pile has
        self.is_open = False  # whether one of the open cards may be gone

    def next(self, entry: tuple[str, ...]) -> str:
        """Return what the next card is, by preference as far as it depends on what comes before."""
        words: list[str] = []
        lacking: dict[str, None] = {}
        for name in dict.fromkeys((*entry, *DEFAULT_ENTRY)):
            found, is_sure = self._source(name)
            if found is None and name in self.facts.counts:
                other = "other " * (name in self.view.face_up)
                lacking[f"no {other}{self.facts.titles[name]} lies open"] = None
            if found is not None:
                words.append(self._said(found))
            if found is not None and is_sure:
                self._take(found, is_only=len(words) == 1)
                break
        else:
            words.append("the oldest open card")
            self._take(MATCH, is_only=len(words) == 1)
        why = f" ({', '.join(lacking)})" if lacking else ""
        return f"{', else '.join(words)}{why}"

    def _source(self, name: str) -> tuple[str | None, bool]:
        """Return an open card, `match` or `pile` if it may be had by a name, and whether it surely can."""
        if name == PILE:
            return (PILE if self.most > 0 else None), self.least > 0
        if name == MATCH:
            fits = [card for card in self.open if card in self.hand]
            if fits and not self.is_open:  # a card of the pile may be like one that has lain longer
                return (MATCH if self._holds_unknown() and fits[0] != self.open[0] else fits[0]), True
            return (MATCH if self.open and (fits or self._holds_unknown()) else None), False
        return (name if name in self.open else None), not self.is_open

    def _holds_unknown(self) -> bool:
        return self.is_open or self.most < self.view.pile

    def _said(self, source: str) -> str:
        words = {MATCH: "an open card of a type that you then hold", PILE: "the pile"}
        return words.get(source) or self.facts.titles[source]

    def _take(self, source: str, *, is_only: bool) -> None:
        """Take a card, or note that it is open which one was taken."""
        if not is_only or source == MATCH:
            self.is_open = True
            self.least -= not is_only
        elif source == PILE:
            self.least, self.most = self.least - 1, self.most - 1
        else:
            self.open.remove(Card(source))
            self.hand.append(Card(source))
