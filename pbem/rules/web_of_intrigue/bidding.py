"""Bidding for objects, one bid after the other (rules 4, rulings 1 and 10)."""

from __future__ import annotations

from pbem.core.events import ALL, Seat, only
from pbem.rules.web_of_intrigue import events
from pbem.rules.web_of_intrigue.course import Course
from pbem.rules.web_of_intrigue.facts import Facts, Thing
from pbem.rules.web_of_intrigue.modifiers import Stand, element_bonuses, needed_roll, weigh, weigh_from
from pbem.rules.web_of_intrigue.moves import Bid
from pbem.rules.web_of_intrigue.state import TileId


def bid(course: Course, seat: Seat, order: Bid) -> None:
    """Carry out one bid with everything as it is at this moment.

    Source: rules 3.1, 4 and 5.1; rulings 1, 10 to 12 and 23.
    """
    thing = course.facts.objects[TileId(order.tile)]
    owner = course.owners.get(thing.id)
    if owner == seat:
        course.tell_void(seat, thing.name, "you control it already")
        return
    stand, here, is_rivals = course.stand(seat), course.players[seat].square, owner is not None
    parts = weigh_from(course.facts, stand, thing, here, course.where, is_rivals=is_rivals)
    bonuses = element_bonuses(course.facts, stand.enacted) if is_rivals else {}
    needed = needed_roll(thing, parts)
    element = course.facts.houses[course.players[owner].house].element if owner is not None else ""
    die = course.dice.roll(course.facts.numbers.sides, f"{course.phase}/die/{seat}")
    success = die >= needed - bonuses.get(element, 0)
    proof = prove(course.facts, stand, thing, die, is_rivals=is_rivals)
    course.note_bid(seat, thing.category, proof if success else None)
    if success:
        course.owners[thing.id] = seat
    name, against = thing.name, {element: needed - value for element, value in bonuses.items()}
    course.tell(events.BidMade(seat=seat, object=name, controller=owner, die=die, success=success, to=ALL))
    course.tell(
        events.BidWeighed(
            seat=seat, object=name, parts=parts, needed=needed, if_element=against, to=only(seat)
        )
    )


def prove(facts: Facts, stand: Stand, thing: Thing, die: int, *, is_rivals: bool) -> int:
    """Return what a House must add at least for this die to have won, by what all players know.

    They know the die, who controls what and which specials were enacted, but no squares: the best case for
    each of those, the bidder on the object's square and every special beside it.

    Source: rules 7, what guesses can be based on.
    """
    nobody = Stand(None, stand.held, stand.enacted)
    best = sum(weigh(facts, nobody, thing, 0, is_rivals=is_rivals, beside=stand.enacted).values())
    if is_rivals:
        best += max(element_bonuses(facts, stand.enacted).values(), default=0)
    return thing.difficulty - die - best
