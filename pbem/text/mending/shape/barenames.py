"""Names of things that need quotes in YAML, written bare as reports print them: they are put in quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from pbem.text.mending.meaning.names import Names
from pbem.text.mending.shape.drafts import Draft, Edit, shortened
from pbem.text.yaml.strictyaml import YamlProblem, dump_flow, parse

_SIGNS: Final = re.compile(r"[:#,'\"\[\]{}&*!|>%@`]")
_QUOTE: Final = "['\"‘’“”]?"
"""Quotation marks within a name may be left out, or curly."""
_BEFORE: Final = r"(?P<before>(?:[\[{,]|:[ \t]|-[ \t])[ \t]*)"
_BEHIND: Final = r"(?=[ \t]*(?:[,}\]]|$)|[ \t]+#)"


def names_quoted(draft: Draft, things: Names) -> Draft:
    """Return a text that is no YAML with quotes around names that need them, if it has any.

    Args:
        draft: The text.
        things: What things are called.
    """
    edits = [edit for name in _needy(things) for edit in _quoted(draft.text, name)]
    return draft.edited(edits) if edits else draft


def _needy(things: Names) -> list[str]:
    """Return the names that are no text in YAML as they stand, longest first."""
    every = {name for names in things.ids.values() for name in names if _SIGNS.search(name)}
    return sorted((name for name in every if not _is_text(name)), key=len, reverse=True)


def _is_text(name: str) -> bool:
    try:
        value = parse(f"of: [{name}]").value
    except YamlProblem:
        return False
    found = value.get("of") if isinstance(value, dict) else None
    return isinstance(found, list) and len(found) == 1 and isinstance(found[0], str)


def _quoted(text: str, name: str) -> Iterator[Edit]:
    """Yield the change for each place where a name stands bare as a value, outside comments."""
    parts = (_QUOTE if sign in "'\"" else r"\s+" if sign == " " else re.escape(sign) for sign in name)
    pattern = re.compile(f"{_BEFORE}(?P<name>{''.join(parts)}){_BEHIND}", re.IGNORECASE | re.MULTILINE)
    for found in pattern.finditer(text):
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        if not line.lstrip().startswith("#"):
            note = f"`{shortened(found['name'])}` was put in quotes"
            yield Edit(found.start("name"), found.end("name"), dump_flow(name), note)
