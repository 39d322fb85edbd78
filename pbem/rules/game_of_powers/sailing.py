"""Move: where a ship can sail, and which cards it takes (rulebook, "Move")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pbem.core.interface import Problem
from pbem.core.remedies import Advice
from pbem.rules.game_of_powers.facts import Facts
from pbem.rules.game_of_powers.moves import Action, Returning, Turn
from pbem.rules.game_of_powers.offers import Proposal
from pbem.rules.game_of_powers.state import ANTICLOCKWISE, CLOCKWISE, Card, City, Direction, Task
from pbem.rules.game_of_powers.view import View
from pbem.rules.kit.words import leave_out


@dataclass(frozen=True, slots=True)
class Course(Returning):
    """A legal way to sail: where to, which way round, how far, and the cards it takes."""

    city: City
    direction: Direction
    spaces: int = 0
    reverse: Card | None = None
    extra: Card | None = None

    def turn(
        self, action: Action | None, claim: tuple[Task, ...] = (), trade: Proposal | None = None
    ) -> Turn:
        """Return the turn that sails so."""
        return Turn(self.city, self.reverse, self.extra, action, claim, trade)


def opposite(direction: Direction) -> Direction:
    """Return the other way round."""
    return ANTICLOCKWISE if direction == CLOCKWISE else CLOCKWISE


def heads_for(facts: Facts, start: City, heading: Direction, turn: Turn) -> tuple[Direction, int, City]:
    """Return which way a turn sails from a place, how many spaces, and where to, be it legal or not."""
    way = heading if turn.reverse is None else opposite(heading)
    spaces = turn.sail if isinstance(turn.sail, int) else facts.spaces(start, turn.sail, way)
    return way, spaces, facts.ahead(start, way, spaces)


def find_course(facts: Facts, view: View, turn: Turn) -> tuple[Course | None, tuple[Problem, ...]]:
    """Return how a turn sails, or what is wrong with it.

    Source: rulebook, "Move", a: one or two spaces ahead; b and c: cards for more and to turn round.
    """
    lacking = {name: card for name, card in turn.returned.items() if card not in view.hand}
    if lacking:
        return None, tuple(not_in_hand(facts, view, (name,), card) for name, card in lacking.items())
    if turn.reverse is not None and turn.reverse == turn.extra:
        same = f"{facts.title(turn.extra)} cannot both turn the ship and take it further"
        return None, (Problem(("extra",), same, "Name another card, or leave one of the two out."),)
    direction, spaces, city = heads_for(facts, view.berth, view.own.direction, turn)
    if problems := _check_spaces(facts, view, turn, spaces, city):
        return None, problems
    return Course(city, direction, spaces, turn.reverse, turn.extra), ()


def _check_spaces(facts: Facts, view: View, turn: Turn, spaces: int, city: City) -> tuple[Problem, ...]:
    """Check how far a ship sails.

    Source: rulebook, "Move", b: a card's points are spaces beyond two; NOTE 2: not back to where it started.
    """
    if city == view.own.city:
        stay = f"your ship is at {facts.cities[city].name} already, and may not end its move where it started"
        return (Problem(("sail",), stay, reachable_hint(facts, view)),)
    wrong = too_far(facts, turn, facts.cities[city].name, spaces)
    if wrong is None:
        return ()
    is_near = spaces <= facts.free_spaces
    lost = leave_out("extra", ": the card would be lost")
    hint, remedies = lost if is_near else Advice(_further(facts, view, spaces))
    return (wrong._replace(hint=hint, remedies=remedies),)


def too_far(facts: Facts, turn: Turn, name: str, spaces: int, then: str = "") -> Problem | None:
    """Return what is wrong with sailing so many spaces to a city of some name, or nothing.

    Source: rulebook, "Move", b: a card's points are spaces beyond two.
    """
    free, extra = facts.free_spaces, turn.extra
    if spaces <= free:
        near = f"{name} is {spaces} ahead{then}, and {free} spaces need no card"
        return Problem(("extra",), near) if extra is not None else None
    far = f"{name} is {spaces} spaces ahead{then}"
    if extra is None:
        return Problem(("sail",), f"{far}, and {free} is the most without a card")
    points = facts.cards[extra].score
    short = f"{far}, and {facts.title(extra)} takes you {free} + {points} at most"
    return Problem(("extra",), short) if points < spaces - free else None


def _further(facts: Facts, view: View, spaces: int) -> str:
    """Say which cards would take the ship so far."""
    needed = spaces - facts.free_spaces
    enough = [facts.title(card) for card in view.hand if facts.cards[card].score >= needed]
    return f"{' or '.join(enough)} would do: write extra." if enough else reachable_hint(facts, view)


def not_in_hand(facts: Facts, view: View, path: tuple[str | int, ...], card: Card) -> Problem:
    """Say that a card is not in the hand, and what is."""
    held = ", ".join(facts.title(one) for one in view.hand)
    hint = f"You hold {held}." if held else "Your hand is empty."
    return Problem(path, f"{facts.title(card)} is not in your hand", hint)


def reachable_hint(facts: Facts, view: View) -> str:
    """Say where the ship can go without a card."""
    near = facts.near(view.berth, view.own.direction)
    return f"Without a card you can sail to {' or '.join(facts.cities[city].name for city in near)}."


def courses(facts: Facts, view: View, cheapest: Iterable[Card]) -> Iterator[Course]:
    """Yield a way to each city that can be reached, first those ahead; each takes the first cards that do.

    Args:
        facts: The sea and the cards.
        view: The view of the seat on turn.
        cheapest: Its cards, those it gives away most gladly first.
    """
    start, hand = view.berth, tuple(cheapest)
    for reverse in (None, *hand[:1]):
        direction = view.own.direction if reverse is None else opposite(view.own.direction)
        rest = tuple(card for card in hand if card != reverse)
        for spaces in range(1, len(facts.ring)):
            needed, extra, turned = spaces - facts.free_spaces, None, reverse
            if needed > 0:
                extra = next((card for card in rest if facts.cards[card].score >= needed), None)
            if needed > 0 and extra is None and reverse is not None and len(hand) > 1:
                extra, turned = _swapped(facts, hand, needed)
            if needed <= 0 or extra is not None:
                yield Course(facts.ahead(start, direction, spaces), direction, spaces, turned, extra)


def _swapped(facts: Facts, hand: tuple[Card, ...], needed: int) -> tuple[Card | None, Card | None]:
    """Return cards to sail far and to turn round where only the first card takes a ship so far."""
    if facts.cards[hand[0]].score >= needed:
        return hand[0], hand[1]
    return None, hand[0]
