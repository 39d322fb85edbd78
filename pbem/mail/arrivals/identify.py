"""A mail is looked at, and one table of rules tells what becomes of it. Nothing is carried out here."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal, TypeAlias

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.questions import Question, find_question
from pbem.mail.account.addresses import NO_GAME, Recipient, answer_token, read_recipient
from pbem.mail.arrivals.desk import Desk
from pbem.mail.arrivals.proof import (
    Claims,
    MailOwner,
    SignedContent,
    explain_repetition,
    game_of_secret,
    has_matching_sender,
    is_genuine,
    is_sender,
    keyring,
    mail_identity,
    prove_mail_owner,
    signed_part,
    stray_mail_owner,
)
from pbem.mail.conversation.acts import secret_of
from pbem.mail.conversation.commands import CommandLead, find_mail_command
from pbem.mail.conversation.replies import accepted_offer
from pbem.mail.conversation.signup import start_form_in
from pbem.mail.outgoing.letters import current_form
from pbem.play.homes.saved import SavedGame
from pbem.play.turn.turnfiles import form_of, is_form_of
from pbem.store.records import MODERATOR, Intake
from pbem.text.envelope import read_marker
from pbem.text.mail import plainwords
from pbem.text.mail.findorders import FoundOrders, NoOrders, find_orders
from pbem.text.mail.letter import NAMED_AS_ROBOT, Letter, RefusedMail, is_own, read_letter
from pbem.text.mail.quotes import host_lines_in, is_form, own_lines, plain_text
from pbem.text.names import is_same_address
from pbem.text.orders import Envelope, Fault, open_envelope, read_lines
from pbem.text.strictyaml import Document

Verdict: TypeAlias = Literal[
    "dropped", "bounced", "warned", "refused", "repeated",
    "join", "later", "orders", "muted", "press", "command", "two-sets", "question", "empty", "answered",
    "acts", "unacted", "former",
]  # fmt: skip
"""dropped: kept, and nothing is done or said. warned: the player whose seat it is learns that somebody wrote,
in a text that is always the same. refused: it cannot be read, and its player learns why. repeated: it was
processed before. later: only the newest of many counts. muted: it came after too many, and its player is told
so once. two-sets: different orders are in it, and its player alone can say which count. question: the
moderator reads it. empty: nothing in it asks for anything. answered: the moderator's answer to a player's
mail goes on to the player. acts: the moderator asks for acts. unacted: somebody did who did not prove to be
the moderator, who learns it. former: who wrote it had the seat before another; the digest names it."""


@dataclass(frozen=True, slots=True)
class MailFacts:
    """What must be known of a mail to decide.

    Attributes:
        recipient: What it was sent to, by its envelope; None if that is no address of ours.
        unreadable: Why it could not be read, as a short name; "" if it could.
        has_sender: Its From header is one address that can be answered, or it could not be read at all.
        is_own: It carries the mark of our own mails.
        is_bounce: It tells of a mail that could not be delivered.
        automatic: Why it must not be answered (RFC 3834), or "".
        game: The game it is about; "" if there is no such game here.
        seat: The seat that it comes from by its token, key or sender; "" if none of them says.
        unproven: Why that is not proven as the game demands, as a short name; "" if it is.
        failed: The moderator's own mail server says that the sender's address is forged.
        is_known: The sender's address is that of a seat, or was before, and that mail server says that it is
            genuine; where none was named, the envelope says the same.
        repeated: It came before: "message-id", "whole", "content" or "signature"; or "".
        too_many: So many mails of the seat came within an hour that this one gets no answer.
        far_too_many: So many that only the newest orders among them are looked at.
        has_orders: There are orders in it.
        command: The command it gives, or "".
        to_moderator: Its first line, or its subject, says that it is for the moderator.
        names_readers: It begins with `to:`, as press does.
        has_two_sets: There are different orders in it, and no question.
        has_words: There is something in it that a person should read.
        is_moderator: It came to the address of an answer, or to that for acts, with the right token, from the
            moderator's address.
    """

    recipient: Recipient | None
    unreadable: str = ""
    has_sender: bool = True
    is_own: bool = False
    is_bounce: bool = False
    automatic: str = ""
    game: str = ""
    seat: str = ""
    unproven: str = ""
    failed: bool = False
    is_known: bool = False
    repeated: str = ""
    too_many: bool = False
    far_too_many: bool = False
    has_orders: bool = False
    command: str = ""
    to_moderator: bool = False
    names_readers: bool = False
    has_two_sets: bool = False
    has_words: bool = False
    is_moderator: bool = False

    @property
    def kind(self) -> str:
        """What its recipient is for."""
        return self.recipient.kind if self.recipient else ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of the table: its name, whether it fits a mail, and what becomes of the mail then."""

    name: str
    fits: Callable[[MailFacts], bool]
    verdict: Verdict


