"""The readers of a message as they can only be meant: never more of them than its writer named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.core.events import ALL, MODERATOR
from pbem.text.mending.meaning.fieldwords import entries
from pbem.text.mending.meaning.known import Known
from pbem.text.mending.meaning.names import folded
from pbem.text.mending.meaning.values import pieces
from pbem.text.mending.shape.drafts import Edit, Sheet
from pbem.text.names.playernames import TO_ALL, TO_MODERATOR, meant
from pbem.text.yaml.strictyaml import Path, dump_flow

_WORDS: Final = {
    **dict.fromkeys(map(folded, TO_ALL), ALL),
    **dict.fromkeys(map(folded, TO_MODERATOR), MODERATOR),
}
_LIKE: Final = 0.75
"""So much like a name a misspelt one is at least, from 0 to 1."""


def readers(page: Sheet, known: Known) -> Iterator[Edit]:
    """Write the readers of messages as seats: a player's name, "Player 3", a colour in capitals."""
    if known.grammar is None:
        return
    for place in entries(page, "press"):
        path = (*place, "to")
        to = page.at(path)
        named = (*known.seats.ids, ALL, MODERATOR)
        if isinstance(to, str) and to not in named and not _is_unclear(to, known):
            if one := reader(to, known):
                yield page.put(path, as_seat(one))
            elif (
                len(several := [reader(part, known) for part in pieces(to)]) > 1
                and all(several)
                and ALL not in several
            ):
                yield page.put(path, f"[{', '.join(map(as_seat, several))}]")
        for number, word in enumerate(to if isinstance(to, list) else ()):
            if isinstance(word, str) and word not in named and (found := reader(word, known)):
                yield page.put((*path, number), as_seat(found))


def reader(text: str, known: Known) -> str:
    """Return the seat, `all` or `moderator` that a word in `to` can only mean, or ""."""
    word, called = folded(text), known.seats.called(text)
    if _is_unclear(text, known):
        return ""
    if word in _WORDS:
        return "" if called else _WORDS[word]  # a player may be called so
    called = called or known.seats.in_part(text)
    return called[0] if len(called) == 1 else ""


def _is_unclear(text: str, known: Known) -> bool:
    """Tell whether a text in `to` can mean several: what a seat is called is another player's name."""
    return known.grammar is not None and bool(
        meant(text, known.grammar.seats, known.grammar.holders()).unclear
    )


def as_seat(seat: str) -> str:
    """Return a seat as it is written in orders: a number without quotes."""
    return seat if seat.isdigit() else dump_flow(seat)


def meant_readers(page: Sheet, path: Path, known: Known) -> str:
    """Return the readers of a message with the seats that misspelt ones are like; "" if one is like none.

    Args:
        page: The orders.
        path: The place of the readers: a word, or a list of words.
        known: What is known of the game.
    """
    to = page.at(path)
    words = [str(one) for one in (to if isinstance(to, list) else [to])]
    found = [one if one in (*known.seats.ids, ALL, MODERATOR) else like_seat(one, known) for one in words]
    if not all(found):
        return ""
    return f"[{', '.join(map(as_seat, found))}]" if isinstance(to, list) else as_seat(found[0])


def like_seat(word: str, known: Known) -> str:
    """Return the one other seat whose name, or whose player's, a word is like; numbers are like none."""
    if any(sign.isdigit() for sign in word):
        return ""
    from difflib import get_close_matches

    named = {seat: {folded(one) for one in (seat, *names)} for seat, names in known.seats.ids.items()}
    others = {name for seat, names in named.items() if seat != known.seat for name in names}
    close = set(get_close_matches(folded(word), others, cutoff=_LIKE))
    seats = [seat for seat, names in named.items() if names & close]
    return seats[0] if len(seats) == 1 else ""
