"""What the program says names no file of its documents: whoever installed it has none of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[2]
CODE = sorted((PROJECT / "pbem").rglob("*.py"))
TEMPLATES = [*sorted((PROJECT / "templates").rglob("*.j2")), *sorted((PROJECT / "pbem").rglob("*.j2"))]

_DOCUMENT = re.compile(r"\bdocs/\w|\b[\w-]+\.md\b(?!\.j2)")


def named(text: str) -> list[str]:
    """Return the files of documents that the strings of a module name, its help texts too."""
    if not _DOCUMENT.search(text):
        return []
    texts = (
        node.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return [hit[0] for one in texts for hit in _DOCUMENT.finditer(one)]


def _found() -> Iterator[str]:
    for path in CODE:
        yield from (f"{path.relative_to(PROJECT)}: {one}" for one in named(path.read_text("utf-8")))
    for path in TEMPLATES:
        hits = _DOCUMENT.finditer(path.read_text("utf-8"))
        yield from (f"{path.relative_to(PROJECT)}: {hit[0]}" for hit in hits)


def test_no_message_names_a_file_of_the_documents() -> None:
    assert len(CODE) > 300 and len(TEMPLATES) > 50
    assert list(_found()) == []


def test_such_a_name_is_found() -> None:
    assert named('x = "see docs/journal.md"') == ["docs/j"]
    assert named('hint = f"{a}; see journal.md."') == ["journal.md"]
    assert named('name = "book.md.j2"') == []
