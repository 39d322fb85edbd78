"""News for reports and the digest: acts that hold, what came about by itself, mails that never arrived."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Json, Outcome
from pbem.host.notices.questions import SETTLED
from pbem.host.notices.queue import act_words, digest_progress
from pbem.host.run.notes import (
    ENDINGS,
    VOTE_NAMES,
    Notes,
    VoteCount,
    read_notes,
    vote_count,
    vote_outcome,
)
from pbem.host.time.deadlines import deadline_in_force, present_label
from pbem.play.config.gamefile import seat_with_player
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.store.records import HOST, MODERATOR, Act, Intake, iso, kind_of, read_facts

if TYPE_CHECKING:
    from pbem.store.journal import Journal
    from pbem.store.mailout import MissingMail, QueuedMail, State


MOVED: Final = "deadline-moved"
PAUSED: Final = "game-paused"


def acts_in_force(saved: SavedGame, notes: Notes, acts: Sequence[Act]) -> list[tuple[Act, str]]:
    """Return those acts that tell something which holds as the next turn is made, each with its words.

    A deadline that a later act moved again is left out. So is a vote that was taken back; of one that was not
    carried it is said that it is over.

    Args:
        saved: The game before that turn.
        notes: What is noted of it.
        acts: Its public acts since the newest turn, in order.
    """
    words = {number: _act_text(saved, act) for number, act in enumerate(acts)}
    facts = [read_facts(act.facts) for act in acts]
    dated = [number for number, one in enumerate(facts) if one.get("due") is not None]
    moved = [number for number in dated if facts[number]["kind"] == MOVED]
    for number in dated[:-1]:
        words[number] = "" if number in moved else _act_text(saved, acts[number], due="")
    outcome = vote_outcome(saved, notes)
    for number in moved:
        if facts[number]["label"] != present_label(saved):
            words[number] = ""
    for kind in VOTE_NAMES:
        if outcome is None or outcome.reason != ENDINGS.get(kind):
            words |= dict(_votes(saved, acts, vote_count(saved, notes, kind)))
    return [(act, words[number]) for number, act in enumerate(acts) if words[number]]


def _votes(saved: SavedGame, acts: Sequence[Act], found: VoteCount) -> Iterator[tuple[int, str]]:
    """Yield what is told of votes for one thing that does not come true now, by the numbers of the acts."""
    kind, ayes = found.kind, found.ayes
    facts = [read_facts(act.facts) for act in acts]
    votes = [number for number, one in enumerate(facts) if one.get("vote") == kind]
    made = [number for number, act in enumerate(acts) if _is_result_of_vote(act, kind)]
    open_from = max(made, default=-1)
    last = {acts[number].who: number for number in votes if facts[number]["kind"] != "vote-carried"}
    for number in votes:
        act = acts[number]
        if number < open_from:
            yield number, "" if act.who == HOST else _act_text(saved, act)
        else:
            is_told = last.get(act.who) == number and (act.who in ayes or (act.who == HOST and bool(ayes)))
            yield number, _act_text(saved, act, over=True) if is_told else ""


def _is_result_of_vote(act: Act, vote: str) -> bool:
    """Tell whether an act is a pause or a new deadline that a vote for it made, as soon as it was carried."""
    facts = read_facts(act.facts)
    if vote == "pause":
        return act.who == HOST and facts["kind"] == PAUSED
    return vote == "extension" and facts["kind"] == MOVED and facts.get("why") == "vote"


def _act_text(saved: SavedGame, act: Act, **instead: Json) -> str:
    """Return an act as reports tell it; whose it was is said unless it was the moderator's."""
    whose = {MODERATOR: "", HOST: "The host: "}.get(act.who, "The players: ")
    return f"{whose}{act_words(saved.home, act, saved.table, **instead)}"


Moment = datetime.datetime


class PlayersNews(NamedTuple):
    """Something that players brought about.

    Attributes:
        brief: A few words for a subject.
        line: It in a line.
    """

    brief: str
    line: str


