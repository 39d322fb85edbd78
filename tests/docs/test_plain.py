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


CLICKED = [
    *(PROJECT / "templates" / "common" / name for name in ("orders.html.j2", "form/app.html.j2")),
    *sorted(
        path
        for path in (PROJECT / "templates" / "common" / "form").glob("*.js")
        if path.name not in ("form.min.js", "load.js", "yaml.js")
    ),
    *sorted((PROJECT / "templates" / "archive").glob("*.j2")),
]
"""The order page and the archive: what they can say, in templates and scripts."""

LONGEST_THERE = 22
"""Words of a sentence there: it is read between two clicks."""

SHORTEST = 4
"""Words of what counts as a sentence there: less is a label."""

_JINJA = re.compile(r"\{%.*?%\}|\{#.*?#\}|<style.*?</style>|<[^>]*>", re.DOTALL)
_SAID = re.compile(r'"([A-Za-z][^"\n]*)"|`([A-Za-z][^`\n]*)`')
_FILLED = re.compile(r"\{\{.*?\}\}|\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}", re.DOTALL)


def said(path: Path) -> Iterator[str]:
    """Give the sentences that a template or a script can say; what is filled in counts as one word."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".js":
        code = "\n".join(
            line for line in text.splitlines() if not line.strip().startswith(("//", "/**", "*"))
        )
        parts = [_FILLED.sub("X", one) for found in _SAID.findall(code) for one in found if one]
    else:
        parts = _JINJA.sub("\0", _FILLED.sub("X", text)).split("\0")
    for part in parts:
        for one in re.split(r"(?<=[.?!:;])\s+", part):
            if len(one.split()) >= SHORTEST:
                yield " ".join(one.split())


def test_order_page_and_archive_speak_in_short_sentences() -> None:
    assert len(CLICKED) > 30
    assert [
        f"{path.relative_to(PROJECT)}: {one}"
        for path in CLICKED
        for one in said(path)
        if len(one.split()) > LONGEST_THERE
    ] == []


def test_sentences_of_scripts_and_templates_are_found() -> None:
    found = {path.name: list(said(path)) for path in CLICKED}

    assert "Nothing is chosen yet." in found["page.js"]
    assert "Lines are tried in this order:" in found["app.html.j2"]
    assert "No game has been published yet." in found["index.html.j2"]
