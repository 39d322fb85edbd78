"""Turns that were taken back: which orders count again, and what all are told of it and of lost ones."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.events import Seat
from pbem.play.homes import saves
from pbem.play.homes.called import acts_of
from pbem.play.homes.saved import SavedGame
from pbem.store.place import Place


def orders_of_next(saved: SavedGame, seat: Seat, sha256: str) -> tuple[bool, bytes | None]:
    """Say whether lodged orders are for a later turn that was taken back, and what the next one had taken.

    A next turn that is neither here nor kept was lost: what it had taken is not known.

    Args:
        saved: The game.
        seat: The seat.
        sha256: Of the orders that are lodged for it, the key masked.

    Returns:
        Whether these wait for their own turn; and if they do, the orders that the next turn had of this seat
        when it was run before, or None if it had none.
    """
    following = saved.again.get(saved.turn + 1)
    if following is not None and _of(following.place, seat) == sha256:
        return False, None
    later = [one.place for one in saved.again.values() if one.turn > saved.turn + 1]
    if all(_of(place, seat) != sha256 for place in later):
        return False, None
    if following is None:
        return True, None
    taken = following.place / "orders" / f"{seat}.yaml"
    return True, taken.read_bytes() if taken.is_file() else None


def taken_later(saved: SavedGame, seat: Seat) -> Iterator[tuple[int, bytes]]:
    """Yield turns behind the next one, which were taken back too, and what each had taken of a seat."""
    for one in sorted(saved.again.values(), key=lambda one: one.turn):
        taken = one.place / "orders" / f"{seat}.yaml"
        if one.turn > saved.turn + 1 and taken.is_file():
            yield one.turn, taken.read_bytes()


def was_taken(saved: SavedGame, seat: Seat, sha256: str) -> bool:
    """Tell whether a turn that was taken back, and not run again, had taken these orders of a seat.

    Args:
        saved: The game.
        seat: The seat.
        sha256: Of the orders, the key masked.
    """
    return any(_of(one.place, seat) == sha256 for one in saved.again.values())


def press_of_later(saved: SavedGame, seat: Seat) -> range:
    """Return the numbers of press that went out with later turns that were taken back, and waits for them."""
    if saved.turn + 1 not in saved.again:
        return range(0)
    first = _press_until(saved.again[saved.turn + 1].place, seat)
    return range(first + 1, max(_press_until(one.place, seat) for one in saved.again.values()) + 1)


def _of(turn: Place, seat: Seat) -> str:
    """Return the SHA-256 of the orders that a turn took of a seat, or ""."""
    return str(saves.submissions_of(turn).get(seat, ""))


def _press_until(turn: Place, seat: Seat) -> int:
    taken = saves.record_of_undone(turn).get("press")
    number = taken.get(seat, 0) if isinstance(taken, dict) else 0
    return number if isinstance(number, int) else 0


def told_of(turn: int) -> str:
    """Return what all are told of a turn that was taken back."""
    return f"turn {turn} was taken back."


def told_of_remade(turn: int) -> str:
    """Return what all are told of a lost turn that was made again."""
    return f"turn {turn} was lost and made again: an earlier report of it does not count."


def is_remade(saved: SavedGame) -> bool:
    """Tell whether the newest turn was lost and made again, as the turn itself says."""
    return told_of_remade(saved.turn) in map(saved.called.named, acts_of(saved.record))


def taken_back_since(saved: SavedGame) -> tuple[int, ...]:
    """Return the turns that were taken back since the newest one was made, in order; one may stand twice.

    The turns themselves say it, whether or not the home has a journal: each names the root of the turn that
    it followed. Of a damaged one, which may name none, the newest counts.
    """
    undone = saved.undone
    records = [saves.record_of_undone(one.place) for one in undone]

    def after(turn: int, root: str) -> Iterator[int]:
        newest = max((one.revision for one in undone if one.turn == turn), default=0)
        for one, record in zip(undone, records, strict=True):
            previous = str(record.get("previous", root if one.revision == newest else ""))
            if one.turn == turn and previous == root:
                yield from after(turn + 1, str(record.get("root", "")))
                yield turn

    return tuple(after(saved.turn + 1, str(saved.record["root"])))
