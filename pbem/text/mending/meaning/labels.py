"""Labels as people write them: `36`, `turn 6`, `Red-7`, `next`, `all`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from pbem.core.interface import Ask, Label
from pbem.core.labels import START, parts
from pbem.text.mending.meaning.known import Known
from pbem.text.mending.meaning.names import folded
from pbem.text.mending.shape.drafts import Edit, Sheet
from pbem.text.yaml.strictyaml import Path

_NEXT: Final = frozenset(
    ["next", "nextturn", "nextask", "mynext", "mynextturn", "naechste", "naechster", "after", "later", "then"]
)
_NOW: Final = frozenset(["now", "this", "current", "thisturn", "present", "today", "jetzt", "immediately"])
EACH: Final = frozenset(
    [
        "all",
        "always",
        "every",
        "everyturn",
        "each",
        "eachturn",
        "allturns",
        "ever",
        "immer",
        "forever",
        "standing",
        "everytime",
    ]
)
_ANY: Final = frozenset(["any", "anytime", "whenever", "anyturn", "whenasked"])
_MOST_LABEL: Final = 80
_NUMBERED: Final = re.compile(
    r"(?:(?P<owner>.*?\D)[\s_.:#-]*)?(?P<count>[1-9][0-9]{0,5})(?P<word>\.[a-z_]+)?"
)


def labels(page: Sheet, known: Known) -> Iterator[Edit]:
    """Write the labels of asks where a number, a word or another spelling stands for one."""
    here = known.here
    if here is None or not isinstance(known.ask, Ask):
        return
    places: list[Path] = [
        ("orders", n) for n, line in enumerate(_lines(page)) if isinstance(line, dict) and "at" in line
    ]
    written = {str(page.at((*place, "at"))) for place in places}
    yield from _last_labels(page, known)
    for place in places:
        path, said = (*place, "at"), page.at((*place, "at"))
        if not isinstance(said, str | int) or isinstance(said, bool) or is_label(str(said), known):
            continue
        word = folded(str(said))
        line = page.at(place)
        if word in EACH | _ANY and isinstance(line, dict):
            yield from _of_any(page, place, each=word in EACH)
            continue
        label = _named(word, known, here, written) or _numbered(str(said), known)
        if label and label != said:
            yield page.put(path, label)


def _last_labels(page: Sheet, known: Known) -> Iterator[Edit]:
    """Write the label that `until: 9` means."""
    for place in (("orders", n) for n, line in enumerate(_lines(page)) if isinstance(line, dict)):
        said = page.at((*place, "until"))
        if not isinstance(said, str | int) or isinstance(said, bool) or is_label(str(said), known):
            continue
        if label := _numbered(str(said), known):
            yield page.put((*place, "until"), label)


def is_label(text: str, known: Known) -> bool:
    """Tell whether a text is written as labels of this game are: of the turn, or of a seat."""
    found = parts(text)
    return text == START or (found is not None and found.owner in ("turn", *known.seats.ids))


def _lines(page: Sheet) -> list[object]:
    value = page.value.get("orders")
    return list(value) if isinstance(value, list) else []


def _of_any(page: Sheet, place: Path, *, each: bool) -> Iterator[Edit]:
    """Write a standing order, or a line for whatever is asked, in place of `at`."""
    line, path = page.at(place), (*place, "at")
    key, value = page.keys[path], page.values[path]
    if isinstance(line, dict) and "keep" in line:
        start, rest = key.start, page.text[value.end :]
        if key.in_braces:
            yield page.without(path, f"`at: {page.written(path)}` was left out, which is every ask")
        elif page.text[:start].rstrip(" ").endswith("-") and (after := re.match(r"[^\n]*\n\s*", rest)):
            yield Edit(
                start,
                value.end + after.end(),
                "",
                f"`at: {page.written(path)}` was left out, which is every ask",
            )
        else:
            yield page.without(path, f"`at: {page.written(path)}` was left out, which is every ask")
        return
    if each:
        note = f"`at: {page.written(path)}` was read as a standing order, `keep: true`,"
        yield Edit(key.start, value.end, "keep: true", note)
    else:
        note = f"`at: {page.written(path)}` was read as whenever you are asked, once,"
        yield Edit(key.start, value.end, "keep: false", note)


def _named(word: str, known: Known, here: Label, written: set[str]) -> Label | None:
    """Return the label that `now` or `next` means: `next` is the one after, if a line is for the present."""
    assert isinstance(known.ask, Ask), "the caller has looked"
    is_asked = known.seat in known.ask.seats | known.ask.optional
    if word in _NOW and is_asked:
        return here
    if word in _NEXT:
        return known.after(here) if is_asked and here in written else here
    return None


def _numbered(said: str, known: Known) -> Label | None:
    """Return the label that `36`, `turn 36` or `Red 36` means."""
    found = _NUMBERED.fullmatch(said.strip()) if len(said) <= _MOST_LABEL else None
    if found is None:
        return None
    owner, count = folded(found["owner"] or ""), int(found["count"])
    own = known.label(count)
    if own is None:
        return None
    end = found["word"] or ""
    if owner in ("", "turn", "ask", "round", "move", "runde", "zug", folded(known.owner)):
        return Label(f"{own}{end}")
    called = known.seats.called(found["owner"] or "")
    if len(called) == 1 and known.owner != "turn":
        return Label(f"{called[0]}-{count}{end}")
    return None
