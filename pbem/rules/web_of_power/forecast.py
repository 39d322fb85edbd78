"""What a legal order will do, in sentences for the seat that gives it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Forecast
from pbem.rules.kit.ranking import without
from pbem.rules.kit.words import count, listing
from pbem.rules.web_of_power.choosing import Seated, choose_act
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.prospect import say_hand
from pbem.rules.web_of_power.state import ADVISOR, SEATS, Discarded, Move, Placed
from pbem.rules.web_of_power.view import View, seated
from pbem.rules.web_of_power.worth import Gain, gain_of

PAID: Final = "You pay {} for {} in {}."
BUILT: Final = "a cloister on {}"
SENT: Final = "an advisor"
THROWN: Final = "You place no piece and throw {} away."
NONE: Final = "None of the placements is possible as things stand."
FIRST: Final = "As things stand, the first placement that is possible is this:"


def forecast(facts: Facts, view: View, move: Move) -> Forecast:
    """Return what a move will do as things stand; the move is legal on the view."""
    if view.me is None:
        return Forecast(())
    me = seated(facts, view, view.me)
    act = choose_act(me, move)
    if act is None:
        return Forecast(())
    hand = facts.in_order(without(me.hand, act.cards))
    if isinstance(act, Placed):
        titles = facts.titles
        pieces = [SENT if one == ADVISOR else BUILT.format(titles[one]) for one in act.pieces]
        cards = [titles[card] for card in act.cards]
        said = (PAID.format(listing(cards), listing(pieces), titles[act.country]), *say_after(me, view, act))
    else:
        said = (THROWN.format(facts.titles[act.card]),)
    return Forecast((*_passed_over(move, act), *said, say_hand(facts, view, move, hand)))


def _passed_over(move: Move, act: Placed | Discarded) -> tuple[str, ...]:
    """Say that a choice was made, where the order leaves one."""
    if isinstance(act, Discarded) and move.plans:
        return (NONE,)
    if len(move.plans) > 1 or any(len(plan.countries) > 1 or "any" in plan.countries for plan in move.plans):
        return (FIRST,)
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
