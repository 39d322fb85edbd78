"""The pages that a stranger reads first are in short sentences, and call the moderator one thing only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[2]
FIRST = (
    "README.md",
    "CONTRIBUTING.md",
    "docs/hosting-many.md",
    *(f"docs/{name}.md" for name in ("index", "quick-start", "installing", "asking", "watching", "glossary")),
    *(
        f"docs/{name}.md"
        for name in (
            "mail",
            "moderator",
            "people",
            "trouble",
            "hosting-by-mail",
            "upgrading",
            "moving",
            "journal",
        )
    ),
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


def test_a_page_for_strangers_has_short_sentences() -> None:
    found = {page: list(sentences((PROJECT / page).read_text(encoding="utf-8"))) for page in FIRST}

    assert [page for page, said in found.items() if len(said) <= 10] == []
    assert [
        f"{page}: {one}" for page, said in found.items() for one in said if len(one.split()) > LONGEST
    ] == []


def test_pages_and_mails_call_the_person_who_runs_a_game_the_moderator() -> None:
    found = [
        f"{path.relative_to(PROJECT)}: {hit[0]}"
        for path in TOLD
        for hit in _PERSON.finditer(path.read_text(encoding="utf-8"))
    ]

    assert found == []
