"""Names of seats: what they must be so that mails, files, press and labels can hold them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final

from pbem.core.events import ALL, MODERATOR, Seat
from pbem.core.wording import did_you_mean
from pbem.text.names.playernames import why_unclear
from pbem.text.schemas.schema import near

LONGEST: Final = 40
"""So many letters a name has at most."""

_TAKEN: Final = (ALL, MODERATOR, "spectator", "turn")
"""Names that mean something else: in press, beside the reports, in labels."""


def why_unfit(seats: Sequence[Seat]) -> str:
    """Say which of these names no seat can have and why, or return ""."""
    seen: dict[str, Seat] = {}
    for seat in seats:
        if wrong := _why_unfit(seat):
            return wrong
        known = unicodedata.normalize("NFC", seat).casefold()
        if known in seen:
            return f"{seat!r} and {seen[known]!r} differ in capitals at most"
        seen[known] = seat
    return ""


def seat_of_player(word: str, holders: Mapping[Seat, str]) -> str:
    """Return what to write for a player who was named for a seat; "" if none or several are called so."""
    seats = [seat for seat, name in holders.items() if name.casefold() == word.casefold()]
    return f"{holders[seats[0]]} plays {seats[0]}: write {seats[0]}." if len(seats) == 1 else ""


def seat_in_game(seat: Seat, game: str) -> str:
    """Return a seat of a game as sentences name it: a number alone says nothing."""
    return f"seat {seat} of {game}" if seat.isdigit() else f"{seat} in {game}"


def near_seat(word: str, seats: Sequence[Seat], holders: Mapping[Seat, str] | None = None) -> str:
    """Return what to write for a seat that there is not: the one it is like, if any, and who there is.

    Args:
        word: What was written.
        seats: The seats.
        holders: The name of who plays each, where it may be told; None where not.
    """
    if named := seat_of_player(word, holders or {}):
        return named
    listed = f"The seats are {', '.join(seats)}."
    return f"{meant_seat(word, seats)} {listed}".lstrip()


def near_reader(word: str, seats: Sequence[Seat], holders: Mapping[Seat, str]) -> str:
    """Return what to write for a reader of press who is not there: a seat it is like, or who there is.

    No word is taken for one that only looks like `all`, and none that means several for one of them.
    """
    return (
        why_unclear(word, seats, holders)
        or meant_seat(word, seats)
        or near("", [*seats, ALL, MODERATOR]).hint
    )


def meant_seat(word: str, seats: Sequence[Seat]) -> str:
    """Return "Did you mean X?" if a seat is like a word, or ""; no number is taken for another."""
    return "" if word.isdigit() else did_you_mean(word, seats).hint


def _why_unfit(seat: Seat) -> str:
    if not seat:
        return "a seat has no name"
    if len(seat) > LONGEST:
        return f"{seat[:LONGEST]!r}... has {len(seat)} letters, and {LONGEST} is the most"
    if not seat.isprintable() or " " in seat:
        return f"{seat!r} holds a space or what no printer shows"
    if "/" in seat or seat.startswith("."):
        return f"{seat!r} cannot name a file: it begins with a dot or holds a slash"
    return f"{seat!r} means something else" if seat.casefold() in _TAKEN else ""
