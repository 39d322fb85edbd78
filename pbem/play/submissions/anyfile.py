"""Orders files as anybody may hand them in: a file, a saved mail, a pasted reply; or why none was found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Final, NamedTuple

from pbem.play.config.templates import render_mail_words
from pbem.play.homes.home import Home
from pbem.play.submissions.meaning import Learner
from pbem.text.envelope import read_marker
from pbem.text.mail.findorders import FoundOrders, NoOrders, find_orders
from pbem.text.mail.letter import Letter, read_letter
from pbem.text.mending.mending import find_names, mend_orders
from pbem.text.orders import Envelope, Fault, Faults, open_envelope, read_lines
from pbem.text.plaintext import MAX_BYTES, TextProblem, clean_text
from pbem.text.strictyaml import Document


class NoOrdersReason(NamedTuple):
    """Why no orders were found.

    Attributes:
        why: Why, for the player.
        way: What would do, for a player who is not shown that anyway.
        told: Why, for the moderator: without a word of what the player wrote.
    """

    why: str
    way: str
    told: str

    @property
    def text(self) -> str:
        """Why, and what would do."""
        return f"{self.why} {self.way}".rstrip()


def explain_no_orders(home: Home, found: NoOrders) -> NoOrdersReason:
    """Return the three lines that the template of a reason makes."""
    return NoOrdersReason(
        *render_mail_words(home.templates, f"noorders/{found.reason}", found.said).splitlines()
    )


_MAIL: Final = re.compile(
    rb"\A(?:From |(?:[A-Za-z][A-Za-z0-9-]*:[^\n]*\r?\n(?:[ \t][^\n]*\r?\n)*){0,60}?"
    rb"(?:From|Received|Message-ID|MIME-Version):)",
    re.IGNORECASE,
)
_PLAIN: Final = b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
_FIELD: Final = re.compile(r"[ \t]*[A-Za-z_]+[ \t]*:(?:[ \t]|$)")
"""A line that looks like a field of orders."""

_QUOTE: Final = re.compile(r"^[ ]?(?:>[ ]?)+", re.MULTILINE)


@dataclass(frozen=True)
class SubmittedFile:
    """Orders in a file that was handed in.

    Attributes:
        data: The orders file that was found in it.
        origin: Where it was found, in words: "the quoted part, lines 12 to 20"; "" if it is the whole file.
        notes: What was mended or passed over to find it, one sentence each.
        found: Where each of its lines came from; None if it is the whole file.
        theirs: The lines of the file, as they stand there.
        is_bare: They were read without the marks (">") of a quote.
    """

    data: bytes
    origin: str = ""
    notes: tuple[str, ...] = ()
    found: FoundOrders | None = field(default=None, repr=False)
    theirs: tuple[str, ...] = field(default=(), repr=False)
    is_bare: bool = False

    def place(self, line: int, column: int = 1) -> tuple[int, int]:
        """Return the line and column in the file of a place in the orders; line 0 if it is not in it."""
        if self.found is None:
            return line, column
        number, there = self.found.place(line, column)
        marks = _QUOTE.match(self.shown(number)) if self.is_bare else None
        return number, there + (marks.end() if marks else 0)

    def shown(self, line: int) -> str:
        """Return a line of the file as it stands there; "" if it has none of this number."""
        return self.theirs[line - 1] if 0 < line <= len(self.theirs) else ""


def handed_in(home: Home, data: bytes) -> SubmittedFile | Faults:
    """Find the orders in a file: the whole of it if it is an orders file, else those that a mail would have.

    Returns:
        The orders, which may have mistakes; or why there are none in a saved mail.
    """
    if not _MAIL.match(data):
        theirs = _lines(data)
        if theirs is None or _is_orders_file(home, data):
            return SubmittedFile(data, theirs=theirs or ())
        return _find_in_text(home, data, theirs)
    letter = read_letter(data)
    if not isinstance(letter, Letter):
        return Faults([Fault(1, 1, "this mail cannot be read", letter.text, kind="mail-unreadable")])
    found = _find_in_mail(home, letter)
    if isinstance(found, NoOrders):
        why = explain_no_orders(home, found).text
        return Faults([Fault(1, 1, "no orders were found in this mail", why, kind="mail-without-orders")])
    return _submitted_file(found, found.theirs, "this mail")


def _lines(data: bytes) -> tuple[str, ...] | None:
    try:
        return tuple(clean_text(data, MAX_BYTES).split("\n"))
    except TextProblem:
        return None


def _is_orders_file(home: Home, data: bytes) -> bool:
    """Tell whether a file is an orders file by itself, strictly or with its slips mended."""
    if isinstance(open_envelope(data), Envelope):
        return True
    learn = Learner(home, {})
    draft = mend_orders(data, learn)
    if draft is None:
        return False
    envelope = open_envelope(draft.text.encode())
    if not isinstance(envelope, Envelope):
        return False
    saved = learn.game(envelope.game)
    return saved is None or not isinstance(read_lines(envelope, saved.grammar), list)


def _find_in_text(home: Home, data: bytes, theirs: tuple[str, ...]) -> SubmittedFile:
    """Find orders in a text that is more than an orders file: a pasted reply, a quoted form, a note."""
    text = "\n".join(theirs)
    quoted = [number for number, line in enumerate(theirs, 1) if line.lstrip().startswith(">")]
    found = _find_in_mail(home, _letter(text))
    if isinstance(found, NoOrders) and quoted and found.reason in ("only-quoted", "old-form", "no-orders"):
        bare = _QUOTE.sub("", text)
        again = _find_in_mail(home, _letter(bare))
        if isinstance(again, FoundOrders) and _can_be_opened(home, again.text):
            return replace(_submitted_file(again, theirs, "the quoted part"), is_bare=True)
    if isinstance(found, FoundOrders) and _can_be_opened(home, found.text):
        what = "the quoted part" if found.origin == "quoted form" else "the text"
        handed = _submitted_file(found, theirs, what)
        return replace(handed, notes=(*handed.notes, *_passed_over(found, theirs)))
    return SubmittedFile(data, theirs=theirs)


def _passed_over(found: FoundOrders, theirs: tuple[str, ...]) -> Iterator[str]:
    """Yield what was not read, of lines that look like fields and stand right above or below the orders.

    In a file such a line is a field that was misspelt, or put in the wrong place, rather than a letter.
    """
    read = sorted({spot.line for spots in found.lines for spot in spots if spot.line})
    if not read:
        return
    above, below = range(read[0] - 1, 0, -1), range(read[-1] + 1, len(theirs) + 1)
    for numbers in (above, below):
        for number in takewhile(lambda one: theirs[one - 1].strip(), numbers):
            if _FIELD.match(line := theirs[number - 1]):
                yield f"`{line.strip()}` in line {number} was not read: orders have no such field there."


def _can_be_opened(home: Home, data: bytes) -> bool:
    """Tell whether the outer shape of orders is right, as they stand or with their slips mended."""
    if isinstance(open_envelope(data), Envelope):
        return True
    draft = mend_orders(data, Learner(home, {}))
    return draft is not None and isinstance(open_envelope(draft.text.encode()), Envelope)


def _letter(text: str) -> Letter:
    letter = read_letter(_PLAIN + text.encode())
    assert isinstance(letter, Letter), "a plain text is a mail without a head"
    return letter


def _submitted_file(found: FoundOrders, theirs: tuple[str, ...], what: str) -> SubmittedFile:
    numbers = sorted({spot.line for spots in found.lines for spot in spots if spot.line})
    where = f", lines {numbers[0]} to {numbers[-1]}" if numbers else ""
    if found.origin.startswith("attachment"):
        what = f"the {found.origin}"
    elif what == "this mail":
        what = {"quoted form": "the quoted part of the mail", "html": "the page of the mail"}.get(
            found.origin, "the text of the mail"
        )
    return SubmittedFile(found.text, f"{what}{where}", found.notes, found, theirs)


def _find_in_mail(home: Home, letter: Letter) -> FoundOrders | NoOrders:
    """Return the orders in a mail, whosever they are: who hands them in vouches for them."""
    learn = Learner(home, {})

    def is_a_form(line: str) -> bool:
        said = read_marker(line)
        return said is not None and home.has(said.game)

    def fits(document: Document) -> bool:
        value = document.value
        if not isinstance(value, dict):
            return False
        read = open_envelope(b"", document)
        saved = learn.game(str(value.get("game", "")))
        if isinstance(read, list) or saved is None:
            return False
        return not isinstance(read_lines(read, saved.grammar), list)

    return find_orders(letter, is_a_form, known=_order_words(learn, letter), fits=fits)


def _order_words(learn: Learner, letter: Letter) -> frozenset[str]:
    """Return the words that can stand right under `do` in the game that a mail names first."""
    for part in letter.parts:
        name = find_names(part.data[:MAX_BYTES].decode("utf-8", "replace")).get("game", "")
        if saved := learn.game(str(name)):
            return saved.system.order_words
    return frozenset()
