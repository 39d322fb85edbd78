"""What a player kept, read back from its text: a receipt, or a report, as it was mailed or printed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_SHORT: Final = r"[a-z2-7]{4}(?:-[a-z2-7]{4}){3}"
_GAME: Final = r"([a-z0-9][a-z0-9-]{0,20})"
_PROOF: Final = re.compile(rf"Proof\s+of\s+what\s+you\s+sent:\s*({_SHORT})")
_MAILED: Final = re.compile(
    rf"Your\s+orders\s+for\s+{_GAME}\s+are\s+(?:lodged|withdrawn):\s+receipt\s+(\d+)\."
)
_PRINTED: Final = re.compile(rf"lodged\s+for\s+(\S+)\s+in\s+{_GAME},\s+receipt\s+(\d+)\.")
_ROOT: Final = re.compile(rf"Root\s+of\s+turn\s+(\d+):\s*({_SHORT})")
_TITLED: Final = re.compile(rf"(?:^|,)\s*{_GAME},\s+(?:turn|report)\s+\d+[,.]", re.MULTILINE)
_PROMISE: Final = re.compile(r"before\s+anybody.{1,6}s\s+luck\s+words:\s*([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class KeptReceipt:
    """A receipt that a player kept.

    Attributes:
        game: The game.
        number: The number of the receipt.
        proof: What is in it to check.
    """

    game: str
    number: int
    proof: str


@dataclass(frozen=True, slots=True)
class KeptReport:
    """A report that a player kept.

    Attributes:
        game: The game; "" if the text does not name it.
        turn: The turn.
        root: The root in its foot.
        promise: The SHA-256 of the seed, where it is told; else "".
    """

    game: str
    turn: int
    root: str
    promise: str


def kept_in(text: str) -> KeptReceipt | KeptReport | None:
    """Return the receipt or the report in a text, of a page too; None if it is neither."""
    plain = re.sub(r"<[^>]*>", " ", text) if "</" in text else text
    if proof := _PROOF.search(plain):
        if mailed := _MAILED.search(plain):
            game, number = mailed[1], mailed[2]
        elif printed := _PRINTED.search(plain):
            game, number = printed[2], printed[3]
        else:
            return None
        return KeptReceipt(game, int(number), proof[1])
    if root := _ROOT.search(plain):
        titled, promise = _TITLED.search(plain), _PROMISE.search(plain)
        return KeptReport(titled[1] if titled else "", int(root[1]), root[2], promise[1] if promise else "")
    return None