RULES: Final = (
    Rule("bounce", lambda mail: mail.kind == "bounce" or mail.is_bounce, "bounced"),
    Rule("not-ours", lambda mail: mail.recipient is None, "dropped"),
    Rule("loop", lambda mail: mail.is_own, "dropped"),
    Rule("forged", lambda mail: mail.failed, "dropped"),
    Rule("acts-unanswered", lambda mail: mail.kind == "moderator" and bool(mail.automatic), "dropped"),
    Rule("acts-again", lambda mail: mail.kind == "moderator" and bool(mail.repeated), "dropped"),
    Rule("acts-too-many", lambda mail: mail.kind == "moderator" and mail.too_many, "dropped"),
    Rule("acts", lambda mail: mail.kind == "moderator" and mail.is_moderator, "acts"),
    Rule("acts-unproven", lambda mail: mail.kind == "moderator" and mail.unproven != "both", "unacted"),
    Rule("acts-strange", lambda mail: mail.kind == "moderator", "dropped"),
    Rule("answer", lambda mail: mail.is_moderator and not mail.automatic, "answered"),
    Rule("answer-unproven", lambda mail: mail.kind == "answer", "dropped"),
    Rule("join-unreadable-sender", lambda mail: mail.kind == "join" and not mail.has_sender, "dropped"),
    Rule("join", lambda mail: mail.kind == "join" and not (mail.unreadable or mail.automatic), "join"),
    Rule("join-unanswered", lambda mail: mail.kind == "join", "dropped"),
    Rule("unknown-game", lambda mail: not mail.game, "dropped"),
    Rule("nobodys", lambda mail: not mail.seat, "dropped"),
    Rule("unreadable", lambda mail: bool(mail.unreadable) and mail.unproven == "sender", "refused"),
    Rule("former", lambda mail: mail.unproven == "former" and not mail.automatic, "former"),
    Rule("unproven", lambda mail: bool(mail.unproven) and not mail.automatic and may_warn(mail), "warned"),
    Rule("unproven-unanswered", lambda mail: bool(mail.unproven), "dropped"),
    Rule("replay", lambda mail: bool(mail.repeated), "repeated"),
    Rule("flood", lambda mail: mail.has_orders and mail.far_too_many, "later"),
    Rule("orders", lambda mail: mail.has_orders and mail.kind != "press", "orders"),
    Rule("automatic", lambda mail: bool(mail.automatic), "dropped"),
    Rule("too-many", lambda mail: mail.too_many, "muted"),
    Rule("press", lambda mail: mail.kind == "press", "press"),
    Rule("to-moderator", lambda mail: mail.to_moderator, "question"),
    Rule("press-in-reply", lambda mail: mail.names_readers and not mail.has_two_sets, "press"),
    Rule("command", lambda mail: bool(mail.command), "command"),
    Rule("two-sets", lambda mail: mail.has_two_sets, "two-sets"),
    Rule("question", lambda mail: mail.has_words, "question"),
    Rule("no-orders", lambda _mail: True, "empty"),
)  # fmt: skip


def first_matching_rule(mail: MailFacts) -> Rule:
    """Return the first rule that fits a mail; the last one fits every mail."""
    return next(rule for rule in RULES if rule.fits(mail))


def may_warn(mail: MailFacts) -> bool:
    """Tell whether the player may be told of a mail that is not proven: somebody knew a secret of theirs.

    A mail that shows no secret is not answered if its envelope is from elsewhere: anybody can write any
    address into a From header. What is answered goes to the registered address, once a day.
    """
    return mail.unproven not in ("token", "both") or mail.is_known


NOBODY: Final = Seat("")
MODERATOR_SEAT: Final = Seat(MODERATOR)
MOST_ACTS: Final = 60  # mails within an hour; more come of a loop
_NO_ATTEMPTS: Final = ("no-orders", "blank-form")
_PLAIN: Final = b"Content-Type: text/plain; charset=utf-8\r\n\r\n"


