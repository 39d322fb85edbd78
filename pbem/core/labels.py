"""Labels: the names of asks that orders point to, such as `red-7`, `turn-4` or `ann-5.trade`."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pbem.core.events import Seat
from pbem.core.interface import Ask, Label

START = Label("start")

OPEN = Label("open")
"""The ask of a game with sealed luck words between its start forms and its deal."""

BEFORE_DEAL = (START, OPEN)

TOGETHER = "turn"
"""Whose count the labels have where all are asked at once."""

LONGEST_LABEL = 80
"""So many letters a label has at most: the first line of a form holds no longer one."""

_SHAPE = re.compile(r"([a-z0-9_]+)-([1-9][0-9]{0,5})(?:\.([a-z_]+))?")


@dataclass(frozen=True, slots=True)
class Parts:
    """A label taken apart: whose count it is ("red", "turn"), the count from 1, and a follow-up's word."""

    owner: str
    count: int
    word: str


def parts(label: str) -> Parts | None:
    """Return the parts of a label, or None if the text is no label with a count."""
    found = _SHAPE.fullmatch(label)
    return Parts(found[1], int(found[2]), found[3] or "") if found else None


def has_passed(label: str, answered: str) -> bool:
    """Tell whether an ask can no longer come once the ask `answered` was answered or skipped."""
    if label == answered:
        return True
    if answered in BEFORE_DEAL:
        return label == START
    if label in BEFORE_DEAL:
        return True
    mine, other = parts(label), parts(answered)
    if mine is None or other is None or mine.owner != other.owner:
        return False
    return mine.count < other.count or (mine.count == other.count and mine.word == "" and other.word != "")


def is_beyond(label: str, last: int | None) -> bool:
    """Tell whether a label counts further than a game goes; `last` is the greatest count, if there is one."""
    found = parts(label)
    return found is not None and last is not None and found.count > last


def next_label(ask: Ask, asked: Mapping[str, int], seat: Seat) -> Label:
    """Return the label under which a seat is asked now or, if another seat is, will be asked next.

    While seals are opened nobody can tell yet under which label the others are asked: it is "".

    Args:
        ask: The present ask.
        asked: The highest count asked so far, by owner of the label.
        seat: The seat.
    """
    if seat in ask.seats | ask.optional:
        return ask.label
    if ask.label == OPEN:
        return Label("")
    owner = _owner(ask, seat)
    return Label(f"{owner}-{asked.get(owner, 0) + 1}")


def label_after_next(ask: Ask, asked: Mapping[str, int], seat: Seat) -> str:
    """Return the label of the ask of a seat after `next_label`, follow-ups left out; "" before the deal.

    Args:
        ask: The present ask.
        asked: The highest count asked so far, by owner of the label.
        seat: The seat.
    """
    return label_ahead(ask, asked, seat, 1)


def label_ahead(ask: Ask, asked: Mapping[str, int], seat: Seat, more: int, end: int | None = None) -> str:
    """Return the label of an own ask of a seat that comes later, follow-ups left out; "" before the deal.

    Args:
        ask: The present ask.
        asked: The highest count asked so far, by owner of the label.
        seat: The seat.
        more: So many asks after `next_label`, from 1.
        end: The greatest count that a label can have, if there is one: it is of that then.
    """
    if ask.label in BEFORE_DEAL:
        return ""
    owner, found = _owner(ask, seat), parts(next_label(ask, asked, seat))
    last = found.count if found is not None and found.owner == owner else asked.get(owner, 0)
    return f"{owner}-{last + more if end is None else min(last + more, end)}"


def first_open(ask: Ask, asked: Mapping[str, int], seat: Seat) -> tuple[str, int]:
    """Return whose count labels of a seat have, and the first count whose ask is not answered yet.

    Args:
        ask: The present ask.
        asked: The highest count asked so far, by owner of the label.
        seat: The seat.
    """
    owner = _owner(ask, seat)
    return owner, asked.get(owner, 0) + 1


def labels_ahead(
    ask: Ask,
    asked: Mapping[str, int],
    seat: Seat,
    seats: Collection[Seat],
    follow_ups: Mapping[str, str],
    *,
    own: int = 2,
) -> tuple[Label, ...]:
    """Return every label under which a seat can be asked soon, follow-ups too: now and next first.

    Args:
        ask: The present ask.
        asked: The highest count asked so far, by owner of the label.
        seat: The seat.
        seats: All seats of the game.
        follow_ups: The words of follow-up asks, and whether the "owner" of the count is asked or "others".
        own: So many own asks are listed.
    """
    if ask.label in BEFORE_DEAL:
        return (ask.label,) if seat in ask.seats else ()
    owner, first = first_open(ask, asked, seat)
    found = [ask.label] if seat in ask.seats | ask.optional else []
    current, mine = parts(ask.label), [word for word, whom in follow_ups.items() if whom == "owner"]
    if current is not None and current.owner == owner and current.word:
        found += [Label(f"{owner}-{current.count}.{word}") for word in mine]
    for count in range(first, first + own):
        found.append(Label(f"{owner}-{count}"))
        found += [Label(f"{owner}-{count}.{word}") for word in mine]
    others = [one for one in seats if one != seat] if owner == seat else []
    for one in others:
        is_open = current is not None and current.owner == one and current.word
        count = asked.get(one, 0) + (not is_open)
        words = [word for word, whom in follow_ups.items() if whom == "others"]
        found += [Label(f"{one}-{count}.{word}") for word in words]
    return tuple(
        label for label in dict.fromkeys(found) if label == ask.label or not has_passed(label, ask.label)
    )


def _owner(ask: Ask, seat: Seat) -> str:
    """Return whose count labels of a seat have: its own, or that of the turns."""
    found = parts(ask.label)
    return TOGETHER if found is not None and found.owner == TOGETHER else seat
