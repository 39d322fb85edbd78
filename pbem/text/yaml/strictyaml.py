"""YAML as strangers may send it: a small, safe part of the language, with the place of every value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import yaml

from pbem.core.interface import Json
from pbem.text.yaml.plaintext import Mark, TextProblem, clean, place
from pbem.text.yaml.yamlreader import LIMITS, Limits, Path, Place, Reader, events
from pbem.text.yaml.yamlrefusals import YamlProblem, refused_directive
from pbem.text.yaml.yamlwrite import dump, dump_flow, dump_flow_lines

__all__ = [
    "LIMITS", "Document", "Limits", "Mark", "Marks", "Path", "YamlProblem",
    "dump", "dump_flow", "dump_flow_lines", "find", "parse",
]  # fmt: skip

# The C parser accepts some and the other skips some, so they go before either sees them.
_DIRECTIVE: Final = re.compile(r"(?:[ ]*(?:#.*)?\n)*%")

# From 0.2.6 on libyaml gives up at a thousand brackets before it tells of the first and our own limit is met.
_TOO_DEEP: Final = "exceeded maximum nesting depth"


class Marks(Mapping[Path, Mark]):
    """The place of each value, or of each key, by its path; a Mark is made when it is asked for."""

    __slots__ = ("_places",)

    def __init__(self, places: Mapping[Path, Place]) -> None:
        self._places = places

    def __getitem__(self, path: Path) -> Mark:
        spot = self._places[path]
        return Mark(spot.line + 1, spot.column + 1)

    def __iter__(self) -> Iterator[Path]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class Document(NamedTuple):
    """A YAML text that was read.

    Attributes:
        value: What it says.
        marks: Where each value starts, by its path of keys and list positions; () is the whole.
        keys: Where the key of each entry of a mapping starts, by the entry's path.
    """

    value: Json
    marks: Mapping[Path, Mark]
    keys: Mapping[Path, Mark]


def parse(data: bytes | str, limits: Limits = LIMITS, *, pure: bool = False) -> Document:
    """Read one YAML document.

    Keys are always text, quoted values and blocks too. An unquoted value is what `plain_value` says: `no`,
    `012`, `1e3`, `1:30` and dates stay text. A tab that does not indent counts as one space, also in quotes,
    where an escape can still write it.

    Args:
        data: The file as it came.
        limits: How large it may be.
        pure: Use the parser in Python also where libyaml is installed; the result is the same.

    Raises:
        YamlProblem: The text is not YAML, or empty, or more than one document; it holds an anchor, alias,
            tag, directive or merge key, a key that is no word or comes twice in a mapping, a tab that
            indents, or a character that `clean` refuses; or it is beyond the limits. Nothing else is raised.
    """
    try:
        text = clean(data, limits.size)
    except TextProblem as problem:
        raise YamlProblem(problem.mark, problem.text, problem.hint) from None
    text = _without_tabs(text)
    directive = _DIRECTIVE.match(text)
    if directive:
        raise refused_directive(text, directive.end() - 1)
    reader = Reader(text, limits)
    try:
        for event in events(text if text.endswith("\n") else text + "\n", pure):
            reader.feed(event)
    except yaml.YAMLError as error:
        if _TOO_DEEP in str(error) and not pure:
            return parse(data, limits, pure=True)
        from pbem.text.yaml.yamlerrors import explain  # most files are well formed

        raise explain(error, text) from None
    if not reader.places:
        hint = "There are only comments in it." if text.strip() else ""
        raise YamlProblem(Mark(1, 1), "the file is empty", hint)
    return Document(reader.value, Marks(reader.places), Marks(reader.key_places))


def find(document: Document, path: Path) -> Mark:
    """Return the place of the value at a path, or of the nearest one around it; 1:1 if there is none."""
    for end in range(len(path), -1, -1):
        if path[:end] in document.marks:
            return document.marks[path[:end]]
    return Mark(1, 1)


def _without_tabs(text: str) -> str:
    if "\t" not in text:
        return text
    start = 0
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip(" \t"))]
        if "\t" in indent and len(indent) < len(line):
            spot = place(text, start + indent.index("\t"))
            raise YamlProblem(spot, "this line is indented with a tab", "Use spaces to indent.")
        start += len(line) + 1
    return text.replace("\t", " ")
