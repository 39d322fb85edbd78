"""A value that does not fit its place, as it can only have been meant: yes is true, three is 3."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from pbem.core.interface import Json
from pbem.text.mending.names import NO, NUMBERS, YES, folded, ways
from pbem.text.schemas.shapes import Shape
from pbem.text.yaml.yamlwrite import plain_value

_WITH_UNIT: Final = re.compile(
    r"[+#]?\s*(-?[0-9]{1,9})(?:\.0+)?\s*"
    r"(?:points?|pts?|ap|action points?|punkte?|cards?|x|spaces?|steps?|fields?|\.)?",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(r"(?<!\s)\s*(?:[,;/&+]|\band\b|\bund\b|\bet\b|\bthen\b)\s*", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"^(?:the|to|at|on|with|for|a|an)\s+", re.IGNORECASE)


def truth(value: Json) -> bool | None:
    """Return what a word for yes or no means, in the languages of many players; None if it is none."""
    word = str(value).strip().strip("\"'").casefold() if isinstance(value, str | int) else ""
    if word in YES or value is True or word == "1":
        return True
    return False if word in NO or value is False or word == "0" else None


def number(value: Json) -> int | None:
    """Return the whole number that a text writes: "3", "three", "3 points"; None if it is none."""
    if not isinstance(value, str):
        return None
    word = value.strip().casefold()
    if word in NUMBERS:
        return NUMBERS[word]
    first, _, unit = word.partition(" ")
    if first in NUMBERS and unit and _WITH_UNIT.fullmatch(f"1 {unit}"):
        return NUMBERS[first]
    found = _WITH_UNIT.fullmatch(word)
    return int(found[1]) if found else None


def pieces(text: str) -> list[str]:
    """Return the parts of a list that is written as a text: "f2, g3", "red and white"."""
    parts = [part.strip() for part in _BETWEEN.split(text.strip().strip("[]()")) if part.strip()]
    return parts if len(parts) > 1 else text.split()


def meant(value: Json, shape: Shape) -> Json:
    """Return what a value can only mean that does not fit its place; the value itself if that is not clear.

    Of several ways to read it the first kind that fits counts, and of a kind no two different ones.
    """
    for candidates in _ways(value, shape):
        fitting: list[Json] = []
        for one in candidates:
            if one not in fitting and shape.takes(one):
                fitting.append(one)
        if fitting:
            return fitting[0] if len(fitting) == 1 else value
    return value


def _ways(value: Json, shape: Shape) -> Iterator[list[Json]]:
    """Yield groups of values that may be meant, the likeliest first."""
    listed = [word for word in shape.words() if isinstance(word, str)]
    if isinstance(value, str | int) and not isinstance(value, bool):
        yield [word for word in listed if ways(str(word)) & ways(str(value))]
    said = truth(value)
    if said is not None:
        yield [said]
    if (count := number(value)) is not None:
        yield [count]
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield [str(value)]
    if isinstance(value, str):
        yield [folded(value)]
        yield [folded(_ARTICLE.sub("", value.strip()))]
        yield list(_as_fields(value, shape))
    if isinstance(value, list) and len(value) == 1:
        yield [value[0]]
        yield [meant(value[0], shape)]
    if not isinstance(value, list | dict) and value is not None and "array" in shape.kinds():
        if isinstance(value, str) and len(parts := pieces(value)) > 1:
            items = shape.items()
            yield [[meant(one, items) if items and not items.takes(one) else one for one in parts]]
        yield [[value]]
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        merged: dict[str, Json] = {}
        for one in value:
            merged.update(one if isinstance(one, dict) else {})
        yield [merged]


def _as_fields(text: str, shape: Shape) -> Iterator[Json]:
    """Yield the fields that a text may be: {draw: true} for `draw`, and so on."""
    fields = shape.fields()
    if not fields:
        return
    named = _named_fields(text, fields)
    if named is not None:
        yield named
        return
    for name, below in fields.items():  # one word that only one field takes: `S3` is {play: S3}
        if below.is_telling:
            one = text.strip() if below.takes(text.strip()) else meant(text.strip(), below)
            if below.takes(one) and one is not True:
                yield {name: one}
    yield from _in_order(text, shape)


def _named_fields(text: str, fields: dict[str, Shape]) -> Json:
    """Return fields that a text names one by one: `play S3, hero`; None if it names others too."""
    out: dict[str, Json] = {}
    for part in re.split(r"[,;]|\band\b|\bwith\b", text):
        word, _, rest = part.strip().partition(" ")
        name = next((one for one in fields if ways(one) & ways(word.strip(":="))), None)
        if name is None or name in out:
            return None
        below, rest = fields[name], rest.strip(" :=")
        value: Json = _plain(rest) if rest else True
        if not below.takes(value):
            value = meant(value, below)
        out[name] = value
    return out or None


def _in_order(text: str, shape: Shape) -> Iterator[Json]:
    """Yield the required fields of an object filled with words in their order: `m5_factory 6`."""
    fields, names = shape.fields(), list(dict.fromkeys(shape.required()))
    words = text.replace(",", " ").replace(":", " ").split()
    if not 1 <= len(names) <= 2 or not set(names) <= set(fields):
        return
    if len(names) == 1:
        cuts = [[" ".join(words)]]
    else:
        cuts = [[" ".join(words[:n]), " ".join(words[n:])] for n in range(1, len(words))]
    for cut in cuts:
        out: dict[str, Json] = {}
        for name, part in zip(names, cut, strict=True):
            below = fields[name]
            value = _plain(part)
            out[name] = value if below.takes(value) else meant(value, below)
        if all(fields[name].takes(value) for name, value in out.items()):
            yield out
            return


def _plain(text: str) -> Json:
    return plain_value(text.strip())
