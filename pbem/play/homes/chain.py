"""The chain of turns: hashes, roots, the secret nonce, and the short root in the foot of every report."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping

from pbem.core.interface import Json
from pbem.text.reports.facts import FOOT
from pbem.text.schemas.codec import dumps_line


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def root_of(record: Mapping[str, Json], seed: bytes) -> str:
    """Return the root of a turn.

    Args:
        record: The content of `turn.json`: the hashes of the turn's files and of its reports without their
            foot, and the root before; a "root" of its own is left out.
        seed: The secret seed; its nonce keeps the root from telling what the state holds.
    """
    content = dumps_line({key: value for key, value in record.items() if key != "root"})
    nonce = keyed(seed, "nonce", record["turn"])
    return sha256(nonce + content.encode())


def keyed(seed: bytes, *purpose: Json) -> bytes:
    """Return 32 bytes that only the holder of the seed can make, one value for each purpose."""
    return hmac.digest(seed, json.dumps(purpose).encode(), "sha256")


def short(root: str) -> str:
    """Return 80 bits of a root as four groups of four letters and digits, for the foot of a report."""
    text = base64.b32encode(bytes.fromhex(root))[:16].decode().lower()
    return "-".join(text[n : n + 4] for n in range(0, 16, 4))


def foot(root: str, revision: int) -> str:
    """Return what stands in the foot of a report: the short root, and whether the turn was corrected."""
    return f"{short(root)} (corrected; earlier ones void)" if revision else short(root)


def with_foot(page: str, root: str, revision: int) -> str:
    """Return a page with its foot."""
    return page.replace(FOOT, foot(root, revision))


def without_foot(page: bytes, root: str, revision: int) -> bytes:
    """Return a page as it was before the root was known."""
    return page.replace(foot(root, revision).encode(), FOOT.encode())


def receipt_proof(seed: bytes, game: str, seat: str, receipt: int, words: str) -> str:
    """Return the salted hash of accepted orders; the salt can be shown when the seed is published."""
    salt = keyed(seed, "receipt", game, seat, receipt)
    return short(sha256(salt + words.encode()))