def players_news(home: Home, db: Journal, after: int, now: Moment | None) -> list[PlayersNews]:
    """Return what players brought about: a pause or a deadline by a vote, an end, absences, orders put right.

    Answers that the moderator mailed, and the host sent on, are told too. Who voted is never told.

    Args:
        home: The home.
        db: Its journal.
        after: The number of the last act that was told of.
        now: The moment, which tells whether a pause holds; None for one that was not taken back.
    """
    games: dict[str, list[Act]] = {}
    for act in db.acts_of_others(after):
        if act.act in ("pause", "extend", "vote", "away", "answer", SETTLED):
            games.setdefault(act.game, []).append(act)
    return [one for game, acts in games.items() for one in _game_news(home, db, game, acts, now)]


def _game_news(
    home: Home, db: Journal, game: str, acts: Sequence[Act], now: Moment | None
) -> Iterator[PlayersNews]:
    try:
        saved = SavedGame(home, game)
        notes = read_notes(db, home, game)
    except WrongInput:  # whom it waits for cannot be told either, and that is said
        return
    for act in acts:
        if act.act == "answer":
            words = act_words(home, act, saved.table)
            yield PlayersNews(f"{game}: your answer went out", f"{game}: {words}")
    if isinstance(saved.ask, Outcome) or notes.cancelled is not None:
        return
    by_host = [act for act in acts if act.who == HOST]
    pause = notes.paused if now is None else notes.pause_at(now)
    by_vote = [act for act in by_host if _is_result_of_vote(act, "pause")]
    if pause is not None and by_vote:
        words = act_words(home, by_vote[-1], saved.table).rstrip(".")
        yield PlayersNews(f"{game}: paused by a vote", f"{game}: {words}; end it: pbem resume {game}")
    due = deadline_in_force(saved, notes)
    if due is not None:
        yield from _deadline_news(saved, due, by_host)
    if (outcome := vote_outcome(saved, notes)) is not None and any(act.act == "vote" for act in acts):
        yield PlayersNews(f"{game}: ends by a vote", f"{game}: {outcome.reason}: it ends with the next run")
    answers = [read_facts(act.facts)["name"] for act in acts if act.act == "answer" and act.facts]
    for act in acts:
        if act.act == SETTLED and (name := read_facts(act.facts).get("name")) not in answers:
            line = f"{game}: {act_words(home, act, saved.table)}"
            yield PlayersNews(f"{game}: mail {name} is settled", line)
    yield from _absence_news(saved, notes, [act for act in acts if act.act == "away"], now)


def _deadline_news(saved: SavedGame, due: Moment, by_host: Sequence[Act]) -> Iterator[PlayersNews]:
    """Yield that the deadline in force was moved by a vote, or because somebody is away."""
    holds: dict[str, Json] = {"kind": MOVED, "label": present_label(saved), "due": iso(due)}
    moved = [act for act in by_host if holds.items() <= read_facts(act.facts).items()]
    for act in moved[-1:]:
        line = f"{saved.name}: {act_words(saved.home, act, saved.table)}"
        yield PlayersNews(f"{saved.name}: the deadline was moved", line)


def _absence_news(
    saved: SavedGame, notes: Notes, acts: Sequence[Act], now: Moment | None
) -> Iterator[PlayersNews]:
    """Yield who will be away, or is back; absences that are over or were taken back again are left out."""
    for seat in dict.fromkeys(Seat(act.who) for act in acts):
        named = seat_with_player(seat, saved.players.holder(seat))
        told = [
            (act_words(saved.home, act, saved.table, seat=named), kind_of(act.facts) == "absence-ended")
            for act in acts
            if act.who == seat
        ]
        ends = [number for number, (_, is_end) in enumerate(told, 1) if is_end]
        since = told[ends[-1] :] if ends else told
        is_ahead = any(now is None or one.end > now for one in notes.away.get(seat, ()))
        news = since if is_ahead else told if len(told) == 1 and ends else []
        for words, is_end in dict.fromkeys(news):
            brief = f"{saved.name}: {seat} is {'back' if is_end else 'away'}"
            yield PlayersNews(brief, f"{saved.name}: {words}")


