"""The first line of an orders form: whose it is, for which ask, and a code that only this host can make."""

from __future__ import annotations

import base64
import hmac
import json
import re
from collections.abc import Callable, Collection
from typing import Final, NamedTuple

_CODE_LENGTH: Final = 10
_MARKER: Final = re.compile(
    r"#\s*pbem form\s+(?P<game>[a-z0-9][a-z0-9-]{0,20})\s+(?P<seat>[^\s/]{1,40})\s+(?P<label>[^\s/]{1,80})"
    rf"(?:\s+(?P<code>[a-z2-7]{{{_CODE_LENGTH}}}))?\s*"
)


class Marker(NamedTuple):
    """What a marker line says.

    Attributes:
        game: The id of the game.
        seat: Whose form it is.
        label: The ask that it answers.
        code: What proves it; "" if the line has none.
    """

    game: str
    seat: str
    label: str
    code: str


def marker(game: str, seat: str, label: str, secret: bytes) -> str:
    """Return the marker line of a form, such as `# pbem form web-1 7 turn-3 k3v9qq7t2m`.

    Args:
        game: The id of the game.
        seat: Whose form it is.
        label: The ask that it answers.
        secret: What only the host knows of this game.
    """
    return f"# pbem form {game} {seat} {label} {_code(game, seat, label, secret)}"


def find(line: str) -> Marker | None:
    """Return what a line says if it is a marker line, quoted or not."""
    found = _MARKER.fullmatch(line.lstrip("> |\t").rstrip())
    return Marker(found["game"], found["seat"], found["label"], found["code"] or "") if found else None


def accepts(game: str, seat: str, labels: Collection[str], secret: bytes) -> Callable[[str], bool]:
    """Return what tells whether a line is the marker of a seat's own form for one of these asks."""

    def is_ours(line: str) -> bool:
        said = find(line)
        if said is None or (said.game, said.seat) != (game, seat) or said.label not in labels:
            return False
        return hmac.compare_digest(said.code, _code(game, seat, said.label, secret))

    return is_ours


def _code(game: str, seat: str, label: str, secret: bytes) -> str:
    text = json.dumps(["form", game, seat, label]).encode()
    digest = hmac.digest(secret, text, "sha256")
    return base64.b32encode(digest).decode().lower()[:_CODE_LENGTH]
