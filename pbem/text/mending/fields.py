"""Other words for the fields of orders, and the readers of a message as they can only be meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pbem.core.conditions import close_matches
from pbem.core.events import ALL, MODERATOR
from pbem.text.codec import fields_of
from pbem.text.envelope import OF_ORDERS, OF_PRESS, TOP
from pbem.text.mending.drafts import Edit, Sheet
from pbem.text.mending.names import Known, folded
from pbem.text.mending.values import pieces
from pbem.text.names import TO_ALL, TO_MODERATOR, meant
from pbem.text.orders import Shape
from pbem.text.strictyaml import Path, dump_flow

_OTHER_TOP: Final = {
    "press": "messages message mail msg mails letter letters note chat talk say nachricht nachrichten",
    "orders": "order moves move turns commands lines befehle zuege",
    "seat": "player side colour color me sitz spieler",
    "game": "spiel partie gamename gameid",
    "stop_if": "stop stopwhen stopon halt pauseif",
    "wait": "warten hold",
    "detail": "details length",
}
_OTHER_LINE: Final = {
    "when": "if condition conditions onlyif only whenever wenn falls",
    "at": "label ask turn on for round",
    "do": "order action move moves act tun",
    "keep": "standing always repeat forever stay permanent",
    "until": "upto uptoand through till bis",
    "if_silent": "silent default otherwise",
}
_OTHER_PRESS: Final = {
    "say": "text message body words msg says content write tell sagen nachricht",
    "to": "for recipient recipients player players seat seats an readers",
    "anonymous": "anon anonym secret",
}
_TEST_WORDS: Final = {
    "at_least": "min minimum least atleast from ge gte",
    "at_most": "max maximum most atmost upto le lte",
    "has": "contains includes include in holds",
    "not": "isnot except no",
}


def _inverted(words: Mapping[str, str]) -> dict[str, str]:
    return {other: name for name, others in words.items() for other in others.split()}


_TOP_WORDS, _LINE_WORDS, _PRESS_WORDS, _TESTS = map(
    _inverted, (_OTHER_TOP, _OTHER_LINE, _OTHER_PRESS, _TEST_WORDS)
)


def other_words(page: Sheet, known: Known) -> Iterator[Edit]:
    """Put right the names of fields that have one meaning only: `messages`, `text`, `if`."""
    yield from _braced(page, (), ("stop_if",))
    rules = known.grammar.move if known.grammar else None
    own = set(Shape(rules.schema, rules.schema).fields()) if rules else set()
    above = {
        word: name
        for word, name in _TOP_WORDS.items()
        if name != "orders" or word not in own or isinstance(page.value.get(word), list)
    }
    yield from _renamed(page, (), TOP, above)
    for place in entries(page, "orders"):
        words = {word: name for word, name in _LINE_WORDS.items() if word not in own}
        line = page.at(place)
        yield from _braced(page, place, ("do", "when"))
        if isinstance(line, dict) and "do" not in line:
            words = {
                **words,
                **{w: n for w, n in _LINE_WORDS.items() if n == "do" and isinstance(line.get(w), dict)},
            }
        yield from _renamed(page, place, OF_ORDERS, words)
    for place in entries(page, "press"):
        yield from _renamed(page, place, OF_PRESS, _PRESS_WORDS)
    for place in _conditions(page):
        condition = page.at(place)
        for name in condition if isinstance(condition, dict) else ():
            yield from _renamed(page, (*place, name), ("has", "at_least", "at_most", "not"), _TESTS)


def _braced(page: Sheet, place: Path, known: tuple[str, ...]) -> Iterator[Edit]:
    """Write the colon between a field and its braces: `do {draw: true}`."""
    fields = fields_of(page.at(place))
    for key in fields:
        word, _, rest = key.partition(" ")
        if word in known and word not in fields and rest.lstrip().startswith("{"):
            end = page.keys[(*place, key)].start + len(word)
            yield Edit(end, end, ":", f"The colon after `{word}` was added")


def _renamed(page: Sheet, place: Path, known: tuple[str, ...], words: Mapping[str, str]) -> Iterator[Edit]:
    fields = page.at(place)
    if not isinstance(fields, dict):
        return
    names = {folded(name): name for name in known}
    taken = set(fields)
    for key in fields:
        if key in known:
            continue
        name = names.get(folded(key)) or words.get(folded(key))
        if name and name not in taken:
            taken.add(name)
            yield page.rename((*place, key), name)


def entries(page: Sheet, name: str) -> Iterator[Path]:
    """Yield the places of the lines, or of the messages: also of a single one without its dash."""
    value = page.value.get(name)
    if isinstance(value, list):
        for number in range(len(value)):
            yield (name, number)
    elif isinstance(value, dict):
        yield (name,)


def _conditions(page: Sheet) -> Iterator[Path]:
    yield from ((*place, "when") for place in entries(page, "orders"))
    yield ("stop_if",)


_WORDS: Final = {
    **dict.fromkeys(map(folded, TO_ALL), ALL),
    **dict.fromkeys(map(folded, TO_MODERATOR), MODERATOR),
}
_LIKE: Final = 0.75
"""So much like a name a misspelt one is at least, from 0 to 1."""


def readers(page: Sheet, known: Known) -> Iterator[Edit]:
    """Write the readers of messages as seats: a player's name, "Player 3", a colour in capitals."""
    if known.grammar is None:
        return
    for place in entries(page, "press"):
        path = (*place, "to")
        to = page.at(path)
        named = (*known.seats.ids, ALL, MODERATOR)
        if isinstance(to, str) and to not in named and not _is_unclear(to, known):
            if one := reader(to, known):
                yield page.put(path, as_seat(one))
            elif (
                len(several := [reader(part, known) for part in pieces(to)]) > 1
                and all(several)
                and ALL not in several
            ):
                yield page.put(path, f"[{', '.join(map(as_seat, several))}]")
        for number, word in enumerate(to if isinstance(to, list) else ()):
            if isinstance(word, str) and word not in named and (found := reader(word, known)):
                yield page.put((*path, number), as_seat(found))


