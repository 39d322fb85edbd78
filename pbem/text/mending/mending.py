"""Orders with slips, read as they can only be meant: repair after repair, each read strictly again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from pbem.core.interface import Json
from pbem.core.wording import listed
from pbem.text.codec import fields_of, items_of
from pbem.text.envelope import read_marker
from pbem.text.faults import Fault, Faults
from pbem.text.mail.headers import MAX_LINE
from pbem.text.mending import broken, conditions, fields, slips, statements, values
from pbem.text.mending.drafts import Draft, Edit, Sheet, sheet
from pbem.text.mending.lines import names_quoted
from pbem.text.mending.names import Known
from pbem.text.orders import Shape
from pbem.text.plaintext import MAX_BYTES, TextProblem, clean
from pbem.text.strictyaml import YamlProblem, parse

_MOST_ROUNDS: Final = 40
"""So many rounds of repairs a text gets at most."""

_LONGEST: Final = 16 * 1024
"""Longer texts get no repairs: nobody writes so many orders by hand, and each round reads all of it.

Nor does one with a line longer than MAX_LINE: it is read as it stands.
"""

Repair = Callable[[Sheet, Known], Iterator[Edit]]
Learn = Callable[[Mapping[str, Json]], Known]

_REPAIRS: Final[tuple[Repair, ...]] = (
    broken.cut_words, fields.other_words, slips.dashes, slips.messages_among_orders, slips.left_empty,
    slips.bare_orders, slips.names_above, fields.readers, slips.truths,
    slips.single_texts, slips.withdrawals, values.labels, slips.moves, statements.statements,
    conditions.conditions, values.things,
)  # fmt: skip


def mended(data: bytes, learn: Learn) -> Draft | None:
    """Return an orders file with its slips mended, as far as each can mean one thing only.

    Args:
        data: The file.
        learn: Tells what is known of a game, from the fields of a file as they stand.

    Returns:
        The text as it is now, which may still have mistakes; None if nothing was changed. It is read again
        as any other file: nothing comes in by a repair that could not have been written.
    """
    if not may_be_mended(data):
        return None
    try:
        first = Draft.of(clean(data, MAX_BYTES))
    except TextProblem:
        return None
    draft = _readable(first, learn(named_in(first.text)))
    for _ in range(_MOST_ROUNDS):
        after = _one_round(draft, learn)
        if after is None:
            break
        draft = after
    return draft if draft.text != first.text else None


def may_be_mended(data: bytes) -> bool:
    """Tell whether a text is looked at for what it may mean, and not only read as it stands."""
    return (
        len(data) <= _LONGEST
        and max(map(len, data.decode(errors="replace").splitlines()), default=0) <= MAX_LINE
    )


def named_in(text: str) -> dict[str, Json]:
    """Return the game, the seat and the key that a text names, also one that cannot be read."""
    found = {
        name: re.search(rf"^\W*{name}\s*[:=]\s*([^#\n]+)", text, re.MULTILINE | re.IGNORECASE)
        for name in ("game", "seat", "key")
    }
    return {name: one[1].strip().strip("\"'") for name, one in found.items() if one}


def _readable(draft: Draft, known: Known) -> Draft:
    """Return a text with the lines mended that are no YAML, as far as that goes."""
    known_words = _words(known)
    try:
        sheet(draft.text)
    except YamlProblem:
        draft = names_quoted(broken.dashes_apart(draft), known.things)
    for _ in range(_MOST_ROUNDS):
        try:
            sheet(draft.text)
        except YamlProblem as problem:
            after = broken.mended_line(draft, problem, known_words)
            if after is None:
                return draft
            draft = after
        else:
            edits = list(broken.texts(draft, known_words))
            return draft.edited(edits) if edits else draft
    return draft


def _words(known: Known) -> frozenset[str]:
    if known.grammar is None:
        return frozenset()
    schemas = (known.grammar.move.schema, known.grammar.start.schema)
    return frozenset(name for schema in schemas for name in Shape(schema, schema).fields())


def _one_round(draft: Draft, learn: Learn) -> Draft | None:
    """Return the text after the first repair that has something to do; None if none has."""
    try:
        page = sheet(draft.text)
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
            sheet(after.text)
        except YamlProblem:
            continue
        if after.text != draft.text:
            return after
    return None


def only_older(told: Faults, first: list[Fault], data: bytes) -> Faults:
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
    if not is_all and _form_of(value, data) not in passed:
        return told
    over = [fault for fault in told if fault.kind == "label-passed"]
    if len(over) == len(told) and told.offer:
        return told
    return Faults(over, (), told.notes, older=(str(value.get("game", "")), str(value.get("seat", ""))))


def _form_of(value: dict[str, Json], data: bytes) -> str:
    """Return the label of the ask that the form was made for; "" if its first line is gone."""
    whose = (str(value.get("game", "")), str(value.get("seat", "")))
    for line in data.decode("utf-8", "replace").split("\n"):
        said = read_marker(line) if "pbem form" in line else None
        if said is not None and (said.game, said.seat) == whose:
            return said.label
    return ""


def told_once(faults: Iterable[Fault], place: Callable[[int], int]) -> list[Fault]:
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
    in_lines = f"line{'s' * (len(lines) > 1)} {listed(map(str, lines))}"
    where = f"; the same is wrong in {in_lines}" if lines else ""
    one = over[0]._replace(text=f"{over[0].text}{where}")
    return [one if fault is over[0] else fault for fault in every if fault is over[0] or fault not in over]
