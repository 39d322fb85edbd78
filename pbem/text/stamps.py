"""The last line of a lodged orders file: its receipt number, and what `partial: true` left out."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

_RECEIPT: Final = re.compile(
    rb"(?:\n|^)# pbem receipt ([1-9][0-9]{0,8})"
    rb"(?:, without orders? ([0-9]{1,3}(?:\.\w{1,40})?(?:, [0-9]{1,3}(?:\.\w{1,40})?)*))?\n?$"
)


def receipt_of(data: bytes) -> int:
    """Return the receipt number that a stored file ends with; 0 if nobody submitted it."""
    found = _RECEIPT.search(data)
    return int(found[1]) if found else 0


def left_out(data: bytes) -> frozenset[str]:
    """Return what was left out when the file was lodged: lines ("2") and single actions ("2.bid_1")."""
    found = _RECEIPT.search(data)
    return frozenset(found[2].decode().split(", ")) if found and found[2] else frozenset()


def unstamped(data: bytes) -> bytes:
    """Return an orders file without its receipt."""
    return _RECEIPT.sub(b"", data)


def stamped(data: bytes, receipt: int, without: Collection[str] = ()) -> bytes:
    """Return an orders file with its receipt as the last line, instead of any other.

    Args:
        data: The file.
        receipt: Its receipt number, from 1.
        without: What is left out: lines ("2") and single actions ("2.bid_1").
    """
    body = _RECEIPT.sub(b"\n", data).rstrip(b"\n")
    parts = sorted(without, key=lambda part: (int(part.partition(".")[0]), part))
    rest = f", without order{'s' if len(without) > 1 else ''} {', '.join(parts)}" if without else ""
    return body + f"\n# pbem receipt {receipt}{rest}\n".encode()
