"""Names of seats and players, whom words mean, and mail addresses."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from pbem.core.events import ALL, MODERATOR, Seat
from pbem.core.wording import did_you_mean
from pbem.text.lookalikes import LOOKALIKES
from pbem.text.schema import near

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


class NamedSeats(NamedTuple):
    """Whom a text names.

    Attributes:
        to: The seats, `all` and `moderator`.
        strange: The words that mean nobody.
        unclear: Words that mean several, each with all whom it can mean.
    """

    to: frozenset[Seat] = frozenset()
    strange: tuple[str, ...] = ()
    unclear: Mapping[str, frozenset[Seat]] = {}


def seats_named(text: str, seats: Sequence[Seat], holders: Mapping[Seat, str]) -> NamedSeats:
    """Return whom a text names: by what a seat is called, or by the full or first name of its player.

    Args:
        text: Such as "Ann, player 3".
        seats: The seats.
        holders: The name of the player of each.
    """
    return _parse_seats(text, _phrases(tuple(seats), tuple(holders.items())))


def unambiguous_names(seats: Sequence[Seat], holders: Mapping[Seat, str]) -> dict[Seat, str]:
    """Return the names of players that mean no other seat."""
    known, no_seats = _phrases(tuple(seats), tuple(holders.items())), frozenset([ALL, MODERATOR])
    whose = {seat: known.get(_normalize_text(name), no_seats) - no_seats for seat, name in holders.items()}
    return {seat: name for seat, name in holders.items() if whose[seat] == frozenset([seat])}


def unambiguous_seat_text(seat: Seat, seats: Sequence[Seat], holders: Mapping[Seat, str]) -> str:
    """Return what to write so that only a seat can be meant."""
    ways = (label.format(seat) for label in _LABELS)
    return next(
        (one for one in ways if seats_named(one, seats, holders) == NamedSeats(frozenset([seat]))), str(seat)
    )


def why_unclear(text: str, seats: Sequence[Seat], holders: Mapping[Seat, str]) -> str:
    """Say which word of a text means several, and how each is written; "" if none does."""
    for word, several in seats_named(text, seats, holders).unclear.items():
        names = {one: f" ({holders[one]})" if one in holders else "" for one in several}
        ways = [f"`{unambiguous_seat_text(one, seats, holders)}`{names[one]}" for one in sorted(several)]
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
    others, looks = tuple(others), _confusable_skeletons(name)
    own = (
        {one for label in _LABELS for one in _confusable_skeletons(label.format(seat))}
        if seat is not None
        else set[str]()
    )
    for label, whose in _seat_labels(tuple(seats)).items():
        if looks & _confusable_skeletons(label) - own:
            return f"{name} looks like {label}, which means {', '.join(sorted(whose))}"
    for other in others:
        if looks & _confusable_skeletons(other):
            return f"{name} looks like {other}, a name that is taken"
    used = (*_seat_labels(tuple(seats)), *map(_normalize_text, others))
    if _words(_normalize_text(name)) - {word for one in used for word in _words(one)}:
        return ""  # a word of it means nobody
    named = tuple((Seat(f"\n{number}"), other) for number, other in enumerate(others))  # no seat is called so
    read = _parse_seats(name, _phrases(tuple(seats), named, with_first=False))
    is_own = seat is not None and read == NamedSeats(frozenset([seat]))
    return "" if read.strange or is_own else f"{name} is what others write for somebody else"


def _normalize_text(text: str) -> str:
    """Return a text as names are compared: in small letters, with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _seat_labels(seats: tuple[Seat, ...]) -> dict[str, frozenset[Seat]]:
    """Return what everybody may be called without a name: seats, all and the moderator."""
    found = {word: frozenset([Seat(one)]) for one, words in _WORDS.items() for word in words}
    return {
        **found,
        **{_normalize_text(label.format(seat)): frozenset([seat]) for seat in seats for label in _LABELS},
    }


_WORDS: Final = {ALL: TO_ALL, MODERATOR: TO_MODERATOR}


@lru_cache(maxsize=64)
def _phrases(
    seats: tuple[Seat, ...], names: tuple[tuple[Seat, str], ...], *, with_first: bool = True
) -> Mapping[str, frozenset[Seat]]:
    """Return whom each word or name means; a name that reads, or looks, as others do means these as well."""
    labels = _seat_labels(seats)
    found = dict(labels)
    whole = [(seat, _normalize_text(name)) for seat, name in names if _words(_normalize_text(name))]
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
            read = _parse_seats(key, rest)
            if not read.strange:
                found[key] |= read.to.union(*read.unclear.values())
    named = [key for _, key in (*whole, *first) if key in found and key not in labels]
    looks = {key: _confusable_skeletons(key) for key in found} if named else {}
    alike = {key: [one for one in found if looks[key] & looks[one]] for key in named}
    return {**found, **{key: frozenset().union(*(found[one] for one in ones)) for key, ones in alike.items()}}


