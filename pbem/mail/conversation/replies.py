"""Answers: what a player is told of a mail, at the registered address; and offers, which a yes takes up."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from email.utils import format_datetime
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Json, Outcome
from pbem.host.notices.queue import render_paragraphs, tell_of_overrides
from pbem.host.run.notes import read_notes
from pbem.host.time.deadlines import closing_moment, deadline_in_force, is_late
from pbem.mail.account.addresses import message_id_part, press_address, token_of
from pbem.mail.arrivals.desk import Desk
from pbem.mail.outgoing.letters import LetterContext, outbox_row
from pbem.play.config.templates import faults_of_overrides, mail_templates, translate_template_errors
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import sha256
from pbem.play.submissions.gate import standing_orders_of
from pbem.play.submissions.receipts import Omission, PressReceipt, Receipt
from pbem.store.journal import Journal
from pbem.store.records import Kind, facts_of
from pbem.text.codec import canonical_yaml
from pbem.text.mail.compose import Attachment, Outgoing
from pbem.text.mail.findorders import FoundOrders
from pbem.text.mail.letter import Letter
from pbem.text.mail.plainwords import yes_or_no
from pbem.text.mending.drafts import DraftNote
from pbem.text.mending.mending import merge_label_faults
from pbem.text.orders import Fault, Faults
from pbem.text.plaintext import caret_lines, printable_text
from pbem.text.strictyaml import dump

ORIGIN: Final = "offer"
"""Where orders come from that stood in an offer."""

_NOTE: Final = "offer:{}"
_KEY_LINE: Final = re.compile(r"key\s*:", re.IGNORECASE)


def is_yes_accepted(saved: SavedGame) -> bool:
    """Tell whether a yes can stand for orders: not where orders must carry a key, which a yes does not."""
    return not saved.table.key


def orders_file_text(saved: SavedGame, seat: Seat, lines: str) -> str:
    """Return the orders file of a seat that holds some lines."""
    return f"{dump({'game': saved.name, 'seat': str(seat)})}{lines}"


def note_offer(db: Journal, saved: SavedGame, seat: Seat, message_id: str, file: str) -> None:
    """Note the orders file that an answer offers to a seat; it takes the place of what was offered before.

    A key is left out, for a yes does not show that its sender knows it.
    """
    lines = "".join(f"{line}\n" for line in file.splitlines() if not _KEY_LINE.match(line))
    offered = json.dumps({"mail": message_id, "file": lines, "state": _offer_state_hash(saved, seat)})
    db.set_note(saved.name, _NOTE.format(seat), offered)


def answered_offer(db: Journal, saved: SavedGame, seat: Seat, letter: Letter) -> str:
    """Return the orders file of the newest offer to a seat, if a mail is a reply to it; else "".

    The In-Reply-To of the mail names the offer (RFC 5322, 3.6.4). It is void once the turn or the seat's
    orders have changed.
    """
    noted = db.note(saved.name, _NOTE.format(seat))
    offered: dict[str, str] = json.loads(noted) if noted is not None else {}
    is_reply = bool(offered) and offered["mail"] in letter.header("in-reply-to").split()
    is_good = is_reply and is_yes_accepted(saved) and offered["state"] == _offer_state_hash(saved, seat)
    return offered["file"] if is_good else ""


def accepted_offer(
    db: Journal, saved: SavedGame, seat: Seat, letter: Letter, lines: tuple[str, ...]
) -> FoundOrders | None:
    """Return the orders that a mail says yes to, by the one word among the lines of its sender."""
    file = answered_offer(db, saved, seat, letter) if yes_or_no(lines) == "yes" else ""
    return FoundOrders(file.encode(), (), ORIGIN) if file else None


def _offer_state_hash(saved: SavedGame, seat: Seat) -> str:
    """Return a hash of what an offer was made for: the turn, each time it was run, and the seat's orders."""
    orders = canonical_yaml(standing_orders_of(saved, seat))
    return sha256(f"{saved.turn}.{saved.revision}.{saved.rules.version}\n{orders}".encode())


LATE: Final = "The deadline has passed; the run comes next."
"""How a game stands whose orders must wait."""

_ORIGINS: Final = {
    "body": "your mail",
    "quoted form": "the form that you quoted and filled in",
    "html": "your mail (its page, as it has no plain text)",
    ORIGIN: "what was offered to you, to which you said yes",
}
_MOST: Final = 20
"""So many mistakes stand in the header of a refusal."""

