"""Orders with slips, read as they can only be meant: repair after repair, each read strictly again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from pbem.core.interface import Json
from pbem.core.wording import sentence_list
from pbem.text.codec import fields_of, items_of
from pbem.text.envelope import OF_ORDERS, OF_PRESS, TOP, read_marker
from pbem.text.faults import Fault, Faults
from pbem.text.mail.headers import MAX_LINE
from pbem.text.mending import broken, conditions, values
from pbem.text.mending.drafts import Draft, Edit, Sheet, parse_sheet
from pbem.text.mending.lines import (
    correct_field_names,
    correct_readers,
    entry_paths,
    quote_names,
    remove_description,
    seat_yaml,
)
from pbem.text.mending.names import KnownGame, normalize_name
from pbem.text.mending.values import EACH, interpret_value, read_boolean
from pbem.text.orders import Subschema
from pbem.text.plaintext import MAX_BYTES, TextProblem, clean_text
from pbem.text.strictyaml import Path, YamlProblem, dump_flow, parse


def order_fields(known: KnownGame, *, start: bool) -> dict[str, Subschema]:
    """Return the fields of an order, or of a start form, of a game that is known."""
    assert known.grammar is not None, "the caller has looked"
    schema = (known.grammar.start if start else known.grammar.move).schema
    return Subschema(schema, schema).fields()


def correct_moves(page: Sheet, known: KnownGame) -> Iterator[Edit]:
    """Write orders in the shape of the rules: braces, booleans, numbers, and words for fields."""
    if known.grammar is None:
        return
    for place in entry_paths(page, "orders"):
        line, path = page.at(place), (*place, "do")
        if not isinstance(line, dict) or "do" not in line or line["do"] in (None, {}, ""):
            continue
        value = line["do"]
        schema = known.grammar.schema_of(line.get("at"), value).schema
        yield from fit_value(page, path, Subschema(schema, schema))


def fit_value(page: Sheet, path: Path, shape: Subschema) -> Iterator[Edit]:
    """Yield the smallest changes after which a value fits, as far as it can only mean one thing."""
    value = page.at(path)
    if shape.takes(value):
        return
    if isinstance(value, dict):
        fields = shape.fields()
        if fields:
            yield from _fit_fields(page, path, value, fields, shape)
            return
    elif isinstance(value, list) and (items := shape.items()) is not None:
        inner = [edit for n in range(len(value)) for edit in fit_value(page, (*path, n), items)]
        if inner:
            yield from inner
            return
    is_long = isinstance(value, str) and "  " in value
    if is_long and (shorter := remove_description(page, path, shape)) is not None:
        yield shorter
        return
    best = interpret_value(value, shape)
    if (best is not value and best != value) or (best is True and value == 1):
        yield page.put(path, dump_flow(best))


def _fit_fields(
    page: Sheet, path: Path, value: dict[str, Json], fields: dict[str, Subschema], shape: Subschema
) -> Iterator[Edit]:
    if (split := _split_field(page, path, value, fields)) is not None:
        yield split
        return
    for name, inner in value.items():
        here = (*path, name)
        if name not in fields:
            same = [one for one in fields if normalize_name(one) == normalize_name(name) and one not in value]
            if not same:
                same = [one for one, below in fields.items() if one not in value and below.is_recognizable]
                same = [one for one in same if inner is not None and fields[one].takes(inner)]
                same = [] if inner is True else same
            if len(same) == 1:
                yield page.rename(here, same[0])
            continue
        below = fields[name]
        if inner is None and below.takes(True) and not below.takes(None):
            node = page.keys[here]
            has_colon = page.text[node.end : node.end + 1] == ":"
            end = max(page.values[here].end, node.end + has_colon)
            yield Edit(node.start, end, f"{name}: true", f"`{name}` was read as `{name}: true`")
        elif below.words() == [True] and read_boolean(inner) is False:
            yield page.without(here, f"`{name}: {page.source_text(here)}` was left out")
        else:
            yield from fit_value(page, here, below)


def _split_field(
    page: Sheet, path: Path, value: dict[str, Json], fields: dict[str, Subschema]
) -> Edit | None:
    """Return the change of `{draw S3}` or `{sail owidz}`: a name and a value without the colon between."""
    for name, inner in value.items():
        word, space, _rest = name.partition(" ")
        if inner is not None or not space or name in fields or word not in fields or word in value:
            continue
        node = page.keys[(*path, name)]
        return Edit(
            node.start + len(word), node.start + len(word), ":", f"The colon after `{word}` was added"
        )
    return None


_TRUTHS: Final = ("keep", "if_silent")


def dashes(page: Sheet, known: KnownGame) -> Iterator[Edit]:
    """Make one line, or one message, the list of one that it must be: a dash was forgotten."""
    for name, words in (("orders", OF_ORDERS), ("press", OF_PRESS)):
        value = page.value.get(name)
        if not isinstance(value, dict) or not value or not set(value) & set(words):
            continue
        node = page.values[(name,)]
        note = f"The dash before the first field of `{name}` was added"
        if page.text[node.start] == "{":
            yield Edit(node.start, node.start, "[")
            yield Edit(node.end, node.end, "]", f"Brackets were written around the one entry of `{name}`")
        elif page.text[: node.start].endswith("  "):
            yield Edit(node.start - 2, node.start, "- ", note)
    for name in ("orders", "press"):
        if isinstance(value := page.value.get(name), dict) and list(value) == [name]:
            key = page.keys[(name, name)]
            start, end = page.text.rfind("\n", 0, key.start), page.text.find("\n", key.start)
            if not key.in_braces and 0 <= start < end and page.text[key.end : end].strip() == ":":
                yield Edit(start, end, "", f"The second `{name}:` was left out")
    if page.value.get("orders") is None:
        own = _rule_fields(known) - {*TOP}
        if loose := [key for key in page.value if key in OF_ORDERS or key in own]:
            yield from _indent_edits(page, loose)


def _rule_fields(known: KnownGame) -> set[str]:
    """Return the fields of the rules, in orders and start forms; none of a game that is not known."""
    return {*order_fields(known, start=False), *order_fields(known, start=True)} if known.grammar else set()


def _indent_edits(page: Sheet, loose: list[str]) -> Iterator[Edit]:
    """Move `at`, `when`, `do` and fields of the rules in the first column below `orders:`, as one line."""
    nodes = [page.keys[(key,)] for key in loose]
    if any(node.in_braces for node in nodes):
        return
    has_head = "orders" in page.value
    if has_head and min(node.start for node in nodes) < page.keys[("orders",)].start:
        return
    for number, key in enumerate(loose):
        first, last = page.keys[(key,)].start, max(page.values[(key,)].end, page.keys[(key,)].end)
        head = "" if has_head else "orders:\n"
        note = "The dash of a line of orders was added" if has_head else "`orders:` was written above it"
        yield Edit(first, first, f"{head}- " if number == 0 else "  ", note if number == 0 else "")
        yield from _indent_rows(page, first, last)


def _indent_rows(page: Sheet, first: int, last: int) -> Iterator[Edit]:
    """Move the rows that begin between two places to the right."""
    at = page.text.find("\n", first, last)
    while at >= 0:
        yield Edit(at + 1, at + 1, "  ")
        at = page.text.find("\n", at + 1, last)


def add_missing_do(page: Sheet, known: KnownGame) -> Iterator[Edit]:
    """Write `do` before fields of the rules that stand right in a line of orders: `- play: S3`."""
    own = _rule_fields(known)
    for place in entry_paths(page, "orders"):
        line = page.at(place)
        if not isinstance(line, dict) or "do" in line:
            continue
        moved = [key for key in line if key in own and key not in OF_ORDERS]
        if not moved or any(key not in own and key not in OF_ORDERS for key in line):
            continue
        if _are_adjacent(page, place, line, moved):
            yield from _nest_edits(page, place, moved)
            continue
        first, *others = moved
        inner = ", ".join(f"{key}: {_line_text(page, (*place, key))}" for key in moved)
        start, note = page.keys[(*place, first)], "`do` was written before the order"
        end = max(page.values[(*place, first)].end, start.end)
        yield Edit(start.start, end, f"do: {{{inner}}}", note)
        for key in others:
            yield page.without((*place, key), "")


def _are_adjacent(page: Sheet, place: Path, line: Iterable[str], moved: list[str]) -> bool:
    """Tell whether fields of a line have a line of their own each, one right below the other."""
    keys = list(line)
    at = keys.index(moved[0])
    is_braced = any(page.keys[(*place, key)].in_braces for key in moved)
    return keys[at : at + len(moved)] == moved and not is_braced


def _nest_edits(page: Sheet, place: Path, moved: list[str]) -> Iterator[Edit]:
    """Write `do:` above fields, and move them and what belongs to them to the right."""
    start, last = page.keys[(*place, moved[0])].start, page.values[(*place, moved[-1])].end
    inner = " " * (start - page.text.rfind("\n", 0, start) - 1 + 2)
    yield Edit(start, start, f"do:\n{inner}", "`do` was written before the order")
    yield from _indent_rows(page, start, last)


def drop_empty_lines(page: Sheet, known: KnownGame) -> Iterator[Edit]:
    """Leave out lines of the form that were left empty, where anything else was ordered or said."""
    empty = [place for place in entry_paths(page, "orders") if _is_empty(page.at(place))]
    lines = page.value.get("orders")
    if not empty or not isinstance(lines, list):
        return
    others = len(lines) - len(empty)
    if not others and not (known.grammar and page.value.get("press")):
        return
    note = "The empty line of the form was left out"
    if not others:
        yield page.without(("orders",), note)
        return
    for place in empty:
        node = page.values[place]
        start, stop = page.text.rfind("\n", 0, node.start) + 1, page.text.find("\n", node.end)
        if not node.in_braces and page.text[start : node.start].strip() == "-" and stop >= 0:
            yield Edit(start, stop + 1, "", note)


def _is_empty(line: Json) -> bool:
    """Tell whether a line of orders is as the form has it: a label at most, and nothing ordered."""
    return isinstance(line, dict) and line.get("do", "") in ({}, None) and set(line) <= {"at", "do"}


def add_press_mark(page: Sheet, known: KnownGame) -> Iterator[Edit]:
    """Write `press:` above messages at the end of the lines of orders: its mark was left in the form."""
    places = list(entry_paths(page, "orders"))
    found = [place for place in places if _is_message(page.at(place))]
    if not found or found != places[-len(found) :] or "press" in page.value:
        return
    node = page.values[found[0]]
    start = page.text.rfind("\n", 0, node.start) + 1
    if page.text[start : node.start].strip() == "-":
        yield Edit(start, start, "press:\n", "`press:` was written above the message")


def _is_message(line: Json) -> bool:
    return isinstance(line, dict) and "say" in line and set(line) <= set(OF_PRESS)


def _line_text(page: Sheet, path: Path) -> str:
    node = page.values[path]
    if node.in_braces or page.text[node.start : node.start + 1] in ("{", "[", '"', "'"):
        return " ".join(page.text[node.start : node.end].split())
    return dump_flow(page.at(path))


def correct_head_names(page: Sheet, known: KnownGame) -> Iterator[Edit]:
    """Write the game and the seat as they are written here: `Rose-1`, `Red`, "Player 7", a player's name."""
    game = page.value.get("game")
    if isinstance(game, str) and known.games and game not in known.games:
        same = [one for one in known.games if normalize_name(one) == normalize_name(game)]
        if len(same) == 1:
            yield page.put(("game",), same[0])
    seat = page.value.get("seat")
    if isinstance(seat, str | int) and str(seat) not in known.seats.ids:
        called = known.seats.called(str(seat))
        if len(called) == 1:
            yield page.put(("seat",), seat_yaml(called[0]))


