"""Values as YAML text, and the one rule for what an unquoted word means."""

from __future__ import annotations

import json
import math
import re
from typing import Final

from pbem.core.interface import Json
from pbem.text.plaintext import escape_odd_spaces, first_forbidden, name_character

MAX_DEPTH: Final = 12
MAX_KEY: Final = 64

_WORDS: Final[dict[str, Json]] = {"": None, "~": None, "null": None, "true": True, "false": False}
_INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_DECIMAL: Final = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+")
_WIDTH: Final = 80

# Narrower than YAML allows, so that readers with other rules agree.
_PLAIN: Final = re.compile(r"[^\W\d][\w./@+'()-]*(?: [\w./@+()-][\w./@+'()-]*)*")
_PLAIN_KEY: Final = re.compile(r"0|[1-9][0-9]{0,17}")
_MEANT_ELSEWHERE: Final = frozenset(["null", "true", "false", "yes", "no", "on", "off", "y", "n"])


def plain_value(text: str) -> Json:
    """Return what an unquoted word means: null, a truth value, a number of modest size, or the text itself.

    Integers have up to 18 digits and no leading zero; decimals have digits on both sides of the point and
    become the nearest float, unless that is infinite.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in "-0123456789":
        if _INTEGER.fullmatch(text):
            return int(text)
        if _DECIMAL.fullmatch(text):
            number = float(text)
            return number if math.isfinite(number) else text
    return text


def dump(value: Json) -> str:
    """Return YAML text over several lines that `strictyaml.parse` reads back to the equal value.

    Small lists and mappings of words stand in one line, text over several lines as a block. Floats are
    written with all digits of their shortest form and never with an exponent.

    Raises:
        ValueError: The value has no such text: it is nested deeper than 12, or holds a key longer than 64
            characters, an integer of more than 18 digits, a float that is not finite, or a character that
            `parse` refuses.
    """
    _check(value)
    lines = _block_lines(value) if isinstance(value, dict | list) and value else [_flow_text(value)]
    return "\n".join(lines) + "\n"


def dump_flow(value: Json) -> str:
    """Return one line of YAML such as {play: N2, hero: true}, without a line end; otherwise as `dump`."""
    _check(value)
    return _flow_text(value)


def dump_flow_lines(value: Json, width: int, first: str = "", indent: str = "") -> list[str]:
    """Return YAML in flow style as lines, cut between entries alone; otherwise as `dump`.

    As many entries as fit share a line; one that fits in none is cut between its own entries, and the next
    begins a line. A line is wider only where a key with a value that has no entries is.

    Args:
        value: The value.
        width: The most characters of a line.
        first: What stands before the first line.
        indent: What stands before every other line.
    """
    _check(value)
    return _cut(value, width, first, "", indent)


def _cut(value: Json, width: int, first: str, last: str, indent: str) -> list[str]:
    whole = f"{first}{_flow_text(value)}{last}"
    if len(whole) <= width or not isinstance(value, dict | list) or not value:
        return [whole]
    opening, closing = "[]" if isinstance(value, list) else "{}"
    entries = (
        [("", entry) for entry in value]
        if isinstance(value, list)
        else [(f"{_quoted_text(key, key=True)}: ", entry) for key, entry in value.items()]
    )
    lines: list[str] = []
    was_cut = False
    for number, (head, entry) in enumerate(entries, 1):
        start = indent if lines else f"{first}{opening}"
        end = f"{closing}{last}" if number == len(entries) else ","
        more = f"{head}{_flow_text(entry)}{end}"
        if lines and not was_cut and len(lines[-1]) + 1 + len(more) <= width:
            lines[-1] += f" {more}"
            continue
        entry_lines = _cut(entry, width, f"{start}{head}", end, f"{indent}  ")
        was_cut = len(entry_lines) > 1
        lines += entry_lines
    return lines


def _check(value: Json) -> None:
    waiting: list[tuple[Json, int]] = [(value, 1)]
    while waiting:
        item, depth = waiting.pop()
        if isinstance(item, dict | list):
            if depth > MAX_DEPTH:
                raise ValueError(f"expected at most {MAX_DEPTH} levels of lists and mappings, got more")
            if isinstance(item, dict):
                waiting.extend((entry, depth + 1) for entry in item.values())
                for key in item:
                    _check_text(key)
                    if len(key) > MAX_KEY:
                        raise ValueError(f"expected a key of at most {MAX_KEY} characters, got {len(key)}")
            else:
                waiting.extend((entry, depth + 1) for entry in item)
        else:
            _check_scalar(item)


def _check_scalar(value: bool | int | float | str | None) -> None:
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"expected a finite number, got {value}")
    elif value is not None and abs(value) >= 10**18:
        raise ValueError("expected an integer of at most 18 digits, got a longer one")


def _check_text(text: str) -> None:
    bad = first_forbidden(text)
    if bad:
        raise ValueError(f"expected readable text, got one with the {name_character(bad)}")


def _block_lines(value: dict[str, Json] | list[Json]) -> list[str]:
    lines: list[str] = []
    entries = value.items() if isinstance(value, dict) else ((None, entry) for entry in value)
    for key, entry in entries:
        head = "-" if key is None else f"{_quoted_text(key, key=True)}:"
        if isinstance(entry, str) and _is_block_text(entry):
            lines.append(f"{head} {'|' if entry.endswith(chr(10)) else '|-'}")
            lines.extend(f"  {line}" if line else "" for line in entry.removesuffix("\n").split("\n"))
        elif not isinstance(entry, dict | list) or _fits_one_line(entry):
            lines.append(f"{head} {_flow_text(entry)}")
        elif key is None:
            first, *rest = _block_lines(entry)
            lines += [f"- {first}", *_indent_lines(rest)]
        else:
            lines += [
                head,
                *(_indent_lines(_block_lines(entry)) if isinstance(entry, dict) else _block_lines(entry)),
            ]
    return lines


def _indent_lines(lines: list[str]) -> list[str]:
    return [f"  {line}" if line else "" for line in lines]


def _fits_one_line(value: dict[str, Json] | list[Json]) -> bool:
    entries = value.values() if isinstance(value, dict) else value
    simple = not any(entry if isinstance(entry, dict | list) else _has_lines(entry) for entry in entries)
    return simple and len(_flow_text(value)) <= _WIDTH


def _has_lines(value: Json) -> bool:
    return isinstance(value, str) and "\n" in value


def _is_block_text(text: str) -> bool:
    """Tell whether a text over several lines can stand as a block without losing a space or line."""
    if "\n" not in text or text[0] == "\n" or text.endswith("\n\n") or "\t" in text:
        return False
    return escape_odd_spaces(text) == text and all(line == line.strip() for line in text.split("\n"))


def _flow_text(value: Json) -> str:
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{_quoted_text(key, key=True)}: {_flow_text(entry)}" for key, entry in value.items())
            + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow_text, value)) + "]"
    if isinstance(value, str):
        return _quoted_text(value)
    if isinstance(value, float):
        from decimal import Decimal  # few texts have such a number

        digits = format(Decimal(repr(value)), "f")
        return digits if "." in digits else f"{digits}.0"
    return json.dumps(value)


def _quoted_text(text: str, *, key: bool = False) -> str:
    """Return a text without quotes where everyone reads it as that text, else in double quotes."""
    if _PLAIN.fullmatch(text) and text.lower() not in _MEANT_ELSEWHERE:
        return text
    if key and _PLAIN_KEY.fullmatch(text):
        return text
    return escape_odd_spaces(json.dumps(text, ensure_ascii=False))
