"""Why no orders were taken from a mail, in words for its player."""

from __future__ import annotations

from typing import Final

from pbem.core.engine.opening import DEALT
from pbem.core.interface import Json
from pbem.core.wording import like
from pbem.host.people.ballots import WORDS, open_votes
from pbem.host.run.notes import read_notes
from pbem.mail.arrivals.cases import Case
from pbem.mail.arrivals.identify import is_an_attempt
from pbem.mail.conversation.commands import COMMANDS
from pbem.mail.offers.offering import Offer
from pbem.text.mail.orders.findorders import NoOrders
from pbem.text.mail.sayings.plainwords import agrees, is_thanks, words_of
from pbem.text.schemas.codec import fields_of

_BARRED: Final = (
    "Your orders stand behind bars (`|`), and such lines never count, so none were taken. Take the bars "
    "away: send the lines below, without each `|` and what stands before it."
)
_YES: Final = "A yes sends no orders: they count only where their own lines stand in your mail."
_VOTE: Final = "A yes is not counted as a vote, for it may be meant for something else. {}"
_OPEN_VOTE: Final = "To vote for {}, reply with the line `vote {}`."
_LATE_FORM: Final = "Your start form came after the deal, and none is wanted any more."
_ALIKE: Final = 0.75
_COPY: Final = f"{_YES} Copy the lines below, and send them without the bars."


def why_none(case: Case, offer: Offer | None) -> str:
    """Return why no orders were taken; whoever is shown what was meant needs no more advice."""
    found, how = case.looked.found, offer.how if offer else "example"
    if how == "barred":
        return _BARRED
    if how == "agreed" or (how == "example" and agrees(case.looked.words)):
        notes = read_notes(case.desk.db, case.saved.home, case.saved.name)
        open_now = open_votes(case.saved, notes, case.seat)
        told = " ".join(_OPEN_VOTE.format(WORDS[kind], kind) for kind in open_now)
        why = _COPY if how == "agreed" else _YES
        return f"{_VOTE.format(told)} {why}" if told else why
    if not isinstance(found, NoOrders):
        return "There are no orders in your mail."
    if how in ("meant", "mended") and not is_an_attempt(found):
        return "You may have meant orders, but they are not written as orders are, so none were taken."
    if how in ("meant", "mended"):
        return found.short or found.text
    if found.is_headless and offer and offer.wrong and all(map(_is_late_form, offer.wrong)):
        return _LATE_FORM
    if near := like(" ".join(case.looked.words).strip(), COMMANDS, _ALIKE):
        return f"No orders were found in your mail. Did you mean `{near}`? Then send that word alone."
    has_words = bool(case.looked.words) or is_only_thanks(case)
    return "No orders were found in your mail." if found.reason == "blank-form" and has_words else found.text


def _is_late_form(fault: Json) -> bool:
    return str(fields_of(fault).get("text", "")).startswith(DEALT)


def is_only_thanks(case: Case) -> bool:
    """Tell whether a mail says thanks and nothing else."""
    return is_thanks(words_of(case.looked.lines))
