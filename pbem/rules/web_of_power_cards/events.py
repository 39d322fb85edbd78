"""What can happen in the card game, and who is told."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.events import Seat
from pbem.rules.kit.ruled import Happened
from pbem.rules.web_of_power_cards.state import Card, Country, Law


class CardTaken(Happened):
    """A seat took a land card from an end of a row; row from 1, side "left" or "right"."""

    seat: Seat
    card: Card
    country: Country
    symbol: str | None
    symbols: int
    route: str | None
    row: int
    side: str


class ClaimBroken(Happened):
    """A seat took a card under the stone of its owner, who has it back.

    Attributes:
        paid_from: The card from which the seat gave up a stone of its own; None is its reserve.
        left: Stones that the seat still has in the game.
    """

    seat: Seat
    owner: Seat
    card: Card
    paid_from: Card | None
    left: int


class StoneTakenBack(Happened):
    """A seat took a card under its own stone, and has the stone back."""

    seat: Seat
    card: Card


class LawTaken(Happened):
    """A seat took a law card with the land card it lay on; it lies face down before the seat."""

    seat: Seat
    card: Card


class LawSeen(Happened, releases=("law",)):
    """What the law card is, for the seat that took it."""

    seat: Seat
    law: Law


class LawPlayed(Happened, releases=("law",)):
    """A seat played a law card, which is out of the game now."""

    seat: Seat
    law: Law


class StonePlaced(Happened):
    """A seat put a claiming stone on a card; stones left in its reserve."""

    seat: Seat
    card: Card
    reserve: int


class StoneMoved(Happened):
    """A seat moved a claiming stone from one card to another."""

    seat: Seat
    card_from: Card
    card_to: Card


class WishMissed(Happened):
    """A part of a seat's order could not be carried out; only that seat is told.

    Attributes:
        seat: The seat.
        part: The field of the order: "take", "use" or "claim".
        why: The reason, a sentence without its full stop.
    """

    seat: Seat
    part: str
    why: str


class TurnSkipped(Happened):
    """A seat took no card: stones of others lay on all that it could reach, and it had none to pay."""

    seat: Seat


class LawsRevealed(Happened, releases=("laws",)):
    """The game is over, and the law cards that seats still hold are turned over."""

    laws: Mapping[Seat, tuple[Law, ...]]
