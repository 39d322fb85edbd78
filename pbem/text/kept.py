"""What a player kept, read back: receipts, reports, and the file of luck words until their seal is opened."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from typing import Final

from pbem.core.interface import Json
from pbem.core.labels import OPEN, START
from pbem.core.opening import seal_of
from pbem.text.strictyaml import YamlProblem, dump, parse

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


_HEAD: Final = """\
# Luck words and their seal. Tell the words to nobody before the report with
# the seals of all has come; if your seal stands there, send them then.
"""


@dataclass(frozen=True, slots=True)
class KeptLuck:
    """Luck words that a player keeps.

    Attributes:
        game: The game.
        seat: The seat.
        words: The words.
    """

    game: str
    seat: str
    words: str

    @property
    def seal(self) -> str:
        """The seal of the words."""
        return seal_of(self.game, self.seat, self.words)

    def as_text(self) -> str:
        """Return the content of the file."""
        told: Json = {"game": self.game, "seat": self.seat, "words": self.words, "seal": self.seal}
        return _HEAD + dump(told)

    def orders(self, *, opens: bool) -> Json:
        """Return the start form with the seal, or the form that opens it."""
        do: dict[str, Json] = {"luck": self.words} if opens else {"seal": self.seal}
        line: dict[str, Json] = {"at": OPEN if opens else START, "do": do}
        return {"game": self.game, "seat": self.seat, "orders": [line]}


def new_luck(game: str, seat: str, secret: bytes) -> KeptLuck:
    """Return luck words that nobody can guess: 160 secret bits as eight groups of letters and digits."""
    letters = base64.b32encode(secret).decode().lower()
    return KeptLuck(game, seat, "-".join(letters[n : n + 4] for n in range(0, len(letters), 4)))


def kept_luck(data: bytes) -> KeptLuck | str:
    """Return the words that a file keeps, or what is wrong with it."""
    try:
        value = parse(data).value
    except YamlProblem as wrong:
        return f"cannot be read: line {wrong.mark.line}: {wrong.text}"
    if not isinstance(value, dict) or not {"game", "seat", "words", "seal"} <= value.keys():
        return "keeps no luck words"
    found = KeptLuck(str(value["game"]), str(value["seat"]), str(value["words"]))
    return found if found.seal == value["seal"] else "was changed: its words do not give its seal"
