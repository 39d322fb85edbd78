"""What can happen in the card game, and who is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pbem.core.events import Event, Seat
from pbem.rules.web_of_power_cards.state import Card, Country, Law


@dataclass(frozen=True, kw_only=True)
class CardTaken(Event):
    """A seat took a land card from an end of a row; row from 1, side "left" or "right"."""

    seat: Seat
    card: Card
    country: Country
    symbol: str | None
    symbols: int
    route: str | None
    row: int
    side: str


@dataclass(frozen=True, kw_only=True)
class ClaimBroken(Event):
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


@dataclass(frozen=True, kw_only=True)
class StoneTakenBack(Event):
    """A seat took a card under its own stone, and has the stone back."""

    seat: Seat
    card: Card


@dataclass(frozen=True, kw_only=True)
class LawTaken(Event):
    """A seat took a law card with the land card it lay on; it lies face down before the seat."""

    seat: Seat
    card: Card


@dataclass(frozen=True, kw_only=True)
class LawSeen(Event):
    """What the law card is, for the seat that took it."""

    seat: Seat
    law: Law

    releases: ClassVar[tuple[str, ...]] = ("law",)


@dataclass(frozen=True, kw_only=True)
class LawPlayed(Event):
    """A seat played a law card, which is out of the game now."""

    seat: Seat
    law: Law

    releases: ClassVar[tuple[str, ...]] = ("law",)


@dataclass(frozen=True, kw_only=True)
class StonePlaced(Event):
    """A seat put a claiming stone on a card; stones left in its reserve."""

    seat: Seat
    card: Card
    reserve: int


@dataclass(frozen=True, kw_only=True)
class StoneMoved(Event):
    """A seat moved a claiming stone from one card to another."""

    seat: Seat
    card_from: Card
    card_to: Card


@dataclass(frozen=True, kw_only=True)
class WishMissed(Event):
    """A part of a seat's order could not be carried out; only that seat is told.

    Attributes:
        seat: The seat.
        part: The field of the order: "take", "use" or "claim".
        why: The reason, a sentence without its full stop.
    """

    seat: Seat
    part: str
    why: str


@dataclass(frozen=True, kw_only=True)
class TurnSkipped(Event):
    """A seat took no card: stones of others lay on all that it could reach, and it had none to pay."""

    seat: Seat


@dataclass(frozen=True, kw_only=True)
class LawsRevealed(Event):
    """The game is over, and the law cards that seats still hold are turned over."""

    laws: Mapping[Seat, tuple[Law, ...]]

    releases: ClassVar[tuple[str, ...]] = ("laws",)
