"""Orders that could not be taken: why not, and the shortest mail that would be, as it seems to be meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json, Menu
from pbem.core.labels import OPEN, START
from pbem.core.opening import DEALT
from pbem.core.wording import like
from pbem.host.notices.publicacts import WORDS, open_votes
from pbem.host.run.notes import read_notes
from pbem.mail.arrivals.cases import Case
from pbem.mail.arrivals.desk import Desk
from pbem.mail.arrivals.identify import is_an_attempt, orders_in
from pbem.mail.conversation.commands import COMMANDS
from pbem.mail.conversation.replies import told
from pbem.mail.conversation.signup import said_to_start, unsaid_at_start
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.lodging import checked
from pbem.play.submissions.meaning import Learner
from pbem.text.canonical import canonical
from pbem.text.codec import fields_of, items_of
from pbem.text.mail.blocks import copied_lines, suggested_lines
from pbem.text.mail.findorders import FoundOrders, NoOrders
from pbem.text.mail.headers import MAX_LINE
from pbem.text.mail.keys import BULLET, BULLETS, OF_ORDERS, TOP
from pbem.text.mail.letter import Letter
from pbem.text.mail.noorders import near_head
from pbem.text.mail.quotes import own_lines
from pbem.text.mail.sayings.places import Vocabulary, spots_of
from pbem.text.mail.sayings.plainwords import agrees, is_thanks, words_of
from pbem.text.mail.sayings.saidorders import MOST_SIGNS, orders_said
from pbem.text.mail.sayings.sentences import is_doubted, said_in_sentences, ways_to_write
from pbem.text.mending.names import Known
from pbem.text.orders import Fault, Faults
from pbem.text.plaintext import visible, with_caret
from pbem.text.reports.layout import named, within
from pbem.text.strictyaml import dump, dump_flow


def orders_in_words(
    saved: SavedGame, seat: Seat, ask: Ask, known: Known, lines: Sequence[str]
) -> Iterator[Json]:
    """Yield the order that a seat's player seems to say in words, with names as in reports; or none.

    Args:
        saved: The game.
        seat: The seat, which is asked now.
        ask: What it is asked.
        known: What its owner may know.
        lines: What its player wrote.
    """
    if ask.label in (START, OPEN) or not any(line.strip() for line in lines):
        return
    player = saved.players.holder(seat)
    said = orders_said(lines, _vocabulary(saved, seat, known), ask.label, player)
    shaped = [next((one for one in shapes if saved.system.takes(one)), None) for shapes in said]
    found = {dump_flow(one): one for one in shaped if one is not None}
    legal = [one for one in found.values() if not known.problems({"at": ask.label, "do": one})]
    if len(only := legal or [*found.values()]) == 1:
        yield named(only[0], saved.opening.wording.names)


def menus_of(saved: SavedGame, seat: Seat) -> Sequence[Menu]:
    """Return what a seat may order now, place by place."""
    return saved.opening.choices(saved.view(saved.position.game, seat)).menus


def says_more(saved: SavedGame, seat: Seat, known: Known, lines: Sequence[str], order: Json) -> bool:
    """Tell whether words name more than an order has: another field, thing, number or player."""
    text = "\n".join(lines)
    if len(text) > MOST_SIGNS:
        return True
    others = (name for one, names in known.seats.ids.items() if one != seat for name in (one, *names))
    if any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text, re.IGNORECASE) for name in others):
        return True
    return _vocabulary(saved, seat, known).leaves_out(text, fields_of(order))


def _vocabulary(saved: SavedGame, seat: Seat, known: Known) -> Vocabulary:
    """Return the words of a game's orders: fields, and what things are called, by id."""
    spots = spots_of(menus_of(saved, seat), saved.system.move_schema.schema)
    called = saved.opening.wording.names
    listed = [str(one) for spot in spots for one in items_of(spot.schema.get("enum"))]
    ids = {**dict.fromkeys([*listed, *called], ()), **known.things.ids}
    return Vocabulary(spots, {one: (*names, called.get(one, one)) for one, names in ids.items()})