def correct_booleans(page: Sheet, known: KnownGame) -> Iterator[Edit]:
    """Write true and false for words that mean them: yes, ja, wahr, oui."""
    paths: list[Path] = [("wait",), ("partial",)]
    paths += [(*place, name) for place in entry_paths(page, "orders") for name in _TRUTHS]
    paths += [(*place, "anonymous") for place in entry_paths(page, "press")]
    for path in paths:
        value = page.at(path)
        if (
            isinstance(value, str | int)
            and not isinstance(value, bool)
            and (said := read_boolean(value)) is not None
        ):
            yield page.put(path, "true" if said else "false")
        elif path[-1] == "keep" and isinstance(value, str) and normalize_name(value) in EACH:
            yield page.put(path, "true")


def quote_number_texts(page: Sheet, known: KnownGame) -> Iterator[Edit]:
    """Write a number that is meant as words in quotes: `say: 5`."""
    for place in entry_paths(page, "press"):
        path = (*place, "say")
        if isinstance(page.at(path), int | float | bool):
            yield page.put(path, f'"{page.source_text(path)}"')


def correct_withdrawal(page: Sheet, known: KnownGame) -> Iterator[Edit]:
    """Read `orders: []` and words like it as `orders: none`, where nothing else stands in the file."""
    value = page.value.get("orders")
    if (
        isinstance(value, str)
        and value != "none"
        and normalize_name(value) in ("none", "keine", "withdraw", "cancel", "nothing")
    ):
        yield page.put(("orders",), "none")


