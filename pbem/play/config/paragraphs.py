"""The paragraphs of rules in words, as authors write them in `paragraphs.yaml`."""

from __future__ import annotations

from pbem.core.interface import Json
from pbem.store.errors import WrongInput
from pbem.text.yaml.strictyaml import Document

INTERPRETED = "interpreted"
"""The standing of a paragraph that leaves something open; it has its reading and its place in the text."""


def paragraphs_in(path: str, document: Document) -> list[Json]:
    """Return the paragraphs of a file.

    Args:
        path: The name of the file.
        document: What was read of it.

    Raises:
        WrongInput: They are none; with FILE:LINE:COLUMN, and the id of the paragraph.
    """
    found = document.value
    if not isinstance(found, list) or not all(isinstance(one, dict) and "says" in one for one in found):
        raise WrongInput(f"{path}:1:1: expected a list of paragraphs (- says: words).")
    for number, one in enumerate(found):
        if isinstance(one, dict) and (missing := _missing(one)):
            mark = document.marks[(number,)]
            told = f"the paragraph {one.get('id', number + 1)!r} says how it is read, and has no `{missing}`"
            hint = "Write `place: where in the text it stands` and `how: the reading`, or `standing: kept`."
            raise WrongInput(f"{path}:{mark.line}:{mark.column}: {told}.", hint)
    return found


def _missing(paragraph: dict[str, Json]) -> str:
    """Return the field that a paragraph with a reading lacks, or ""."""
    if paragraph.get("standing") != INTERPRETED and "how" not in paragraph:
        return ""
    return next((name for name in ("place", "how") if not paragraph.get(name)), "")