@dataclass(frozen=True)
class Inspection:
    """A mail, and what was found in it.

    Attributes:
        mail: What decides.
        letter: The mail, read; or why it could not be.
        saved: Its game, if there is one.
        seat: The seat it comes from; "" if nothing tells.
        found: Its orders, or why there are none.
        lines: What its sender wrote.
        command: The command it gives, if it gives one.
        identity: What it is recognised by when it comes again.
        content: The hash of its orders with the moment at which they were written, or "" if it names none.
        signed: What is signed of it, if the game demands that.
        words: What a person should read of it: what its sender wrote besides a form, or to the moderator.
        question: The player's mail that it answers, if the moderator wrote it.
        older: Lines of older mails of ours among what its sender wrote, which cannot be told apart.
    """

    mail: MailFacts
    letter: Letter | RefusedMail
    saved: SavedGame | None = None
    seat: Seat = NOBODY
    found: FoundOrders | NoOrders | None = None
    lines: tuple[str, ...] = ()
    command: CommandLead | None = None
    identity: str = ""
    content: str = ""
    signed: SignedContent | None = None
    words: tuple[str, ...] = ()
    question: Question | None = None
    older: tuple[str, ...] = ()

    @property
    def quotes(self) -> str:
        """The first line of an older mail that stands among its sender's own words; "" if none does.

        That of a form is none: a player may write into it.
        """
        return next((line for line in self.older if not is_form(line)), "")

    @cached_property
    def envelope(self) -> Envelope | list[Fault]:
        """The envelope of its orders, opened once; their mistakes, or none if there are no orders."""
        return open_envelope(self.found.text) if isinstance(self.found, FoundOrders) else []


def inspect_mail(desk: Desk, intake: Intake, raw: bytes) -> Inspection:
    """Look at a mail; nothing is changed."""
    settings = desk.settings
    recipient = read_recipient(settings, intake.recipient, desk.home)
    own = (settings.address,)
    letter = read_letter(raw, envelope_from=intake.envelope_from, authserv=settings.authserv, own=own)
    first = MailFacts(recipient, letter.reason if isinstance(letter, RefusedMail) else "")
    if isinstance(letter, Letter):
        first = MailFacts(
            recipient,
            has_sender=letter.sender is not None,
            is_own=is_own(letter.headers, own),
            is_bounce=letter.is_bounce,
            automatic=letter.auto,
            failed=is_genuine(letter) is False,
        )
    if recipient is not None and recipient.kind == "join" and isinstance(letter, Letter):
        return Inspection(first, letter, desk.game(recipient.game), lines=own_lines(letter))
    if recipient is not None and recipient.kind == "answer" and isinstance(letter, Letter):
        return _inspect_answer(desk, recipient, letter, first)
    if recipient is not None and recipient.kind == "moderator" and not first.is_bounce:
        return _inspect_acts(desk, intake, raw, recipient, letter, first)
    if recipient is None or first.is_bounce or recipient.kind in ("bounce", "join", "answer"):
        return Inspection(first, letter)
    return _inspect_seat_mail(desk, intake, raw, recipient, letter, first)


def _inspect_answer(desk: Desk, recipient: Recipient, letter: Letter, first: MailFacts) -> Inspection:
    """Look at a mail to the address of an answer: token and sender must be those of the moderator."""
    number, _, token = recipient.token.partition(".")
    asked = find_question(desk.db, int(number))
    saved = desk.game(asked.game) if asked is not None else None
    if asked is None or saved is None:
        return Inspection(first, letter)
    is_known = hmac.compare_digest(answer_token(saved, asked.number).encode(), token.encode())
    sender = "" if letter.doubled else letter.sender or ""
    is_theirs = is_same_address(sender, desk.settings.moderator)
    is_written = not plainwords.is_notice(letter.subject, saved.name)
    mail = replace(first, game=asked.game, is_moderator=is_known and is_theirs and is_written)
    words = plainwords.person_lines(own_lines(letter))
    return Inspection(mail, letter, saved, words=words, question=asked, older=host_lines_in(letter))


def _inspect_acts(
    desk: Desk,
    intake: Intake,
    raw: bytes,
    recipient: Recipient,
    letter: Letter | RefusedMail,
    first: MailFacts,
) -> Inspection:
    """Look at a mail to the address for acts: token and sender must be those of the moderator."""
    if (secret := secret_of(desk.db)) is None or isinstance(letter, RefusedMail):
        return Inspection(replace(first, unproven="both"), letter)
    sender = "" if letter.doubled else letter.sender or ""
    unproven = secret.missing(recipient.token, sender, desk.settings.moderator)
    identity = letter.message_id or f"<{hashlib.sha256(raw).hexdigest()}@no-id>"
    mail = replace(
        first,
        game=NO_GAME,
        unproven=unproven,
        is_moderator=not unproven,
        repeated="message-id" if desk.db.is_repeated_mail(identity, "", MODERATOR, intake.id) else "",
        too_many=desk.answers("", MODERATOR_SEAT) >= MOST_ACTS,
    )
    lines, older = own_lines(letter), host_lines_in(letter)
    return Inspection(mail, letter, None, MODERATOR_SEAT, lines=lines, identity=identity, older=older)


