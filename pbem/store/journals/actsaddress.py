"""The address for acts by mail, `host+m_TOKEN@domain`: its shape, and how it is kept without its secret."""

from __future__ import annotations

import hashlib
import re
from typing import Final

ACTS: Final = re.compile(r"m_(?:[0-9]{1,8}\.)?(?:[a-z2-7]{16}|=[0-9a-f]{64})")
"""What stands behind the plus sign: a token, or a number and a token where an answer is answered; or, as the
journal keeps it, the hash of the token in its place."""

_KEPT: Final = "="
"""Before a hash that stands in place of a token."""

_TOKEN: Final = re.compile(r"(?<=\+m_)([0-9]{1,8}\.)?([a-z2-7]{16}(?=@|>|\s|\Z)|=[^@]*)", re.IGNORECASE)
_SHOWN: Final = re.compile(r"(m_(?:[0-9]{1,8}\.)?)([a-z2-7]{16})(?![a-z0-9])", re.IGNORECASE)
_SECRET: Final = re.compile(r"\+m_[a-z2-7]{16}(?![a-z0-9])", re.IGNORECASE)
_STARS: Final = "*" * 16


def sealed(address: str, *, may_be_sealed: bool = False) -> str:
    """Return an address of an envelope as it is kept: in place of a secret for acts stands its hash.

    What somebody has written as a hash is hashed too, so that a hash which others know proves nothing.

    Args:
        address: The address.
        may_be_sealed: It was kept before, as it came or sealed: a hash in it stays.
    """

    def seal(one: re.Match[str]) -> str:
        is_sealed = may_be_sealed and one[2].startswith(_KEPT)
        return one[0] if is_sealed else f"{one[1] or ''}{_KEPT}{_hash(one[2])}"

    return _TOKEN.sub(seal, address)


def hash_of(token: str) -> str:
    """Return the hash of a token; of one that is kept sealed, the hash that is kept."""
    return token.removeprefix(_KEPT) if token.startswith(_KEPT) else _hash(token)


def _hash(text: str) -> str:
    return hashlib.sha256(text.lower().encode(errors="replace")).hexdigest()


def tokens_in(address: str) -> frozenset[str]:
    """Return the tokens of an address for acts, in small letters; of any other address none."""
    return frozenset(one[2].lower() for one in _TOKEN.finditer(address) if not one[2].startswith(_KEPT))


def starred(text: str, tokens: frozenset[str] = frozenset()) -> str:
    """Return a text in which the secrets for acts are stars, as many as a secret has letters.

    Args:
        text: The text.
        tokens: Secrets that are starred wherever they stand; those in an address for acts always are.
    """
    lower = text.lower()
    for token in sorted(tokens):
        if token in lower:
            text = re.sub(re.escape(token), _STARS, text, flags=re.IGNORECASE)
    return _SHOWN.sub(rf"\g<1>{_STARS}", text) if "m_" in lower else text


def tokens_shown(text: str) -> frozenset[str]:
    """Return the tokens in all addresses for acts that stand in a text."""
    return frozenset(one[2].lower() for one in _SHOWN.finditer(text))


def shows_secret(text: str) -> bool:
    """Tell whether an address for acts stands in a text with its secret; that of an answer is none."""
    return "m_" in text.lower() and _SECRET.search(text) is not None


def is_shown(text: str) -> bool:
    """Tell whether an address for acts stands in a text, with its secret or with stars in its place."""
    return re.search(r"\+m_(?:[0-9]+\.)?(?:[a-z2-7]{16}|\*+)@", text, re.IGNORECASE) is not None
