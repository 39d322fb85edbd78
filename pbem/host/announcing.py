"""The moderator writes to all players of a game, and holds orders back."""

from __future__ import annotations

import datetime

from pbem.core.events import Seat
from pbem.host.acting import acting
from pbem.host.acts import write_act
from pbem.host.moving import refuse_strange_seat
from pbem.host.notes import HELD
from pbem.host.telling import tell_all
from pbem.play.home import Home
from pbem.store.disk import Disk
from pbem.store.errors import WrongInput
from pbem.store.records import iso

Moment = datetime.datetime

LONGEST = 4000


def announce(disk: Disk, home: Home, game: str, text: str, now: Moment) -> int:
    """Write to all players of a game, at once and in the next report; return how many mails that makes.

    Raises:
        WrongInput: The text is empty or too long.
    """
    words = text.strip()
    if not words or len(words) > LONGEST:
        raise WrongInput(f"an announcement has 1 to {LONGEST} characters.")
    with acting(disk, home, game) as (saved, _, db), db.writing():
        write_act(db, now, game, "announce", words, public=True)
        quoted = "\n".join(f"| {line}" for line in words.splitlines())
        return tell_all(
            saved,
            db,
            now,
            f"announced {iso(now)} {words}",
            "From the moderator",
            lambda _: f"The moderator writes to all:\n\n{quoted}",
        )


def hold(disk: Disk, home: Home, game: str, seat: Seat, why: str, now: Moment) -> None:
    """Hold a seat's orders back: no run looks at them, as if none had come; new ones neither.

    Raises:
        WrongInput: They are held back already.
    """
    with acting(disk, home, game) as (saved, notes, db), db.writing():
        refuse_strange_seat(saved, seat)
        if seat in notes.held:
            raise WrongInput(f"orders of {seat} are held back already.", "Release them: pbem hold --release")
        why = " ".join(why.split())
        db.set_note(game, f"{HELD}{seat}", why)
        told = f"orders of {saved.holder(seat)} ({seat}) are held back: {why}."
        write_act(db, now, game, "hold", told, public=True)


def release(disk: Disk, home: Home, game: str, seat: Seat, now: Moment) -> None:
    """Let a seat's orders count again.

    Raises:
        WrongInput: They are not held back.
    """
    with acting(disk, home, game) as (saved, notes, db), db.writing():
        refuse_strange_seat(saved, seat)
        if seat not in notes.held:
            raise WrongInput(f"orders of {seat} are not held back.")
        db.set_note(game, f"{HELD}{seat}", None)
        told = f"orders of {saved.holder(seat)} ({seat}) count again."
        write_act(db, now, game, "release", told, public=True)