def reader(text: str, known: Known) -> str:
    """Return the seat, `all` or `moderator` that a word in `to` can only mean, or ""."""
    word, called = folded(text), known.seats.called(text)
    if _is_unclear(text, known):
        return ""
    if word in _WORDS:
        return "" if called else _WORDS[word]  # a player may be called so
    called = called or known.seats.in_part(text)
    return called[0] if len(called) == 1 else ""


def _is_unclear(text: str, known: Known) -> bool:
    """Tell whether a text in `to` can mean several: what a seat is called is another player's name."""
    return known.grammar is not None and bool(
        meant(text, known.grammar.seats, known.grammar.holders()).unclear
    )


def as_seat(seat: str) -> str:
    """Return a seat as it is written in orders: a number without quotes."""
    return seat if seat.isdigit() else dump_flow(seat)


def meant_readers(page: Sheet, path: Path, known: Known) -> str:
    """Return the readers of a message with the seats that misspelt ones are like; "" if one is like none.

    Args:
        page: The orders.
        path: The place of the readers: a word, or a list of words.
        known: What is known of the game.
    """
    to = page.at(path)
    words = [str(one) for one in (to if isinstance(to, list) else [to])]
    found = [one if one in (*known.seats.ids, ALL, MODERATOR) else like_seat(one, known) for one in words]
    if not all(found):
        return ""
    return f"[{', '.join(map(as_seat, found))}]" if isinstance(to, list) else as_seat(found[0])


def like_seat(word: str, known: Known) -> str:
    """Return the one other seat whose name, or whose player's, a word is like; numbers are like none."""
    if any(sign.isdigit() for sign in word):
        return ""
    named = {seat: {folded(one) for one in (seat, *names)} for seat, names in known.seats.ids.items()}
    others = {name for seat, names in named.items() if seat != known.seat for name in names}
    close = set(close_matches(folded(word), others, n=3, cutoff=_LIKE))
    seats = [seat for seat, names in named.items() if names & close]
    return seats[0] if len(seats) == 1 else ""
