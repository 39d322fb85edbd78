"""Mails of players that came without the secret of a seat: whose they are, as far as their senders tell."""

from __future__ import annotations

from pbem.core.events import Seat
from pbem.mail.desk import Desk
from pbem.mail.proof import is_genuine, is_sender
from pbem.play.saved import SavedGame
from pbem.text.mail.letter import Letter, Refused


def is_from(desk: Desk, letter: Letter, envelope_from: str) -> bool:
    """Tell whether a mail is from the address in its head, as our own server says, or else its envelope.

    An envelope can be forged; nothing but a warning to the registered address, once a day, rests on it.
    """
    if desk.settings.authserv:
        return is_genuine(letter) is True
    return bool(letter.sender) and str(letter.sender).casefold() == envelope_from.casefold()


def astray(desk: Desk, letter: Letter | Refused, envelope_from: str) -> tuple[SavedGame, Seat] | None:
    """Return the game and the seat of the player who wrote a mail that names no game; None if nobody tells.

    It is the seat that was written to last at this address, as long as it is its player's.
    """
    if isinstance(letter, Refused) or letter.doubled or not is_from(desk, letter, envelope_from):
        return None
    sender = letter.sender or ""
    found = desk.db.written_to(sender)
    saved = desk.game(found[0]) if found is not None else None
    if found is None or saved is None or not is_sender(saved, Seat(found[1]), sender):
        return None
    return saved, Seat(found[1])
