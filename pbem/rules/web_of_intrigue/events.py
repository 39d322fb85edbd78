"""What can happen in Web of Intrigue, and what each of it gives away (ruling 26).

Tiles and Houses stand in events by their names, as reports print them.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.events import Seat
from pbem.rules.kit.ruled import Happened
from pbem.rules.web_of_intrigue.state import Square


class InPhase(Happened):
    """Something that happened in a phase of a turn: "special_1" to "bid_3", "guess" or "move".

    Attributes:
        phase: The phase; the running turn puts it in when the event is told.
    """

    phase: str = ""


class SpecialEnacted(InPhase, announces=("phase", "seat", "special", "effect")):
    """A seat enacted a special; all see which, nobody else on what. `effect` is what it does, in words."""

    seat: Seat
    special: str
    effect: str


class ActionVoid(InPhase):
    """An action of the seat's orders was not carried out, or had no effect, and its points are lost."""

    seat: Seat
    action: str
    why: str


class TileRevealed(InPhase, releases=("tile", "controller")):
    """A special showed a tile to the seat, with its controller, if any."""

    seat: Seat
    square: Square
    tile: str
    controller: Seat | None


class PlayerRevealed(InPhase, releases=("square",)):
    """A special showed the seat where another player stood before the moves of the turn."""

    seat: Seat
    player: Seat
    square: Square


class TilesExchanged(InPhase):
    """The seat's special exchanged the tiles of two squares."""

    seat: Seat
    squares: tuple[Square, Square]


class LineShifted(InPhase):
    """The seat's special moved a whole line ("row 5", "column c") by one square."""

    seat: Seat
    line: str
    direction: str


class TileObscured(InPhase):
    """The seat's special obscured the tile that lay on a square."""

    seat: Seat
    square: Square


class PlayerBlighted(InPhase):
    """The seat's special takes action points of the next turn from a player."""

    seat: Seat
    player: Seat
    amount: int


class PointsChanged(InPhase):
    """The seat will have more or fewer action points next turn; each effect is told by itself."""

    seat: Seat
    amount: int


class HouseGuessed(InPhase, releases=("right",)):
    """The seat guessed a player's House; `free` by a special."""

    seat: Seat
    player: Seat
    house: str
    right: bool
    free: bool


class VpMoved(InPhase, releases=("amount",)):
    """A special took victory points from the seat (below 0) or gave it some; nobody else is told."""

    seat: Seat
    amount: int


class BidMade(InPhase, releases=("success",), announces=("phase", "seat", "object", "controller", "die")):
    """A seat bid for an object; `controller` had it before, if anybody."""

    seat: Seat
    object: str
    controller: Seat | None
    die: int
    success: bool


class BidWeighed(InPhase):
    """What the seat's own bid came to.

    Attributes:
        seat: The bidder.
        object: The object.
        parts: What added to the die, without the bonus against an element.
        needed: The roll needed without that bonus.
        if_element: The roll needed if the controller's House is of an element.
    """

    seat: Seat
    object: str
    parts: Mapping[str, int]
    needed: int
    if_element: Mapping[str, int]


class SeatMoved(InPhase):
    """The seat went from one square to another; nobody else is told."""

    seat: Seat
    square_from: Square
    square_to: Square


class TilesSighted(Happened, releases=("tiles",)):
    """What the seat sees at the end of the turn and did not see so in its last report; "?" is obscured."""

    seat: Seat
    tiles: Mapping[Square, str]


class ObjectsCounted(Happened):
    """Points of all seats from the objects they control: of this turn, and as they count so far."""

    income: Mapping[Seat, int]
    points: Mapping[Seat, int]


class BonusCounted(Happened, releases=("amount",)):
    """The seat's bonus for a player whose House it has guessed; 0 too if that player guessed it as well."""

    seat: Seat
    player: Seat
    amount: int


class WrongGuessPaid(Happened):
    """What a wrong guess cost its maker, where no more of them are free."""

    seat: Seat
    amount: int


class TotalCounted(Happened):
    """The seat's own victory points and what they are made of."""

    seat: Seat
    total: int
    objects: int
    bonus: int
    transfers: int
