"""Who sits where, at which address: the players of `game.yaml`, and standbys and bots that took over."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Final, NamedTuple

from pbem.core.engine.missed import Attendance, anew, taken_over
from pbem.core.engine.opening import Begun
from pbem.core.engine.turn import Position
from pbem.core.events import Seat
from pbem.play.config.gamefile import NOBODY, Table
from pbem.play.homes.home import Home
from pbem.store.errors import Declined, WrongInput
from pbem.text.names.mailaddress import is_of_one_machine, is_plain_address
from pbem.text.names.playernames import why_no_name

NO_SEAT: Final = Seat("")
"""The seat of who waits for one."""


def why_unreachable(home: Home, address: str) -> str:
    """Say why no mail of a home gets to a player at an address; "" if it may, or there is none.

    A name without a dot is that of a machine: this one, if the host's own address has it too.
    """
    if not is_plain_address(address):
        return ""  # there is none, or the schema says what is wrong with it
    own = str(home.mail_section().get("address", "")).casefold()
    if address.casefold() == own:
        return "it is the host's own"
    domain = address.rpartition("@")[2]
    if is_of_one_machine(address) and domain.casefold() != own.rpartition("@")[2]:
        return f"{domain!r} has no dot, so no mail gets there"
    return ""


def refuse_unreachable(home: Home, address: str, place: str = "") -> None:
    """Refuse the address of a player that no mail of a home gets to.

    Args:
        home: The home.
        address: A plain address.
        place: Where it is written, in front of what is said; or "".

    Raises:
        WrongInput: It is so.
    """
    if why := why_unreachable(home, address):
        hint = "Write it whole, such as ann@example.org."
        raise WrongInput(f"{place}{': ' if place else ''}{address} is no player's address: {why}.", hint)


def refuse_player_name(
    name: str, seat: Seat | None, seats: Sequence[Seat], others: Iterable[str], place: str = ""
) -> None:
    """Refuse a name that others would take for a seat, for another player, or for all or the moderator.

    Args:
        name: The name.
        seat: Whose player is to be called so; None for a standby.
        seats: The seats of the game.
        others: The names of the others in the game.
        place: Where it is written, in front of what is said; or "".

    Raises:
        Declined: It is so.
    """
    if why := why_no_name(name, seat, seats, _others(name, others)):
        hint = "Choose another name."
        raise Declined(f"{place}{': ' if place else ''}{why}.", hint, to_player=hint)


def _others(name: str, used: Iterable[str]) -> list[str]:
    """Return the names besides one that are used in a game; that of nobody is one."""
    return [NOBODY, *(one for one in used if one not in (name, NOBODY))]


class UnfitName(NamedTuple):
    """A name in `game.yaml` that others take for somebody else, and that addresses nobody.

    Attributes:
        name: The name.
        seat: Whose player is called so; "" of a standby.
        why: For whom it is taken, in words.
    """

    name: str
    seat: Seat
    why: str


class Players(NamedTuple):
    """The players of a game at a position.

    Attributes:
        table: The moderator's file of the game.
        position: The game at that moment.
        key_of: Tells a seat's key, for the standby of this name who took it over; "" for the first player.
        named: Tells the name of a player whom the position names by a number.
        arrived: Tells the seats that came to another player since.
    """

    table: Table
    position: Position[Begun[Any]]
    key_of: Callable[[Seat, str], str]
    named: Callable[[str], str]
    arrived: Callable[[], Collection[Seat]] = frozenset

    def key(self, seat: Seat) -> str:
        """Return the key that a seat's orders must carry where keys are asked for."""
        return self.key_of(seat, self.standby(seat))

    def holder(self, seat: Seat) -> str:
        """Return the name of the player who has the seat now: of `game.yaml`, or the standby."""
        return self.standby(seat) or self.table.players[seat]

    def holders(self) -> dict[Seat, str]:
        """Return the name of the player who has each seat now."""
        return {seat: self.holder(seat) for seat in self.table.players}

    def names_of_others(self, seat: Seat, *gone: str) -> list[str]:
        """Return the names of all who play or wait, and of some who did, but for that of a seat's player."""
        found = (*self.holders().values(), *self.table.players.values(), *self.table.standby, *gone)
        return [one for one in dict.fromkeys(found) if one != self.holder(seat)]

    def refuse_name(self, name: str, seat: Seat, *gone: str) -> None:
        """Refuse to call a seat's player by a name that others would take for somebody else.

        Args:
            name: The name.
            seat: The seat.
            gone: Names of former players that are used still.

        Raises:
            Declined: It is so.
        """
        refuse_player_name(name, seat, [*self.table.players], self.names_of_others(seat, *gone))

    def unfit_names(self) -> tuple[UnfitName, ...]:
        """Return the names of people that none of them could be given: only a hand writes them.

        A name of somebody who plays is not unfit for a standby's sake, who cannot be written to.
        """
        seats, holders = tuple(self.table.players), self.holders()
        rows = [
            (name, seat, [*holders.values()])
            for seat, name in holders.items()
            if seat not in self.table.free and seat not in self.bots
        ]
        known = (*holders.values(), *self.table.players.values(), *self.table.standby)
        rows += [(name, NO_SEAT, [*known]) for name in self.table.standby if name not in holders.values()]
        found = (
            UnfitName(name, seat, why_no_name(name, seat or None, seats, _others(name, used)))
            for name, seat, used in rows
        )
        return tuple(one for one in found if one.why)

    def address(self, seat: Seat) -> str:
        """Return the address of the player who has the seat now; "" if none is written."""
        standby = self.standby(seat)
        return self.table.standby.get(standby, "") if standby else self.table.addresses.get(seat, "")

    def standby(self, seat: Seat) -> str:
        """Return the name of a seat's standby, while `game.yaml` names the player who was replaced; or ""."""
        substitute = self.position.attendance.substitutes.get(seat)
        if substitute is None or self.named(substitute.of) != self.table.players[seat]:
            return ""
        return self.named(substitute.by)

    @property
    def attendance(self) -> Attendance:
        """Who missed turns, of those who play now."""
        return anew(self.position.attendance, self.arrived())

    @property
    def bots(self) -> dict[Seat, str]:
        """The seats that bots play, with their skills: by the moderator's file, or taken over."""
        return {**taken_over(self.attendance, self.table.misses), **self.table.bots}
