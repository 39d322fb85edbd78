"""What becomes of a mail: one table of rules, the first that fits decides. Nothing is done here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from pbem.mail.account.addresses import Recipient

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
class Mail:
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
    fits: Callable[[Mail], bool]
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


def screen(mail: Mail) -> Rule:
    """Return the first rule that fits a mail; the last one fits every mail."""
    return next(rule for rule in RULES if rule.fits(mail))


def may_warn(mail: Mail) -> bool:
    """Tell whether the player may be told of a mail that is not proven: somebody knew a secret of theirs.

    A mail that shows no secret is not answered if its envelope is from elsewhere: anybody can write any
    address into a From header. What is answered goes to the registered address, once a day.
    """
    return mail.unproven not in ("token", "both") or mail.is_known
