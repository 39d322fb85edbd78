"""Mails that are not with their reader: which count against a player, and what a digest tells of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from pbem.core.events import Seat
from pbem.host.notices.queue import already_told
from pbem.play.config.gamefile import seated
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.store.records import MODERATOR, Intake

if TYPE_CHECKING:
    from pbem.store.journal import Journal
    from pbem.store.mailout import NotThere, Queued, State

_FULL: Final = re.compile(
    r"\b[45]\.2\.2\b|mailbox (?:is )?full|over ?quota|quota exceeded|exceeded storage allocation",
    re.IGNORECASE,
)
"""A 552 alone says it not: it is also what a mail is told that is too big."""

MAKE_ROOM: Final = "the mailbox is full: ask the player to make room"


@dataclass(frozen=True, slots=True)
class Posted:
    """A mail to a seat that did not go out, or came back.

    Attributes:
        seat: The seat.
        kind: What it is: "report", "receipt" and so on.
        turn: The turn it is about.
        state: "queued", "claimed", "failed", "bounced"; or "doubted": a notice says so, and proves nothing.
        why: What the server said, if it said anything.
    """

    seat: str
    kind: str
    turn: int
    state: str
    why: str


def not_there(saved: SavedGame, db: Journal) -> tuple[NotThere, ...]:
    """Return the mails to seats of a game that did not go out, and those that came back.

    What came back counts until the address is mended, its player is heard, or the newest report was sent once
    more. That a later mail went out proves nothing.
    """
    found = db.not_with_reader(saved.name)
    return tuple(one for one in found if not _is_lost_elsewhere(saved, one.seat, one.rcpt, one.state))


def posted(saved: SavedGame, db: Journal) -> tuple[Posted, ...]:
    """Return the same as a status shows them, and those that may have come back."""
    known = [Posted(one.seat, one.kind, one.turn, one.state, one.why) for one in not_there(saved, db)]
    return (
        *known,
        *(Posted(one.seat, "mail", saved.turn, "doubted", doubt(one)) for one in doubted(saved, db)),
    )


def unreached(saved: SavedGame, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return those of some seats to which mail came back or was refused; their players may know nothing."""
    if not saved.home.has_journal:
        return ()
    with saved.home.journal() as db:
        lost = {one.seat for one in not_there(saved, db) if one.state in ("bounced", "failed")}
    return tuple(seat for seat in seats if seat in lost)


def unheard(saved: SavedGame, db: Journal, news: Collection[tuple[str, str]]) -> Iterator[str]:
    """Yield to whom mail came back of whom nothing was heard since, but for those that are news."""
    back = {one.seat for one in not_there(saved, db) if one.state == "bounced"}
    seats = [one for one in saved.start.seats if one in back and (saved.name, one) not in news]
    if seats:
        named = ", ".join(seated(seat, saved.players.holder(seat)) for seat in seats)
        yield f"  mail came back, and nothing was heard since: {named}; `pbem send --list` tells what to type"


def doubted(saved: SavedGame, db: Journal) -> tuple[Intake, ...]:
    """Return the notices which claim that a mail to a seat came back, as long as mails count that did."""

    def is_open(notice: Intake) -> bool:
        of = (saved.name, notice.seat)
        return not (db.heard_after(notice.id, *of) or db.resent_since(*of, notice.received))

    return tuple({one.seat: one for one in db.doubted(saved.name) if is_open(one)}.values())


def doubt(notice: Intake) -> str:
    """Return what is to be said of a notice that proves nothing."""
    return f"perhaps; mail {notice.id} may say so and does not prove it: `pbem answer {notice.id}` shows it"


def lost_now(home: Home, mails: Iterable[Queued]) -> Iterator[Queued]:
    """Yield those mails that count, of some that came back or were refused.

    What went to the address of a player who has left, or to one that was mended, is no news of the seat's
    player of now.
    """
    opened = cache(partial(SavedGame, home))
    for one in mails:
        try:
            saved = opened(one.game) if one.seat and home.has(one.game) else None
            is_elsewhere = saved is not None and _is_lost_elsewhere(saved, one.seat, one.rcpt, one.state)
        except WrongInput:  # nobody can tell who plays the seat: better told than not
            is_elsewhere = False
        if not is_elsewhere:
            yield one


