"""The moderator writes to all players of a game, and holds orders back."""

from __future__ import annotations

import datetime

from pbem.core.events import Seat
from pbem.host.acting import acting
from pbem.host.moving import refuse_strange_seat
from pbem.host.notes import HELD
from pbem.host.telling import act_of, to_all
from pbem.play.home import Home
from pbem.store.errors import WrongInput
from pbem.store.records import Note, iso

Moment = datetime.datetime

LONGEST = 4000


def announce(home: Home, game: str, text: str, now: Moment) -> int:
    """Write to all players of a game, at once and in the next report; return how many mails that makes.

    Raises:
        WrongInput: The text is empty or too long.
    """
    words = text.strip()
    if not words or len(words) > LONGEST:
        raise WrongInput(f"an announcement has 1 to {LONGEST} characters.")
    quoted = "\n".join(f"| {line}" for line in words.splitlines())
    text = f"The moderator writes to all:\n\n{quoted}"
    with acting(home, game) as act:
        about = f"announced {iso(now)} {words}"
        told = to_all(act.saved, now, about, "From the moderator", lambda _: text)
        home.store.note((act_of(now, game, "announce", words, public=True), *told))
        return len(told)


def hold(home: Home, game: str, seat: Seat, why: str, now: Moment) -> None:
    """Hold a seat's orders back: no run looks at them, as if none had come; new ones neither.

    Raises:
        WrongInput: They are held back already.
    """
    with acting(home, game) as act:
        refuse_strange_seat(act.saved, seat)
        if seat in act.notes.held:
            raise WrongInput(f"orders of {seat} are held back already.", "Release them: pbem hold --release")
        why = " ".join(why.split())
        told = f"orders of {act.saved.players.holder(seat)} ({seat}) are held back: {why}."
        held = Note(game, f"{HELD}{seat}", why)
        home.store.note((held, act_of(now, game, "hold", told, public=True)))


def release(home: Home, game: str, seat: Seat, now: Moment) -> None:
    """Let a seat's orders count again.

    Raises:
        WrongInput: They are not held back.
    """
    with acting(home, game) as act:
        refuse_strange_seat(act.saved, seat)
        if seat not in act.notes.held:
            raise WrongInput(f"orders of {seat} are not held back.")
        told = f"orders of {act.saved.players.holder(seat)} ({seat}) count again."
        free = Note(game, f"{HELD}{seat}", None)
        home.store.note((free, act_of(now, game, "release", told, public=True)))
