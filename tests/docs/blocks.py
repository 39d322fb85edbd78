"""The blocks of a guide: commands with what they print, and files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXIT = re.compile(r"\[exit (\d+)\]\n?$")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its kind ("console", "yaml", ...), its text and the line it starts on."""

    kind: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a console block, what it should print, and its exit code."""

    words: str
    expected: str
    code: int


def blocks(guide: Path) -> list[Block]:
    """Return the fenced blocks of a Markdown file."""
    text = guide.read_text(encoding="utf-8")
    return [Block(m[1], m[2], text.count("\n", 0, m.start()) + 1) for m in _BLOCK.finditer(text)]


def commands(block: Block) -> list[Command]:
    """Return the commands of a console block; lines that start with `$ ` are typed, the others printed."""
    found = []
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        words, _, printed = part.partition("\n")
        code = _EXIT.search(printed)
        found.append(Command(words, _EXIT.sub("", printed), int(code[1]) if code else 0))
    return found


def matches(expected: str, printed: str) -> bool:
    """Tell whether a print is as the guide shows it: `...` stands for anything, on its own for any lines."""
    parts = []
    for line in expected.splitlines():
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*".join(re.escape(piece) for piece in line.split("...")) + r"\n")
    return (
        re.fullmatch("".join(parts), printed if printed.endswith("\n") or not printed else printed + "\n")
        is not None
    )


def part(guide: Path, title: str) -> list[Block]:
    """Return the blocks of a part of a guide, from its heading of the second order to the next."""
    text = guide.read_text(encoding="utf-8")
    start = text.index(f"\n## {title}\n")
    end = text.find("\n## ", start + 4)
    lines = text.count("\n", 0, start), text.count("\n", 0, end if end > 0 else len(text))
    return [block for block in blocks(guide) if lines[0] < block.line <= lines[1]]