_OF_THE_ADDRESS: Final = re.compile(r"(?:game|seat)\s*:")
"""Begins a line that a mail can do without, for its address says the same."""
_KEY: Final = re.compile(r"^key\s*:.*")
_OPENED: Final = re.compile(r'(?<=" is at )([0-9]+):([0-9]+)')


@dataclass(frozen=True, slots=True)
class Reply:
    """A mail to the player of a seat.

    Attributes:
        seat: Who gets it.
        name: What its Message-ID is made of; the same name is the same mail.
        subject: What stands behind the game in the subject.
        template: The file of its text.
        facts: What the template is given.
        kind: What it is in the outbox.
        notice: Its kind for programs; "" for that which its template is of.
        letter: The mail that it answers, or None.
        about_press: Replies to it are press.
        attachments: Files that come with it.
        data: What it tells as data, from `facts_of`, for a header; "" where its kind says all.
        offer: The orders file that a yes to it lodges, where a yes may stand for orders; "" for none.
    """

    seat: Seat
    name: str
    subject: str
    template: str
    facts: Mapping[str, Json]
    kind: Kind = "receipt"
    notice: str = ""
    letter: Letter | None = None
    about_press: bool = False
    attachments: tuple[Attachment, ...] = ()
    data: str = ""
    offer: str = ""


def queue_reply(desk: Desk, saved: SavedGame, answer: Reply) -> bool:
    """Queue a mail to a seat's registered address; False if there is none, or the mail is there already.

    Raises:
        WrongInput: A template fails.
    """
    address, seat = saved.players.address(answer.seat), answer.seat
    if not address:
        return False
    post = LetterContext(desk.settings, saved, desk.db)
    message_id = _message_id(desk, saved, answer)
    reply_to = post.reply_to(seat)
    if answer.about_press:
        reply_to = press_address(desk.settings, saved.name, token_of(saved, seat, desk.db))
    answered = answer.letter.message_id if answer.letter else None
    mail = Outgoing(
        kind=answer.kind,
        envelope_from="",
        to=address,
        to_name=saved.players.holder(seat),
        from_=desk.settings.address,
        from_name=desk.settings.name,
        reply_to=reply_to,
        subject=f"[{saved.name}] {answer.subject}",
        message_id=message_id,
        date=format_datetime(desk.now),
        text=_page(desk, saved, answer),
        in_reply_to=answered or "",
        references=tuple(filter(None, (post.thread(seat), answered))),
        headers=(
            *post.headers(is_answer=answer.letter is not None),
            *([("X-PBEM-Facts", answer.data)] if answer.data else []),
        ),
        attachments=answer.attachments,
        notice=answer.notice or answer.template.partition(".")[0],
    )
    is_new = desk.db.put(outbox_row(mail, answer.kind, saved.name, saved.turn, seat), desk.now)
    if is_new and _is_consent_possible(saved, answer):
        note_offer(desk.db, saved, seat, message_id, answer.offer)
    if is_new and answer.kind == "receipt":
        desk.answered(saved.name, seat, saved.turn)
    return is_new


def _is_consent_possible(saved: SavedGame, answer: Reply) -> bool:
    """Tell whether a yes to an answer lodges what it offers."""
    return bool(answer.offer) and is_yes_accepted(saved)


def _message_id(desk: Desk, saved: SavedGame, answer: Reply) -> str:
    return message_id_of(saved, f"{answer.name}.{answer.seat}", desk.settings.domain)


def message_id_of(saved: SavedGame, name: str, domain: str) -> str:
    """Return the Message-ID of an answer."""
    written = ".".join(message_id_part(part) for part in name.split("."))
    return f"<{saved.name}.{written}@{domain}>"


def receipt(
    saved: SavedGame, receipt: Receipt, how: str, found: FoundOrders, letter: Letter, name: str
) -> Reply:
    """Return the receipt of orders that were lodged; `how` says how press in them reaches its readers."""
    envelope = receipt.judged.submission.envelope
    sent = [f"Your press {how}."] if receipt.judged.submission.orders.press else []
    facts: dict[str, Json] = {
        "number": receipt.number,
        "origin": _origin_text(found),
        "taken": receipt.taken,
        "notes": _note_rows(found, receipt.judged.notes),
        "dropped": _omission_rows(found, receipt.left_out),
        "orders": receipt.orders,
        "forecast": list[Json]([*receipt.forecast, *sent]),
        "cautions": list[Json](receipt.cautions),
        "replaced": receipt.replaced,
        "withdraws": receipt.withdraws,
        "proof": receipt.proof,
        "state": "",
    }
    label = next((line.at for line in receipt.judged.submission.orders.lines if line.at), "")
    what = "withdrawn" if receipt.withdraws else f"accepted{f' for {label}' if label else ''}"
    subject = f"Orders {'unchanged' if receipt.is_same else what} (receipt {receipt.number})"
    data = facts_of(
        "receipt",
        number=receipt.number,
        withdraws=receipt.withdraws,
        mended=len(receipt.judged.notes),
        cautions=len(receipt.cautions),
        left_out=[one.part for one in receipt.left_out],
    )
    return Reply(envelope.seat, name, subject, "receipt.txt.j2", facts, letter=letter, data=data)


