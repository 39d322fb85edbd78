"""What a menu tells behind a move, taken along with it: `play: NE2      to I6; points 2 to 3`."""

from __future__ import annotations

import re
from typing import Final

from pbem.text.mending.meaning.values import meant
from pbem.text.mending.shape.drafts import Edit, Sheet, shortened
from pbem.text.mending.shape.shapes import Shape
from pbem.text.yaml.strictyaml import Path
from pbem.text.yaml.yamlwrite import plain_value

_GAP: Final = re.compile(r"(?<=\S) {2,}(?=\S)")
_WORD: Final = re.compile(r"[^\s,;()]+")
_FIELDS: Final = re.compile(
    r"(?P<fields>[a-z_]\w*: [^\s:,]+(?:, [a-z_]\w*: [^\s:,]+)+)(?P<told> {2,}\S.*)?\s*"
)
_BEYOND: Final = re.compile(r"(?:,[^:,{}\[\]\"'#\n]*)+(?=\})")
_ONLY_TOLD: Final = ", which only describes the move, was left out"


def without_description(page: Sheet, path: Path, shape: Shape) -> Edit | None:
    """Return the change that leaves out what stands behind a value and two blanks or more.

    None if the value would not do without it, or if a word behind it would do as well.
    """
    node = page.values[path]
    written = page.text[node.start : node.end]
    gap = _GAP.search(written)
    if node.style or gap is None or "\n" in written:
        return None
    beyond = _BEYOND.match(page.text, node.end)  # a comma within it ends the value, not the description
    end = beyond.end() if beyond else node.end
    told = page.text[node.start + gap.end() : end].rstrip()
    value = plain_value(written[: gap.start()])
    if not (shape.takes(value) or shape.takes(meant(value, shape))):
        return None
    if any(shape.takes(one) for word in _WORD.findall(told) for one in (word, plain_value(word))):
        return None
    return Edit(node.start + gap.start(), end, "", f"`{shortened(told)}`{_ONLY_TOLD}")


def fields_of_menu(line: str) -> tuple[str, str] | None:
    """Return the fields of a line of a menu that has several, and what is said of reading it.

    None if it is no such line.
    """
    found = _FIELDS.fullmatch(line.strip())
    if found is None:
        return None
    note = f"`{found['fields']}` was put between the braces"
    return found["fields"], f"{note}, and its description left out" if found["told"] else note
