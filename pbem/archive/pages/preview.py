"""What a link to a finished game looks like elsewhere: a sentence, and a picture of how it ended."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from pbem.archive.players.ratings import places
from pbem.play.reports.pictures import png

PICTURE: Final = "preview.png"
WIDTH: Final = 1200
HEIGHT: Final = 630
"""The size that programs which show links ask for."""

_EDGE: Final = 40
_BOARD: Final = 440
_LINES: Final = 8
_ROOM: Final = 690
"""So wide is a line, of letters that are 0.62 times as wide as high; bold ones are a little wider."""

_LETTER: Final = 0.62
_ROOT: Final = re.compile(r"<svg\b([^>]*)>")
_SIZE: Final = re.compile(r'\s(?:width|height|x|y)="[^"]*"')


def sentence(row: Mapping[str, Any]) -> str:
    """Return what is said of a game beside a link: how it stands, and who plays or how they came out."""
    told = "; ".join(_seat(one) for one in _in_order(row))
    return f"{row['standing']} {told}."


def picture(row: Mapping[str, Any], board: str) -> bytes | None:
    """Return the picture of a finished game as PNG; None without the extra `png`.

    A board that cannot be drawn is left out: the names and points are there all the same.
    """
    for shown in (board, ""):
        try:
            return png(card(row, shown), WIDTH)
        except ValueError:
            continue
    return None


def card(row: Mapping[str, Any], board: str) -> str:
    """Return the picture of a finished game as SVG: its rules and name, who came out how, and the board."""
    seats = [_seat(one) for one in _in_order(row)]
    shown = seats if len(seats) <= _LINES else [*seats[: _LINES - 1], f"and {len(seats) - _LINES + 1} more"]
    lines = [
        _text(row["title"], 92, 40, "bold"),
        _text(f"{row['name']}, {row['at'][:10]}", 146, 30),
        *(_text(told, 220 + 48 * place, 30) for place, told in enumerate(shown)),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="DejaVu Sans" fill="#1a1a1a">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#FFFFFF"/>{"".join(lines)}{_placed(board)}</svg>'
    )


def _in_order(row: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the seats of a game in order of their places; as they sit, while there are none."""
    seats = row["players"]
    found = places([one["won"] for one in seats], [one["score"] for one in seats]) if row["over"] else None
    order = sorted(range(len(seats)), key=lambda at: found[at] if found else 0)
    return [seats[at] for at in order]


def _seat(one: Mapping[str, Any]) -> str:
    points = "" if one["score"] is None else f", {one['score']}"
    won, name = ", winner" if one["won"] else "", f": {one['name']}" if one["name"] else ""
    return f"{one['title']}{points}{won}{name}"


def _text(told: str, y: int, size: int, weight: str = "normal") -> str:
    most = int(_ROOM / (_LETTER * size))
    short = told if len(told) <= most else f"{told[: most - 1]}…"
    return f'<text x="{_EDGE}" y="{y}" font-size="{size}" font-weight="{weight}">{escape(short)}</text>'


def _placed(board: str) -> str:
    """Return a board as a picture within the picture, as large as there is room for."""
    root = _ROOT.search(board)
    if root is None:
        return ""
    size = (
        f'x="{WIDTH - _BOARD - _EDGE // 2}" y="{_EDGE // 2}" width="{_BOARD}" height="{HEIGHT - _EDGE}" '
        'preserveAspectRatio="xMidYMid meet"'
    )
    return f"<svg {size}{_SIZE.sub('', root[1])}>{board[root.end() :]}"
