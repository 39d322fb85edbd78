"""Mails that got stuck: not read, not sent, failed, or set aside."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Iterator
from typing import Final

from pbem.doctor.patient import Finding, Patient
from pbem.host.notices.undelivered import doubted, lost_now, to_resend, why_in_words
from pbem.host.run.losses import unqueued
from pbem.host.time.deadlines import last_run
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.store.journal import Journal
from pbem.store.mailout import Queued

PATIENCE: Final = datetime.timedelta(hours=1)
"""A mail that waits for longer is stuck: night jobs come every few minutes."""

_MOST: Final = 5


def look_at_stuck_mails(patient: Patient) -> Iterator[Finding]:
    """Yield which mails got stuck, the first ones of each kind by name."""
    patient.needed_mail()
    if not patient.home.has_journal:
        return
    with patient.home.journal() as db:
        yield from _unread(patient, db)
        yield from _set_aside(patient, db)
        yield from _unsent(patient, db)
        yield from _failed(patient, db)
        yield from _came_back(patient, db)
        yield from _doubted(patient, db)
        yield from _not_made(patient, db)


def _unread(patient: Patient, db: Journal) -> Iterator[Finding]:
    oldest = db.oldest_new()
    if oldest is not None and patient.now - oldest > PATIENCE:
        text = f"{_mails(db.unread())} not processed, the first since {oldest.isoformat(timespec='minutes')}."
        yield Finding(text, patient.pbem("receive"))
    waits = [one for one in db.without_verdict(_MOST) if one.verdict and patient.now - one.moment > PATIENCE]
    if waits:
        games = ", ".join(dict.fromkeys(one.game or "the home" for one in waits))
        text = f"{_mails(len(waits))} put off again and again; something is wrong with {games}."
        yield Finding(text, patient.pbem("receive", "which says what"))


def _set_aside(patient: Patient, db: Journal) -> Iterator[Finding]:
    for one in db.with_verdict(("shunted",), after=0)[-_MOST:]:
        text = (
            f"mail {one.id} tripped pbem up, and was set aside; mail/shunted/{one.id}.txt has what to report."
        )
        yield Finding(text, patient.pbem(f"receive --again {one.id}"))


def _unsent(patient: Patient, db: Journal) -> Iterator[Finding]:
    for state in ("queued", "claimed"):
        late = [one for one in db.outbox(state) if _is_late(one, patient.now)]
        if late:
            why = next((one.why for one in late if one.why), "")
            text = (
                f"{_mails(len(late))} not sent, the first since {late[0].created}{f': {why}' if why else ''}."
            )
            yield Finding(text, patient.pbem("send"))
    if untold := db.count_untold():
        what = "1 thing is" if untold == 1 else f"{untold} things are"
        oldest = min(datetime.datetime.fromisoformat(one.at) for _, one in db.untold())
        if patient.now - oldest > PATIENCE:
            yield Finding(f"{what} still to be told to players or to you.", patient.pbem("send"))


def _is_late(one: Queued, now: datetime.datetime) -> bool:
    return now - datetime.datetime.fromisoformat(one.created) > PATIENCE


def _failed(patient: Patient, db: Journal) -> Iterator[Finding]:
    for one in [*lost_now(patient.home, db.outbox("failed"))][-_MOST:]:
        why = f": {one.why}" if one.why else ""
        to = f"to {one.seat} of {one.game} " if one.seat else "to the moderator "
        address = (
            f"if the address is wrong: {patient.pbem(f'seat {one.game} {one.seat} --address NAME@DOMAIN')}"
        )
        text = f"the {one.kind} of turn {one.turn} {to}was refused{why}."
        yield Finding(text, patient.pbem("send --again", address if one.seat else ""))


def _came_back(patient: Patient, db: Journal) -> Iterator[Finding]:
    """Yield which mails to seats of running games came back."""
    for one in [*lost_now(patient.home, db.came_back(is_open=True))][-_MOST:]:
        if one.state != "bounced" or not one.seat or one.game not in patient.running:
            continue
        why = why_in_words(one.why, one.seat)
        way = "--resend" if to_resend(one) else "--address NAME@DOMAIN"
        text = f"the {one.kind} of turn {one.turn} to {one.seat} of {one.game} came back: {why}."
        yield Finding(text, patient.pbem(f"seat {one.game} {one.seat} {way}"))


def _doubted(patient: Patient, db: Journal) -> Iterator[Finding]:
    """Yield which mails of running games may have come back."""
    for game in patient.running:
        with contextlib.suppress(WrongInput):  # told with the games
            for one in doubted(SavedGame(patient.home, game), db)[-_MOST:]:
                text = (
                    f"mail {one.id} may say that a mail to {one.seat} of {game} came back; it proves nothing."
                )
                mend = patient.pbem(f"seat {game} {one.seat} --address NAME@DOMAIN")
                yield Finding(text, patient.pbem(f"answer {one.id}", f"which shows it; then perhaps {mend}"))


def _not_made(patient: Patient, db: Journal) -> Iterator[Finding]:
    """Yield of which games the reports of the newest turn have not become mails."""
    for game in patient.games:
        try:
            saved = SavedGame(patient.home, game)
            readers = ", ".join(unqueued(saved, db)) if patient.now - last_run(saved) > PATIENCE else ""
        except WrongInput:
            continue  # told with the games
        if readers:
            text = f"{game}: the reports of turn {saved.turn} did not go out to {readers}."
            yield Finding(text, patient.pbem("send"))


def _mails(number: int) -> str:
    return "1 mail is" if number == 1 else f"{number} mails are"