_How = Literal["barred", "meant", "mended", "agreed", "example"]
_OWN: Final = ("meant", "worded")
"""What is tried of a player's own words; of what is said in words alone all is offered, or nothing."""

_MOST_LINES: Final = 40
_MOST_FAULTS: Final = 3
_WORD: Final = re.compile(r"[^\s,{}\[\]]*[^\s,{}\[\]:]")
_OPENED: Final = re.compile(r'; its "." is at ([0-9]+):([0-9]+)')
_NEAR: Final = 10
"""So many characters on each side tell a place in a line from others."""
_SHOWN: Final = 40
_LONGEST: Final = 400
_MOST_WORDS: Final = 25
_HEADED: Final = re.compile(r"orders\s*:", re.IGNORECASE)
_WHOLE: Final = re.compile(rf"\b(?:{'|'.join(one for one in OF_ORDERS if one != 'do')})\s*:", re.IGNORECASE)
"""Lines that say more than what is to be done."""
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
            mistakes in them, or said yes to them as an earlier suggestion; or they are an example, no advice.
        wrong: The mistakes that were made in them, or in what an example stands for: each a sentence, the
            line, and what points into it.
        done: What of their words the lines leave out, and where an example stands, a sentence each.
        is_mixed: What nobody can mend is an example.
        is_worded: The mistakes are in what words name, and an example stands for it.
        ways: How that is written which its player seems to have meant, where the lines are an example.
        unsaid: What its player's words name and the lines do not, as a sentence; "" without any.
    """

    lines: str
    how: _How
    wrong: tuple[Json, ...] = ()
    done: tuple[str, ...] = ()
    is_mixed: bool = False
    is_worded: bool = False
    ways: tuple[str, ...] = ()
    unsaid: str = ""

    @property
    def is_meant(self) -> bool:
        """Tell whether its player seems to have meant them."""
        return self.how != "example"


def offer_for(
    desk: Desk,
    saved: SavedGame,
    seat: Seat,
    lines: Sequence[str],
    letter: Letter | None,
    quoted: Sequence[str] = (),
) -> Offer | None:
    """Return orders that a seat which is asked now could send, made of what its player wrote if that goes.

    Args:
        desk: The desk.
        saved: The game.
        seat: The seat.
        lines: What its player wrote in a mail in which no orders were found.
        letter: That mail, with what it quotes.
        quoted: Lines of orders that stand in what it quotes only.
    """
    ask = saved.ask
    if saved.cancelled is not None or not isinstance(ask, Ask) or seat not in ask.seats | ask.optional:
        return None
    if max(map(len, lines), default=0) > MAX_LINE:
        lines = ()  # what no pattern may read says no orders
    names: dict[str, Json] = {"game": saved.name, "seat": str(seat)}
    if key := saved.players.key(seat):
        names["key"] = key
    learn = Learner(desk.home, {saved.name: saved}, (saved.name, seat))
    example = learn.example(names)
    started = [_line(ask, one) for one in said_to_start(ask, example[1], lines)] if example else []

    def tries() -> Iterator[tuple[_How | Literal["worded"], str]]:
        in_words = orders_in_words(saved, seat, ask, learn(names), lines)
        yield from (("worded", _line(ask, dump_flow(order))) for order in in_words)
        yield from (("meant", text) for text in _written(saved, seat, ask, lines))
        if letter is not None:
            yield from (("barred", text) for text in _written(saved, seat, ask, copied_lines(letter)))
        yield from (
            ("meant", text) for text in (*_only_named(saved, seat, ask, learn(names), lines), *started)
        )
        yield from (("meant", text) for text in _in_sentences(saved, seat, ask, lines))
        if letter is not None and agrees(lines):
            yield from (("agreed", text) for text in _written(saved, seat, ask, suggested_lines(letter)))
        yield from (("meant", text) for text in _written(saved, seat, ask, quoted))

    def orders_in(file: str) -> str | Faults:
        judged = checked(desk.home, file.encode(), {saved.name: saved})
        if isinstance(judged, list):
            return judged if isinstance(judged, Faults) else Faults(judged)
        orders = judged.submission.orders
        return f"orders:\n{canonical(orders)}" if orders.lines else ""

    refused = list[tuple[str, str, Faults]]()
    for how, text in tries():
        tried = f"{dump(names)}{text}"
        found = orders_in(tried)
        if isinstance(found, Faults):
            refused.append((how, tried, found))
        elif found and (how != "worded" or found.strip() == text.strip()):
            unsaid = unsaid_at_start(saved, ask, lines, found) if how == "meant" else ""
            return Offer(found, "meant" if how == "worded" else how, unsaid=unsaid)
    for _, tried, faults in (one for one in refused if one[0] != "worded"):
        kept = orders_in("".join(f"{line}\n" for line in faults.whole)) if faults.whole else ""
        if isinstance(kept, str) and kept and (not faults.is_example or kept.count("\n- ") > 1):
            told = _placed(faults, tried, lines)
            return Offer(kept, "mended", told, faults.done, faults.is_mixed)
    if example is None:
        return None
    own, tried, faults = next((one for one in refused if one[0] in _OWN), ("", "", Faults([])))
    told, ways = _placed(faults, tried, lines), _ways(saved, seat, ask, lines)
    line = _line(ask, dump_flow(example[1]))
    return Offer(line, "example", told, is_worded=own == "worded", ways=ways)


def _placed(faults: Faults, tried: str, lines: Sequence[str]) -> tuple[Json, ...]:
    """Return mistakes of orders that were tried, each with the line of the mail that it is about."""
    written = tried.split("\n")

    def opened(at: re.Match[str]) -> str:
        found = _spot("".join(written[int(at[1]) - 1 : int(at[1])]), int(at[2]), lines)
        return f'{at[0].split(" at ")[0]} in "{within(found[0].strip(), _SHOWN)}"' if found else ""

    def one(fault: Fault) -> Json:
        found = _spot("".join(written[fault.line - 1 : fault.line]), fault.column, lines)
        shown, caret = with_caret(*found) if found else ("", "")
        return {"text": visible(_OPENED.sub(opened, fault.sentence)), "line": shown, "caret": caret}

    return tuple(map(one, faults[:_MOST_FAULTS]))


def _spot(written: str, column: int, lines: Sequence[str]) -> tuple[str, int] | None:
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


def _only_named(saved: SavedGame, seat: Seat, ask: Ask, known: Known, lines: Sequence[str]) -> Iterator[str]:
    """Yield the order that the words of a mail name, if they name one alone, without fields or questions."""
    is_said = not is_doubted("\n".join(lines)) and not any(map(_field(saved).match, lines))
    order = _named(saved, seat, " ".join(lines)) if is_said else None
    if order is not None and not says_more(saved, seat, known, lines, order):
        yield _line(ask, dump_flow(named(order, saved.opening.wording.names)))


def _in_sentences(saved: SavedGame, seat: Seat, ask: Ask, lines: Sequence[str]) -> Iterator[str]:
    """Yield the order that the sentences of a mail say."""
    if _has_sentences(saved, ask, lines):
        names, schema = saved.opening.wording.names, saved.system.move_schema.schema
        if (order := said_in_sentences(lines, menus_of(saved, seat), names, schema)) is not None:
            yield _line(ask, dump_flow(order))


def _ways(saved: SavedGame, seat: Seat, ask: Ask, lines: Sequence[str]) -> tuple[str, ...]:
    """Return how that is written which the sentences of a mail name."""
    if not _has_sentences(saved, ask, lines):
        return ()
    return ways_to_write(lines, menus_of(saved, seat), saved.system.move_schema.schema)


def _has_sentences(saved: SavedGame, ask: Ask, lines: Sequence[str]) -> bool:
    """Tell whether lines may say an order whose fields stand for themselves, and hold no such field."""
    return bool(saved.grammar.actions) and ask.label != START and not any(map(_field(saved).match, lines))


def _written(saved: SavedGame, seat: Seat, ask: Ask, lines: Sequence[str]) -> Iterator[str]:
    """Yield what the fields of orders in lines may be meant as, each to be tried out."""
    words = "|".join(sorted(map(re.escape, saved.system.order_words), key=len, reverse=True))
    own = re.compile(rf"^\s*(?:(?:game\s*:\s*{saved.name}|seat\s*:\s*{seat})(?:\s+|$))+", re.IGNORECASE)
    fields = [line for line in _fields(lines, _field(saved)) if not _KEY.match(line)]
    found = [text for line in fields if (text := own.sub("", line))]
    if found and not _WHOLE.search("\n".join(found)):
        bare = _AROUND.sub("", joined := " ".join(found))
        if re.search(rf"(?:{words})\s*:\s*\{{", joined, re.IGNORECASE):  # braces of their own
            bare = re.sub(r"^\{(.*)\}$", r"\1", _LEAD.sub("", joined).strip())
        inner = re.sub(rf"\s*[,;{BULLETS}-]?\s+(?=(?:{words})\s*:)", ", ", bare, flags=re.IGNORECASE)
        yield _line(ask, f"{{{inner.strip(' ,;')}}}")
    if found:
        yield "\n".join(found if _HEADED.match(found[0]) else ["orders:", *found])


def _line(ask: Ask, order: str) -> str:
    return f"orders:\n- at: {ask.label}\n  do: {order}\n"


def _field(saved: SavedGame) -> re.Pattern[str]:
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


def _named(saved: SavedGame, seat: Seat, said: str) -> Json:
    """Return the only order that few words of a player name, such as "N2, please"; None if there is none."""
    if len(said.split()) > _MOST_WORDS:
        return None
    view = saved.view(saved.position.game, seat)
    orders = [order for order in saved.opening.choices(view).whole() if _is_named(order, said)]
    return orders[0] if len(orders) == 1 else None


def _is_named(order: Json, said: str) -> bool:
    """Tell whether a text holds each word of an order: its values, and the names of what is only said."""
    fields = order.items() if isinstance(order, dict) else ()
    words = [name if value is True else value for name, value in fields]
    return bool(words) and all(isinstance(word, str) and _stands_in(word, said) for word in words)


def _stands_in(word: str, said: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", said, re.IGNORECASE))


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


def below_head(case: Case, offer: Offer | None) -> Offer | None:
    """Return what is offered to who wrote orders below a line that was nearly `orders:`.

    Args:
        case: The mail, in which no orders were found.
        offer: What is offered to any other mail with these words.

    Returns:
        Their lines if they would be accepted, mended if that goes; else the same offer, with the mistakes
        that they would have below `orders:`, each with its line in the mail.
    """
    saved, letter = case.saved, case.letter
    near = near_head(letter) if letter is not None and offer is not None and not saved.table.key else None
    if near is None or offer is None:
        return offer
    home, found = case.desk.home, orders_in(near.letter, own_lines(near.letter), saved, case.seat)
    if not isinstance(found, FoundOrders):
        return offer
    judged = checked(home, found.text, {saved.name: saved})
    if not isinstance(judged, list):
        lines = judged.submission.orders
        return Offer(f"orders:\n{canonical(lines)}", "meant") if lines.lines else offer
    faults, wrong = judged if isinstance(judged, Faults) else Faults(judged), tuple(told(found, judged))
    kept = checked(home, "".join(f"{line}\n" for line in faults.whole).encode(), {saved.name: saved})
    if not faults.whole or faults.is_example or isinstance(kept, list):
        return replace(offer, wrong=wrong)
    text = f"orders:\n{canonical(kept.submission.orders)}"
    return Offer(text, "mended", wrong, faults.done, faults.is_mixed)
