"""A text while it is mended: edits, what was told of them, and which line each line was."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Final

from yaml.events import CollectionEndEvent, MappingStartEvent, NodeEvent, ScalarEvent, SequenceStartEvent

from pbem.core.interface import Json
from pbem.text.strictyaml import Document, Path, YamlProblem, events, parse

MOST_SHOWN: Final = 60
_BELOW: Final = re.compile(r":((?:[ \t]*(?:#[^\n]*)?\n)+[ \t]*)\Z")
"""What stands between a key and what is written below it: comments at most."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change: the characters from `start` to `end` become `new`, told in a sentence.

    Attributes:
        start: Position of the first character that goes, from 0.
        end: Position behind the last.
        new: What stands there then.
        note: What is told, without its line: "`if` was read as `when`".
    """

    start: int
    end: int
    new: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class DraftNote:
    """What was taken for what: a sentence without its end, and the line of the first text."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Draft:
    """A text on its way to what was meant.

    Attributes:
        text: The text as it stands now.
        lines: For each of its lines, the number of the line of the first text that it was.
        notes: What was taken for what.
    """

    text: str
    lines: tuple[int, ...]
    notes: tuple[DraftNote, ...] = ()

    @classmethod
    def of(cls, text: str) -> Draft:
        """Return a text that nobody has touched yet."""
        return cls(text, tuple(range(1, text.count("\n") + 2)))

    def edited(self, edits: Iterable[Edit]) -> Draft:
        """Return the text with these changes; of two that overlap, the one that starts first counts."""
        chosen: list[Edit] = []
        for edit in sorted(edits, key=lambda one: (one.start, one.end)):
            if not chosen or edit.start >= chosen[-1].end:
                chosen.append(edit)
        text, lines, notes = self.text, list(self.lines), list(self.notes)
        for edit in reversed(chosen):
            first = text.count("\n", 0, edit.start)
            gone, come = text.count("\n", edit.start, edit.end), edit.new.count("\n")
            is_whole = not edit.new and f"\n{text}"[edit.start] == "\n" == text[edit.end - 1 : edit.end]
            first -= is_whole  # whole rows went away, and the row behind them keeps its number
            lines[first + 1 : first + 1 + gone] = [lines[first]] * come
            text = text[: edit.start] + edit.new + text[edit.end :]
        for edit in chosen:
            line = self.lines[self.text.count("\n", 0, edit.start)]
            told = DraftNote(edit.note, line)
            if edit.note and told not in notes:
                notes.append(told)
        return Draft(text, tuple(lines), tuple(notes))

    def replace_lines(self, new: Mapping[int, str], note: str) -> Draft:
        """Return the text with these lines, numbered from 0, written anew; the note is told of the first."""
        starts = [0, *accumulate(len(line) + 1 for line in self.text.split("\n"))]
        told = {min(new): note}
        return self.edited(Edit(starts[n], starts[n + 1] - 1, new[n], told.get(n, "")) for n in new)

    def is_read_further(self, problem: YamlProblem) -> bool:
        """Tell whether reading it stumbles over nothing, or only below a problem."""
        try:
            parse(self.text)
        except YamlProblem as after:
            return after.mark.line > problem.mark.line
        return True

    def place(self, first: str, line: int, column: int) -> tuple[int, int]:
        """Return the line and column in the first text of a place in this one.

        Within a line that was changed, it is found from the end that is nearer and still the same.

        Args:
            first: The first text.
            line: The line, from 1.
            column: The column, from 1.
        """
        if not 0 < line <= len(self.lines):
            return line, column
        number = self.lines[line - 1]
        mine, theirs = self.text.split("\n")[line - 1], first.split("\n")[number - 1].replace("\t", " ")
        if mine == theirs:
            return number, column
        start = _same_start(mine, theirs)
        if column - 1 <= start:
            return number, column
        end = _same_start(mine[start:][::-1], theirs[start:][::-1])
        if len(mine) - (column - 1) <= end:
            return number, max(1, column + len(theirs) - len(mine))
        return number, start + 1


