"""Values, labels and names of things as people write them: `yes`, `three`, `turn 6`, `next`, `Red-7`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from pbem.core.book import START, parts
from pbem.core.interface import Ask, Json, Label, Problem
from pbem.text.mending.drafts import Edit, Sheet
from pbem.text.mending.names import NO, NUMBERS, YES, KnownGame, normalize_name, plain_forms
from pbem.text.orders import Subschema
from pbem.text.strictyaml import Path, dump_flow
from pbem.text.yamlwrite import plain_value

_WITH_UNIT: Final = re.compile(
    r"[+#]?\s*(-?[0-9]{1,9})(?:\.0+)?\s*"
    r"(?:points?|pts?|ap|action points?|punkte?|cards?|x|spaces?|steps?|fields?|\.)?",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(r"(?<!\s)\s*(?:[,;/&+]|\band\b|\bund\b|\bet\b|\bthen\b)\s*", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"^(?:the|to|at|on|with|for|a|an)\s+", re.IGNORECASE)


def read_boolean(value: Json) -> bool | None:
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


def interpret_value(value: Json, shape: Subschema) -> Json:
    """Return what a value can only mean that does not fit its place; the value itself if that is not clear.

    Of several ways to read it the first kind that fits counts, and of a kind no two different ones.
    """
    for candidates in _candidate_values(value, shape):
        fitting: list[Json] = []
        for one in candidates:
            if one not in fitting and shape.takes(one):
                fitting.append(one)
        if fitting:
            return fitting[0] if len(fitting) == 1 else value
    return value


def _candidate_values(value: Json, shape: Subschema) -> Iterator[list[Json]]:
    """Yield groups of values that may be meant, the likeliest first."""
    listed = [word for word in shape.words() if isinstance(word, str)]
    if isinstance(value, str | int) and not isinstance(value, bool):
        yield [word for word in listed if plain_forms(str(word)) & plain_forms(str(value))]
    said = read_boolean(value)
    if said is not None:
        yield [said]
    if (count := number(value)) is not None:
        yield [count]
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield [str(value)]
    if isinstance(value, str):
        yield [normalize_name(value)]
        yield [normalize_name(_ARTICLE.sub("", value.strip()))]
        yield list(_as_fields(value, shape))
    if isinstance(value, list) and len(value) == 1:
        yield [value[0]]
        yield [interpret_value(value[0], shape)]
    if not isinstance(value, list | dict) and value is not None and "array" in shape.kinds():
        if isinstance(value, str) and len(parts := pieces(value)) > 1:
            items = shape.items()
            yield [[interpret_value(one, items) if items and not items.takes(one) else one for one in parts]]
        yield [[value]]
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        merged: dict[str, Json] = {}
        for one in value:
            merged.update(one if isinstance(one, dict) else {})
        yield [merged]


def _as_fields(text: str, shape: Subschema) -> Iterator[Json]:
    """Yield the fields that a text may be: {draw: true} for `draw`, and so on."""
    fields = shape.fields()
    if not fields:
        return
    named = _named_fields(text, fields)
    if named is not None:
        yield named
        return
    for name, below in fields.items():  # one word that only one field takes: `S3` is {play: S3}
        if below.is_recognizable:
            one = text.strip() if below.takes(text.strip()) else interpret_value(text.strip(), below)
            if below.takes(one) and one is not True:
                yield {name: one}
    yield from _fill_in_order(text, shape)


def _named_fields(text: str, fields: dict[str, Subschema]) -> Json:
    """Return fields that a text names one by one: `play S3, hero`; None if it names others too."""
    out: dict[str, Json] = {}
    for part in re.split(r"[,;]|\band\b|\bwith\b", text):
        word, _, rest = part.strip().partition(" ")
        name = next((one for one in fields if plain_forms(one) & plain_forms(word.strip(":="))), None)
        if name is None or name in out:
            return None
        below, rest = fields[name], rest.strip(" :=")
        value: Json = _plain(rest) if rest else True
        if not below.takes(value):
            value = interpret_value(value, below)
        out[name] = value
    return out or None


def _fill_in_order(text: str, shape: Subschema) -> Iterator[Json]:
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
            out[name] = value if below.takes(value) else interpret_value(value, below)
        if all(fields[name].takes(value) for name, value in out.items()):
            yield out
            return


def _plain(text: str) -> Json:
    return plain_value(text.strip())


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


def correct_labels(page: Sheet, known: KnownGame) -> Iterator[Edit]:
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
        word = normalize_name(str(said))
        line = page.at(place)
        if word in EACH | _ANY and isinstance(line, dict):
            yield from _any_ask_edits(page, place, each=word in EACH)
            continue
        label = _relative_label(word, known, here, written) or _numbered_label(str(said), known)
        if label and label != said:
            yield page.put(path, label)


def _last_labels(page: Sheet, known: KnownGame) -> Iterator[Edit]:
    """Write the label that `until: 9` means."""
    for place in (("orders", n) for n, line in enumerate(_lines(page)) if isinstance(line, dict)):
        said = page.at((*place, "until"))
        if not isinstance(said, str | int) or isinstance(said, bool) or is_label(str(said), known):
            continue
        if label := _numbered_label(str(said), known):
            yield page.put((*place, "until"), label)


def is_label(text: str, known: KnownGame) -> bool:
    """Tell whether a text is written as labels of this game are: of the turn, or of a seat."""
    found = parts(text)
    return text == START or (found is not None and found.owner in ("turn", *known.seats.ids))


def _lines(page: Sheet) -> list[object]:
    value = page.value.get("orders")
    return list(value) if isinstance(value, list) else []


def _any_ask_edits(page: Sheet, place: Path, *, each: bool) -> Iterator[Edit]:
    """Write a standing order, or a line for whatever is asked, in place of `at`."""
    line, path = page.at(place), (*place, "at")
    key, value = page.keys[path], page.values[path]
    if isinstance(line, dict) and "keep" in line:
        start, rest = key.start, page.text[value.end :]
        if key.in_braces:
            yield page.without(path, f"`at: {page.source_text(path)}` was left out, which is every ask")
        elif page.text[:start].rstrip(" ").endswith("-") and (after := re.match(r"[^\n]*\n\s*", rest)):
            yield Edit(
                start,
                value.end + after.end(),
                "",
                f"`at: {page.source_text(path)}` was left out, which is every ask",
            )
        else:
            yield page.without(path, f"`at: {page.source_text(path)}` was left out, which is every ask")
        return
    if each:
        note = f"`at: {page.source_text(path)}` was read as a standing order, `keep: true`,"
        yield Edit(key.start, value.end, "keep: true", note)
    else:
        note = f"`at: {page.source_text(path)}` was read as whenever the game waits for you, once,"
        yield Edit(key.start, value.end, "keep: false", note)


def _relative_label(word: str, known: KnownGame, here: Label, written: set[str]) -> Label | None:
    """Return the label that `now` or `next` means: `next` is the one after, if a line is for the present."""
    assert isinstance(known.ask, Ask), "the caller has looked"
    is_asked = known.seat in known.ask.seats | known.ask.optional
    if word in _NOW and is_asked:
        return here
    if word in _NEXT:
        return known.after(here) if is_asked and here in written else here
    return None


def _numbered_label(said: str, known: KnownGame) -> Label | None:
    """Return the label that `36`, `turn 36` or `Red 36` means."""
    found = _NUMBERED.fullmatch(said.strip()) if len(said) <= _MOST_LABEL else None
    if found is None:
        return None
    owner, count = normalize_name(found["owner"] or ""), int(found["count"])
    own = known.label(count)
    if own is None:
        return None
    end = found["word"] or ""
    if owner in ("", "turn", "ask", "round", "move", "runde", "zug", normalize_name(known.owner)):
        return Label(f"{own}{end}")
    called = known.seats.called(found["owner"] or "")
    if len(called) == 1 and known.owner != "turn":
        return Label(f"{called[0]}-{count}{end}")
    return None


_MOST_TRIED: Final = 6
_MOST_LINES: Final = 20
_MOST_NAMES: Final = 12
"""So many are tried out at most, for whoever names more has not made a slip."""

_NOTHING: Final = ("there is no ", " is no ", " is nothing that", " is neither a direction")


def write_ids_for_names(page: Sheet, known: KnownGame) -> Iterator[Edit]:
    """Write ids for names that only one thing has, where the rules refuse or miss what stands there."""
    orders = page.value.get("orders")
    for n, line in enumerate(orders[:_MOST_LINES] if isinstance(orders, list) else ()):
        if isinstance(line, dict) and isinstance(line.get("do"), dict):
            yield from _line_edits(page, ("orders", n), line, known)


def _line_edits(page: Sheet, place: Path, line: dict[str, Json], known: KnownGame) -> Iterator[Edit]:
    if known.grammar is None or known.grammar.move.problems(line["do"]):
        return
    seen: set[Path] = set()
    for problem in known.problems(line):
        if not _is_unknown(problem):
            continue
        place_of, value = _nearest_value(line["do"], tuple(problem.path))
        for below in _text_paths(value, place_of):
            if below in seen or len(seen) >= _MOST_NAMES:
                continue
            seen.add(below)
            if (right := _right_value(line, below, problem, known)) is not None:
                yield page.put((*place, "do", *below), dump_flow(right))
                return
    for below in _text_paths(line["do"], ()):
        if below not in seen and (one := _unread_id(line["do"], below, known)):
            yield page.put((*place, "do", *below), dump_flow(one))
            return


def _right_value(line: Mapping[str, Json], path: Path, problem: Problem, known: KnownGame) -> Json:
    """Return what stands for a name so that this problem is gone; None if that is not one thing only."""
    assert known.grammar is not None, "the caller has looked"
    text = _nearest_value(line["do"], path)[1]
    before = known.problems(line)
    for candidates in _candidates(text, known):
        working: list[Json] = []
        for one in candidates[:_MOST_TRIED]:
            order = _replace_at(line["do"], path, one)
            if one == text or known.grammar.move.problems(order):
                continue
            after = known.problems({**line, "do": order})
            is_gone = not any(_is_unknown(p) and p.path == problem.path and str(one) in p.text for p in after)
            if (
                is_gone
                and problem not in after
                and len(_unknown_problems(after)) < len(_unknown_problems(before))
            ):
                working.append(one)
        if working:
            return working[0] if len(working) == 1 else None
    return None


def _unknown_problems(problems: Iterable[Problem]) -> list[Problem]:
    return [problem for problem in problems if _is_unknown(problem)]


def _candidates(text: Json, known: KnownGame) -> Iterator[list[Json]]:
    said = str(text)
    if (count := number(said)) is not None:
        yield [count]
    if len(parts := pieces(said)) > 1 and parts != said.split():
        yield [[(known.things.called(part) or (part,))[0] for part in parts]]
    yield list[Json](known.things.called(said))
    yield list[Json](known.seats.called(said))
    yield list[Json](known.things.ids_by_part(said))
    yield list[Json](known.seats.ids_by_part(said))


def _is_unknown(problem: Problem) -> bool:
    """Tell whether a problem says that nothing has a name, not that it does not fit now."""
    return any(words in problem.text for words in _NOTHING)


def _unread_id(order: Json, path: Path, known: KnownGame) -> str:
    """Return the id of what is called so, if the rules did not read the name as that; or ""."""
    text = str(_nearest_value(order, path)[1])
    called = known.things.called(text)
    if len(called) != 1 or called[0] == text or known.same(order, _replace_at(order, path, called[0])):
        return ""
    return called[0] if not known.problems({"do": _replace_at(order, path, called[0])}) else ""


def _text_paths(value: Json, path: Path) -> Iterator[Path]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _text_paths(inner, (*path, name))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _text_paths(inner, (*path, place))
    elif isinstance(value, str):
        yield path


def _nearest_value(value: Json, path: Path) -> tuple[Path, Json]:
    """Return what stands at a path, or at the nearest place above it, with that place."""
    here, walked = value, list[str | int]()
    for name in path:
        if isinstance(here, dict) and name in here:
            here = here[str(name)]
        elif isinstance(here, list) and isinstance(name, int) and name < len(here):
            here = here[name]
        else:
            break
        walked.append(name)
    return tuple(walked), here


def _replace_at(value: Json, path: Path, new: Json) -> Json:
    """Return a value with something else at a path."""
    if not path:
        return new
    if isinstance(value, dict):
        return {
            name: _replace_at(one, path[1:], new) if name == path[0] else one for name, one in value.items()
        }
    if isinstance(value, list):
        return [_replace_at(one, path[1:], new) if n == path[0] else one for n, one in enumerate(value)]
    return value
