"""The moderator lodges orders for a seat: corrected ones, or such as came by other ways."""

from __future__ import annotations

import datetime

from pbem.host.telling import act_of
from pbem.play.formowner import nobodys
from pbem.play.home import Home
from pbem.play.lodging import PressReceipt, Receipt, lodge
from pbem.play.meaning import Learner
from pbem.play.saved import SavedGame
from pbem.text.canonical import unstamped
from pbem.text.mending.mending import mended
from pbem.text.orders import Fault, open_envelope


def lodge_for_moderator(
    home: Home, data: bytes, now: datetime.datetime
) -> Receipt | PressReceipt | list[Fault]:
    """Lodge orders in the name of the moderator; all players read of it in the next report.

    Returns:
        The receipt, or the mistakes; then nothing was changed.
    """
    lodged = lodge(home, nobodys(with_key(home, data)))
    if not isinstance(lodged, list):
        saved, seat = lodged.judged.saved, lodged.judged.seat
        what = "press" if isinstance(lodged, PressReceipt) else "orders"
        by = "was lodged by the moderator" if what == "press" else "were lodged by the moderator"
        receipt = f", receipt {lodged.number}" if isinstance(lodged, Receipt) else ""
        told = f"{what} for {seat} {by}{receipt}."
        home.store.note([act_of(now, saved.name, "submit", told, public=True)])
    return lodged


def with_key(home: Home, data: bytes) -> bytes:
    """Return orders with their seat's key at the end, if the game wants one and there is none in them."""
    envelope = open_envelope(data)
    if isinstance(envelope, list) and (draft := mended(data, Learner(home, {}))) is not None:
        envelope = open_envelope(draft.text.encode())
    if isinstance(envelope, list) or envelope.key or not home.has(envelope.game):
        return data
    saved = SavedGame(home, envelope.game)
    if not saved.table.key or envelope.seat not in saved.start.seats:
        return data
    return unstamped(data).rstrip(b"\n") + f"\nkey: {saved.players.key(envelope.seat)}\n".encode()
