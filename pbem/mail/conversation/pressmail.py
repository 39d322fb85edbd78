"""Press by mail: whom a mail is for, what it says, and how it reaches them."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from pbem.core.book import Press
from pbem.core.events import ALL, MODERATOR, Audience, Seat
from pbem.core.interface import Json
from pbem.core.notices import is_to_moderator, press_readers
from pbem.host.notices.questions import waiting_press
from pbem.host.notices.queue import render_paragraphs, tell_moderator
from pbem.mail.arrivals.desk import Desk
from pbem.mail.conversation.replies import Reply, message_id_of, queue_reply
from pbem.play.config.gamefile import seat_with_player
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import seed_hmac
from pbem.play.submissions.gate import SECRET_HINT, SECRET_IN_PRESS, secret_in, standing_orders_of
from pbem.store.records import (
    PRESS_TO_NOBODY,
    PRESS_WITH_ORDERS,
    PRESS_WITH_SECRET,
    WITH_OLDER_MAIL,
    Intake,
    facts_of,
)
from pbem.text.codec import canonical_yaml
from pbem.text.mail.findorders import FoundOrders, NoOrders
from pbem.text.mail.plainwords import press_fields
from pbem.text.names import NamedSeats, meant_seat, seats_named, why_unclear
from pbem.text.plaintext import printable_text
from pbem.text.reports.layout import truncate_line

MOST_LETTERS: Final = 4000
MOST_LINES: Final = 200
_MOST_SHOWN: Final = 3
_LONGEST_SHOWN: Final = 40
_LONGEST_QUOTED: Final = 100


@dataclass(frozen=True, slots=True)
class PressRefusal:
    """Why a mail is no press that can be delivered.

    Attributes:
        kind: A template of `mail/press` says it.
        facts: What that template is given.
        is_orders: It holds orders; a reply to the answer lodges them.
        rule: What the log calls it, if that is not the rule that fitted; or "".
        ready: Its words below a line for whom they are, to be sent once that is filled in; "" without any.
    """

    kind: str
    facts: Mapping[str, Json] = field(default_factory=dict)
    is_orders: bool = False
    rule: str = ""
    ready: str = ""


def refusal_words(home: Home, misread: PressRefusal) -> str:
    """Return why a mail was passed on to nobody, and what would do."""
    return render_paragraphs(home, f"press/{misread.kind}", misread.facts)


def orders_refusal(found: FoundOrders | NoOrders | None, lines: Iterable[str]) -> PressRefusal | None:
    """Return why a mail to the press address is sent to nobody: it holds orders, which others would read.

    Whoever names the readers in the first line may write about orders; a file with orders is never press.
    """
    if not isinstance(found, FoundOrders):
        return None
    if press_fields(lines)[0] and not found.origin.startswith("attachment"):
        return None
    return PressRefusal("orders", is_orders=True, rule=PRESS_WITH_ORDERS)


def quote_refusal(line: str) -> PressRefusal:
    """Return why words are passed on to nobody among which this line of an older mail stands."""
    shown = truncate_line(printable_text(line), _LONGEST_QUOTED)
    return PressRefusal("older-mail", {"line": repr(shown)}, rule=WITH_OLDER_MAIL)


def older_mail_refusal(press: Press, host: str) -> PressRefusal | None:
    """Return why press is sent to no player that still shows an address of the host, as a quoted head does.

    A question to the moderator may be about one.
    """
    local, _, domain = host.casefold().rpartition("@")
    shows = re.compile(rf"(?<![\w.+-]){re.escape(local)}(?:\+[\w.+-]*+)?@{re.escape(domain)}(?![\w-])")
    if press.to == frozenset([MODERATOR]):
        return None
    return next(
        (quote_refusal(line) for line in press.say.splitlines() if shows.search(line.casefold())), None
    )


def read_press(
    saved: SavedGame, sender: Seat, lines: Iterable[str], answered: Seat | None
) -> Press | PressRefusal:
    """Return the message in a mail to the press address, or in one that begins with `to:`.

    It may open with `to:` and `anonymous: true`, a line each; the rest is what its readers read.

    Args:
        saved: The game.
        sender: Whose it is; what holds a secret of theirs is sent to nobody else.
        lines: What its sender wrote, without what is quoted.
        answered: The seat whose press it answers, if it does: its reader, where no `to:` names others. If
            nobody knows it, the only other seat is.
    """
    fields, rest = press_fields(lines)
    say = "\n".join(printable_text(line).rstrip() for line in rest).strip()
    others = [seat for seat in saved.start.seats if seat != sender]
    only = others[0] if len(others) == 1 and "to" not in fields else None
    to = _audience(saved, fields.get("to", ""), answered or only)
    if isinstance(to, PressRefusal):
        unsigned = f"anonymous: {fields['anonymous']}\n" if "anonymous" in fields else ""
        is_sendable = say and len(say) <= MOST_LETTERS
        return replace(to, ready=f"to: NAME?\n{unsigned}\n{say}" if is_sendable else "")
    if not say:
        return PressRefusal("no-text")
    if len(say) > MOST_LETTERS or say.count("\n") >= MOST_LINES:
        return PressRefusal("too-long", {"letters": MOST_LETTERS, "lines": MOST_LINES})
    press = Press(to, say, fields.get("anonymous", "").lower() in ("true", "yes"))
    return _refuse_press(saved, press) or _secret_refusal(saved, sender, press) or press


def _audience(saved: SavedGame, named: str, answered: Seat | None) -> Audience | PressRefusal:
    seats, holders = saved.start.seats, saved.players.holders()
    found = seats_named(named, seats, holders)
    if found == NamedSeats() and answered is not None:
        return frozenset([answered])
    how: dict[str, Json] = {
        "seats": [reader_text(saved, seat) for seat in seats],
        "first": seats[0],
        "all": ALL,
        "moderator": MODERATOR,
    }
    if found.strange:
        unknown = [
            truncate_line(printable_text(word), _LONGEST_SHOWN) for word in found.strange[:_MOST_SHOWN]
        ]
        near = meant_seat(found.strange[0], seats)
        told: dict[str, Json] = {"unknown": [*map(repr, unknown)], "game": saved.name, "near": near}
        return PressRefusal("nobody", {**told, **how}, rule=PRESS_TO_NOBODY)
    if found.unclear:
        return PressRefusal(
            "unclear", {"why": why_unclear(named, seats, holders), **how}, rule=PRESS_TO_NOBODY
        )
    if not found.to:
        return PressRefusal("unnamed", how, rule=PRESS_TO_NOBODY)
    return ALL if ALL in found.to else found.to


def _refuse_press(saved: SavedGame, press: Press) -> PressRefusal | None:
    rule = saved.table.press
    if rule.deliver == "off" and press.to != frozenset([MODERATOR]):
        return PressRefusal("no-press")
    if press.anonymous and not rule.anonymous:
        return PressRefusal("no-anonymous")
    return None


def _secret_refusal(saved: SavedGame, sender: Seat, press: Press) -> PressRefusal | None:
    secret = secret_in(saved, sender, press)
    if not secret:
        return None
    facts: dict[str, Json] = {"why": SECRET_IN_PRESS.format(secret), "hint": SECRET_HINT}
    return PressRefusal("secret", facts, rule=PRESS_WITH_SECRET)


@dataclass(frozen=True, slots=True)
class Delivery:
    """How press reaches its readers.

    Attributes:
        now: Who gets it by mail now.
        waits: It stands before the moderator, until it is answered or put aside.
        reported: Seats read it in their next reports, and have no mail of it.
    """

    now: tuple[Seat, ...] = ()
    waits: bool = False
    reported: bool = False

    def in_words(self, *, is_over: bool = False) -> str:
        """Return how it goes, as the end of a sentence about it; of a game that is over no reports come."""
        parts = [f"went out now to {', '.join(self.now)}"] if self.now else []
        parts += ["is kept for the moderator to read"] if self.waits else []
        if self.reported and not is_over:
            parts.append("goes out with the next reports, as soon as a turn is run")
        nowhere = "went nowhere: the game is over, and there will be no more reports"
        return ", and ".join(parts) or (nowhere if self.reported else "went out before")


def deliver(
    desk: Desk,
    intake: Intake,
    saved: SavedGame,
    sender: Seat,
    said: Sequence[Press],
    *,
    is_mailed: bool = True,
) -> Delivery:
    """Send press on by mail: to the moderator always, to seats where the game delivers at once.

    The same words to the same readers within a turn are sent on once. What no mail brings to the moderator
    waits for them, as press in a file does.

    Args:
        desk: The desk.
        intake: The mail that it came in.
        saved: The game.
        sender: Whose it is.
        said: The messages.
        is_mailed: A mail may bring it to its readers; of too many mails none does.
    """
    waiting = () if is_mailed and desk.settings.moderator else tuple(filter(is_to_moderator, said))
    desk.db.write(waiting_press(saved, sender, waiting, desk.now, intake))
    told = _queue_press(desk, saved, sender, said) if is_mailed else []
    seats = {seat for press in said for seat in press_readers(press, saved.start.seats)} - {sender}
    return Delivery(tuple(told), bool(waiting), reported=not seats <= set(told))


def _queue_press(desk: Desk, saved: SavedGame, sender: Seat, said: Iterable[Press]) -> list[Seat]:
    """Queue the mails that bring press to its readers, and return whom they are for."""
    told: dict[Seat, None] = {}
    for press in said:
        name = _name(saved, sender, press)
        if is_to_moderator(press):
            whose = "somebody" if press.anonymous else f"{sender} ({saved.players.holder(sender)})"
            title, quoted = f"Press from {whose}", "\n".join(f"| {line}" for line in press.say.splitlines())
            text = f"{title}:\n\n{quoted}"
            facts = facts_of("press-to-moderator", seat=None if press.anonymous else sender)
            of = (desk.home, desk.db, desk.now)
            if tell_moderator(*of, "notice", name, title, text, saved.name, facts=facts):
                told[MODERATOR] = None
        if saved.table.press.deliver != "at once":
            continue
        for seat in press_readers(press, saved.start.seats):
            if seat != sender and queue_reply(desk, saved, _press_mail(saved, sender, seat, press, name)):
                told[seat] = None
    return list(told)


def standing_orders(desk: Desk, saved: SavedGame, seat: Seat) -> str:
    """Return the orders of a seat that would run now, as YAML, without press that all its readers have.

    Returns:
        "" if there are none.
    """
    orders = standing_orders_of(saved, seat)
    press = tuple(one for one in orders.press if not _is_mailed_to_all(desk, saved, seat, one))
    return canonical_yaml(orders._replace(press=press))


def _is_mailed_to_all(desk: Desk, saved: SavedGame, sender: Seat, press: Press) -> bool:
    """Tell whether every reader of a message has it by mail."""
    name, domain = _name(saved, sender, press), desk.settings.domain
    named = (f"{name}.{seat}" for seat in press_readers(press, saved.start.seats) if seat != sender)
    return bool(desk.settings.moderator or not is_to_moderator(press)) and all(
        desk.db.find_by_message_id(message_id_of(saved, one, domain)) for one in named
    )


def sender_of(saved: SavedGame, domain: str, message_ids: Iterable[str], reader: Seat) -> Seat | None:
    """Return the seat whose press a mail answers, by the Message-IDs that it refers to."""
    for seat in saved.start.seats:
        start = message_id_of(saved, f"press-{seat}.", domain).partition("@")[0]
        end = message_id_of(saved, reader, domain).removeprefix(f"<{saved.name}")
        if any(one.startswith(start) and one.endswith(end) for one in message_ids):
            return seat
    return None


def _press_mail(saved: SavedGame, sender: Seat, reader: Seat, press: Press, name: str) -> Reply:
    whose = "Somebody" if press.anonymous else reader_text(saved, sender)
    named = "all" if press.to == ALL else ", ".join(reader_text(saved, one) for one in sorted(press.to))
    facts: dict[str, Json] = {
        "sender": whose,
        "readers": named,
        "say": press.say,
        "alone": "" if press.anonymous else sender,
        "several": [*saved.start.seats[:2]],
        "all": ALL,
    }
    return Reply(
        reader, name, f"Press from {whose.lower() if press.anonymous else whose}", "press.txt.j2", facts,
        kind="press", about_press=True,
    )  # fmt: skip


def reader_text(saved: SavedGame, seat: Seat) -> str:
    """Return what a player reads of a reader or a sender: a seat with the name of who plays it."""
    return "the moderator" if seat == MODERATOR else seat_with_player(seat, saved.players.holder(seat))


def _name(saved: SavedGame, sender: Seat, press: Press) -> str:
    """Return what the Message-IDs of a message are made of: the same for the same words within a turn."""
    return f"press-{'' if press.anonymous else sender}.t{saved.turn}.{_press_code(saved, sender, press)}"


def _press_code(saved: SavedGame, sender: Seat, press: Press) -> str:
    """Return what tells a message from others without telling whose it is."""
    to = press.to if press.to == ALL else ",".join(sorted(press.to))
    secret = seed_hmac(saved.secret.seed, "press", saved.name, saved.turn, sender, to, press.say)
    return base64.b32encode(secret)[:16].decode().lower()