def press_receipt(done: PressReceipt, how: str, found: FoundOrders, letter: Letter, name: str) -> Reply:
    """Return the receipt of orders that held press only, and left the lines of before as they were.

    Args:
        done: What was lodged.
        how: How the press reaches its readers: "goes out with the next reports, as soon as a turn is run".
        found: Where it stood.
        letter: The mail.
        name: What the Message-ID is made of.
    """
    envelope = done.judged.submission.envelope
    facts: dict[str, Json] = {
        "how": how,
        "origin": _origin_text(found),
        "taken": done.taken,
        "notes": _note_rows(found, done.judged.notes),
        "dropped": _omission_rows(found, done.left_out),
        "press": done.press,
        "standing": done.standing,
        "forecast": list[Json](done.forecast),
        "state": "",
    }
    stands = "your orders stand" if done.standing else "no orders of yours stand"
    subject = f"Press sent; {stands}"
    data = facts_of(
        "press-receipt",
        mended=len(done.judged.notes),
        left_out=[one.part for one in done.left_out],
        stands=bool(done.standing),
    )
    return Reply(envelope.seat, name, subject, "press-receipt.txt.j2", facts, letter=letter, data=data)


def refusal(
    seat: Seat,
    standing: str,
    faults: Iterable[Fault],
    found: FoundOrders,
    letter: Letter,
    name: str,
) -> Reply:
    """Return the answer to orders that were not accepted; `standing` are those that stand, as YAML."""
    all_told = faults if isinstance(faults, Faults) else Faults(faults)
    offer = "\n".join(all_told.whole) if all_told.offer else ""
    facts: dict[str, Json] = {
        "origin": _origin_text(found),
        "faults": mistake_rows(found, all_told),
        "notes": _note_rows(found, [DraftNote(*one) for one in all_told.notes]),
        "offer": visible_lines(
            _KEY.sub('key: ""   # your key', line)
            for line in all_told.whole
            if not _OF_THE_ADDRESS.match(line)
        ),
        "is_example": all_told.is_example,
        "is_old": all_told.older is not None,
        "standing": standing,
    }
    data = facts_of(
        "refused",
        faults=["{}:{}:{}".format(*found.place(one.line, one.column), one.kind) for one in all_told[:_MOST]],
        mended=len(all_told.notes),
        offer=_offer_of(all_told),
    )
    title = "Orders NOT accepted"
    return Reply(seat, name, title, "refused.txt.j2", facts, letter=letter, data=data, offer=offer)


def _offer_of(told: Faults) -> str:
    """Return what is offered in place of orders: what was written, as it may be "meant", or an "example"."""
    return "meant" if told.offer else "example" if told.whole else "none"


def note_reply(
    notice: str,
    seat: Seat,
    name: str,
    subject: str,
    letter: Letter | None,
    *paragraphs: str,
    quoted: str = "",
) -> Reply:
    """Return an answer of a few sentences; `notice` is its kind for programs."""
    facts: dict[str, Json] = {"paragraphs": list[Json](paragraphs), "quoted": quoted}
    return Reply(seat, name, subject, "note.txt.j2", facts, notice=notice, letter=letter)


def template_reply(
    home: Home,
    kind: str,
    seat: Seat,
    name: str,
    letter: Letter | None,
    facts: Mapping[str, Json],
    *,
    quoted: str = "",
) -> Reply:
    """Return the answer that the template of a kind makes; its first paragraph is the subject."""
    subject, *paragraphs = render_paragraphs(home, f"answers/{kind}", facts).split("\n\n")
    return note_reply(kind, seat, name, subject, letter, *paragraphs, quoted=quoted)


