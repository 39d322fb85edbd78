"""YAML as strangers may send it: a small, safe part of the language, with the place of every value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, NoReturn, Protocol, TypeAlias

import yaml
from yaml.error import Mark as YamlMark
from yaml.error import MarkedYAMLError
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    ScalarEvent,
    SequenceStartEvent,
)
from yaml.scanner import ScannerError
from yaml.tokens import DirectiveToken, ScalarToken

from pbem.core.interface import Json
from pbem.text import yamlerrors as wrong
from pbem.text.plaintext import MAX_BYTES, Mark, TextProblem, clean_text, first_forbidden, place
from pbem.text.yamlerrors import YamlProblem, directive_problem, explain
from pbem.text.yamlwrite import MAX_DEPTH, MAX_KEY, dump, dump_flow, dump_flow_lines, plain_value

Path: TypeAlias = tuple[str | int, ...]

_GLUED_COMMENT: Final = re.compile(r"[|>][-+0-9]*#")
_GLUED_OPENING: Final = re.compile(r"[^:]*:(?=[\[{\"'])")


class Limits(NamedTuple):
    """How large a text may be.

    Attributes:
        size: Bytes of UTF-8.
        nodes: Keys, values, lists and mappings together.
        depth: Lists and mappings within each other.
        key: Characters of a key.
    """

    size: int = MAX_BYTES
    nodes: int = 5000
    depth: int = MAX_DEPTH
    key: int = MAX_KEY


LIMITS: Final = Limits()


class Place(Protocol):
    """A mark as either parser makes it: line, column and index from 0."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def index(self) -> int: ...


@dataclass(slots=True)
class Reader:
    """Events to a value, with an explicit stack: the depth of a text never becomes depth of calls.

    Attributes:
        inside: The list or mapping being filled, None before the first.
        path: The path of `inside`.
        key: In a mapping, the key that waits for its value.
        outer: What `inside` and `path` were around each open list or mapping.
    """

    text: str
    limits: Limits
    value: Json = None
    places: dict[Path, Place] = field(default_factory=dict)
    key_places: dict[Path, Place] = field(default_factory=dict)
    nodes: int = 0
    inside: dict[str, Json] | list[Json] | None = None
    path: Path = ()
    key: str | None = None
    outer: list[tuple[dict[str, Json] | list[Json] | None, Path]] = field(default_factory=list)

    def feed(self, event: Event) -> None:
        """Take the next event; YamlProblem if the rules forbid it."""
        if isinstance(event, ScalarEvent):
            self.scalar(event)
        elif isinstance(event, CollectionEndEvent):
            self.inside, self.path = self.outer.pop()
        elif isinstance(event, MappingStartEvent):
            self.open(event, {})
        elif isinstance(event, SequenceStartEvent):
            self.open(event, [])
        elif isinstance(event, AliasEvent):
            raise wrong.alias_problem(self.text, _start_place(event).index)
        elif isinstance(event, DocumentStartEvent):
            self.start(event)

    def start(self, event: DocumentStartEvent) -> None:
        spot = _start_place(event)
        if event.version or event.tags:
            raise wrong.directive_problem(self.text, spot.index)
        if self.places:
            raise self.problem(spot, "a second document starts here", 'Send one only, and delete this "---".')

    def scalar(self, event: ScalarEvent) -> None:
        spot = self.checked(event)
        text = event.value
        if event.style == '"' and not text.isprintable() and first_forbidden(text):
            raise wrong.escape_problem(self.text, spot.index)
        if event.style in ("|", ">"):
            glued = _GLUED_COMMENT.match(self.text, spot.index)
            if glued:
                raise wrong.block_header_problem(self.text, spot.index, glued.end() - 1)
        if self.key is None and isinstance(self.inside, dict):
            self.open_key(text, event.style, spot)
        elif event.style:
            self.put(text, spot)
        elif text:
            self.put(plain_value(text), spot)
        else:
            self.put_nothing(spot)

    def open_key(self, key: str, style: str | None, spot: Place) -> None:
        if style in ("|", ">") or not (key or style):
            raise wrong.key_problem(self.text, spot.index)
        if len(key) > self.limits.key:
            text = f"a key of {len(key)} characters is too long"
            raise self.problem(spot, text, f"Keys have at most {self.limits.key}.")
        if not style and key == "<<":
            raise self.problem(spot, 'the merge key "<<" is not allowed', "Write the values again in full.")
        if not style and ":" in key:
            glued = _GLUED_OPENING.match(key)
            if glued:
                raise wrong.missing_space_problem(
                    self.text, spot.index + glued.end() - 1, key[: glued.end() - 1]
                )
        child = (*self.path, key)
        first = self.key_places.setdefault(child, spot)
        if first is not spot:
            text = f'the key "{key}" is already in line {first.line + 1}'
            problem = self.problem(spot, text, "Delete one of the two.")
            problem.again = key, first.line + 1
            raise problem
        self.key = key

    def put_nothing(self, spot: Place) -> None:
        """Put a null that is not written; where its colon is missing too it stands at the key.

        Raises:
            YamlProblem: The key is a glued `key:value`.
        """
        if self.key is not None and self.text[spot.index - 1 : spot.index] != ":":
            spot = self.key_places[(*self.path, self.key)]
            before, colon, _ = self.key.partition(":")
            if colon and self.text.startswith(self.key, spot.index):
                raise wrong.missing_space_problem(self.text, spot.index + len(before), before.strip())
        if self.inside is not None:
            self.put(None, spot)

    def put(self, value: Json, spot: Place) -> Path:
        """Put a value where the next one belongs and return its path."""
        inside = self.inside
        if isinstance(inside, list):
            path: Path = (*self.path, len(inside))
            inside.append(value)
        elif inside is not None and self.key is not None:
            path = (*self.path, self.key)
            inside[self.key] = value
            self.key = None
        else:
            path = ()
            self.value = value
        self.places[path] = spot
        return path

    def open(
        self, event: SequenceStartEvent | MappingStartEvent, empty: dict[str, Json] | list[Json]
    ) -> None:
        spot = self.checked(event)
        if self.key is None and isinstance(self.inside, dict):
            raise wrong.key_problem(self.text, spot.index)
        if len(self.outer) >= self.limits.depth:
            text = f"more than {self.limits.depth} lists and mappings stand within each other"
            raise self.problem(spot, text, "Use fewer levels.")
        self.outer.append((self.inside, self.path))
        self.path = self.put(empty, spot)
        self.inside = empty

    def checked(self, event: ScalarEvent | SequenceStartEvent | MappingStartEvent) -> Place:
        """Count a node and return its place; refuse anchors and tags."""
        spot = _start_place(event)
        if event.tag is not None:
            raise wrong.tag_problem(self.text, self.text.find("!", spot.index))
        if event.anchor is not None:
            raise wrong.anchor_problem(self.text, spot.index)
        self.nodes += 1
        if self.nodes > self.limits.nodes:
            text = f"there are more than {self.limits.nodes} values up to here"
            raise self.problem(spot, text, "Leave out what is not needed.")
        return spot

    def problem(self, spot: Place, text: str, hint: str) -> YamlProblem:
        return YamlProblem(place(self.text, spot.index), text, hint)


