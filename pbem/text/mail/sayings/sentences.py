"""Orders in sentences, as people write them, without what people write around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pbem.core.interface import Json, Menu
from pbem.text.codec import fields_of
from pbem.text.mail.sayings.plainwords import is_closing, signing_lines, words_of

_MOST_WORDS: Final = 200
_LONGEST_NAME: Final = 5
_LEAST_VERB: Final = 4
_STEM: Final = re.compile(r"_\d+$")
_NUMBER: Final = re.compile(r"(?<![\w-])\d{1,3}(?![\w:])")
_MARK: Final = re.compile("\ue001(\\d+)\ue001")
"""Stands for a name while sentences are taken apart: names may hold digits and full stops."""

_SENTENCE: Final = re.compile(r"[.;!]+(?=\s|$)|\n\s*\n")
_DOUBT: Final = re.compile(
    r"\b(?:actually|cancel\w*|could|(?:ca|do|wo)nt|except|forget|if|instead|maybe|might|never|no|not|nothing|or"
    r"|perhaps|rather|should|unless|until|when|withdraw\w*|without)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
"""Leaves open what is meant: nothing is made of a mail that says it beside an order, or behind one."""

_PAST: Final = re.compile(r"\b(?:had|has|last (?:round|turn)|was|were)\b", re.IGNORECASE)
"""Tells of what was, where it stands beside an order."""

_FILLING: Final = frozenset(
    [
        "a", "action", "also", "am", "an", "and", "ap", "at", "by", "d", "first", "for", "from", "going",
        "hello", "hi", "i", "in", "is", "it", "like", "ll", "m", "me", "my", "of", "on", "please", "point",
        "points", "second", "spend", "spending", "thank", "thanks", "the", "then", "third", "this", "to",
        "turn", "use", "using", "want", "will", "with", "would",
    ]
)  # fmt: skip
"""Words that stand around a name."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """What can be ordered at places of one kind, such as `bid_1` and `bid_2`.

    Attributes:
        places: The places, dotted, in their order.
        key: The field of a place that holds a name; "" where the name is all that stands there.
        number: The field of a place that holds a number; "" for none.
        things: The names that can stand there.
    """

    places: tuple[str, ...]
    key: str
    number: str
    things: tuple[str, ...]


def said_in_sentences(
    lines: Sequence[str], menus: Sequence[Menu], names: Mapping[str, str], schema: Mapping[str, Json]
) -> dict[str, Json] | None:
    """Return the order that sentences seem to say; None if they say none, or leave something open.

    A sentence says an order by the name of its field, as in "I bid" for `bid_1`, or follows such a one.

    Args:
        lines: What a player wrote.
        menus: What may stand in each place of the order.
        names: What is called otherwise than by its id, by id.
        schema: The schema of the order.
    """
    kinds = _kinds(menus, names, schema)
    text, known = _with_marks("\n".join(lines), kinds)
    order: dict[str, Json] = {}
    if _of_others("|".join(kinds)).search(text):
        return None
    for verb, part, is_said in _parts(text, "|".join(kinds)):
        if _DOUBT.search(part) or (is_said and _PAST.search(part)):
            return None
        for kind in kinds[verb]:
            if not _put(order, kind, part, known, is_said=is_said):
                return None
    return order or None


def is_doubted(text: str) -> bool:
    """Tell whether a text asks something, leaves open what is meant, or tells of what was."""
    return bool(_DOUBT.search(text) or _PAST.search(text))


def ways_to_write(lines: Sequence[str], menus: Sequence[Menu], schema: Mapping[str, Json]) -> tuple[str, ...]:
    """Return how that is written which sentences name with a thing or a number, from the words of its field.

    Args:
        lines: What a player wrote.
        menus: What may stand in each place of the order.
        schema: The schema of the order.
    """
    kinds = _kinds(menus, {}, schema)
    places = dict[str, None]()
    for verb, part, is_said in _parts("\n".join(lines), "|".join(kinds)):
        if is_said and _NUMBER.search(part):
            places |= dict.fromkeys(kind.places[0] for kind in kinds[verb] if kind.key)
    fields = fields_of(schema.get("properties"))
    told = {place: fields_of(fields.get(place)).get("description") for place in places}
    return tuple(f"{place}: {text}" for place, text in told.items() if text)


def _with_marks(text: str, kinds: Mapping[str, Sequence[_Kind]]) -> tuple[str, list[str]]:
    """Return a text with a mark in place of each name of a thing, and these names."""
    things = {one for some in kinds.values() for kind in some if kind.key for one in kind.things}
    known = sorted(things, key=lambda one: (len(one), one))
    for place in reversed(range(len(known))):  # the longest first
        text = _named(known[place]).sub(f"\ue001{place}\ue001", text)
    return text, known


def _kinds(
    menus: Sequence[Menu], names: Mapping[str, str], schema: Mapping[str, Json]
) -> dict[str, list[_Kind]]:
    """Return what can be ordered, by the words that say it."""
    found: dict[str, list[_Kind]] = {}
    for menu in menus:
        if "" in menu.paths or not menu.items:
            continue
        stem, first = _STEM.sub("", menu.paths[0].partition(".")[0]), menu.items[0].order
        key = next(iter(first)) if isinstance(first, dict) else ""
        said = [item.order[key] if isinstance(item.order, dict) else item.order for item in menu.items]
        things = tuple(names.get(one, one) for one in said if isinstance(one, str))
        kind = _Kind(menu.paths, key, _number_of(schema, menu.paths[0]) if key else "", things)
        for verb in {stem, key} if len(key) >= _LEAST_VERB else {stem}:
            found.setdefault(verb, []).append(kind)
    return found


def _number_of(schema: Mapping[str, Json], place: str) -> str:
    """Return the field of a place that must hold a number; "" if none must."""
    below = fields_of(fields_of(schema.get("properties")).get(place))
    required, fields = below.get("required"), fields_of(below.get("properties"))
    wanted = [str(one) for one in required] if isinstance(required, list) else []
    return next((one for one in wanted if fields_of(fields.get(one)).get("type") == "integer"), "")


def _of_others(verbs: str) -> re.Pattern[str]:
    """Return what finds an order that somebody else gives: "they bid", "Anna bids"; not "my bids"."""
    own = "and|both|my|new|our|the|these|three|two"
    theirs = rf"\b(?:he|she|they)\b[^,.;!]*?\b(?:{verbs})(?:s|ding|ing)?\b"
    return re.compile(rf"{theirs}|\b(?!(?:{own})\b)[^\W\d_]+\s+(?:{verbs})s\b", re.IGNORECASE)


def _parts(text: str, verbs: str) -> Iterator[tuple[str, str, bool]]:
    """Yield the parts of sentences that may say an order: the word for it, the part, and whether it has it.

    A sentence without such a word belongs to the last one that had it.
    """
    if not verbs or len(text.split()) > _MOST_WORDS:
        return
    word, last = re.compile(rf"\b({verbs})(?:s|ding|ing)?\b(?:[ _]?\d(?=\s*:))?", re.IGNORECASE), ""
    for sentence in _SENTENCE.split(text):
        found = list(word.finditer(sentence))
        if not found and last:
            yield last, sentence, False
        for place, one in enumerate(found):
            begin = one.end() if place else 0
            end = found[place + 1].start() if place + 1 < len(found) else len(sentence)
            part = sentence[begin:end]
            yield (last := one[1].casefold()), part if place else word.sub(" ", part, count=1), True


def _put(order: dict[str, Json], kind: _Kind, part: str, known: Sequence[str], *, is_said: bool) -> bool:
    """Put into an order what a part of a sentence says; tell whether it leaves nothing open."""
    if not kind.key:
        return not is_said or _put_alone(order, kind, part)
    things = [known[int(one[1])] for one in _MARK.finditer(part)]
    numbers = [int(one) for one in _NUMBER.findall(_MARK.sub(" ", part))]
    if not is_said and not (things and len(things) == len(numbers)):
        return True  # talk
    if is_said and not things and len(numbers) == 1:
        things = _strange(part)
    if not things:
        return True
    if len(numbers) not in (0, len(things)) or not kind.number:
        return False
    for place, thing in enumerate(things):
        free = next((one for one in kind.places if one not in order), "")
        if not free:
            return False
        order[free] = {kind.key: thing, **({kind.number: numbers[place]} if numbers else {})}
    return True


def _put_alone(order: dict[str, Json], kind: _Kind, part: str) -> bool:
    """Put the name that a part of a sentence holds where a name is all; of two none is likelier."""
    found = [one for one in kind.things if _named(one).search(part)]
    if not found:
        return True
    if len(found) > 1:
        return False
    first, _, below = kind.places[0].partition(".")
    order[first] = {**fields_of(order.get(first)), below: found[0]} if below else found[0]
    return True


def _strange(part: str) -> list[str]:
    """Return the words of a part that are no more than a name, as one name; or none."""
    words = [one for one in re.findall(r"[^\W\d_][\w'’-]*", part) if one.casefold() not in _FILLING]
    return [" ".join(words)] if 0 < len(words) <= _LONGEST_NAME else []


def _named(name: str) -> re.Pattern[str]:
    """Return what finds a name, with or without its article."""
    bare = re.sub(r"^the ", "", name, flags=re.IGNORECASE).strip("'")
    words = r"\s+".join(map(re.escape, bare.split()))
    return re.compile(rf"(?<![\w\ue001])(?:the\s+)?['\"‘“]?{words}['\"’”]?(?!\w)", re.IGNORECASE)


_GREETING: Final = re.compile(
    r"\s*(?:hi|hello|hey|dear|hallo|hei|moi|good (?:morning|day|afternoon|evening))\b"
    r"(?:[ ,]+(?:there|all|(?-i:[A-Z])[^\W\d_]+)){0,3}\s*(?:[,.!:]+(?=\s|$)|\n|$)",
    re.IGNORECASE,
)
_INTENT: Final = re.compile(
    r"\b(?:i(?:['’]d| would) like(?: to have| to)?|i(?:['’]ll| will) have"
    r"|i(?:['’]ll|['’]d| will| would| want to| want| wish to| choose to| choose| pick)?"
    r"|i(?:['’]m| am)(?: going to|(?= \w+ing\b))|let me"
    r"|(?:here (?:is|are) )?my (?:move|order|turn)s?(?: is| are|(?= ?:)))\b(?!['’])",
    re.IGNORECASE,
)
"""Words with which somebody begins to say what they do."""

_POLITE: Final = re.compile(
    r"(?<![ ,])[ ,]+(?:many thanks|thanks|thank you|thx|cheers)(?=\s*[.!]*\s*$)", re.IGNORECASE
)
_THANKS: Final = frozenset(
    [
        "a", "advance", "again", "all", "cheers", "everybody", "everyone", "for", "game", "good", "greetings",
        "hello", "hi", "in", "lot", "luck", "many", "much", "nice", "report", "thank", "thanks", "the", "thx",
        "to", "very", "you",
    ]
)  # fmt: skip
"""Words of sentences that say nothing of orders."""

_ASKING: Final = frozenset(
    [
        "a", "an", "as", "can", "clear", "correct", "correctly", "did", "do", "does", "done", "enough",
        "how", "i", "is", "it", "like", "my", "now", "ok", "okay", "one", "order", "orders", "please",
        "read", "right", "said", "say", "send", "so", "that", "the", "them", "these", "they", "this", "to",
        "understand", "valid", "way", "work", "works", "write", "written", "you",
    ]
)  # fmt: skip
"""Words of questions about how orders are written, and not about which ones are meant."""

_PIECE: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
_WORD: Final = re.compile(r"[^\W\d_]+")
_LETTERS: Final = re.compile(r"[^\W\d_]|\s|[,.!?]")


def saying_lines(lines: Sequence[str], name: str, is_named: Callable[[str], bool]) -> list[str]:
    """Return what of a mail may say orders: no greeting, thanks or name, and no question how to write them.

    A piece that names something of an order is never taken away.

    Args:
        lines: What a player wrote.
        name: The player's name.
        is_named: Tells whether a piece names a field, a thing or a number of orders.
    """
    written = [*words_of(lines)]
    count = signing_lines(written, name) or next((one for one in (3, 2, 1) if _closes(written, one, name)), 0)
    tail = written[len(written) - count :]
    if not is_named("\n".join(tail)):
        written = written[: len(written) - count]
    text = "\n".join(written)
    if (greeting := _GREETING.match(text)) and not is_named(greeting[0]):
        text = text[greeting.end() :]
    return [_INTENT.sub(" ", _POLITE.sub("", one)) for one in _pieces(text, is_named)]


def _closes(lines: Sequence[str], count: int, name: str) -> bool:
    """Tell whether the last lines are the player's own name, or "Kind regards" with a name below it."""
    if len(lines) <= count:
        return False
    first, *below = lines[len(lines) - count :]
    own, words = _WORD.findall(name.casefold()), _WORD.findall(first.casefold())
    if not below:
        return bool(own) and words in (own, own[:1])
    is_a_name = all(word[0].isupper() for word in _WORD.findall(" ".join(below)))
    return bool(words) and is_a_name and is_closing([first, "x y"]) and is_closing([first, *below])


def _pieces(text: str, is_named: Callable[[str], bool]) -> Iterator[str]:
    for piece in _PIECE.split(text):
        words = frozenset(_WORD.findall(piece.casefold()))
        is_plain = bool(words) and not _LETTERS.sub("", piece) and not is_named(piece)
        is_aside = words <= _ASKING if piece.rstrip().endswith("?") else words <= _THANKS
        if not (is_plain and is_aside):
            yield piece
