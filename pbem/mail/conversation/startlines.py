"""A start form of its fields alone, a line each, as they may be written where somebody joins a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.core.labels import START
from pbem.play.homes.saved import SavedGame
from pbem.text.mail.message.letter import Letter
from pbem.text.mail.message.rows import Spot
from pbem.text.mail.orders.findorders import FoundOrders
from pbem.text.mail.sayings.plainwords import asks, is_closing, words_of
from pbem.text.mending.shape.broken import quoted
from pbem.text.yaml.strictyaml import Document, YamlProblem, dump, parse

_NOTE: Final = "`luck:` was read as your start form."

_COMMENT: Final = re.compile(r"(?:^|\s)#(?:\s.*)?$")
_HASH: Final = re.compile(r"(?:^|\s)#")

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
    own = {"luck", *(one.name.lower() for one in saved.system.questions)}
    written = words_of(lines)
    block = _fields(written, (*own, *_ASIDE))
    fields = [
        f"{name}: {_whole(name, _COMMENT.sub('', value).strip())}" for name, value in block if name in own
    ]
    others = [(name, value.strip()) for name, value in block if name not in own]
    if any(name == "seat" and value != seat for name, value in others):
        return None
    below = written[len(block) :]
    is_more = any(line.strip() for line in below[:1]) or any(":" in line for line in below)
    if not fields or is_more or asks(written) or not is_closing(below):
        return None
    head = dump({"game": saved.name, "seat": str(seat)})
    text = f"{head}orders:\n- at: {START}\n  do: {{{', '.join(fields)}}}\n"
    try:
        document = parse(text)
    except YamlProblem:
        return None
    nowhere = ((Spot(0, 0, 0),),) * text.count("\n")
    notes = (_NOTE, *_passed_over(name for name, _ in others))
    return FoundOrders(text.encode(), nowhere, "body", notes, document=document) if fits(document) else None


def _whole(name: str, said: str) -> str:
    """Return what a field says, luck words in quotes if YAML would take their end for a comment: `#1 fan`."""
    cut = name == "luck" and _HASH.search(said) and not said.startswith(("'", '"'))
    return quoted(said) if cut else said


def _fields(lines: Sequence[str], names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the fields of some names that stand above all else, a line each: its name, and what follows."""
    begins = re.compile(rf"\s*({'|'.join(map(re.escape, names))})\s*:(?=\s)", re.IGNORECASE)
    found = takewhile(lambda pair: pair[1], ((line, begins.match(line)) for line in lines))
    return [(match[1].lower(), line[match.end() :]) for line, match in found if match]


def _passed_over(names: Iterable[str]) -> Iterator[str]:
    """Yield a note of the fields that only somebody without a seat writes."""
    if told := [f"`{one}:`" for one in dict.fromkeys(names) if one != "seat"]:
        it = "it" if len(told) == 1 else "them"
        yield f"{' and '.join(told)} changed nothing: ask the moderator to change {it}."