@dataclass(frozen=True, slots=True)
class Node:
    """A value or a key in the text.

    Attributes:
        start: Position of its first character.
        end: Position behind its last.
        style: The quote or the sign of a block that it stands in; "" for a plain word, a list or fields.
        in_braces: It is, or stands in, a list or fields in brackets.
    """

    start: int
    end: int
    style: str = ""
    in_braces: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """A draft that is YAML: what it says, and where each part of it stands.

    Attributes:
        text: The text.
        document: What it says.
        values: Where each value stands, by its path.
        keys: Where each key stands, by the path of its value.
    """

    text: str
    document: Document
    values: Mapping[Path, Node]
    keys: Mapping[Path, Node]

    @property
    def value(self) -> dict[str, Json]:
        """The fields of the whole; none if it is anything else."""
        return self.document.value if isinstance(self.document.value, dict) else {}

    def at(self, path: Path) -> Json:
        """Return the value at a path, or None."""
        here: Json = self.document.value
        for name in path:
            if isinstance(here, dict) and isinstance(name, str):
                here = here.get(name)
            elif isinstance(here, list) and isinstance(name, int) and name < len(here):
                here = here[name]
            else:
                return None
        return here

    def source_text(self, path: Path) -> str:
        """Return a value as it stands in the text, cut to what fits into a sentence."""
        node = self.values[path]
        return shorten_text(self.text[node.start : node.end])

    def put(self, path: Path, new: str, note: str = "") -> Edit:
        """Return the change that writes something else in place of a value."""
        node = self.values[path]
        space = (
            "" if node.start == 0 or self.text[node.start - 1] in " \n[{" or node.end > node.start else " "
        )
        told = note or f"`{self.source_text(path) or 'nothing'}` was read as `{shorten_text(new)}`"
        if (below := _BELOW.search(self.text, 0, node.start)) is not None:
            return Edit(below.start(1), node.end, f" {new}", told)  # a list or fields below their key
        return Edit(node.start, node.end, space + new, told)

    def rename(self, path: Path, name: str) -> Edit:
        """Return the change that writes another key."""
        node = self.keys[path]
        return Edit(node.start, node.end, name, f"`{path[-1]}` was read as `{name}`")

    def without(self, path: Path, note: str) -> Edit:
        """Return the change that takes a field with its key out of its fields."""
        key, value = self.keys[path], self.values[path]
        start, end = key.start, max(value.end, key.end)
        if key.in_braces:
            before = self.text[:start].rstrip()
            if before.endswith(","):
                return Edit(len(before) - 1, end, "", note)
            after = self.text[end:]
            comma = after[: len(after) - len(after.lstrip(" ,"))]
            return Edit(start, end + len(comma), "", note)
        line = self.text.rfind("\n", 0, start) + 1
        stop = self.text.find("\n", end)
        if not self.text[line:start].strip() and stop >= 0:
            return Edit(line, stop + 1, "", note)
        return Edit(start, end, "", note)


def _same_start(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))


def shorten_text(text: str) -> str:
    """Return a piece of a text as a sentence can quote it."""
    one = " ".join(text.split())
    return one if len(one) <= MOST_SHOWN else one[: MOST_SHOWN - 1] + "…"


@dataclass(slots=True)
class _OpenNode:
    path: Path
    node: Node
    is_list: bool
    count: int = 0
    key: str | None = None
    inside: list[Node] = field(default_factory=list)


def parse_sheet(text: str) -> Sheet:
    """Read a text strictly, with the start and the end of everything in it.

    Raises:
        YamlProblem: It is not YAML of the strict kind.
    """
    document = parse(text)
    plain = text.replace("\t", " ")
    values: dict[Path, Node] = {}
    keys: dict[Path, Node] = {}
    stack: list[_OpenNode] = []
    for event in events(plain if plain.endswith("\n") else plain + "\n"):
        if isinstance(event, CollectionEndEvent):
            done = stack.pop()
            mark = event.end_mark
            assert mark is not None, "both parsers mark every event"
            end = mark.index if done.node.in_braces else max([one.end for one in done.inside], default=0)
            values[done.path] = replace(done.node, end=max(end, done.node.start))
            if stack:
                stack[-1].inside.append(values[done.path])
        elif isinstance(event, NodeEvent):
            _read_event(event, plain, stack, values, keys)
    return Sheet(text, document, values, keys)


def _read_event(
    event: NodeEvent, text: str, stack: list[_OpenNode], values: dict[Path, Node], keys: dict[Path, Node]
) -> None:
    assert event.start_mark is not None, "both parsers mark every event"
    assert event.end_mark is not None, "both parsers mark every event"
    top = stack[-1] if stack else None
    inside = top is not None and top.node.in_braces
    start, end = event.start_mark.index, min(event.end_mark.index, len(text))
    if isinstance(event, ScalarEvent):
        node = Node(start, end, event.style or "", inside)
        if top is not None and not top.is_list and top.key is None:
            top.key = event.value
            keys[(*top.path, top.key)] = node
            top.inside.append(node)
            return
        values[_next_path(top)] = node
        if top is not None:
            top.inside.append(node)
    elif isinstance(event, MappingStartEvent | SequenceStartEvent):
        path = _next_path(top)
        flow = inside or bool(event.flow_style)
        stack.append(_OpenNode(path, Node(start, end, "", flow), isinstance(event, SequenceStartEvent)))


def _next_path(top: _OpenNode | None) -> Path:
    """Return the path of the value that comes next."""
    if top is None:
        return ()
    if top.is_list:
        top.count += 1
        return (*top.path, top.count - 1)
    path = (*top.path, top.key or "")
    top.key = None
    return path
