"""Mails of players that came without the secret of a seat: whose they are, as far as their senders tell."""

from __future__ import annotations

import email.policy
from email.parser import BytesHeaderParser

from pbem.core.events import Seat
from pbem.host.people.names import names_of
from pbem.mail.arrivals.desk import Desk
from pbem.mail.arrivals.proof import Who, is_genuine, is_sender
from pbem.play.homes.saved import SavedGame
from pbem.text.mail.message.letter import Letter, Refused


def is_from(desk: Desk, letter: Letter, envelope_from: str) -> bool:
    """Tell whether a mail is from the address in its head, as our own server says, or else its envelope.

    An envelope can be forged; nothing but a warning to the registered address, once a day, rests on it.
    """
    if desk.settings.authserv:
        return is_genuine(letter) is True
    return bool(letter.sender) and str(letter.sender).casefold() == envelope_from.casefold()


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
    is_theirs = _reader(found.raw) in names_of(saved, seat, desk.db)
    return saved, Who(seat, "both" if is_theirs else "former")


def _reader(raw: bytes) -> str:
    """Return the name of whom a mail was written to."""
    to = BytesHeaderParser(policy=email.policy.default).parsebytes(raw)["To"]
    return str(to.addresses[0].display_name) if to is not None and to.addresses else ""
