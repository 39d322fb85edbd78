"""The file in which a player keeps luck words until their seal is opened, and the forms made of it."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Final

from pbem.core.engine.sealing import seal_of
from pbem.core.interface import Json
from pbem.core.labels import OPEN, START
from pbem.text.yaml.strictyaml import YamlProblem, dump, parse

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
