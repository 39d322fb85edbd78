"""Orders that could not be taken: why not, and the shortest mail that would be, as it seems to be meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.core.wording import most_similar_name
from pbem.host.run.notes import VOTE_NAMES, open_votes, read_notes
from pbem.mail.arrivals.cases import Case
from pbem.mail.arrivals.identify import is_an_attempt, orders_in
from pbem.mail.conversation.commands import COMMANDS
from pbem.mail.conversation.replies import answered_offer, mistake_rows
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.anyfile import explain_no_orders
from pbem.play.submissions.lodging import check_submission
from pbem.play.submissions.meaning import Learner
from pbem.text.codec import canonical_yaml
from pbem.text.envelope import (
    BULLET,
    BULLETS,
    OF_ORDERS,
    TOP,
)
from pbem.text.mail.blocks import copied_lines
from pbem.text.mail.findorders import FoundOrders, NoOrders
from pbem.text.mail.headers import MAX_LINE
from pbem.text.mail.noorders import find_misspelt_head
from pbem.text.mail.plainwords import is_thanks, person_lines, yes_or_no
from pbem.text.mail.quotes import own_lines
from pbem.text.orders import Fault, Faults
from pbem.text.plaintext import caret_lines, printable_text
from pbem.text.reports.layout import truncate_line
from pbem.text.strictyaml import dump, dump_flow

_How = Literal["barred", "meant", "mended", "example"]
_MOST_LINES: Final = 40
_MOST_FAULTS: Final = 3
_WORD: Final = re.compile(r"[^\s,{}\[\]]*[^\s,{}\[\]:]")
_OPENED: Final = re.compile(r'; its "." is at ([0-9]+):([0-9]+)')
_NEAR: Final = 10
"""So many characters on each side tell a place in a line from others."""
_SHOWN: Final = 40
_LONGEST: Final = 400
_HEADED: Final = re.compile(r"orders\s*:", re.IGNORECASE)
_WHOLE: Final = re.compile(rf"\b(?:{'|'.join(one for one in OF_ORDERS if one != 'do')})\s*:", re.IGNORECASE)
"""Lines that say more than what is to be done."""
_BEYOND_DO: Final = re.compile(rf"\b(?:{'|'.join((*TOP, *OF_ORDERS))})\s*:", re.IGNORECASE)
"""Fields that do not stand below `do`."""
_KEY: Final = re.compile(r"\s*key\s*:\s*\S*\s*(?:#.*)?$", re.IGNORECASE)
_LEAD: Final = re.compile(r"^(?:(?:- )?(?:orders|do)\s*:\s*)+|^- ", re.IGNORECASE)
_AROUND: Final = re.compile(rf"{_LEAD.pattern}|[{{}}]", re.IGNORECASE)
"""What stands around the fields of an order."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Orders that a seat could send now.

    Attributes:
        lines: As they can be written in a mail.
        how: Where they come from: its player wrote them behind bars, or seems to have meant them, or made
            mistakes in them; or they are an example, no advice.
        wrong: The mistakes that were made in them, or in what an example stands for: each a sentence, the
            line, and what points into it.
    """

    lines: str
    how: _How
    wrong: tuple[Json, ...] = ()

    @property
    def is_deliberate(self) -> bool:
        """Tell whether its player seems to have meant them."""
        return self.how != "example"


def find_offer(case: Case) -> Offer | None:
    """Return orders that could be sent by the player of a mail in which none were found; None if none can be.

    They are made of what is in the mail, if that goes. Of two different sets none is preferred, and of bare
    thanks only lines are shown again that were copied.
    """
    saved, seat, ask = case.saved, case.seat, case.saved.ask
    is_asked = isinstance(ask, Ask) and seat in ask.seats | ask.optional
    if saved.cancelled is not None or not isinstance(ask, Ask) or not is_asked or case.has_two_sets:
        return None
    names: dict[str, Json] = {"game": saved.name, "seat": str(seat)}
    if key := saved.players.key(seat):
        names["key"] = key
    example = Learner(case.desk.home, {saved.name: saved}, (saved.name, seat)).example(names)
    offer = _make_offer(case, ask, names, "" if example is None else _line(ask, dump_flow(example[1])))
    is_thankful = not case.looked.words and is_only_thanks(case)
    return None if is_thankful and offer is not None and offer.how != "barred" else offer


def _make_offer(case: Case, ask: Ask, names: dict[str, Json], example: str) -> Offer | None:
    """Return what can be made of a mail, or the example; None if that is ""."""
    refused = list[tuple[_Trial, Faults]]()
    for one in _offer_trials(case, ask, names):
        found = _orders(case, one.text)
        if isinstance(found, Faults):
            refused.append((one, found))
        elif found:
            return Offer(found, one.how)
    for one, faults in refused:
        kept = _orders(case, "".join(f"{line}\n" for line in faults.whole)) if faults.offer else ""
        if isinstance(kept, str) and kept:
            return Offer(kept, "mended", one.places(faults))
    wrong = next((one.places(faults) for one, faults in refused if one.how == "meant"), ())
    return Offer(example, "example", wrong) if example else None


@dataclass(frozen=True, slots=True)
class _Trial:
    """An orders file that is made of a mail, to be tried out.

    Attributes:
        how: Where it comes from, if it is accepted.
        text: The file.
        places: Tells its mistakes with their lines of the mail.
    """

    how: _How
    text: str
    places: Callable[[Faults], tuple[Json, ...]]


def _offer_trials(case: Case, ask: Ask, names: dict[str, Json]) -> Iterator[_Trial]:
    """Yield what a mail may be meant as, the likeliest first."""
    saved, seat, letter, found = case.saved, case.seat, case.letter, case.looked.found
    lines = case.looked.lines if max(map(len, case.looked.lines), default=0) <= MAX_LINE else ()

    def tried(how: _How, texts: Iterable[str]) -> Iterator[_Trial]:
        for text in (f"{dump(names)}{text}" for text in texts):
            yield _Trial(how, text, partial(_locate_faults, tried=text, lines=lines))

    if letter is not None and not saved.table.key and (near := find_misspelt_head(letter)):
        below = orders_in(near.letter, own_lines(near.letter), saved, seat)
        if isinstance(below, FoundOrders):
            yield _Trial("meant", below.text.decode(), lambda faults: tuple(mistake_rows(below, faults)))
    yield from tried("meant", _possible_fields(saved, seat, ask, lines))
    if letter is not None:
        yield from tried("barred", _possible_fields(saved, seat, ask, copied_lines(letter)))
    if letter is not None and (file := answered_offer(case.desk.db, saved, seat, letter)):
        yield _Trial("meant", file, lambda _faults: ())
    yield from tried(
        "meant", _possible_fields(saved, seat, ask, found.quoted if isinstance(found, NoOrders) else ())
    )


def _orders(case: Case, file: str) -> str | Faults:
    """Return the lines of an orders file as they can be sent, "" without any; or its mistakes."""
    judged = check_submission(case.desk.home, file.encode(), {case.saved.name: case.saved})
    if isinstance(judged, list):
        return judged if isinstance(judged, Faults) else Faults(judged)
    orders = judged.submission.orders
    return f"orders:\n{canonical_yaml(orders)}" if orders.lines else ""


def _locate_faults(faults: Faults, tried: str, lines: Sequence[str]) -> tuple[Json, ...]:
    """Return mistakes of orders that were tried, each with the line of the mail that it is about."""
    written = tried.split("\n")

    def opened(at: re.Match[str]) -> str:
        found = _place_in_mail("".join(written[int(at[1]) - 1 : int(at[1])]), int(at[2]), lines)
        return f'{at[0].split(" at ")[0]} in "{truncate_line(found[0].strip(), _SHOWN)}"' if found else ""

    def one(fault: Fault) -> Json:
        found = _place_in_mail("".join(written[fault.line - 1 : fault.line]), fault.column, lines)
        shown, caret = caret_lines(*found) if found else ("", "")
        return {"text": printable_text(_OPENED.sub(opened, fault.sentence)), "line": shown, "caret": caret}

    return tuple(map(one, faults[:_MOST_FAULTS]))


def _place_in_mail(written: str, column: int, lines: Sequence[str]) -> tuple[str, int] | None:
    """Return the line of a mail, and the column in it, of a place in a row that was made of its lines."""
    before, after = written[: column - 1], written[column - 1 :]
    word = _WORD.match(after)
    about = rf"(?<!\w){re.escape(word[0])}(?!\w)" if word else ""
    above, below = before[-_NEAR:], after[:_NEAR]
    for text, shift in ((above + below, len(above)), (below, 0), (above, len(above))):
        if line := next((line for line in lines if text.strip() and text in line), ""):
            return line, line.index(text) + shift + 1
    found = next(filter(None, (re.search(about, line) for line in lines)), None) if about else None
    return (found.string, found.start() + 1) if found else None


def _possible_fields(saved: SavedGame, seat: Seat, ask: Ask, lines: Sequence[str]) -> Iterator[str]:
    """Yield what the fields of orders in lines may be meant as, each to be tried out."""
    words = "|".join(sorted(map(re.escape, saved.system.order_words), key=len, reverse=True))
    own = re.compile(rf"^\s*(?:(?:game\s*:\s*{saved.name}|seat\s*:\s*{seat})(?:\s+|$))+", re.IGNORECASE)
    fields = [line for line in _fields(lines, _order_field_pattern(saved)) if not _KEY.match(line)]
    found = [text for line in fields if (text := own.sub("", line))]
    if found and not _WHOLE.search("\n".join(found)):
        bare = _AROUND.sub("", joined := " ".join(found))
        if re.search(rf"(?:{words})\s*:\s*\{{", joined, re.IGNORECASE):  # braces of their own
            bare = re.sub(r"^\{(.*)\}$", r"\1", _LEAD.sub("", joined).strip())
        inner = re.sub(rf"\s*[,;{BULLETS}-]?\s+(?=(?:{words})\s*:)", ", ", bare, flags=re.IGNORECASE)
        yield _line(ask, f"{{{inner.strip(' ,;')}}}")
    if found and not _BEYOND_DO.search("\n".join(found)):
        yield _line(ask, "".join(f"\n    {line.strip().removeprefix('- ')}" for line in found))
    elif found:
        yield "\n".join(found if _HEADED.match(found[0]) else ["orders:", *found])


def _line(ask: Ask, order: str) -> str:
    return f"orders:\n- at: {ask.label}\n  do: {order}\n"


def _order_field_pattern(saved: SavedGame) -> re.Pattern[str]:
    """Return what finds lines that look like fields of orders."""
    words = "|".join(map(re.escape, [*TOP, *OF_ORDERS, *saved.system.order_words]))
    return re.compile(rf"\s*(?:{BULLET}\s+)?\{{?\s*(?:{words})\s*:", re.IGNORECASE)


def _fields(lines: Sequence[str], field: re.Pattern[str]) -> list[str]:
    """Return the lines that look like fields of orders, with what stands right below, and dashes for bullets.

    If they cannot be had all together, none are: for they are parted by prose, or too long.
    """
    out: list[str] = []
    ends = False
    for line, above in zip(lines, ("", *lines), strict=False):
        is_field = bool(field.match(line))
        ends = ends or bool(out and line.strip() and not above.strip() and not is_field)
        if is_field and (ends or len(line) > _LONGEST):
            return []
        if line.strip() and (is_field or (out and not ends)):
            out.append(re.sub(rf"^(\s*){BULLET}\s+", r"\1- ", line))
    return out if len(out) <= _MOST_LINES else []


_BARRED: Final = (
    "Your orders stand behind bars (`|`), and such lines never count, so none were taken. Take the bars "
    "away: send the lines below, without each `|` and what stands before it."
)
_YES: Final = (
    "Your yes accepts nothing: it counts as a reply to the newest mail that offers you orders, while the "
    "turn and your orders are as they were then."
)
_VOTE: Final = "A yes is not counted as a vote, for it may be meant for something else. {}"
_OPEN_VOTE: Final = "To vote for {}, reply with the line `vote {}`."
_ALIKE: Final = 0.75
_LIKE_ORDERS: Final = "You may have meant orders, but they are not written as orders are, so none were taken."


def why_no_orders(case: Case, offer: Offer | None) -> str:
    """Return why no orders were taken; whoever is shown what was meant needs no more advice."""
    found, how = case.looked.found, offer.how if offer else "example"
    if how == "barred":
        return _BARRED
    if how == "example" and yes_or_no(case.looked.words) == "yes":
        return _why_yes_fails(case)
    if not isinstance(found, NoOrders):
        found = NoOrders("no-orders")
    if how != "example":
        return explain_no_orders(case.desk.home, found).why if is_an_attempt(found) else _LIKE_ORDERS
    if near := most_similar_name(" ".join(case.looked.words).strip(), COMMANDS, _ALIKE):
        return f"No orders were found in your mail. Did you mean `{near}`? Then send that word alone."
    has_words = bool(case.looked.words) or is_only_thanks(case)
    told = NoOrders("no-orders") if found.reason == "blank-form" and has_words else found
    return explain_no_orders(case.desk.home, told).text


def _why_yes_fails(case: Case) -> str:
    """Return why a yes sends no orders; where votes are open, in front of it that it is no vote for them."""
    notes = read_notes(case.desk.db, case.saved.home, case.saved.name)
    open_now = open_votes(case.saved, notes, case.seat)
    told = " ".join(_OPEN_VOTE.format(VOTE_NAMES[kind], kind) for kind in open_now)
    return f"{_VOTE.format(told)} {_YES}" if told else _YES


def is_only_thanks(case: Case) -> bool:
    """Tell whether a mail says thanks and nothing else."""
    return is_thanks(person_lines(case.looked.lines))
