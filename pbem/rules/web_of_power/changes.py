"""What other seats may place in a country before a seat is asked next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from pbem.core.events import Seat
from pbem.rules.kit.ruled import round_from
from pbem.rules.kit.words import count, listing
from pbem.rules.web_of_power.board import Board
from pbem.rules.web_of_power.state import ADVISOR, CLOISTER, Country
from pbem.rules.web_of_power.view import View

ALONE: Final = ((1, 0), (0, 1), (1, 1), (2, 0), (0, 2))
"""What one other seat may place in a country: so many cloisters, and so many advisors."""

TOGETHER: Final = ((1, 1), (1, 2), (2, 1), (2, 2))
"""How many cloisters two other seats may build in one country."""


class Change(NamedTuple):
    """What others may have placed in a country by then.

    Attributes:
        country: Where.
        cloisters: Whose cloisters are new.
        advisors: Whose advisors are new.
    """

    country: Country
    cloisters: tuple[Seat, ...] = ()
    advisors: tuple[Seat, ...] = ()

    @property
    def happens(self) -> bool:
        """Whether anybody places anything."""
        return bool(self.cloisters or self.advisors)


def movers(view: View, me: Seat) -> tuple[Seat, ...]:
    """Return the seats that are on turn before the owner of a view is asked next."""
    assert view.to_move is not None, "the game is not over"
    order = round_from(view.seats, view.to_move)
    return order[1:] if view.to_move == me else order[: order.index(me)]


def changes_by(board: Board, seats: Sequence[Seat], *, is_near: bool) -> Iterator[Change]:
    """Yield what may have happened in each country: nothing, or what a seat places there in one turn.

    Args:
        board: The map before it.
        seats: The seats that are on turn; the one that holds most in a country is thought of there.
        is_near: Whether what two of them build in one country is looked at too.
    """
    for country in board.facts.lands:
        held = board.cloisters_in(country)
        first, *others = sorted(seats, key=lambda seat: -held.get(seat, 0))
        yield Change(country)
        found = [Change(country, (first,) * built, (first,) * sent) for built, sent in ALONE]
        if others and is_near:
            found += [Change(country, (first,) * one + (others[0],) * two) for one, two in TOGETHER]
        yield from (change for change in found if _may_happen(board, change))


def _may_happen(board: Board, change: Change) -> bool:
    """Tell whether a country takes some pieces, and the seats have them.

    Source: rulebook, "Placing pieces": the first turn in an empty country places one cloister.
    """
    country, built, sent = change.country, change.cloisters, change.advisors
    if board.is_empty(country) and (sent or built.count(built[0]) > 1):
        return False
    has_place = len(built) <= len(board.free_sites(country))
    has_room = len(sent) <= board.advisor_room(country) + len(built)
    can_build = all(built.count(seat) <= board.cloisters_left(seat) for seat in {*built})
    can_send = all(sent.count(seat) <= board.advisors_left(seat) for seat in {*sent})
    return has_place and has_room and can_build and can_send


def in_words(changes: Iterable[Change]) -> list[str]:
    """Return changes without the country, each once: "nobody places", "somebody places 1 cloister"."""
    return [*dict.fromkeys(map(_worded, sorted(changes, key=lambda change: change.happens)))]


def _worded(change: Change) -> str:
    kinds = ((len(change.cloisters), CLOISTER), (len(change.advisors), ADVISOR))
    pieces = listing(count(number, name) for number, name in kinds if number)
    who = "others place" if len({*change.cloisters}) > 1 else "somebody places"
    return f"{who} {pieces}" if pieces else "nobody places"