@lru_cache(maxsize=4096)
def _words(key: str) -> frozenset[str]:
    """Return the words of a text but for those that mean nobody."""
    return frozenset(word for word in re.split(rf"[{_GAP}]+", key) if word and word not in _IDLE)


def _parse_seats(text: str, phrases: Mapping[str, frozenset[Seat]]) -> NamedSeats:
    """Return whom a text names by the longest of these words and names that stand in it."""
    said, any_phrase = (
        _normalize_text(text),
        "|".join(map(re.escape, sorted(phrases, key=len, reverse=True))) or "(?!)",
    )
    pattern = re.compile(rf"(?<![^{_GAP}])(?:{any_phrase})(?![^{_GAP}])")
    named = [(one, phrases[one]) for one in dict.fromkeys(pattern.findall(said))]
    rest = re.split(rf"[{_GAP}]+", pattern.sub(" ", said))
    return NamedSeats(
        frozenset(one for _, several in named for one in several if len(several) == 1),
        tuple(word for word in dict.fromkeys(rest) if word and word not in _IDLE),
        {phrase: several for phrase, several in named if len(several) > 1},
    )


@lru_cache(maxsize=4096)
def _confusable_skeletons(text: str) -> frozenset[str]:
    """Return what a text looks like, in whichever letters it is written: two that share one look alike.

    Source: Unicode Technical Standard 39, "Confusable Detection", with and without capitals.
    """
    plain = "".join(one for one in unicodedata.normalize("NFKC", text) if unicodedata.category(one)[0] != "C")
    plain = " ".join(_UNSEEN.sub("", plain).split())
    return frozenset((_skeleton(plain).casefold(), _skeleton(plain.casefold()).casefold()))


def _skeleton(text: str) -> str:
    found = unicodedata.normalize("NFD", text).translate(_lookalike_table())
    return unicodedata.normalize("NFD", found)


@cache
def _lookalike_table() -> Mapping[int, str]:
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


LONGEST_SEAT: Final = 40
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
    if len(seat) > LONGEST_SEAT:
        return f"{seat[:LONGEST_SEAT]!r}... has {len(seat)} letters, and {LONGEST_SEAT} is the most"
    if not seat.isprintable() or " " in seat:
        return f"{seat!r} holds a space or what no printer shows"
    if "/" in seat or seat.startswith("."):
        return f"{seat!r} cannot name a file: it begins with a dot or holds a slash"
    return f"{seat!r} means something else" if seat.casefold() in _TAKEN else ""


LONGEST_LOCAL: Final = 64
LONGEST_ADDRESS: Final = 254

_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"

PLAIN: Final = (
    rf"^(?!.{{{LONGEST_ADDRESS + 1}}})(?![^@]{{{LONGEST_LOCAL + 1}}})(?!.*=\?)"
    rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*(?!\n)$"
)
"""A dot-string, an @ and a domain (RFC 5321, 4.1.2 and 4.5.3.1), as a pattern of a schema.

Without `=?`, with which an encoded word begins.
"""


def is_plain_address(text: str) -> bool:
    """Tell whether a text is one plain address and nothing else."""
    return bool(re.match(PLAIN, text))


def mailbox_of(address: str) -> str:
    """Return what an address has in common with others that lead to the same mailbox (RFC 5233: `ann+x@`)."""
    local, _, domain = address.casefold().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def is_same_address(one: str, other: str) -> bool:
    """Tell whether two addresses are the same, in large or small letters; "" is none, and no other."""
    return bool(one) and one.casefold() == other.casefold()


def is_of_one_machine(text: str) -> bool:
    """Tell whether a plain address has no dot behind its @, so that no other machine knows where it is."""
    domain = text.rpartition("@")[2]
    return "." not in domain and domain.casefold() != "localhost"


_TOKEN: Final = (
    r"(?:(?<=\.)|(?<=\+[bm]_))[a-z2-7]{16}(?![a-z0-9])|(?<![a-z0-9])(?=[a-z]*[2-7])[a-z2-7]{16}(?![a-z0-9])"
)


def mask_tokens(text: str) -> str:
    """Return a text for a log or for other eyes: whatever looks like a token is starred."""
    return re.sub(_TOKEN, "*" * 4, text, flags=re.IGNORECASE)
