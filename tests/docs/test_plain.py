"""The pages that a stranger reads first are in short sentences, and call the moderator one thing only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
FIRST = (
    "README.md",
    "CONTRIBUTING.md",
    *(f"docs/{name}.md" for name in ("index", "quick-start", "installing", "asking", "watching", "glossary")),
    *(f"docs/{name}.md" for name in ("mail", "upgrading", "moving", "journal", "hosting-many")),
    *(str(guide.relative_to(PROJECT)) for guide in sorted((PROJECT / "docs").glob("*/guide.md"))),
)
"""What a player, a moderator or a spectator reads on the first evening, or when something has gone wrong."""

LONGEST = 25
"""Words of a sentence."""

_BLOCK = re.compile(r"^(```|:::).*?^\1$|^    .*?$|^#+ .*?$|^\|[-|]+\|$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)")
_PIECE = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.) )|\|")
_CITED = re.compile(r"^\s*- \*[^*]+\*\s")
_NUMBERED = re.compile(r"(?:[^,:]+\s\d+(?:/\d+)?,){2,}[^,.:]+\s\d+(?:/\d+)?\.")
_END = re.compile(r"(?:(?<=[.?!:;])|(?<=[.?!]\)))\s+(?=[^a-z])")

_PERSON = re.compile(r"\b(?:your|ask the|some) host\b|\bhosts (?:can|may|want)\b", re.IGNORECASE)
"""Where a person is meant, the word is moderator; the host is what runs the games and writes the mails."""
TOLD = [
    *sorted((PROJECT / "docs").rglob("*.md")),
    *sorted((PROJECT / "templates").rglob("*.j2")),
    PROJECT / "README.md",
]


def sentences(text: str) -> Iterator[str]:
    """Give the sentences of a page of Markdown, without blocks, headings, pictures and where links lead.

    A list of things with numbers, and the place in a rule text before a reading, are no sentences.
    """
    text = _LINK.sub("", _BLOCK.sub("", text))
    for piece in _PIECE.split(text):
        said = _NUMBERED.sub("", _CITED.sub("", piece))
        yield from filter(None, (" ".join(one.split()) for one in _END.split(said)))


@pytest.mark.parametrize("page", FIRST)
def test_a_page_for_strangers_has_short_sentences(page: str) -> None:
    found = list(sentences((PROJECT / page).read_text(encoding="utf-8")))

    assert len(found) > 10
    assert [one for one in found if len(one.split()) > LONGEST] == []


def test_long_sentences_are_found_in_paragraphs_items_and_tables_and_code_is_left_out() -> None:
    long = "word " * LONGEST + "more."

    assert max(len(one.split()) for one in sentences(f"Short.\n\n- Short.\n- {long}")) > LONGEST
    assert max(len(one.split()) for one in sentences(f"| a | {long} |")) > LONGEST
    assert list(sentences(f"# {long}\n\n```text\n{long}\n```\n\nShort. And more.")) == ["Short.", "And more."]
    assert list(sentences(f"- *{long}* Short.\n- They lie here: row 1, row 2 card 3, row 4.")) == [
        "Short.",
        "- They lie here:",
    ]


def test_pages_and_mails_call_the_person_who_runs_a_game_the_moderator() -> None:
    found = [
        f"{path.relative_to(PROJECT)}: {hit[0]}"
        for path in TOLD
        for hit in _PERSON.finditer(path.read_text(encoding="utf-8"))
    ]

    assert found == []
