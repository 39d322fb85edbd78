"""Texts packed into printable ASCII that a page unpacks by itself: zlib, and five signs for four bytes."""

from __future__ import annotations

import base64
import zlib
from functools import lru_cache
from typing import Any, Final

SEPARATOR: Final = "\0"
"""What stands between packed texts; none of them holds it."""

_LEVEL: Final = 9
_WIDTH: Final = 800
"""So many signs in a row: a mail may have 998 (RFC 5322, 2.1.1)."""


def packed(common: tuple[str, ...], own: tuple[str, ...]) -> tuple[str, int]:
    """Return texts packed, and how many bytes they have before they are written as signs.

    Args:
        common: Texts that many pages share; they are packed once in a process.
        own: Texts of this page alone, which come behind them.

    Returns:
        Lines of signs without `<`, and the count of bytes: more would only fill up the last five.
    """
    signs, left, count, packer = _begun(common)
    packer = packer.copy()
    data = left + packer.compress(SEPARATOR.join(own).encode()) + packer.flush()
    signs += _signs(data + bytes(-len(data) % 4))
    return "\n".join(signs[n : n + _WIDTH] for n in range(0, len(signs), _WIDTH)), count + len(data)


def unpacked(signs: str, count: int) -> list[str]:
    """Return the texts that were packed.

    Raises:
        ValueError: These are no packed texts.
    """
    data = base64.b85decode("".join(signs.split()).replace(",", "<"))[:count]
    try:
        return zlib.decompress(data).decode().split(SEPARATOR)
    except zlib.error as wrong:
        raise ValueError(str(wrong)) from wrong


@lru_cache(maxsize=16)
def _begun(common: tuple[str, ...]) -> tuple[str, bytes, int, Any]:
    """Return what many pages begin with: signs, bytes left over, bytes in the signs, and the packer."""
    packer = zlib.compressobj(_LEVEL)
    text = "".join(f"{one}{SEPARATOR}" for one in common)
    data = packer.compress(text.encode()) + packer.flush(zlib.Z_SYNC_FLUSH)
    count = len(data) // 4 * 4
    return _signs(data[:count]), data[count:], count, packer


def _signs(data: bytes) -> str:
    return base64.b85encode(data).decode("ascii").replace("<", ",")
