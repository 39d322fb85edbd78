"""Sign-up by mail: a stranger asks for a seat, shows whose address it is, and gets the start form."""

from __future__ import annotations

import datetime
import hmac
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.utils import format_datetime
from itertools import takewhile
from typing import Final

from pbem.core.book import START
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json, Outcome
from pbem.host.notices.queue import make_act, notice_words, tell_moderator
from pbem.host.people.seats import SignupResult, sign_up
from pbem.mail.account.addresses import join_address, join_token
from pbem.mail.arrivals.desk import Desk
from pbem.mail.arrivals.proof import is_genuine
from pbem.mail.conversation.replies import due_in_words, message_id_of
from pbem.mail.outgoing.letters import LetterContext, newest_report, outbox_row
from pbem.play.config.templates import mail_templates, translate_template_errors
from pbem.play.homes.players import Person
from pbem.play.homes.saved import SavedGame
from pbem.play.turn.turnfiles import introduction
from pbem.store.errors import RequestRefused
from pbem.store.mailout import OutboundMail
from pbem.store.records import HOST, facts_of, read_facts
from pbem.text.mail.compose import Outgoing
from pbem.text.mail.findorders import FoundOrders
from pbem.text.mail.letter import Letter, own_headers
from pbem.text.mail.plainwords import has_question_mark, is_closing, person_lines
from pbem.text.mail.rows import Spot
from pbem.text.mending.broken import quote_text
from pbem.text.names import is_same_address
from pbem.text.plaintext import printable_text
from pbem.text.strictyaml import Document, YamlProblem, dump, parse

_ASKED: Final = "join:"
_FIELDS: Final = ("name", "seat", "zone", "luck")


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """Somebody's wish for a seat.

    Attributes:
        saved: The game.
        letter: Their mail.
        lines: What they wrote.
        token: What the address holds that they wrote to; "" for a first mail.
        number: The number of their mail.
    """

    saved: SavedGame
    letter: Letter
    lines: tuple[str, ...]
    token: str
    number: int

    @property
    def address(self) -> str:
        """Where they can be written to."""
        return self.letter.sender or ""


def carry_out_signup(desk: Desk, wish: SeatRequest) -> tuple[str, Callable[[], None]]:
    """Carry a wish out, as far as it is proven; return the verdict, and what tells of it."""
    saved = wish.saved
    is_open = bool(saved.table.free) and saved.position.game is None and not isinstance(saved.ask, Outcome)
    is_open = is_open and saved.cancelled is None
    known = any(is_same_address(one, wish.address) for one in saved.table.addresses.values())
    code = join_token(saved, wish.address)
    is_proven = hmac.compare_digest(wish.token.encode(errors="replace"), code.encode())
    fields = {**_noted_fields(desk, saved, code), **_fields(wish)}
    if is_proven or is_genuine(wish.letter):
        return _take_seat(desk, wish, fields)
    if not is_open and not known:
        return "dropped", lambda: None

    def ask() -> None:
        reply_to = join_address(desk.settings, saved.name, code)
        facts: dict[str, Json] = {"step": "confirm", "reason": "", "seat": "", "questions": _questions(saved)}
        name, title = f"join-{code}.{desk.now:%Y%m%d}", "Confirm that you want to play"
        if queue_confirmation(desk, _signup_mail(desk, wish, name, title, reply_to, facts)):
            desk.db.set_note(saved.name, f"{_ASKED}{code}", json.dumps(fields))

    return "asked", ask


def _take_seat(desk: Desk, wish: SeatRequest, fields: Mapping[str, Json]) -> tuple[str, Callable[[], None]]:
    saved, address = wish.saved, wish.address
    name = str(fields.get("name") or address.partition("@")[0].capitalize())[:60]
    person = Person(name, address, str(fields.get("zone", "")))
    answers = {key: one for key, one in fields.items() if key == "luck" or key not in _FIELDS}
    try:
        done = sign_up(
            desk.home,
            saved.name,
            person,
            desk.now,
            wish=str(fields.get("seat", "")),
            answers=answers if "luck" in answers else None,
        )
    except RequestRefused as wrong:
        reason = wrong.for_player
        return "refused", lambda: _refuse(desk, wish, reason, fields)
    return "joined", lambda: _welcome(desk, wish, done)


