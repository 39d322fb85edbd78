"""What players may be called, and whom words mean: what a seat is called comes before every player's name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from pbem.core.events import ALL, MODERATOR, Seat
from pbem.text.names.lookalikes import LOOKALIKES

TO_ALL: Final = (
    "all", "everybody", "everyone", "alle", "all players", "public", "tous", "todos", "every",
)  # fmt: skip
"""Words that mean all seats."""

TO_MODERATOR: Final = ("moderator", "host", "gm", "game master", "admin", "referee", "spielleiter")
"""Words that mean the moderator."""

_GAP: Final = r"\s,;.&+/\"'()\[\]{}"
"""What stands between the readers of press."""
_IDLE: Final = frozenset(["and", "et", "player", "players", "seat", "seats", "then", "und"])
_LABELS: Final = ("{}", "seat {}", "player {}")
"""What reports and players call a seat."""

_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Signs that no reader sees, besides those that are no letters at all."""


class Meant(NamedTuple):
    """Whom a text names.

    Attributes:
        to: The seats, `all` and `moderator`.
        strange: The words that mean nobody.
        unclear: Words that mean several, each with all whom it can mean.
    """

    to: frozenset[Seat] = frozenset()
    strange: tuple[str, ...] = ()
    unclear: Mapping[str, frozenset[Seat]] = {}


def meant(text: str, seats: Sequence[Seat], holders: Mapping[Seat, str]) -> Meant:
    """Return whom a text names: by what a seat is called, or by the full or first name of its player.

    Args:
        text: Such as "Ann, player 3".
        seats: The seats.
        holders: The name of the player of each.
    """
    return _read(text, _phrases(tuple(seats), tuple(holders.items())))


def clear_names(seats: Sequence[Seat], holders: Mapping[Seat, str]) -> dict[Seat, str]:
    """Return the names of players that mean no other seat."""
    known, no_seats = _phrases(tuple(seats), tuple(holders.items())), frozenset([ALL, MODERATOR])
    whose = {seat: known.get(_key(name), no_seats) - no_seats for seat, name in holders.items()}
    return {seat: name for seat, name in holders.items() if whose[seat] == frozenset([seat])}


def written(seat: Seat, seats: Sequence[Seat], holders: Mapping[Seat, str]) -> str:
    """Return what to write so that only a seat can be meant."""
    ways = (label.format(seat) for label in _LABELS)
    return next((one for one in ways if meant(one, seats, holders) == Meant(frozenset([seat]))), str(seat))


def why_unclear(text: str, seats: Sequence[Seat], holders: Mapping[Seat, str]) -> str:
    """Say which word of a text means several, and how each is written; "" if none does."""
    for word, several in meant(text, seats, holders).unclear.items():
        names = {one: f" ({holders[one]})" if one in holders else "" for one in several}
        ways = [f"`{written(one, seats, holders)}`{names[one]}" for one in sorted(several)]
        return f"{word!r} can mean {' or '.join(ways)}: write the one that you mean."
    return ""


def why_no_name(name: str, seat: Seat | None, seats: Sequence[Seat], others: Iterable[str]) -> str:
    """Say why a player cannot be called so in a game; "" if they can.

    Args:
        name: The name.
        seat: Whose player is to be called so, and may be called as the seat is; None for a standby.
        seats: The seats.
        others: The other names that are used in the game.
    """
    if not name.strip() or any(unicodedata.category(one)[0] == "C" for one in name):
        return "a name is written with plain letters, in one line"
    if not {",", ";"}.isdisjoint(unicodedata.normalize("NFKC", name)):
        return "a name holds no comma, which stands between names"
    others, looks = tuple(others), _looks(name)
    own = {one for label in _LABELS for one in _looks(label.format(seat))} if seat is not None else set[str]()
    for label, whose in _labels(tuple(seats)).items():
        if looks & _looks(label) - own:
            return f"{name} looks like {label}, which means {', '.join(sorted(whose))}"
    for other in others:
        if looks & _looks(other):
            return f"{name} looks like {other}, a name that is taken"
    used = (*_labels(tuple(seats)), *map(_key, others))
    if _words(_key(name)) - {word for one in used for word in _words(one)}:
        return ""  # a word of it means nobody
    named = tuple((Seat(f"\n{number}"), other) for number, other in enumerate(others))  # no seat is called so
    read = _read(name, _phrases(tuple(seats), named, with_first=False))
    is_own = seat is not None and read == Meant(frozenset([seat]))
    return "" if read.strange or is_own else f"{name} is what others write for somebody else"