def _inspect_seat_mail(
    desk: Desk,
    intake: Intake,
    raw: bytes,
    recipient: Recipient,
    letter: Letter | RefusedMail,
    first: MailFacts,
) -> Inspection:
    """Look at a mail to an address that seats write to."""
    saved = game_of_secret(desk, recipient.game, recipient.token)
    envelope = _named_envelope(desk, letter) if isinstance(letter, Letter) and saved is None else None
    named = envelope.game if envelope else ""
    saved = saved or game_of_secret(desk, named, recipient.token) or desk.game(recipient.game or named)
    if saved is None:
        return _inspect_stray(desk, intake, letter, first, None)
    claims = Claims(
        recipient.token,
        letter.sender or "" if isinstance(letter, Letter) and not letter.doubled else "",
        envelope.seat if envelope and envelope.game == saved.name else "",
        envelope.key if envelope and envelope.game == saved.name else "",
    )
    who, signed = _prove_owner(desk, saved, claims, raw, letter)
    if not who.seat:
        return _inspect_stray(desk, intake, letter, first, saved, claims.seat)
    if isinstance(letter, RefusedMail):
        unproven = "token" if who.unproven == "token" else "sender"
        return Inspection(_with_seat(first, saved, who.seat, unproven), letter, saved, who.seat)
    if who.unproven:  # no more of it is needed to doubt it
        is_known = is_sender(saved, who.seat, claims.sender) and has_matching_sender(
            desk, letter, intake.envelope_from
        )
        return Inspection(
            _with_seat(first, saved, who.seat, who.unproven, is_known=is_known), letter, saved, who.seat
        )
    covered = _signed_letter(letter, signed)
    lines = own_lines(covered)
    is_press, subject = recipient.kind == "press", covered.subject
    found = orders_in(covered, lines, saved, who.seat)
    if isinstance(found, NoOrders) and not (is_press or is_an_attempt(found)):
        found = accepted_offer(desk.db, saved, who.seat, letter, lines) or found
    orders = found.text if isinstance(found, FoundOrders) else None
    command = None if is_press else find_mail_command(subject, lines)
    to_moderator = None if is_press else plainwords.words_to_moderator(subject, lines, _moderator_name(desk))
    is_plain = to_moderator is None and orders is None and not is_press
    words = _words(desk, saved, who.seat, covered, lines) if is_plain else to_moderator or ()
    names_readers = "to" in plainwords.press_fields(lines)[0]
    is_command = command is not None and to_moderator is None and not names_readers
    identity, content = mail_identity(letter, raw, orders, is_command=is_command)
    mail = MailFacts(
        recipient,
        is_own=first.is_own,
        automatic=_why_automatic(first, saved, who.seat, claims.sender),
        game=saved.name,
        seat=who.seat,
        failed=first.failed,
        repeated=explain_repetition(desk.db, intake, (saved.name, who.seat), identity, content, signed),
        too_many=desk.answers(saved.name, who.seat, saved.turn) >= desk.settings.receipts_per_hour,
        far_too_many=desk.orders(saved.name, who.seat) >= desk.settings.orders_per_hour,
        has_orders=orders is not None,
        command=command.word if command else "",
        to_moderator=to_moderator is not None,
        names_readers=names_readers,
        has_two_sets=isinstance(found, NoOrders)
        and found.is_two_sets
        and not plainwords.has_question_mark(words),
        has_words=bool(words) or is_an_attempt(found),
    )
    older = host_lines_in(covered)
    return Inspection(
        mail, letter, saved, who.seat, found, lines, command, identity, content, signed, words, older=older
    )


def _why_automatic(first: MailFacts, saved: SavedGame, seat: Seat, sender: str) -> str:
    """Return why a mail of a seat must not be answered, or "": its player may be called like a machine."""
    is_named = first.automatic == NAMED_AS_ROBOT
    return "" if is_named and is_sender(saved, seat, sender) else first.automatic