def to_mend(mail: Queued) -> str:
    """Return the command that mends the address of a mail to a seat; "" for any other mail."""
    is_to_seat = mail.game and mail.seat not in ("", MODERATOR)
    return f"pbem seat {mail.game} {mail.seat} --address ADDRESS" if is_to_seat else ""


def to_resend(lost: Queued) -> str:
    """Return the command that sends a seat its newest report again, if its mailbox was full; else ""."""
    return f"pbem seat {lost.game} {lost.seat} --resend" if to_mend(lost) and _is_full(lost.why) else ""


def way_out(lost: Queued, *, is_open: bool) -> str:
    """Return what is to be done about a mail that is not with its reader, to stand behind what became of it.

    Args:
        lost: The mail.
        is_open: It counts still: the newest report was not sent again, nor was its player heard.
    """
    if not (mend := to_mend(lost)):
        return ""
    if not is_open:
        return "; nothing is to be done: the report was sent again since, or the player has written"
    if again := to_resend(lost):
        return f"; {MAKE_ROOM}, then `{again}` sends the newest report"
    return f"; `{mend}` mends the address, and `--resend` in its place sends the newest report again"


def _is_full(why: str) -> bool:
    """Tell whether a server gave a mail back because the mailbox of its reader is full.

    Source: RFC 3463, 3.3 (X.2.2), and RFC 5321, 4.2.3 (452, 552).
    """
    return _FULL.search(why) is not None


def why_in_words(why: str, seat: str) -> str:
    """Return why a mail to a seat is not there: what is to be asked for, and the server's words."""
    return f"{MAKE_ROOM} ({why})" if seat not in ("", MODERATOR) and _is_full(why) else why


def _is_lost_elsewhere(saved: SavedGame, seat: str, rcpt: str, state: str) -> bool:
    """Tell whether a mail was lost that went to another address than that of a seat's player."""
    address = saved.players.address(Seat(seat)) if seat in saved.start.seats else rcpt
    return state in ("failed", "bounced") and rcpt.casefold() != address.casefold()


_FATES: Final[Mapping[State, str]] = {"bounced": "came back", "failed": "was refused"}


def lost_mails(home: Home, db: Journal) -> list[Queued]:
    """Return the mails that did not arrive, and that no digest has told of."""
    known = set(already_told(db).came_back)
    return [*lost_now(home, (one for one in db.came_back() if one.id not in known))]


def invites(lost: Queued) -> bool:
    """Tell whether a mail is the invitation of a seat's player."""
    return lost.kind == "invitation" and bool(to_mend(lost))


def lost_in_brief(lost: Queued) -> str:
    """Return what became of a mail, in a few words for a subject."""
    if invites(lost):
        return f"{lost.seat} never got the invitation"
    return f"mail to {lost.seat if to_mend(lost) else 'the moderator'} {_FATES[lost.state]}"


def lost_in_lines(db: Journal, lost: Sequence[Queued]) -> list[str]:
    """Return what became of mails and what is to be done, a line each; first who was not invited."""
    return [*_uninvited(lost), *_came_back(db, lost)]


def _uninvited(lost: Iterable[Queued]) -> Iterator[str]:
    def told(one: Queued) -> tuple[str, str]:
        never = f"{one.game}: {one.seat} never got the invitation: to {one.rcpt} it {_what_became(one)}"
        return never, f"; `{to_mend(one)}` mends the address and sends it again"

    yield from _each_once(map(told, filter(invites, lost)))


def _came_back(db: Journal, lost: Iterable[Queued]) -> Iterator[str]:
    waits = {one.id for one in db.came_back(is_open=True)}

    def told(one: Queued) -> tuple[str, str]:
        reader = f"seat {one.seat} ({one.rcpt})" if to_mend(one) else "the moderator"
        about = f"{one.game or 'host'}: the {one.kind} of turn {one.turn} to {reader}"
        return f"{about} {_what_became(one)}", way_out(one, is_open=one.id in waits)

    yield from _each_once(told(one) for one in lost if not invites(one))


def _each_once(told: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield what became of mails and what is to be done; the same of several is told once, with a count."""
    for (became, way), number in Counter(told).items():
        yield f"{became}{f' ({number} such mails)' if number > 1 else ''}{way}"


def _what_became(lost: Queued) -> str:
    what = _FATES[lost.state]
    return f"{what}: {lost.why}" if lost.why else what
