"""When a wish to join is answered: at once for honest newcomers, slowly where strangers forge many.

Whoever writes any address into a `From` header makes the host write to it. So an address that is not proven
gets one such mail a day from a game, and few in all, whatever is sent in its name; one domain gets so many
at once. After that its answers go out one by one, a while between them, the newest wish first: forged ones
that came before cannot keep somebody waiting whose wish is the newest. Only so many of a domain wait, and the
oldest gives way. Other domains are not slowed, so that nobody can close the sign-up of a game for all. The
moderator is told once a day, and can close the game (`open: false`) or write the player into it by hand. A
sender that the moderator's own mail server calls genuine is never asked to confirm, and so never waits.
"""

from __future__ import annotations

import datetime
from typing import Final

from pbem.host.acts import act_of
from pbem.host.telling import tell_moderator
from pbem.mail.desk import Desk
from pbem.store.records import HOST, Outbound

FOR_ONE: Final = 3
"""So many such mails an unproven address gets in a day, over all games."""

AT_ONCE: Final = 20
"""So many unproven addresses of one domain are answered at once in a day, over all games."""

PAUSE: Final = datetime.timedelta(minutes=10)
"""Between the answers to one domain after that."""

MOST_WAITING: Final = 100
"""So many of a domain wait at most."""

_DAY: Final = datetime.timedelta(days=1)
_TOLD: Final = "joins-slowed"


def put(desk: Desk, mail: Outbound) -> bool:
    """Queue a mail that asks somebody to confirm a wish to join; False if the address had enough today."""
    since, db = desk.now - _DAY, desk.db
    with db.writing():
        if db.asked_since(mail.rcpt, since) >= FOR_ONE:
            return False
        domain = mail.rcpt.rpartition("@")[2]
        if db.asked_in_domain(domain, since) < AT_ONCE:
            return db.put(mail, desk.now)
        is_new = db.put(mail, desk.now, not_before=_slot(desk, domain))
        if is_new:
            _tell(desk, mail.game, domain)
        return is_new


def _slot(desk: Desk, domain: str) -> datetime.datetime:
    """Return when the newest wish is answered: before those that wait, which move back by one."""
    db = desk.db
    waiting = db.asking_later(domain, desk.now)
    first = datetime.datetime.fromisoformat(waiting[0].next_try) if waiting else desk.now + PAUSE
    for place, one in enumerate(waiting, 1):
        if place < MOST_WAITING:
            db.put_off(one.id, first + place * PAUSE)
        else:
            db.mark(one.id, "muted", desk.now, why="too many of its domain wanted to join")
    return first


def _tell(desk: Desk, game: str, domain: str) -> None:
    """Tell the moderator, once a day, that answers to wishes to join are slowed."""
    day = f"{desk.now.astimezone(datetime.UTC):%Y-%m-%d}"
    if desk.db.note("", _TOLD) == day:
        return
    desk.db.set_note("", _TOLD, day)
    told = (
        f"more than {AT_ONCE} addresses of {domain} asked for a seat within a day, the last one in {game}; "
        f"those that follow are answered every {PAUSE.seconds // 60} minutes, the newest first"
    )
    desk.db.act(act_of(desk.now, game, "joins slowed", told, public=False, who=HOST))
    text = (
        f"There are many wishes to join: {told}. Somebody may be forging them. You can close the game to new "
        "players: `open: false` in its game.yaml, or write a player into it yourself."
    )
    tell_moderator(desk.home, desk.db, desk.now, "notice", f"joins {day}", "many wishes to join", text, game)