def _inspect_stray(
    desk: Desk,
    intake: Intake,
    letter: Letter | RefusedMail,
    first: MailFacts,
    game: SavedGame | None,
    named: str = "",
) -> Inspection:
    """Look at a mail that leads to no seat; where a player wrote it, it is one that lacks the secret."""
    found = stray_mail_owner(desk, letter, intake.envelope_from, game.name if game else "", named)
    if found is None:
        return Inspection(_with_seat(first, game, NOBODY, "") if game else first, letter, game)
    saved, who = found
    return Inspection(
        _with_seat(first, saved, who.seat, who.unproven, is_known=True), letter, saved, who.seat
    )


def _moderator_name(desk: Desk) -> str:
    """Return the moderator's name, or ""."""
    return str(desk.home.settings().get("moderator", ""))


def _words(
    desk: Desk, saved: SavedGame, seat: Seat, letter: Letter, lines: tuple[str, ...]
) -> tuple[str, ...]:
    """Return what a person should read of a mail to the game; nothing if it says no more than thanks."""
    if letter.is_reaction:
        return ()
    forms = dict.fromkeys((form_of(saved, seat), current_form(saved, seat, desk.db)))
    words = plainwords.person_lines(lines, [line for form in forms for line in form.splitlines()])
    if not words and (subject := plainwords.own_subject(letter.subject, saved.name)):
        words = plainwords.person_lines([subject])
    names = (_moderator_name(desk), saved.players.holder(seat))
    is_nothing = plainwords.is_thanks(words, names) or plainwords.is_only_symbols(words)
    return () if is_nothing or plainwords.is_notice(letter.subject, saved.name) else words


def is_an_attempt(found: FoundOrders | NoOrders) -> bool:
    """Tell whether somebody tried to give orders, or sent a file, and nobody can tell what is meant."""
    return isinstance(found, NoOrders) and found.reason not in _NO_ATTEMPTS


def _with_seat(
    first: MailFacts, saved: SavedGame, seat: Seat, unproven: str, *, is_known: bool = False
) -> MailFacts:
    return replace(first, game=saved.name, seat=seat, unproven=unproven, is_known=is_known)


def orders_in(letter: Letter, own: tuple[str, ...], saved: SavedGame, seat: Seat) -> FoundOrders | NoOrders:
    """Return the orders of a seat in a mail, whole in the shape of its game; or why there are none."""
    names: dict[str, Json] = {"game": saved.name, "seat": str(seat)}

    def fits(document: Document) -> bool:
        value = document.value
        if not isinstance(value, dict):
            return False
        read = open_envelope(b"", document._replace(value={**names, **value}))
        return isinstance(read, Envelope) and not isinstance(read_lines(read, saved.grammar), list)

    known = saved.system.order_words
    is_form = is_form_of(saved, seat)
    found = find_orders(letter, is_form, game=saved.name, seat=seat, known=known, fits=fits)
    is_loose = isinstance(found, NoOrders) and found.is_headless
    return (start_form_in(letter, own, saved, seat, fits) if is_loose else None) or found


def _named_envelope(desk: Desk, letter: Letter) -> Envelope | None:
    """Return what the orders in a mail say of themselves, whosever they are; they are not believed yet."""

    def is_a_form(line: str) -> bool:
        said = read_marker(line)
        saved = desk.game(said.game) if said else None
        seats = {str(seat): seat for seat in saved.start.seats} if saved else {}
        return bool(said and saved and said.seat in seats and is_form_of(saved, seats[said.seat])(line))

    found = find_orders(letter, is_a_form)
    envelope = open_envelope(found.text, found.document) if isinstance(found, FoundOrders) else None
    return envelope if isinstance(envelope, Envelope) else None


def _prove_owner(
    desk: Desk, saved: SavedGame, claims: Claims, raw: bytes, letter: Letter | RefusedMail
) -> tuple[MailOwner, SignedContent | None]:
    who = prove_mail_owner(saved, claims, desk.db)
    if who.unproven != "signature" or isinstance(letter, RefusedMail):
        return who, None
    signed = signed_part(raw, plain_text(letter), keyring(desk.home.store.beside, saved.name, who.seat))
    return prove_mail_owner(saved, claims, desk.db, signed=signed is not None), signed


def _signed_letter(letter: Letter, signed: SignedContent | None) -> Letter:
    """Return the mail; or what is signed of it, where that alone counts: no subject, and no other part."""
    if signed is None:
        return letter
    for data in (signed.data if signed.is_part else _PLAIN + signed.data, _PLAIN):
        if isinstance(part := read_letter(data), Letter):
            return part
    raise AssertionError("an empty mail can be read")
