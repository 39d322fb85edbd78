"""A start form of its fields alone, a line each, as they may be written where somebody joins a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import takewhile

from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.core.labels import START
from pbem.play.saved import SavedGame
from pbem.text.mail.findorders import FoundOrders
from pbem.text.mail.letter import Letter
from pbem.text.mail.plainwords import asks, is_closing, words_of
from pbem.text.mail.rows import Spot
from pbem.text.strictyaml import Document, YamlProblem, dump, parse

_NOTE = "`luck:` was read as your start form."


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
        The form; None if the mail says anything else besides a greeting and a name below its fields.
    """
    ask = saved.ask
    if not isinstance(ask, Ask) or ask.label != START or seat not in ask.seats | ask.optional:
        return None
    if any(part.is_attached for part in letter.parts):
        return None
    names = "|".join(re.escape(one) for one in ("luck", *(one.name for one in saved.system.questions)))
    field = re.compile(rf"\s*({names})\s*:(?=\s)", re.IGNORECASE)
    written = words_of(lines)
    fields = list(takewhile(field.match, written))
    below = written[len(fields) :]
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
    return (
        FoundOrders(text.encode(), nowhere, "body", (_NOTE,), document=document) if fits(document) else None
    )