_FULL: Final = re.compile(
    r"\b[45]\.2\.2\b|mailbox (?:is )?full|over ?quota|quota exceeded|exceeded storage allocation",
    re.IGNORECASE,
)
"""A 552 alone says it not: it is also what a mail is told that is too big."""

MAKE_ROOM: Final = "the mailbox is full: ask the player to make room"


class UndeliveredMail(NamedTuple):
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


def missing_seat_mails(saved: SavedGame, db: Journal) -> tuple[MissingMail, ...]:
    """Return the mails to seats of a game that did not go out, and those that came back.

    What came back counts until the address is mended, its player is heard, or the newest report was sent once
    more. That a later mail went out proves nothing.
    """
    found = db.missing_mails(saved.name)
    return tuple(one for one in found if not _is_lost_elsewhere(saved, one.seat, one.rcpt, one.state))


def status_undelivered_mails(saved: SavedGame, db: Journal) -> tuple[UndeliveredMail, ...]:
    """Return the same as a status shows them, and those that may have come back."""
    known = [
        UndeliveredMail(one.seat, one.kind, one.turn, one.state, one.why)
        for one in missing_seat_mails(saved, db)
    ]
    return (
        *known,
        *(
            UndeliveredMail(one.seat, "mail", saved.turn, "doubted", doubt(one))
            for one in doubtful_notices(saved, db)
        ),
    )


