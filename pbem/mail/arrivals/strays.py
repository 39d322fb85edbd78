"""Mails at the wrong address: without the secret of a seat, or with orders for another game."""

from __future__ import annotations

import email.policy
from collections.abc import Collection, Iterator
from email.parser import BytesHeaderParser
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.core.labels import TOGETHER, parts
from pbem.mail.account.addresses import read_recipient, seat_of_old_token, seat_of_token
from pbem.mail.arrivals.desk import Desk
from pbem.mail.arrivals.proof import Who, is_genuine, is_sender
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.text.codec import fields_of, items_of
from pbem.text.mail.findorders import FoundOrders
from pbem.text.mail.letter import Letter, Refused
from pbem.text.names import is_same_address


def is_from(desk: Desk, letter: Letter, envelope_from: str) -> bool:
    """Tell whether a mail is from the address in its head, as our own server says, or else its envelope.

    An envelope can be forged; nothing but a warning to the registered address, once a day, rests on it.
    """
    if desk.settings.authserv:
        return is_genuine(letter) is True
    return is_same_address(letter.sender or "", envelope_from)


def astray(
    desk: Desk, letter: Letter | Refused, envelope_from: str, game: str = "", named: str = ""
) -> tuple[SavedGame, Who] | None:
    """Return the game and the player who wrote a mail that leads to no seat; None if nobody tells.

    It is the seat that was written to last at this address, as long as its player of now is who was written
    to: their address may be another one by now. Where another has it, who wrote is a former player.

    Args:
        desk: The desk.
        letter: The mail.
        envelope_from: The sender of its envelope.
        game: The game that it names, or "".
        named: The seat that its orders name, or "".
    """
    if isinstance(letter, Refused) or letter.doubled or not is_from(desk, letter, envelope_from):
        return None
    sender = letter.sender or ""
    found = desk.db.written_to(sender, game, named)
    saved = desk.game(found.game) if found is not None else None
    if found is None or saved is None:
        return None
    seat = Seat(found.seat)
    if is_sender(saved, seat, sender):
        return saved, Who(seat, "token")
    token = _token_in(desk, found.raw)
    is_theirs = seat in (seat_of_token(saved, token, desk.db), seat_of_old_token(saved, token, desk.db))
    return saved, Who(seat, "both" if is_theirs else "former")


def _token_in(desk: Desk, raw: bytes) -> str:
    """Return the token in the address at which a mail of ours is answered, of its reader alone; or ""."""
    to = BytesHeaderParser(policy=email.policy.default).parsebytes(raw)["Reply-To"]
    found = read_recipient(desk.settings, to.addresses[0].addr_spec) if to and to.addresses else None
    return found.token if found is not None else ""


_NOTHING: Final = "Nothing was changed."


def astray_orders(desk: Desk, saved: SavedGame, seat: Seat, found: FoundOrders) -> str:
    """Return which game orders are for, if their player plays that one too, and where to send them; or "".

    The answer goes to the registered address. So another game is named only where the player of a seat of it
    has the same name and the same address.

    Args:
        desk: The desk.
        saved: The game whose address they came to.
        seat: The seat that they came from.
        found: Orders that this game does not take.
    """
    if found.document is None or not saved.players.address(seat):
        return ""
    value = fields_of(found.document.value)
    named = str(value.get("game", ""))
    if named != saved.name:
        is_theirs = _labelled(desk, named, saved, seat) is not None
        told = f"These orders are for {named}, and came to {saved.name}. You play in {named} too"
        return f"{told}: send them as a reply to a mail of {named}. {_NOTHING}" if is_theirs else ""
    strange = [label for label in _labels(value) if not _is_of(saved, label)]
    later = ""
    for name in desk.db.games_told_to(saved.players.address(seat)) if strange else ():
        theirs = _labelled(desk, name, saved, seat) if name != saved.name else None
        if theirs is None:
            continue
        asked, owners = theirs
        mine = [label for label in strange if label == asked or _owner(label) in owners]
        way = f"in {name}, which you play too. Send them as a reply to a mail of {name}. {_NOTHING}"
        if asked in mine:
            return f"{asked} is asked {way}"
        if mine and not later:
            later = f"{mine[0]} is a label of yours {way}"
    return later


def game_of_secret(desk: Desk, name: str, secret: str) -> SavedGame | None:
    """Return a game if a secret is that of one of its seats; None too if the game cannot be opened."""
    try:
        saved = desk.game(name)
        return saved if saved is not None and seat_of_token(saved, secret, desk.db) is not None else None
    except WrongInput:
        return None


def _labelled(desk: Desk, name: str, saved: SavedGame, seat: Seat) -> tuple[str, Collection[str]] | None:
    """Return the label under which a player is asked in another game, and whose counts their labels have.

    Returns:
        None if the player has no seat there, or that game cannot be opened. "" if others are asked.
    """
    try:
        other = desk.game(name)
        seats = set(_seats_of(other, saved, seat)) if other is not None else set()
        if other is None or not seats:
            return None
        ask = other.ask
    except WrongInput:  # a game that is damaged keeps no mail of another one waiting
        return None
    if not isinstance(ask, Ask):
        return "", ()
    return ask.label if seats & (ask.seats | ask.optional) else "", {*seats, *({TOGETHER} & _owners(other))}


def _seats_of(other: SavedGame, saved: SavedGame, seat: Seat) -> Iterator[Seat]:
    """Yield the seats that a player has in another game."""
    player, address = saved.tenures.current(seat).player, saved.players.address(seat)
    for one in other.start.seats:
        there = other.tenures.current(one).player
        is_same = player is not None and there is not None and there.id == player.id
        if is_same and is_same_address(address, other.players.address(one)):
            yield one


def _labels(value: dict[str, Json]) -> Iterator[str]:
    """Yield the labels that orders name."""
    for line in items_of(value.get("orders")):
        if isinstance(at := fields_of(line).get("at"), str):
            yield at


def _is_of(saved: SavedGame, label: str) -> bool:
    """Tell whether a label can be one of a game; what has no count is not looked for elsewhere."""
    return (owner := _owner(label)) == "" or owner in _owners(saved)


def _owner(label: str) -> str:
    """Return whose count a label has; "" if it is no label with a count."""
    found = parts(label)
    return found.owner if found is not None else ""


def _owners(saved: SavedGame) -> set[str]:
    """Return whose counts the labels of a game have; before the deal it may be all at once, or each seat."""
    seats = {str(seat) for seat in saved.start.seats}
    now = parts(saved.ask.label) if isinstance(saved.ask, Ask) else None
    if now is None:
        return {TOGETHER, *seats}
    return {TOGETHER} if now.owner == TOGETHER else seats
