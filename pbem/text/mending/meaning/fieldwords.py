"""Other words for the fields of orders: `messages`, `text`, `if`, and capitals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pbem.text.mail.orders.keys import OF_ORDERS, OF_PRESS, TOP
from pbem.text.mending.meaning.known import Known
from pbem.text.mending.meaning.names import folded
from pbem.text.mending.shape.drafts import Edit, Sheet
from pbem.text.mending.shape.shapes import Shape
from pbem.text.schemas.codec import fields_of
from pbem.text.yaml.strictyaml import Path

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