_MOST_ROUNDS: Final = 40
"""So many rounds of repairs a text gets at most."""

_LONGEST: Final = 16 * 1024
"""Longer texts get no repairs: nobody writes so many orders by hand, and each round reads all of it.

Nor does one with a line longer than MAX_LINE: it is read as it stands.
"""

Repair = Callable[[Sheet, KnownGame], Iterator[Edit]]
Learn = Callable[[Mapping[str, Json]], KnownGame]

_REPAIRS: Final[tuple[Repair, ...]] = (
    broken.quote_cut_words, correct_field_names, dashes, add_press_mark, drop_empty_lines,
    add_missing_do, correct_head_names, correct_readers, correct_booleans,
    quote_number_texts, correct_withdrawal, values.correct_labels, correct_moves,
    conditions.restate_conditions, conditions.correct_conditions, values.write_ids_for_names,
)  # fmt: skip


def mend_orders(data: bytes, learn: Learn) -> Draft | None:
    """Return an orders file with its slips mended, as far as each can mean one thing only.

    Args:
        data: The file.
        learn: Tells what is known of a game, from the fields of a file as they stand.

    Returns:
        The text as it is now, which may still have mistakes; None if nothing was changed. It is read again
        as any other file: nothing comes in by a repair that could not have been written.
    """
    if not is_mendable(data):
        return None
    try:
        first = Draft.of(clean_text(data, MAX_BYTES))
    except TextProblem:
        return None
    draft = _mend_yaml(first, learn(find_names(first.text)))
    for _ in range(_MOST_ROUNDS):
        after = _mend_once(draft, learn)
        if after is None:
            break
        draft = after
    return draft if draft.text != first.text else None


