"""Words that YAML takes for a comment: the end of `say: see you at #1`, in the words of a player."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from pbem.text.mending.meaning.known import Known
from pbem.text.mending.shape.broken import SAID, quoted
from pbem.text.mending.shape.drafts import Edit, Sheet, sheet, shortened
from pbem.text.yaml.plaintext import TextProblem, clean
from pbem.text.yaml.strictyaml import YamlProblem

_TAIL: Final = re.compile(r"[ \t]+#[^\s#][^\n]*")
_CUT: Final = re.compile(rb"[ \t]#[^\s#]")
_COMMENT: Final = re.compile(r"[ \t]+#(?:[\s#].*)?$")


def cut_words(page: Sheet, known: Known) -> Iterator[Edit]:
    """Put words of a player in quotes that go on behind a ` #` with something right after it.

    A comment has a space behind its #, as all comments of forms have, and stays one.
    """
    for path, node in page.values.items():
        if not path or path[-1] not in SAID or node.style or not isinstance(page.at(path), str | int):
            continue
        found = _TAIL.match(page.text, node.end)
        if found is None or node.end == node.start:
            continue
        said = _COMMENT.sub("", page.text[node.start : found.end()]).rstrip()
        edit = page.put(path, quoted(said), f"`{shortened(said)}` was put in quotes")
        yield replace(edit, end=node.start + len(said))


def loses_words(data: bytes) -> bool:
    """Tell whether words of a player in an orders file are cut off at a ` #`."""
    if not _CUT.search(data):
        return False
    try:
        page = sheet(clean(data))
    except (TextProblem, YamlProblem):
        return False
    return any(cut_words(page, Known()))