def seats_with_lost_mail(saved: SavedGame, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return those of some seats to which mail came back or was refused; their players may know nothing."""
    if not saved.home.has_journal:
        return ()
    with saved.home.journal() as db:
        lost = {one.seat for one in missing_seat_mails(saved, db) if one.state in ("bounced", "failed")}
    return tuple(seat for seat in seats if seat in lost)


def unheard_player_lines(saved: SavedGame, db: Journal, news: Collection[tuple[str, str]]) -> Iterator[str]:
    """Yield to whom mail came back of whom nothing was heard since, but for those that are news."""
    back = {one.seat for one in missing_seat_mails(saved, db) if one.state == "bounced"}
    seats = [one for one in saved.start.seats if one in back and (saved.name, one) not in news]
    if seats:
        named = ", ".join(seat_with_player(seat, saved.players.holder(seat)) for seat in seats)
        yield f"  mail came back, and nothing was heard since: {named}; `pbem send --list` tells what to type"


def doubtful_notices(saved: SavedGame, db: Journal) -> tuple[Intake, ...]:
    """Return the notices which claim that a mail to a seat came back, as long as mails count that did."""

    def is_open(notice: Intake) -> bool:
        of = (saved.name, notice.seat)
        return not (db.has_written_after(notice.id, *of) or db.resent_since(*of, notice.received))

    return tuple({one.seat: one for one in db.doubted(saved.name) if is_open(one)}.values())


def doubt(notice: Intake) -> str:
    """Return what is to be said of a notice that proves nothing."""
    return f"perhaps; mail {notice.id} may say so and does not prove it: `pbem answer {notice.id}` shows it"


def lost_now(home: Home, mails: Iterable[QueuedMail]) -> Iterator[QueuedMail]:
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


def mend_command(mail: QueuedMail) -> str:
    """Return the command that mends the address of a mail to a seat; "" for any other mail."""
    is_to_seat = mail.game and mail.seat not in ("", MODERATOR)
    return f"pbem seat {mail.game} {mail.seat} --address ADDRESS" if is_to_seat else ""


def resend_command(lost: QueuedMail) -> str:
    """Return the command that sends a seat its newest report again, if its mailbox was full; else ""."""
    return f"pbem seat {lost.game} {lost.seat} --resend" if mend_command(lost) and _is_full(lost.why) else ""


def lost_mail_advice(lost: QueuedMail, *, is_open: bool) -> str:
    """Return what is to be done about a mail that is not with its reader, to stand behind what became of it.

    Args:
        lost: The mail.
        is_open: It counts still: the newest report was not sent again, nor was its player heard.
    """
    if not (mend := mend_command(lost)):
        return ""
    if not is_open:
        return "; nothing is to be done: the report was sent again since, or the player has written"
    if again := resend_command(lost):
        return f"; {MAKE_ROOM}, then `{again}` sends the newest report"
    return f"; `{mend}` mends the address, and `--resend` in its place sends the newest report again"


def _is_full(why: str) -> bool:
    """Tell whether a server gave a mail back because the mailbox of its reader is full.

    Source: RFC 3463, 3.3 (X.2.2), and RFC 5321, 4.2.3 (452, 552).
    """
    return _FULL.search(why) is not None


def loss_in_words(why: str, seat: str) -> str:
    """Return why a mail to a seat is not there: what is to be asked for, and the server's words."""
    return f"{MAKE_ROOM} ({why})" if seat not in ("", MODERATOR) and _is_full(why) else why


def _is_lost_elsewhere(saved: SavedGame, seat: str, rcpt: str, state: str) -> bool:
    """Tell whether a mail was lost that went to another address than that of a seat's player."""
    address = saved.players.address(Seat(seat)) if seat in saved.start.seats else rcpt
    return state in ("failed", "bounced") and rcpt.casefold() != address.casefold()


_FATES: Final[Mapping[State, str]] = {"bounced": "came back", "failed": "was refused"}


def lost_mails(home: Home, db: Journal) -> list[QueuedMail]:
    """Return the mails that did not arrive, and that no digest has told of."""
    known = set(digest_progress(db).came_back)
    return [*lost_now(home, (one for one in db.came_back() if one.id not in known))]


def is_lost_invitation(lost: QueuedMail) -> bool:
    """Tell whether a mail is the invitation of a seat's player."""
    return lost.kind == "invitation" and bool(mend_command(lost))


def mail_count(number: int) -> str:
    """Return a number of mails in words: "1 mail", "3 mails"."""
    return "1 mail" if number == 1 else f"{number} mails"


def lost_mail_summary(lost: QueuedMail) -> str:
    """Return what became of a mail, in a few words for a subject."""
    if is_lost_invitation(lost):
        return f"{lost.seat} never got the invitation"
    return f"mail to {lost.seat if mend_command(lost) else 'the moderator'} {_FATES[lost.state]}"


def lost_mail_lines(db: Journal, lost: Sequence[QueuedMail]) -> list[str]:
    """Return what became of mails and what is to be done, a line each; first who was not invited."""
    return [*_uninvited_lines(lost), *_returned_lines(db, lost)]


def _uninvited_lines(lost: Iterable[QueuedMail]) -> Iterator[str]:
    def told(one: QueuedMail) -> tuple[str, str]:
        never = f"{one.game}: {one.seat} never got the invitation: to {one.rcpt} it {_fate_text(one)}"
        return never, f"; `{mend_command(one)}` mends the address and sends it again"

    yield from _count_repeats(map(told, filter(is_lost_invitation, lost)))


def _returned_lines(db: Journal, lost: Iterable[QueuedMail]) -> Iterator[str]:
    waits = {one.id for one in db.came_back(is_open=True)}

    def told(one: QueuedMail) -> tuple[str, str]:
        reader = f"seat {one.seat} ({one.rcpt})" if mend_command(one) else "the moderator"
        about = f"{one.game or 'host'}: the {one.kind} of turn {one.turn} to {reader}"
        return f"{about} {_fate_text(one)}", lost_mail_advice(one, is_open=one.id in waits)

    yield from _count_repeats(told(one) for one in lost if not is_lost_invitation(one))


def _count_repeats(told: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield what became of mails and what is to be done; the same of several is told once, with a count."""
    for (became, way), number in Counter(told).items():
        yield f"{became}{f' ({number} such mails)' if number > 1 else ''}{way}"


def _fate_text(lost: QueuedMail) -> str:
    what = _FATES[lost.state]
    return f"{what}: {lost.why}" if lost.why else what
