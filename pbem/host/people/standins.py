"""Which seats standbys took for turns missed."""

from __future__ import annotations

from pbem.core.events import Seat
from pbem.host.people.gamewriting import Person
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput


def stood_in(saved: SavedGame) -> dict[Seat, Person]:
    """Return the seats that standbys took in the newest turn for turns missed, and who had each before.

    None if that turn or the one before it is missing or damaged: that keeps nobody's report back.
    """
    try:
        if not saved.position.attendance.substitutes:
            return {}
        now, before = saved.players, SavedGame(saved.home, saved.name, at_turn=saved.turn - 1).players
    except WrongInput:
        return {}
    return {
        seat: Person(before.holder(seat), before.address(seat))
        for seat in saved.start.seats
        if now.standby(seat) and now.standby(seat) != before.standby(seat)
    }
