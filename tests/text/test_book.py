"""The small part of Markdown that game books are written in: as text, as a page, and in a guide."""

from __future__ import annotations

import pytest
from jinja2 import DictLoader

from pbem.play.reports.books import (
    as_page,
    as_text,
    book,
    lay_out_table,
    markdown_parser,
    table_facts,
)
from pbem.text.reports.sandbox import environment
from pbem.text.strictyaml import dump_flow
from tests.docs.make_book import section
from tests.facts import tells

SHELL = "<title>{{ title }}</title>{{ body|safe }}"

MARKUP = """\
# A game

Two lines
of one paragraph, with **bold**, *slanted* and `code_of it`.
- first, which is so long that it must be wrapped where the text of a mail ends on the right
- second
### Below

| `a` | b |
|---|---|
| `x` | *y* |

```
orders:
- do: {a: *b*}
```
"""


def page_of(markup: str) -> str:
    return as_page(environment(DictLoader({"common/book.html.j2": SHELL})), {"rules": "any"}, markup)


def test_the_text_is_wrapped_and_its_tables_stand_in_columns() -> None:
    assert as_text(MARKUP) == (
        "A GAME\n======\n\n"
        "Two lines of one paragraph, with bold, slanted and `code_of it`.\n\n"
        "- first, which is so long that it must be wrapped where the text of a\n  mail ends on the right\n"
        "- second\n\n"
        "Below\n-----\n\n"
        "a  b\n-  -\nx  y\n\n"
        "    orders:\n    - do: {a: *b*}\n"
    )


def test_items_may_have_numbers() -> None:
    markup = f"1. first {'word ' * 20}\n2. second\n"

    assert [line[:3] for line in as_text(markup).splitlines()] == ["1. ", "   ", "2. "]
    assert page_of(markup).count("<li>") == 2


def test_the_page_has_the_same_as_html() -> None:
    page = page_of(MARKUP)

    assert "<title>A game</title><h1>A game</h1>" in page
    assert "<p>Two lines\nof one paragraph, with <strong>bold</strong>, <em>slanted</em> and <code>" in page
    assert "<ul>\n<li>first, which" in page and "<li>second</li>\n</ul>" in page
    assert '<tr>\n<th scope="col"><code>a</code></th>\n<th scope="col">b</th>\n</tr>\n</thead>' in page
    assert '<pre tabindex="0">orders:\n- do: {a: *b*}\n</pre>' in page


@pytest.mark.parametrize("name", ["a|b", "*so*", "`x`", "# one", "<b>&", "two\nlines", "\\", "_so_", "~~x~~"])
def test_a_name_in_the_data_is_never_read_as_a_mark(name: str) -> None:
    template = "| thing |\n|---|\n| {{ name }} |\n\n{{ name }} is there.\n\n```\n{{ [name]|flow }}\n```\n"
    found = environment(DictLoader({"any/book.md.j2": template, "common/book.html.j2": SHELL}))
    facts = {"rules": "any", "name": name}

    markup = book(found, facts)

    kinds = [one.type for one in markdown_parser().parse(markup) if one.level == 0 and one.nesting >= 0]
    assert kinds == ["table_open", "paragraph_open", "fence"]
    assert dump_flow([name]) in as_text(markup)
    assert " ".join(name.split()) in " ".join(as_text(markup).split())
    page = as_page(found, facts, markup)
    escaped = name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert f"<td>{escaped}</td>" in page and tells(page, escaped)


def test_a_section_is_what_stands_below_its_heading_up_to_the_next_as_high() -> None:
    markup = "# A\n\n## B\n\none\n\n### C\n\ntwo\n\n## D\n\nthree\n"

    assert section(markup, "B") == "one\n\n### C\n\ntwo\n"
    assert section(markup, "C") == "two\n"
    with pytest.raises(ValueError):
        section(markup, "E")


def test_a_table_that_is_too_wide_wraps_its_widest_cells_and_cuts_no_word_for_it() -> None:
    told = lay_out_table([["name", "what"], ["return_claiming_stone", "it " * 40], ["x", "y"]])

    assert all(len(line) <= 72 for line in told.splitlines())
    assert "return_claiming_stone" in told
    assert told.count("it") == 40


def test_tables_of_any_data_call_things_by_their_names() -> None:
    data = {
        "lands": {
            "status": "stated",
            "list": [{"id": "a_b", "name": "A B", "near": ["c_d"]}, {"id": "c_d", "name": "C D"}],
        },
        "pairs": [["a_b", "c_d"], ["c_d", "a_b"]],
        "worth": {"a_b": 3, "most_of": True},
    }
    schema = {"properties": {"lands": {"title": "The lands", "description": "All of them."}}}

    lands, pairs, worth = table_facts(data, schema)  # type: ignore[arg-type]

    assert lands == {
        "title": "The lands",
        "says": "All of them.",
        "head": ["name", "near"],
        "rows": [["A B", "C D"], ["C D", ""]],
    }
    assert pairs["rows"] == [["A B, C D"], ["C D, A B"]]  # type: ignore[index, call-overload]
    assert worth["rows"] == [["A B", "3"], ["most of", "yes"]]  # type: ignore[index, call-overload]