def _start_place(event: Event) -> Place:
    spot = event.start_mark
    assert spot is not None, "both parsers mark every event"
    return spot


HAS_LIBYAML: Final = bool(yaml.__with_libyaml__)

_BLOCK_WORD: Final = re.compile(r"(?:[^\0 \n:]|:(?![\0 \n]))*")
_FLOW_WORD: Final = re.compile(r"(?:[^\0 \n:,\[\]{}]|:(?![\0 \n,?\[\]{}]))*")


class _LikeLibyaml(yaml.SafeLoader):
    """The parser in Python, with libyaml's reading wherever the two differ."""

    def scan_plain(self) -> ScalarToken:
        """Read an unquoted text: in brackets it may contain "?", and "a:]" is an error."""
        start = end = self.get_mark()
        word = _FLOW_WORD if self.flow_level else _BLOCK_WORD
        chunks: list[str] = []
        spaces: list[str] = []
        while self.peek() != "#":
            match = word.match(self.buffer, self.pointer)
            length = match.end() - match.start() if match else 0
            if self.flow_level and re.match(r":[,?\[\]{}]", self.prefix(length + 2)[length:]):
                self.forward(length)
                raise ScannerError(
                    "while scanning a plain scalar", start, "found unexpected ':'", self.get_mark()
                )
            if not length:
                break
            self.allow_simple_key = False
            chunks += [*spaces, self.prefix(length)]
            self.forward(length)
            end = self.get_mark()
            spaces = self.scan_plain_spaces(self.indent + 1, start) or []
            if not spaces or (not self.flow_level and self.column <= self.indent):
                break
        return ScalarToken("".join(chunks), True, start, end)

    def scan_flow_scalar_non_spaces(self, double: bool, start_mark: YamlMark) -> list[str]:
        """Read within quotes: an escape that is no character is a YAML error, not a ValueError or a half."""
        try:
            chunks: list[str] = super().scan_flow_scalar_non_spaces(double, start_mark)
            "".join(chunks).encode()
        except (ValueError, OverflowError):
            raise ScannerError("while scanning a quoted scalar", start_mark, "invalid escape") from None
        return chunks

    def scan_directive(self) -> DirectiveToken:
        """Refuse every directive; this parser would skip those it does not know."""
        self._refuse_directive()

    def _refuse_directive(self) -> NoReturn:
        raise ScannerError("while scanning a directive", self.get_mark(), "found a directive")


def events(text: str, pure: bool = False) -> Iterator[Event]:
    """Yield the events of a text that `clean` has passed and that has no tabs.

    Args:
        text: The text.
        pure: Use the parser in Python also where libyaml is installed.

    Raises:
        MarkedYAMLError: The text is not YAML, whatever the parser stumbled over.
    """
    try:
        if HAS_LIBYAML and not pure:
            yield from yaml.parse(text, Loader=yaml.CSafeLoader)
        else:
            yield from yaml.parse(text, Loader=_LikeLibyaml)
    except yaml.YAMLError:
        raise
    except Exception as error:
        # No text is known to lead here; a fault of the parser is still the text's problem, not a crash.
        raise MarkedYAMLError(problem=str(error)) from error


__all__ = [
    "LIMITS", "Document", "Limits", "Mark", "Marks", "Path", "YamlProblem",
    "dump", "dump_flow", "dump_flow_lines", "find_mark", "parse",
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
        text = clean_text(data, limits.size)
    except TextProblem as problem:
        raise YamlProblem(problem.mark, problem.text, problem.hint) from None
    text = _without_tabs(text)
    directive = _DIRECTIVE.match(text)
    if directive:
        raise directive_problem(text, directive.end() - 1)
    reader = Reader(text, limits)
    try:
        for event in events(text if text.endswith("\n") else text + "\n", pure):
            reader.feed(event)
    except yaml.YAMLError as error:
        if _TOO_DEEP in str(error) and not pure:
            return parse(data, limits, pure=True)

        raise explain(error, text) from None
    if not reader.places:
        hint = "There are only comments in it." if text.strip() else ""
        raise YamlProblem(Mark(1, 1), "the file is empty", hint)
    return Document(reader.value, Marks(reader.places), Marks(reader.key_places))


def find_mark(document: Document, path: Path) -> Mark:
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
