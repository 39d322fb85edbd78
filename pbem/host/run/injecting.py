"""The moderator lodges orders for a seat: corrected ones, or such as came by other ways."""

from __future__ import annotations

import datetime

from pbem.host.notices.telling import act_of
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.formowner import nobodys
from pbem.play.submissions.lodging import Judged, PressReceipt, Receipt, lodge
from pbem.play.submissions.meaning import Learner
from pbem.store.journals.kinds import facts_of
from pbem.store.journals.records import Act
from pbem.text.mending.mending import mended
from pbem.text.schemas.canonical import unstamped
from pbem.text.submission.orders import Envelope, Fault, open_envelope


def lodge_for_moderator(
    home: Home, data: bytes, now: datetime.datetime
) -> Receipt | PressReceipt | list[Fault]:
    """Lodge orders in the name of the moderator; all players read of it in the next report.

    Given again after a kill or an error it changes nothing more, as long as just these orders stand.

    Returns:
        The receipt, or the mistakes; then nothing was changed.
    """

    def noting(judged: Judged, number: int) -> tuple[Act]:
        what, by = ("orders", "were") if number else ("press", "was")
        receipt = f", receipt {number}" if number else ""
        words = f"{what} for {judged.seat} {by} lodged by the moderator{receipt}."
        facts = facts_of("press-lodged-for", seat=judged.seat)
        if number:
            facts = facts_of("orders-lodged-for", seat=judged.seat, receipt=number)
        return (act_of(now, judged.saved.name, "submit", words, public=True, facts=facts),)

    return lodge(home, nobodys(with_key(home, data)), noting=noting)


def with_key(home: Home, data: bytes) -> bytes:
    """Return orders with their seat's key at the end, if the game wants one and there is none in them."""
    learn = Learner(home, {})
    if (whole := _of_a_seat(learn, data)) is None and (draft := mended(data, learn)) is not None:
        whole = _of_a_seat(learn, draft.text.encode())
    if whole is None:
        return data
    envelope, saved = whole
    if envelope.key or not saved.table.key:
        return data
    return unstamped(data).rstrip(b"\n") + f"\nkey: {saved.players.key(envelope.seat)}\n".encode()


def _of_a_seat(learn: Learner, data: bytes) -> tuple[Envelope, SavedGame] | None:
    """Return the envelope of orders and their game, if they name both it and a seat as they are called."""
    envelope = open_envelope(data)
    saved = None if isinstance(envelope, list) else learn.game(envelope.game)
    if isinstance(envelope, list) or saved is None or envelope.seat not in saved.start.seats:
        return None
    return envelope, saved
