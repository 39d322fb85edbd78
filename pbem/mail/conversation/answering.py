"""The answer to a mail with acts, to the moderator's own address; it shows no secret."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from email.utils import format_datetime
from textwrap import wrap

from pbem.mail.arrivals.desk import Desk
from pbem.mail.arrivals.identify import Looked
from pbem.mail.conversation.modsecret import reply_address, secret_of
from pbem.mail.outgoing.reportmails import as_row
from pbem.store.journals.records import MODERATOR, Intake
from pbem.text.mail.message.auto import own_headers
from pbem.text.mail.message.compose import Outgoing
from pbem.text.mail.message.letter import Letter
from pbem.text.names.mailaddress import mask
from pbem.text.reports.layout import WIDTH, within, wrapped
from pbem.text.yaml.carets import visible


@dataclass(frozen=True, slots=True)
class Section:
    """An act as it was written, and what it came to."""

    line: str
    said: str

    def text(self) -> str:
        """Return it as it stands in a mail: nobody takes it for an act when it is quoted."""
        given = f"> {within(visible(self.line.strip()), 160)}"
        return "\n".join([given, *(one for line in self.said.splitlines() for one in _laid_out(line))])


def _laid_out(line: str) -> list[str]:
    """Return a line in the width of a mail; what does not fit stands below, further in."""
    start = " " * (4 + len(line) - len(line.lstrip()))
    return wrap(
        line.strip(),
        WIDTH + 6,
        initial_indent=start,
        subsequent_indent=f"{start}  ",
        break_on_hyphens=False,
        break_long_words=False,
    ) or [""]


def answer(
    desk: Desk,
    intake: Intake,
    looked: Looked,
    subject: str,
    text: str,
    sections: Iterable[Section] = (),
    *,
    about: int = 0,
) -> None:
    """Queue the answer, in the transaction in which the mail ends.

    What is written back to it answers the mail of that number (`about`), or else this one.
    """
    settings, secret = desk.settings, secret_of(desk.db)
    assert secret is not None, "the mail was proven by it"
    letter = looked.letter if isinstance(looked.letter, Letter) else None
    answered = letter.message_id if letter and letter.message_id else ""
    parts = [wrapped(mask(text))] if text else []
    parts += [mask(one.text()) for one in sections]
    mail = Outgoing(
        kind="receipt",
        notice="acts-answer",
        envelope_from="",
        to=settings.moderator,
        from_=settings.address,
        from_name=settings.name,
        reply_to=reply_address(settings, secret, about or intake.id),
        subject=f"[pbem] {mask(subject)}",
        message_id=f"<acts.in{intake.id}@{settings.domain}>",
        date=format_datetime(desk.now),
        text="\n\n".join(parts) + "\n",
        in_reply_to=answered,
        references=(answered,) if answered else (),
        headers=own_headers(settings.address, is_answer=True),
    )
    if desk.db.put(as_row(mail, "receipt", "", 0, MODERATOR), desk.now):
        desk.answered("", looked.seat)