def mistake_rows(found: FoundOrders, faults: Iterable[Fault]) -> list[Json]:
    """Return mistakes as people are told of them, each with its place."""
    once = merge_label_faults(faults, lambda line: found.place(line, 1)[0])
    return [_placed_mistake(found, (one.line, one.column), one.sentence) for one in once]


def _omission_rows(found: FoundOrders, left_out: Iterable[Omission]) -> list[Json]:
    """Return what was left out of orders, each with its place."""
    out: list[Json] = []
    for one in left_out:
        number, _, action = one.part.partition(".")
        what = f"{action} of order {number}" if action else f"order {number}"
        out.append(_placed_mistake(found, (one.line, one.column), f"{what} is left out: {one.sentence}"))
    return out


def _placed_mistake(found: FoundOrders, at: tuple[int, int], sentence: str) -> Json:
    """Return what is wrong with its place in the player's own mail, the line itself, and a caret under it."""

    def opened(at: re.Match[str]) -> str:
        return "line {}, column {}".format(*found.place(int(at[1]), int(at[2])))

    line, column = found.place(*at)
    shown, caret = caret_lines(found.shown(*at), column) if line else ("", "")
    where = f"line {line}, column {column} of {_origin_text(found)}" if line else "what your mail leaves out"
    said = f"{where}: {_OPENED.sub(opened, printable_text(sentence))}"
    return {"text": said, "line": shown, "caret": caret}


def _note_rows(found: FoundOrders, taken: Iterable[DraftNote]) -> list[Json]:
    """Return what was mended to find orders, and what was taken for what in them."""
    out = list[Json](found.notes)
    for one in taken:
        line, _ = found.place(one.line, 1)
        out.append(printable_text(f"{one.text} in line {line}." if line else f"{one.text}."))
    return out


def visible_lines(lines: Iterable[str]) -> str:
    """Return lines as they can be shown, one below the other."""
    return "\n".join(map(printable_text, lines))


def _origin_text(found: FoundOrders) -> str:
    kind, _, name = found.origin.partition(" ")
    return f"the attachment {printable_text(name)[:60]}" if kind == "attachment" else _ORIGINS[found.origin]


def _page(desk: Desk, saved: SavedGame, answer: Reply) -> str:
    facts: dict[str, Json] = {
        "game": saved.name,
        "due": due_in_words(saved, answer.seat, desk.db, desk.now),
        "state": state_in_words(saved, answer.seat, desk.db, desk.now),
        "takes_yes": _is_consent_possible(saved, answer),
        **answer.facts,
    }
    with translate_template_errors():
        pages = mail_templates(desk.home.templates)
        text = pages.get_template(f"mail/{answer.template}").render(facts)
    tell_of_overrides(desk.home, desk.db, desk.now, faults_of_overrides(pages))
    return re.sub(r"\n{3,}", "\n\n", text)


def due_in_words(saved: SavedGame, seat: Seat, db: Journal, now: datetime.datetime) -> str:
    """Return when orders are due, in the time zone of the seat's player; "" if they may take their time.

    After the deadline it says how long they still count.
    """
    notes = read_notes(db, saved.home, saved.name)
    rests = notes.rest_at(now)
    if isinstance(saved.ask, Outcome) or notes.cancelled is not None or (rests and rests.end is None):
        return ""
    deadline, until = deadline_in_force(saved, notes), closing_moment(saved, notes)
    if deadline is None or until is None or is_late(saved, notes, now, now):
        return ""
    if now < deadline:
        return saved.table.spelled(deadline, seat)
    was = saved.table.spelled(deadline, seat)
    end = saved.table.spelled(until, seat) if now < until else "the turn is run"
    return f"now: the deadline was {was}, and they still count until {end}"


def state_in_words(saved: SavedGame, seat: Seat, db: Journal, now: datetime.datetime) -> str:
    """Return whom the game waits for, as far as the seat may know."""
    ask, notes = saved.ask, read_notes(db, saved.home, saved.name)
    if isinstance(ask, Outcome):
        return "The game is over."
    if notes.cancelled is not None:
        return notes.cancelled.sentence()
    if (pause := notes.rest_at(now)) is not None:
        until = f" until {saved.table.spelled(pause.end, seat)}" if pause.end is not None else ""
        return f"The game is paused{until} ({pause.why}); orders are kept."
    if is_late(saved, notes, now, now):
        return LATE
    if seat in ask.seats:
        return f"You are asked now, for {ask.label}."
    return f"The game is at {ask.label}; others are asked."
