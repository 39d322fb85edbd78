"""What a mail is going to store, noted before: a second try answers in the words of the first."""

from __future__ import annotations

import json

from pbem.core.events import Seat
from pbem.mail.desk import Desk
from pbem.play.lodging import Sender
from pbem.play.receipts import Plan
from pbem.play.saved import SavedGame
from pbem.store.records import Intake
from pbem.text.codec import decode, dumps_line, encode


def sender_of(desk: Desk, intake: Intake, saved: SavedGame, seat: Seat, *, gets_receipt: bool) -> Sender:
    """Return whose orders or press those of a mail must be, and what an earlier try was going to store."""
    key = _key(intake, seat)

    def note(plan: Plan) -> None:
        with desk.db.writing():
            if gets_receipt:
                desk.db.note_receipt(intake.id, saved.name, seat, plan.number)
            desk.db.set_note(saved.name, key, dumps_line(encode(plan)))

    return Sender(saved.name, seat, _noted(desk, intake, saved, seat), note)


def forget_plan(desk: Desk, intake: Intake, saved: SavedGame, seat: Seat) -> None:
    """Forget what was noted; in the transaction in which the mail ends."""
    desk.db.set_note(saved.name, _key(intake, seat), None)


def _noted(desk: Desk, intake: Intake, saved: SavedGame, seat: Seat) -> Plan | None:
    written = desk.db.note(saved.name, _key(intake, seat))
    if written is not None:
        return decode(Plan, json.loads(written), "what a mail was going to store")
    is_of_older_version = intake.receipt and (intake.game, intake.seat) == (saved.name, seat)
    return Plan(intake.receipt) if is_of_older_version else None


def _key(intake: Intake, seat: Seat) -> str:
    return f"plan:{intake.id}:{seat}"
