"""Consent: a reply of one `yes` to an answer that offers orders lodges them, while nothing has changed."""

from __future__ import annotations

import json
import re
from typing import Final

from pbem.core.events import Seat
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import sha256
from pbem.play.submissions.gate import standing
from pbem.store.journal import Journal
from pbem.text.canonical import canonical
from pbem.text.mail.findorders import FoundOrders
from pbem.text.mail.letter import Letter
from pbem.text.mail.plainwords import yes_or_no
from pbem.text.strictyaml import dump

ORIGIN: Final = "offer"
"""Where orders come from that stood in an offer."""

_NOTE: Final = "offer:{}"
_KEY: Final = re.compile(r"key\s*:", re.IGNORECASE)


def can_consent(saved: SavedGame) -> bool:
    """Tell whether a yes can stand for orders: not where orders must carry a key, which a yes does not."""
    return not saved.table.key


def file_of(saved: SavedGame, seat: Seat, lines: str) -> str:
    """Return the orders file of a seat that holds some lines."""
    return f"{dump({'game': saved.name, 'seat': str(seat)})}{lines}"


def note_offer(db: Journal, saved: SavedGame, seat: Seat, message_id: str, file: str) -> None:
    """Note the orders file that an answer offers to a seat; it takes the place of what was offered before.

    A key is left out, for a yes does not show that its sender knows it.
    """
    lines = "".join(f"{line}\n" for line in file.splitlines() if not _KEY.match(line))
    offered = json.dumps({"mail": message_id, "file": lines, "state": _state(saved, seat)})
    db.set_note(saved.name, _NOTE.format(seat), offered)


def answered_offer(db: Journal, saved: SavedGame, seat: Seat, letter: Letter) -> str:
    """Return the orders file of the newest offer to a seat, if a mail is a reply to it; else "".

    The In-Reply-To of the mail names the offer (RFC 5322, 3.6.4). It is void once the turn or the seat's
    orders have changed.
    """
    noted = db.note(saved.name, _NOTE.format(seat))
    offered: dict[str, str] = json.loads(noted) if noted is not None else {}
    is_reply = bool(offered) and offered["mail"] in letter.header("in-reply-to").split()
    is_good = is_reply and can_consent(saved) and offered["state"] == _state(saved, seat)
    return offered["file"] if is_good else ""


def accepted_offer(
    db: Journal, saved: SavedGame, seat: Seat, letter: Letter, lines: tuple[str, ...]
) -> FoundOrders | None:
    """Return the orders that a mail says yes to, by the one word among the lines of its sender."""
    file = answered_offer(db, saved, seat, letter) if yes_or_no(lines) == "yes" else ""
    return FoundOrders(file.encode(), (), ORIGIN) if file else None


def _state(saved: SavedGame, seat: Seat) -> str:
    """Return a hash of what an offer was made for: the turn, each time it was run, and the seat's orders."""
    orders = canonical(standing(saved, seat))
    return sha256(f"{saved.turn}.{saved.revision}.{saved.rules.version}\n{orders}".encode())