def _refuse(desk: Desk, wish: SeatRequest, reason: str, fields: Mapping[str, Json]) -> None:
    """Tell why there is no seat; a reply to it, with what was wrong put right, is proven as this mail was."""
    code = join_token(wish.saved, wish.address)
    desk.db.set_note(wish.saved.name, f"{_ASKED}{code}", json.dumps(fields))
    facts: dict[str, Json] = {"step": "refused", "reason": reason, "seat": "", "questions": []}
    to = join_address(desk.settings, wish.saved.name, code)
    desk.db.put(_signup_mail(desk, wish, f"join-no.in{wish.number}", "No seat", to, facts), desk.now)


def _welcome(desk: Desk, wish: SeatRequest, done: SignupResult) -> None:
    """Send the invitation, and say what became of the start form if one came along."""
    saved = desk.game(wish.saved.name)
    assert saved is not None, "somebody has just been given a seat of it"
    post = LetterContext(desk.settings, saved, desk.db)
    if (invitation := newest_report(post, done.seat, f"in{wish.number}", desk.now)) is not None:
        desk.db.put(invitation, desk.now)
    faults = (
        "; ".join(printable_text(str(one)) for one in done.receipt) if isinstance(done.receipt, list) else ""
    )
    facts: dict[str, Json] = {"step": "joined", "reason": faults, "seat": done.seat, "questions": []}
    facts["lodged"] = done.receipt is not None and not faults
    name, to = f"join-yes.in{wish.number}", post.reply_to(done.seat)
    desk.db.put(_signup_mail(desk, wish, name, "You have a seat", to, facts, done.seat), desk.now)


def _noted_fields(desk: Desk, saved: SavedGame, code: str) -> dict[str, Json]:
    """Return what somebody wrote in their first mail."""
    text = desk.db.note(saved.name, f"{_ASKED}{code}")
    found = json.loads(text) if text else {}
    return found if isinstance(found, dict) else {}


def _fields(wish: SeatRequest) -> dict[str, Json]:
    """Return the fields of a mail: a line each, `name: Ann`; what is no field is passed over."""
    wanted = {*_FIELDS, *(one.name for one in wish.saved.system.questions)}
    found: dict[str, Json] = {}
    for line in wish.lines[:50]:
        name, colon, _ = line.partition(":")
        if not colon or name.strip().lower() not in wanted or len(line) > 300:
            continue
        try:
            value = parse(printable_text(line).strip().encode()).value
        except YamlProblem:
            continue
        if isinstance(value, dict):
            found.update({key.lower(): one for key, one in value.items() if one not in (None, "")})
    return found


def _questions(saved: SavedGame) -> list[Json]:
    """Return what the start form asks besides luck words."""
    return [{"name": one.name, "what": one.meaning} for one in saved.system.questions]


def _signup_mail(
    desk: Desk,
    wish: SeatRequest,
    name: str,
    subject: str,
    reply_to: str,
    facts: Mapping[str, Json],
    seat: str = "",
) -> OutboundMail:
    """Return a mail to somebody who asked for a seat."""
    saved, settings = wish.saved, desk.settings
    message_id = message_id_of(saved, name, settings.domain)
    with translate_template_errors():
        page = mail_templates(desk.home.templates).get_template("mail/join.txt.j2")
        told = {"about": introduction(saved), "due": due_in_words(saved, Seat(seat), desk.db, desk.now)}
        text = page.render({"game": saved.name, "rules": saved.start.rules, "lodged": False, **told, **facts})
    mail = Outgoing(
        kind="notice",
        notice="join",
        envelope_from="",
        to=wish.address,
        from_=settings.address,
        from_name=settings.name,
        reply_to=reply_to,
        subject=f"[{saved.name}] {subject}",
        message_id=message_id,
        date=format_datetime(desk.now),
        text=text,
        in_reply_to=wish.letter.message_id or "",
        references=(wish.letter.message_id,) if wish.letter.message_id else (),
        headers=own_headers(settings.address, is_answer=True),
    )
    return outbox_row(mail, "notice", saved.name, saved.turn, seat)


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


def queue_confirmation(desk: Desk, mail: OutboundMail) -> bool:
    """Queue a mail that asks somebody to confirm a wish to join; False if the address had enough today."""
    since, db = desk.now - _DAY, desk.db
    with db.writing():
        if db.count_join_mails(mail.rcpt, since) >= FOR_ONE:
            return False
        domain = mail.rcpt.rpartition("@")[2]
        if db.count_domain_join_mails(domain, since) < AT_ONCE:
            return db.put(mail, desk.now)
        is_new = db.put(mail, desk.now, not_before=_confirmation_time(desk, domain))
        if is_new:
            _tell_moderator_of_slowdown(desk, mail.game, domain)
        return is_new


