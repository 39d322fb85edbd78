"""A home is closed when it moves, so that a forgotten night job does nothing in it; or it is reopened."""

from __future__ import annotations

import contextlib
import datetime

from pbem.core.interface import Json
from pbem.play.config.schedule import spelled
from pbem.play.homes.home import Home
from pbem.store.closed import MARK, how_closed, named, refuse_closed
from pbem.store.errors import WrongInput
from pbem.store.interface import WAIT_SECONDS
from pbem.text.schemas.codec import dumps


def close(home: Home, why: str, now: datetime.datetime) -> None:
    """Close a home while no command is at work in it: from then on nothing is changed in it.

    Args:
        home: The home.
        why: Where it went, as all are told who try to change it.
        now: The moment.

    Raises:
        WrongInput: This is no home, or it is closed already.
        GateClosedError: Another program is at work in it, and does not end.
    """
    refuse_closed(home.store)
    with contextlib.ExitStack() as held:
        for game in home.games():
            held.enter_context(home.held(game, wait_seconds=WAIT_SECONDS))
        if home.has_journal:
            for name in ("mail/processing", "mail/sending"):
                held.enter_context(home.store.held(name, wait_seconds=WAIT_SECONDS))
        told: Json = {"at": spelled(now, home.zone() or "UTC"), "why": " ".join(why.split())}
        home.store.lodge(MARK, dumps(told).encode())


def reopen(home: Home) -> None:
    """Let a home that was closed be used again.

    Raises:
        WrongInput: It is not closed.
    """
    how = how_closed(home.store)
    if how is None:
        raise WrongInput(f"{named(home.store)} is not closed.")
    if how.is_copy:
        refuse_closed(home.store)
    home.store.remove(MARK)