def _key(text: str) -> str:
    """Return a text as names are compared: in small letters, with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _labels(seats: tuple[Seat, ...]) -> dict[str, frozenset[Seat]]:
    """Return what everybody may be called without a name: seats, all and the moderator."""
    found = {word: frozenset([Seat(one)]) for one, words in _WORDS.items() for word in words}
    return {**found, **{_key(label.format(seat)): frozenset([seat]) for seat in seats for label in _LABELS}}


_WORDS: Final = {ALL: TO_ALL, MODERATOR: TO_MODERATOR}


@lru_cache(maxsize=64)
def _phrases(
    seats: tuple[Seat, ...], names: tuple[tuple[Seat, str], ...], *, with_first: bool = True
) -> Mapping[str, frozenset[Seat]]:
    """Return whom each word or name means; a name that reads, or looks, as others do means these as well."""
    labels = _labels(seats)
    found = dict(labels)
    whole = [(seat, _key(name)) for seat, name in names if _words(_key(name))]
    first = [(seat, key.split(" ")[0]) for seat, key in whole] if with_first else []
    for seat, key in dict.fromkeys([*whole, *first]):
        if _words(key):
            found[key] = found.get(key, frozenset()) | {seat}
    for seat, key in whole:
        rest = {
            one: several
            for one, several in found.items()
            if one != key and (one in labels or several != {seat})
        }
        if _words(key) <= {word for one in rest for word in _words(one)}:
            read = _read(key, rest)
            if not read.strange:
                found[key] |= read.to.union(*read.unclear.values())
    named = [key for _, key in (*whole, *first) if key in found and key not in labels]
    looks = {key: _looks(key) for key in found} if named else {}
    alike = {key: [one for one in found if looks[key] & looks[one]] for key in named}
    return {**found, **{key: frozenset().union(*(found[one] for one in ones)) for key, ones in alike.items()}}


@lru_cache(maxsize=4096)
def _words(key: str) -> frozenset[str]:
    """Return the words of a text but for those that mean nobody."""
    return frozenset(word for word in re.split(rf"[{_GAP}]+", key) if word and word not in _IDLE)


def _read(text: str, phrases: Mapping[str, frozenset[Seat]]) -> Meant:
    """Return whom a text names by the longest of these words and names that stand in it."""
    said, any_phrase = _key(text), "|".join(map(re.escape, sorted(phrases, key=len, reverse=True))) or "(?!)"
    pattern = re.compile(rf"(?<![^{_GAP}])(?:{any_phrase})(?![^{_GAP}])")
    named = [(one, phrases[one]) for one in dict.fromkeys(pattern.findall(said))]
    rest = re.split(rf"[{_GAP}]+", pattern.sub(" ", said))
    return Meant(
        frozenset(one for _, several in named for one in several if len(several) == 1),
        tuple(word for word in dict.fromkeys(rest) if word and word not in _IDLE),
        {phrase: several for phrase, several in named if len(several) > 1},
    )


@lru_cache(maxsize=4096)
def _looks(text: str) -> frozenset[str]:
    """Return what a text looks like, in whichever letters it is written: two that share one look alike.

    Source: Unicode Technical Standard 39, "Confusable Detection", with and without capitals.
    """
    plain = "".join(one for one in unicodedata.normalize("NFKC", text) if unicodedata.category(one)[0] != "C")
    plain = " ".join(_UNSEEN.sub("", plain).split())
    return frozenset((_skeleton(plain).casefold(), _skeleton(plain.casefold()).casefold()))


def _skeleton(text: str) -> str:
    found = unicodedata.normalize("NFD", text).translate(_table())
    return unicodedata.normalize("NFD", found)


@cache
def _table() -> Mapping[int, str]:
    """Return what letters look like.

    A plain letter looks like no two others: `Bem` and `Bern` are names that people have side by side.
    """
    rows = (pair.split(" ") for line in LOOKALIKES.split("\n") for pair in line.split("  ") if pair)
    return {
        ord(letter): looks
        for looks, letters in rows
        for letter in letters
        if len(looks) == 1 or not letter.isascii()
    }