def is_mendable(data: bytes) -> bool:
    """Tell whether a text is looked at for what it may mean, and not only read as it stands."""
    return (
        len(data) <= _LONGEST
        and max(map(len, data.decode(errors="replace").splitlines()), default=0) <= MAX_LINE
    )


def find_names(text: str) -> dict[str, Json]:
    """Return the game, the seat and the key that a text names, also one that cannot be read."""
    found = {
        name: re.search(rf"^\W*{name}\s*[:=]\s*([^#\n]+)", text, re.MULTILINE | re.IGNORECASE)
        for name in ("game", "seat", "key")
    }
    return {name: one[1].strip().strip("\"'") for name, one in found.items() if one}


def _mend_yaml(draft: Draft, known: KnownGame) -> Draft:
    """Return a text with the lines mended that are no YAML, as far as that goes."""
    known_words = _words(known)
    try:
        parse_sheet(draft.text)
    except YamlProblem:
        draft = quote_names(broken.space_dashes(draft), known.things)
    for _ in range(_MOST_ROUNDS):
        try:
            parse_sheet(draft.text)
        except YamlProblem as problem:
            after = broken.mend_line(draft, problem, known_words)
            if after is None:
                return draft
            draft = after
        else:
            edits = list(broken.quote_player_texts(draft, known_words))
            return draft.edited(edits) if edits else draft
    return draft


