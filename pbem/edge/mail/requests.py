"""What players can ask for by mail, one function each; the table of words is in `commands`."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.core.events import Seat
from pbem.core.interface import Outcome
from pbem.edge.mail.answers import standing_orders
from pbem.edge.mail.desk import Desk
from pbem.edge.mail.outgoing import Post, newest_again
from pbem.edge.saved import SavedGame


@dataclass(frozen=True, slots=True)
class Wish:
    """A command as it was given.

    Attributes:
        words: What stands behind its word.
        number: The number of its mail.
    """

    words: str
    number: int


@dataclass(frozen=True, slots=True)
class Told:
    """What came of a command, for its sender.

    Attributes:
        subject: In a few words.
        paragraphs: In sentences.
        quoted: What is shown besides, such as orders.
    """

    subject: str
    paragraphs: tuple[str, ...]
    quoted: str = ""


def status(_desk: Desk, saved: SavedGame, seat: Seat, _wish: Wish) -> Told:
    """Tell how the game stands, as all may know, and the seat's own orders."""
    ask = saved.ask
    if isinstance(ask, Outcome):
        return Told("The game is over", (f"{saved.name} is over: {ask.reason}.",))
    asked = ", ".join(one for one in saved.start.seats if one in ask.seats)
    stands = f"{saved.name} is at turn {saved.turn}, and asks {asked} ({ask.label})."
    orders = standing_orders(saved, seat)
    mine = "These orders of yours stand:" if orders else "No orders of yours stand."
    return Told(f"Status: {ask.label}", (stands, mine), orders)


def resend(desk: Desk, saved: SavedGame, seat: Seat, wish: Wish) -> Told:
    """Send the seat's newest report again."""
    mail = newest_again(Post(desk.settings, saved, desk.db), seat, f"in{wish.number}")
    if mail is not None:
        desk.db.put(mail, desk.now)
    return Told("Your newest report", (f"Your report of turn {saved.turn} is sent again.",))
