"""Orders with slips, read as they can only be meant: repair after repair, each read strictly again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from pbem.core.interface import Json
from pbem.text.mail.message.limits import MAX_LINE
from pbem.text.mending.meaning import fieldwords, labels, paths, readers, things
from pbem.text.mending.meaning.known import Known
from pbem.text.mending.shape import broken, fitting, hashes, slips
from pbem.text.mending.shape.drafts import Draft, Edit, Sheet, sheet
from pbem.text.mending.shape.shapes import Shape
from pbem.text.yaml.plaintext import MAX_BYTES, TextProblem, clean
from pbem.text.yaml.strictyaml import YamlProblem

_MOST_ROUNDS: Final = 40
"""So many rounds of repairs a text gets at most."""

_LONGEST: Final = 16 * 1024
"""Longer texts get no repairs: nobody writes so many orders by hand, and each round reads all of it.

Nor does one with a line longer than MAX_LINE: it is read as it stands.
"""

Repair = Callable[[Sheet, Known], Iterator[Edit]]
Learn = Callable[[Mapping[str, Json]], Known]

_REPAIRS: Final[tuple[Repair, ...]] = (
    hashes.cut_words, fieldwords.other_words, slips.dashes, slips.messages_among_orders, slips.left_empty,
    slips.bare_orders, slips.names_above, readers.readers, slips.truths,
    slips.single_texts, slips.withdrawals, labels.labels, fitting.moves, paths.conditions, things.things,
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
    words = _words(known)
    try:
        sheet(draft.text)
    except YamlProblem:
        from pbem.text.mending.shape.barenames import names_quoted  # only such a text needs it

        draft = names_quoted(broken.dashes_apart(draft), known.things)
    for _ in range(_MOST_ROUNDS):
        try:
            sheet(draft.text)
        except YamlProblem as problem:
            after = broken.mended_line(draft, problem, words)
            if after is None:
                return draft
            draft = after
        else:
            edits = list(broken.texts(draft, words))
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
