"""A start form of its fields alone, a line each, as they may be written where somebody joins a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.core.labels import START
from pbem.play.saved import SavedGame
from pbem.text.mail.findorders import FoundOrders
from pbem.text.mail.letter import Letter
from pbem.text.mail.plainwords import asks, is_closing, words_of
from pbem.text.mail.rows import Spot
from pbem.text.strictyaml import Document, YamlProblem, dump, parse

_NOTE: Final = "`luck:` was read as your start form."

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
    names = ("luck", *(one.name for one in saved.system.questions))
    field, aside = _field(names), _field([one for one in _ASIDE if one not in names])
    written = words_of(lines)
    block = list(takewhile(lambda line: field.match(line) or aside.match(line), written))
    fields, others = [one for one in block if field.match(one)], [one for one in block if aside.match(one)]
    if any(_is_of_another(line, seat) for line in others):
        return None
    below = written[len(block) :]
    is_more = any(line.strip() for line in below[:1]) or any(":" in line for line in below)
    if not fields or is_more or asks(written) or not is_closing(below):
        return None
    order = ", ".join(field.sub(lambda key: f"{key[1].lower()}:", line, count=1) for line in fields)
    head = dump({"game": saved.name, "seat": str(seat)})
    text = f"{head}orders:\n- at: {START}\n  do: {{{order}}}\n"
    try:
        document = parse(text)
    except YamlProblem:
        return None
    nowhere = ((Spot(0, 0, 0),),) * text.count("\n")
    notes = (_NOTE, *_passed_over(match[1].lower() for line in others if (match := aside.match(line))))
    return FoundOrders(text.encode(), nowhere, "body", notes, document=document) if fits(document) else None


def _field(names: Sequence[str]) -> re.Pattern[str]:
    """Return what the line of a field begins with, of some fields."""
    return re.compile(rf"\s*({'|'.join(map(re.escape, names))})\s*:(?=\s)", re.IGNORECASE)


def _is_of_another(line: str, seat: Seat) -> bool:
    """Tell whether a line names a seat, and that is not this one."""
    name, _, value = line.partition(":")
    return name.strip().lower() == "seat" and value.strip() != seat


def _passed_over(names: Iterable[str]) -> Iterator[str]:
    """Yield a note of the fields that only somebody without a seat writes."""
    if told := [f"`{one}:`" for one in dict.fromkeys(names) if one != "seat"]:
        it = "it" if len(told) == 1 else "them"
        yield f"{' and '.join(told)} changed nothing: ask the moderator to change {it}."
