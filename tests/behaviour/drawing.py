"""Slips drawn at the fields of orders: a dozen at each field, no two the same at the same field.

Usage: python -m tests.behaviour.drawing

draws `drawn_slips.yaml` anew from the orders that are accepted in `slips.yaml`.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from pbem.text.strictyaml import dump_flow
from tests.behaviour.corpus import write
from tests.behaviour.slips import a_home_of_samples, outcome, rows

EACH: Final = 70
"""So many slips are drawn of each game."""

FIELD: Final = re.compile(r"(?P<key>[A-Za-z_.0-9]+): ?(?P<value>[^\s,{}\[\]][^,{}\[\]\n]*|(?=[\[{]|\n))")

Slip = Callable[[str, re.Match[str]], str]


def _replaced(text: str, found: re.Match[str], group: str, new: str) -> str:
    return text[: found.start(group)] + new + text[found.end(group) :]


def _swapped(word: str) -> str:
    if len(word) < 3:
        return f"{word}x"
    at = len(word) // 2
    return word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]


def _line_of(text: str, found: re.Match[str]) -> tuple[int, int]:
    start = text.rfind("\n", 0, found.start()) + 1
    end = text.find("\n", found.start())
    return start, len(text) if end < 0 else end


def _at_line(change: Callable[[str], str]) -> Slip:
    def slip(text: str, found: re.Match[str]) -> str:
        start, end = _line_of(text, found)
        return text[:start] + change(text[start:end]) + text[end:]

    return slip


SLIPS: Final[Mapping[str, Slip]] = {
    "two letters of the field swapped": lambda text, at: _replaced(text, at, "key", _swapped(at["key"])),
    "the field in capitals": lambda text, at: _replaced(text, at, "key", at["key"].upper()),
    "= for the colon": lambda text, at: text[: at.end("key")] + " =" + text[at.end("key") + 1 :],
    "no blank behind the colon": lambda text, at: text[: at.end("key") + 1] + text[at.end("key") + 2 :],
    "the colon lost": lambda text, at: text[: at.end("key")] + text[at.end("key") + 1 :],
    "the value lost": lambda text, at: _replaced(text, at, "value", ""),
    "two letters of the value swapped": lambda text, at: _replaced(text, at, "value", _swapped(at["value"])),
    "the value in other capitals": lambda text, at: _replaced(text, at, "value", at["value"].swapcase()),
    "a quote that is not closed": lambda text, at: _replaced(text, at, "value", f'"{at["value"]}'),
    "curly quotes": lambda text, at: _replaced(text, at, "value", f"“{at['value']}”"),
    "the field twice": lambda text, at: text[: at.start()] + f"{at[0].rstrip()}, " + text[at.start() :],
    "the brackets of the line lost": _at_line(lambda line: re.sub(r"[{}\[\]]", "", line)),
    "the last bracket of the line lost": _at_line(lambda line: re.sub(r"[}\]](?=[^}\]]*$)", "", line)),
    "a tab before the line": _at_line(lambda line: "\t" + line.lstrip(" ")),
    "the line behind a #": _at_line(lambda line: f"# {line}"),
    "words behind the line": _at_line(lambda line: f"{line} please, if it can be done"),
    "cut off behind the value": lambda text, at: text[: at.end()] + "\n",
}


def drawn() -> Iterator[dict[str, Any]]:
    """Yield every slip at every field of the orders, as a row without what comes of it."""
    known: set[tuple[str, str, str]] = set()
    for row in rows("slips.yaml"):
        if "accepted" not in row or ("notes" in row and len(row["notes"]) > 1):
            continue
        game = _game(row)
        text = written(game, row)
        for found in FIELD.finditer(text):
            for name, slip in SLIPS.items():
                place = (game, _place(text, found), name)
                slipped = slip(text, found)
                if place in known or slipped == text:
                    continue
                known.add(place)
                yield {"slip": f"{game}: {name}, at {place[1]}", "written": slipped, "meant": text}


def _game(row: Mapping[str, Any]) -> str:
    return str(row["slip"]).partition(":")[0]


def written(game: str, row: Mapping[str, Any]) -> str:
    """Return the orders that a row came to, without their slip."""
    out = [f"game: {game}", f"seat: {row['seat']}"]
    said = row["accepted"]
    if said.get("lines"):
        out.append("orders:")
    for line in said.get("lines", ()):
        fields = [f"{name}: {dump_flow(value)}" for name, value in line.items() if name != "order"]
        out += [f"- {fields[0]}", *(f"  {one}" for one in fields[1:])]
    for name in ("stop_if", "wait", "detail"):
        out += [f"{name}: {dump_flow(said[name])}"] if name in said else []
    if "press" in said:
        out += ["press:", *(f"- {dump_flow(one)}" for one in said["press"])]
    return "\n".join(out) + "\n"


def _place(text: str, found: re.Match[str]) -> str:
    """Return which field it is: the fields above it that lead to it."""
    start, _ = _line_of(text, found)
    inside = [one["key"] for one in FIELD.finditer(text[start : found.start()]) if not one["value"]]
    return ".".join([*inside, found["key"]])


def _letters(found: Mapping[str, Any]) -> str:
    """Return accepted orders without their marks and capitals, which names are read in spite of."""
    return re.sub(r"[^\w]", "", json.dumps(found["accepted"], ensure_ascii=False)).casefold()


def main() -> int:
    """Draw the rows, and write them with what comes of them."""
    by_chance = sorted(drawn(), key=lambda row: hashlib.sha256(row["slip"].encode()).hexdigest())
    by_game = groupby(sorted(by_chance, key=_game), _game)
    out = []
    with tempfile.TemporaryDirectory() as folder:
        home = a_home_of_samples(Path(folder) / "home")
        for row in (row for _, some in by_game for row in [*some][:EACH]):
            meant, found = outcome(home, row.pop("meant")), outcome(home, row["written"])
            if "accepted" not in meant:
                continue
            is_hidden = "behind a #" in row["slip"]
            if "accepted" in found and not is_hidden and _letters(found) != _letters(meant):
                row["may change"] = "it is accepted as other orders than those before the slip"
            out.append({**row, **found})
    write("drawn_slips.yaml", sorted(out, key=lambda row: row["slip"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
