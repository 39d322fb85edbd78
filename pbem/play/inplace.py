"""What somebody lodges in place of a player, and what is written down of it, as one change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from pbem.core.interface import Json
from pbem.play.receipts import Judged
from pbem.play.saved import SavedGame
from pbem.store.interface import Change
from pbem.store.place import Place
from pbem.store.records import Act, Row
from pbem.text.canonical import unstamped

Noting: TypeAlias = Callable[[Judged], tuple[Row, ...]]
"""Returns what else is noted of orders, in the same change."""

Told: TypeAlias = Callable[[Judged, int], Act]
"""Returns what is written down of orders that somebody lodges in place of their player: with what was judged,
and the number of the receipt, or 0 for press."""


def stands_already(judged: Judged, place: Place, act: Act) -> bool:
    """Tell whether just these orders are lodged, and just this is written down of them."""
    stored = place.read_bytes() if place.exists() else b""
    if not are_same(stored, judged.data):
        return False
    with judged.saved.home.journal() as db:
        return any((one.act, one.detail) == (act.act, act.detail) for one in db.acts(judged.saved.name))


def keep(saved: SavedGame, name: str, data: bytes, rows: tuple[Row, ...] = ()) -> None:
    """Keep a file, and what is written down of it with it."""
    if not rows:
        saved.home.store.lodge(name, data)
        return
    what: dict[str, Json] = {"words": "lodging what was handed in", "lodged": name}
    saved.home.store.change(saved.name, Change(what, {name: data}, rows=rows))


def are_same(stored: bytes, data: bytes) -> bool:
    """Tell whether two orders files say the same, apart from receipts."""
    return unstamped(stored).rstrip(b"\n") == unstamped(data).rstrip(b"\n")
