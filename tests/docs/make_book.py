"""What the players' guides share with the game books, from one template: `python -m tests.docs.make_book`.

In a guide `<!-- from the game book: HEADING -->` and `<!-- end -->` stand around what the book of these rules
says below that heading.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from pbem.play.reports.books import HIDDEN, book_of_rules

DOCS = Path(__file__).parents[2] / "docs"
WIDTH = 118

_IN_A_GUIDE = {
    ord(there): {"\n": " ", "#": "#"}.get(chr(mark), f"\\{chr(mark)}") for mark, there in HIDDEN.items()
}
_PLACE = re.compile(r"(<!-- from the game book: (.+?) -->\n)(.*?)(<!-- end -->\n)", re.DOTALL)


def guides() -> list[Path]:
    """Return the players' guides."""
    return sorted(DOCS.glob("*/guide.md"))


def made(guide: Path) -> str:
    """Return a guide as it must be, with the sections that it shares with the game book."""
    markup = book_of_rules(guide.parent.name).markup

    def put(found: re.Match[str]) -> str:
        return f"{found[1]}\n{_filled(section(markup, found[2]))}\n{found[4]}"

    return _PLACE.sub(put, guide.read_text(encoding="utf-8"))


def section(markup: str, heading: str) -> str:
    """Return what stands below a heading of a book, up to the next one that is as high, as a guide has it.

    Raises:
        ValueError: There is no such heading.
    """
    lines = iter(markup.splitlines())
    level = next((len(line.split(" ")[0]) for line in lines if line.lstrip("#") == f" {heading}"), 0)
    if not level:
        raise ValueError(f"the game book has no heading {heading!r}")
    found: list[str] = []
    for line in lines:
        depth = len(line) - len(line.lstrip("#"))
        if 0 < depth <= level:
            break
        found.append(line)
    return "\n".join(found).strip().translate(_IN_A_GUIDE) + "\n"


def shared(guide: Path) -> list[str]:
    """Return the headings of the sections that a guide shares with the game book."""
    return [found[2] for found in _PLACE.finditer(guide.read_text(encoding="utf-8"))]


def _filled(text: str) -> str:
    """Return Markdown with its paragraphs and items in the width of the guides."""
    return "\n".join(_lines(re.sub(r"\n{3,}", "\n\n", text).splitlines())) + "\n"


def _lines(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if len(line) <= WIDTH or line.startswith("|"):
            yield line
        else:
            later = "  " if line.startswith("- ") else ""
            yield from textwrap.wrap(
                line, WIDTH, subsequent_indent=later, break_on_hyphens=False, break_long_words=False
            )


def main() -> None:
    """Write the guides."""
    for guide in guides():
        guide.write_text(made(guide), encoding="utf-8")


if __name__ == "__main__":
    main()
