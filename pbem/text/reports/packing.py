"""Texts packed into printable ASCII that a page unpacks by itself: zlib, and two signs for thirteen bits."""

from __future__ import annotations

import zlib
from functools import lru_cache
from typing import Any, Final

SEPARATOR: Final = "\0"
"""What stands between packed texts; none of them holds it."""

_LEVEL: Final = 9
_MEMORY: Final = 7
"""Of zlib, 1 to 9: shorter blocks fit scripts, pictures and data better than those of 8, as usual."""

_ALPHABET: Final = "".join(chr(code) for code in range(33, 127) if chr(code) not in "<&\\")
_PAIRS: Final = tuple(_ALPHABET[n % 91] + _ALPHABET[n // 91] for n in range(1 << 13))
_BITS: Final = {pair: number for number, pair in enumerate(_PAIRS)}
_CHUNK: Final = 13
"""So many bytes are written together, as sixteen signs."""
_WIDTH: Final = 800
"""So many signs in a row: a mail may have 998 (RFC 5322, 2.1.1)."""


def packed(common: tuple[str, ...], own: tuple[str, ...]) -> tuple[str, int]:
    """Return texts packed, and how many bytes they have before they are written as signs.

    Args:
        common: Texts that many pages share; they are packed once in a process.
        own: Texts of this page alone, which come behind them.

    Returns:
        Lines of signs without `<`, and the count of bytes: more would only fill up the last signs.
    """
    signs, left, count, packer = _begun(common)
    packer = packer.copy()
    data = left + packer.compress(SEPARATOR.join(own).encode()) + packer.flush()
    signs += _signs(data + bytes(-len(data) % _CHUNK))
    return "\n".join(signs[n : n + _WIDTH] for n in range(0, len(signs), _WIDTH)), count + len(data)


def unpacked(signs: str, count: int) -> list[str]:
    """Return the texts that were packed.

    Raises:
        ValueError: These are no packed texts.
    """
    plain = "".join(signs.split())
    chunks = (plain[n : n + 16] for n in range(0, len(plain), 16))
    data = b"".join(map(_bytes, chunks))[:count]
    try:
        return zlib.decompress(data).decode().split(SEPARATOR)
    except zlib.error as wrong:
        raise ValueError(str(wrong)) from wrong


@lru_cache(maxsize=16)
def _begun(common: tuple[str, ...]) -> tuple[str, bytes, int, Any]:
    """Return what many pages begin with: signs, bytes left over, bytes in the signs, and the packer."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, zlib.MAX_WBITS, _MEMORY)
    text = "".join(f"{one}{SEPARATOR}" for one in common)
    data = packer.compress(text.encode()) + packer.flush(zlib.Z_SYNC_FLUSH)
    count = len(data) // _CHUNK * _CHUNK
    return _signs(data[:count]), data[count:], count, packer


def _signs(data: bytes) -> str:
    """Return bytes as signs, the lowest bits first; they must be a whole number of chunks."""
    pairs, written = _PAIRS, list[str]()
    for number in range(0, len(data), _CHUNK):
        one = int.from_bytes(data[number : number + _CHUNK], "little")
        low, high = one & (1 << 52) - 1, one >> 52  # halves of four pairs are quicker than one long number
        written += (
            pairs[low & 8191],
            pairs[low >> 13 & 8191],
            pairs[low >> 26 & 8191],
            pairs[low >> 39],
            pairs[high & 8191],
            pairs[high >> 13 & 8191],
            pairs[high >> 26 & 8191],
            pairs[high >> 39],
        )
    return "".join(written)


def _bytes(signs: str) -> bytes:
    """Return the bytes of sixteen signs."""
    pairs = (signs[n : n + 2] for n in range(0, 16, 2))
    return sum(_BITS[one] << 13 * n for n, one in enumerate(pairs)).to_bytes(_CHUNK, "little")
