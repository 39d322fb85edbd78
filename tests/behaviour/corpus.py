"""What all corpora share: how a file is written, and rows that hold lines of ours."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from pbem.core.interface import Json

OURS: Final = pytest.mark.wording("lines of ours are known by their words")
"""For rows that say `shows ours: true`."""
TEXTS: Final = frozenset({"written", "text", "raw", "mail", "orders", "old", "new"})
"""Fields that people write over several lines; all that is data in them stands on one."""


def raw_of(row: Mapping[str, Any]) -> bytes:
    """Return the bytes of a mail that stands in a row, as text or in base64."""
    return base64.b64decode(row["base64"]) if "base64" in row else str(row["raw"]).encode()


def write(
    name: str, rows: Iterable[Mapping[str, Any]], steps: str = "", lists: frozenset[str] = frozenset()
) -> None:
    """Write rows into a file of this folder, below the comments that it begins with.

    Args:
        name: The name of the file, from this folder.
        rows: The rows; each is a mapping of JSON, and its first field names it.
        steps: The field of a row that holds what happens one after the other, each with its own fields.
        lists: Fields whose members stand one below the other.
    """
    path = Path(__file__).parent / name
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    head = [line for line in lines if line.startswith("#")]
    out = [*head, ""] if head else []
    for row in rows:
        fields = []
        for field, value in row.items():
            if field == steps:
                fields.append(f"{field}:")
                fields += [line for step in value for line in _item(_fields(step, lists))]
            else:
                fields += _field(field, value, lists)
        out += [*_item(fields), ""]
    path.write_text("\n".join(out), encoding="utf-8")


def _item(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines as one item of a list."""
    first, *others = lines
    yield f"- {first}"
    for line in others:
        yield f"  {line}" if line else ""


def _fields(values: Mapping[str, Any], lists: frozenset[str]) -> list[str]:
    return [line for name, value in values.items() for line in _field(name, value, lists)]


def _field(name: str, value: Any, lists: frozenset[str]) -> list[str]:
    if name in lists and isinstance(value, list):
        return [f"{name}:", *(f"- {_json(one)}" for one in value)]
    if name in lists and isinstance(value, dict):
        return [f"{name}:", *(f"  {_key(key)}: {_json(one)}" for key, one in value.items())]
    if name in TEXTS and isinstance(value, str) and value.strip() and _is_printable(value):
        end = "+" if value.endswith("\n\n") else "" if value.endswith("\n") else "-"
        lines = value.removesuffix("\n").split("\n")
        return [f"{name}: |2{end}", *(f"  {line}" if line else "" for line in lines)]
    return [f"{name}: {_json(value)}"]


def _is_printable(text: str) -> bool:
    """Tell whether a text can stand in lines of YAML as it is."""
    return all(letter in "\n\t\ufeff" or letter.isprintable() for letter in text)


def _key(name: str) -> str:
    """Return a key as a text, as which a number is only read in quotes."""
    return _json(name) if name.isdigit() else name


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(value)


def without_words(facts: Mapping[str, Json]) -> dict[str, Json]:
    """Return facts without what people or programs said in words: these stand in the folder of texts."""
    return {name: value for name, value in facts.items() if not (isinstance(value, str) and " " in value)}
