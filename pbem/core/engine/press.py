"""Press: messages between seats, as they go out with a turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from pbem.core.engine.book import Orders, Press
from pbem.core.events import ALL, MODERATOR, Seat

if TYPE_CHECKING:
    from pbem.core.engine.notices import PressSent


def delivered(orders: Mapping[Seat, Orders]) -> tuple[PressSent, ...]:
    """Return the press of all seats as events.

    What is unsigned comes last and in the order of its words: its place must not tell who sent it.

    Args:
        orders: What each seat has lodged, in seating order.
    """
    sent = [(seat, press) for seat, lodged in orders.items() for press in lodged.press]
    signed = [_told(seat, press) for seat, press in sent if not press.anonymous]
    unsigned = [_told(seat, press) for seat, press in sent if press.anonymous]
    return (*signed, *sorted(unsigned, key=lambda event: (event.say, event.readers)))


def readers(press: Press, seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """Return the seats that read a message, without its sender; the moderator has none."""
    return tuple(seat for seat in seats if press.to == ALL or seat in press.to)


def is_to_moderator(press: Press) -> bool:
    """Tell whether a message names the moderator among its readers, who reads no report."""
    return press.to != ALL and MODERATOR in press.to


def _told(sender: Seat, press: Press) -> PressSent:
    from pbem.core.engine.notices import PressSent  # few turns have press

    if press.to == ALL:
        return PressSent(Seat("") if press.anonymous else sender, ALL, press.say, to=ALL)
    named = tuple(sorted(press.to))
    seats = (frozenset(press.to) - {MODERATOR}) | {sender}
    return PressSent(Seat("") if press.anonymous else sender, named, press.say, to=seats)