def _confirmation_time(desk: Desk, domain: str) -> datetime.datetime:
    """Return when the newest wish is answered: before those that wait, which move back by one."""
    db = desk.db
    waiting = db.later_join_mails(domain, desk.now)
    first = datetime.datetime.fromisoformat(waiting[0].next_try) if waiting else desk.now + PAUSE
    for place, one in enumerate(waiting, 1):
        if place < MOST_WAITING:
            db.postpone_mail(one.id, first + place * PAUSE)
        else:
            db.mark(one.id, "muted", desk.now, why="too many of its domain wanted to join")
    return first


def _tell_moderator_of_slowdown(desk: Desk, game: str, domain: str) -> None:
    """Tell the moderator, once a day, that answers to wishes to join are slowed."""
    day = f"{desk.now.astimezone(datetime.UTC):%Y-%m-%d}"
    if desk.db.note("", _TOLD) == day:
        return
    desk.db.set_note("", _TOLD, day)
    minutes = PAUSE.seconds // 60
    facts = facts_of("joins-slowed", many=AT_ONCE, domain=domain, game=game, minutes=minutes)
    desk.db.act(make_act(desk.now, game, "joins slowed", public=False, who=HOST, facts=facts))
    words = notice_words(desk.home, "joins-slowed", read_facts(facts))
    tell_moderator(desk.home, desk.db, desk.now, "notice", f"joins {day}", *words, game, facts=facts)


_NOTE: Final = "`luck:` was read as your start form."

_COMMENT: Final = re.compile(r"(?:^|\s)#(?:\s.*)?$")
_HASH: Final = re.compile(r"(?:^|\s)#")

_ASIDE: Final = ("name", "zone", "seat")
"""Fields that somebody writes to join a game, beside those of the start form."""


def start_form_in(
    letter: Letter, lines: Sequence[str], saved: SavedGame, seat: Seat, fits: Callable[[Document], bool]
) -> FoundOrders | None:
    """Return the start form that a mail is, if its seat is asked for one.

    Args:
        letter: The mail.
        lines: What its sender wrote, without quotes.
        saved: The game.
        seat: The seat.
        fits: Tells whether orders are whole in the shape of the game.

    Returns:
        The form; None if the mail says anything else besides a greeting and a name below its fields, and
        what else is written to join a game, which is passed over.
    """
    ask = saved.ask
    if not isinstance(ask, Ask) or ask.label != START or seat not in ask.seats | ask.optional:
        return None
    if any(part.is_attached for part in letter.parts):
        return None
    own = {"luck", *(one.name.lower() for one in saved.system.questions)}
    written = person_lines(lines)
    block = _fields_of_lines(written, (*own, *_ASIDE))
    fields = [
        f"{name}: {_quote_luck(name, _COMMENT.sub('', value).strip())}"
        for name, value in block
        if name in own
    ]
    others = [(name, value.strip()) for name, value in block if name not in own]
    if any(name == "seat" and value != seat for name, value in others):
        return None
    below = written[len(block) :]
    is_more = any(line.strip() for line in below[:1]) or any(":" in line for line in below)
    if not fields or is_more or has_question_mark(written) or not is_closing(below):
        return None
    head = dump({"game": saved.name, "seat": str(seat)})
    text = f"{head}orders:\n- at: {START}\n  do: {{{', '.join(fields)}}}\n"
    try:
        document = parse(text)
    except YamlProblem:
        return None
    nowhere = ((Spot(0, 0, 0),),) * text.count("\n")
    notes = (_NOTE, *_ignored_field_notes(name for name, _ in others))
    return FoundOrders(text.encode(), nowhere, "body", notes, document=document) if fits(document) else None


def _quote_luck(name: str, said: str) -> str:
    """Return what a field says, luck words in quotes if YAML would take their end for a comment: `#1 fan`."""
    cut = name == "luck" and _HASH.search(said) and not said.startswith(("'", '"'))
    return quote_text(said) if cut else said


def _fields_of_lines(lines: Sequence[str], names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the fields of some names that stand above all else, a line each: its name, and what follows."""
    begins = re.compile(rf"\s*({'|'.join(map(re.escape, names))})\s*:(?=\s)", re.IGNORECASE)
    found = takewhile(lambda pair: pair[1], ((line, begins.match(line)) for line in lines))
    return [(match[1].lower(), line[match.end() :]) for line, match in found if match]


def _ignored_field_notes(names: Iterable[str]) -> Iterator[str]:
    """Yield a note of the fields that only somebody without a seat writes."""
    if told := [f"`{one}:`" for one in dict.fromkeys(names) if one != "seat"]:
        it = "it" if len(told) == 1 else "them"
        yield f"{' and '.join(told)} changed nothing: ask the moderator to change {it}."
