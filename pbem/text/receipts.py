"""The last line of a lodged orders file: its receipt number, and the lines that `partial: true` left out."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

_RECEIPT: Final = re.compile(
    rb"(?:\n|^)# pbem receipt ([1-9][0-9]{0,8})(?:, without orders? ([0-9]{1,3}(?:, [0-9]{1,3})*))?\n?$"
)


def receipt_of(data: bytes) -> int:
    """Return the receipt number that a stored file ends with; 0 if nobody submitted it."""
    found = _RECEIPT.search(data)
    return int(found[1]) if found else 0


def left_out(data: bytes) -> frozenset[int]:
    """Return the numbers of the lines that were left out when the file was lodged."""
    found = _RECEIPT.search(data)
    return frozenset(map(int, found[2].split(b", "))) if found and found[2] else frozenset()


def unstamped(data: bytes) -> bytes:
    """Return an orders file without its receipt."""
    return _RECEIPT.sub(b"", data)


def stamped(data: bytes, receipt: int, without: Collection[int] = ()) -> bytes:
    """Return an orders file with its receipt as the last line, instead of any other.

    Args:
        data: The file.
        receipt: Its receipt number, from 1.
        without: Numbers of the lines that are left out.
    """
    body = _RECEIPT.sub(b"\n", data).rstrip(b"\n")
    numbers = ", ".join(map(str, sorted(without)))
    rest = f", without order{'s' if len(without) > 1 else ''} {numbers}" if without else ""
    return body + f"\n# pbem receipt {receipt}{rest}\n".encode()
