"""A start form as it may be written where somebody joins a game: a line for each field, or in a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.core.labels import START
from pbem.core.wording import listed
from pbem.play.homes.saved import SavedGame
from pbem.text.mail.findorders import FoundOrders
from pbem.text.mail.letter import Letter
from pbem.text.mail.rows import Spot
from pbem.text.mail.sayings.plainwords import asks, is_closing, luck_words, words_of
from pbem.text.mending.broken import quoted
from pbem.text.yaml.strictyaml import Document, YamlProblem, dump, dump_flow, parse

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
    block = _fields_of_lines(written, (*own, *_ASIDE))
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


def _fields_of_lines(lines: Sequence[str], names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the fields of some names that stand above all else, a line each: its name, and what follows."""
    begins = re.compile(rf"\s*({'|'.join(map(re.escape, names))})\s*:(?=\s)", re.IGNORECASE)
    found = takewhile(lambda pair: pair[1], ((line, begins.match(line)) for line in lines))
    return [(match[1].lower(), line[match.end() :]) for line, match in found if match]


def _passed_over(names: Iterable[str]) -> Iterator[str]:
    """Yield a note of the fields that only somebody without a seat writes."""
    if told := [f"`{one}:`" for one in dict.fromkeys(names) if one != "seat"]:
        it = "it" if len(told) == 1 else "them"
        yield f"{' and '.join(told)} changed nothing: ask the moderator to change {it}."


def said_to_start(ask: Ask, example: Json, lines: Sequence[str]) -> Iterator[str]:
    """Yield a start form of luck words that stand in sentences, with the number if one does."""
    luck = luck_words(lines)
    if ask.label != START or not luck or not isinstance(example, dict) or asks(lines):
        return
    said: dict[str, Json] = {"luck": luck}
    fields = [name for name, value in example.items() if type(value) is int]
    field = rf"\b(?:{'|'.join(map(re.escape, fields))})\W+(?:(?:is|of|be|at)\W+)?"
    named = rf"(?:{field}([0-9]{{1,6}})|\b([0-9]{{1,6}}) points?)\b"
    numbers = {one or other for one, other in re.findall(named, " ".join(lines), re.IGNORECASE)}
    if len(numbers) == len(fields) == 1:
        said[fields[0]] = int(numbers.pop())
    yield dump_flow(said)


def unsaid_at_start(saved: SavedGame, ask: Ask, lines: Sequence[str], offer: str) -> str:
    """Say which numbers of a player's words are not in a start form that is offered, and where one may go."""
    numbers = [*dict.fromkeys(re.findall(r"\b[0-9]{1,6}\b", " ".join(lines)))]
    left = [one for one in numbers if not re.search(rf"\b{one}\b", offer)]
    if ask.label != START or not left:
        return ""
    whole = (one.name for one in saved.system.questions if type(one.example) is int)
    fields = [name for name in whole if f"{name}: " not in offer]
    told = f"Of your words, {listed(left)} {'is' if len(left) == 1 else 'are'} not in it."
    if len(left) != 1 or len(fields) != 1:
        return told
    return f"{told} If that is your {fields[0]}, write `, {fields[0]}: {left[0]}` before the closing brace."