def _words(known: KnownGame) -> frozenset[str]:
    if known.grammar is None:
        return frozenset()
    schemas = (known.grammar.move.schema, known.grammar.start.schema)
    return frozenset(name for schema in schemas for name in Subschema(schema, schema).fields())


def _mend_once(draft: Draft, learn: Learn) -> Draft | None:
    """Return the text after the first repair that has something to do; None if none has."""
    try:
        page = parse_sheet(draft.text)
    except YamlProblem:
        return None
    if not page.value:
        return None
    known = learn(page.value)
    for repair in _REPAIRS:
        edits = list(repair(page, known))
        if not edits:
            continue
        after = draft.edited(edits)
        try:
            parse_sheet(after.text)
        except YamlProblem:
            continue
        if after.text != draft.text:
            return after
    return None


def older_form_faults(told: Faults, first: list[Fault], data: bytes) -> Faults:
    """Return the mistakes of orders; of a form of before none but that its time is over, and nothing mixed.

    It is one if each of its lines is for an ask that has passed, or if its first line names such an ask and
    one of its lines is for that. Where all that was written fits the present ask, the labels alone were
    wrong, and the lines are offered.

    Args:
        told: All mistakes, with what would be accepted.
        first: Those that they have as they stand, before the labels are put right.
        data: The file as far as it was mended.
    """
    try:
        value = fields_of(parse(data).value)
    except (TextProblem, YamlProblem):
        return told
    lines = [fields_of(line).get("at") for line in items_of(value.get("orders"))]
    passed = [lines[int(fault.part) - 1] for fault in first if fault.kind == "label-passed"]
    is_all = len(passed) == len(first) and all(at in passed for at in lines)
    if not is_all and _form_label(value, data) not in passed:
        return told
    over = [fault for fault in told if fault.kind == "label-passed"]
    if len(over) == len(told) and told.offer:
        return told
    return Faults(over, (), told.notes, older=(str(value.get("game", "")), str(value.get("seat", ""))))


def _form_label(value: dict[str, Json], data: bytes) -> str:
    """Return the label of the ask that the form was made for; "" if its first line is gone."""
    whose = (str(value.get("game", "")), str(value.get("seat", "")))
    for line in data.decode("utf-8", "replace").split("\n"):
        said = read_marker(line) if "pbem form" in line else None
        if said is not None and (said.game, said.seat) == whose:
            return said.label
    return ""


def merge_label_faults(faults: Iterable[Fault], place: Callable[[int], int]) -> list[Fault]:
    """Return mistakes as people are told of them: labels that have passed are one, with all its lines.

    Args:
        faults: The mistakes.
        place: Returns the line in the text of the player for one of the orders.
    """
    every = list(faults)
    over = [fault for fault in every if fault.kind == "label-passed"]
    if len(over) < 2:
        return every
    lines = sorted({place(fault.line) for fault in over} - {place(over[0].line)})
    in_lines = f"line{'s' * (len(lines) > 1)} {sentence_list(map(str, lines))}"
    where = f"; the same is wrong in {in_lines}" if lines else ""
    one = over[0]._replace(text=f"{over[0].text}{where}")
    return [one if fault is over[0] else fault for fault in every if fault is over[0] or fault not in over]
