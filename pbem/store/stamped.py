"""A store of which one change carries a note besides, and the address for acts, kept without its secret."""

from __future__ import annotations

import datetime
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from pbem.store.errors import RepeatedCommand
from pbem.store.interface import Change, Store
from pbem.store.records import HOST, MODERATOR, Act, Note, Row, iso

if TYPE_CHECKING:
    from pbem.store.journal import Journal


DONE: Final = "done"
"""What is noted of an act that was done, whatever became of its answer."""

LAST_DONE: Final = "last done"
"""The key of the note of the command that changed a game last, or "" the home: what, when, how it stood."""

_A_DAY: Final = datetime.timedelta(days=1)
"""So long the same command is taken for one that was cut off before it could say what it had done."""


class _StampedStore:
    """A store that writes a note with whatever is noted, or changed in a game."""

    def __init__(self, store: Store, stamp: Callable[[tuple[Row, ...]], Note]) -> None:
        self._store = store
        self._stamp = stamp

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def note(self, rows: Iterable[Row]) -> None:
        """Write rows into the journal with the note, all or none."""
        given = tuple(rows)
        self._store.note((*given, self._stamp(given)))

    def change(self, game: str, change: Change) -> None:
        """Make several things of a game true together with the note."""
        self._store.change(game, change._replace(rows=(*change.rows, self._stamp(change.rows))))


def act_key(number: int, place: int | str = 0) -> str:
    """Return the key of the note that an act of a mail was done, which stands until the mail is answered.

    Args:
        number: The number of the mail.
        place: The place of the act in it, from 0; "" begins the keys of all of them.
    """
    return f"acted:{number}:{place}"


def store_with_stamp(store: Store, key: str) -> Store:
    """Return a store whose next change is made together with the note DONE of this key, all or none.

    It is for acts that change a home once. A turn that is committed carries no note.
    """
    return cast("Store", _StampedStore(store, lambda _: Note("", key, DONE)))


def forget_acts(db: Journal, number: int) -> None:
    """Forget that acts of a mail were done: its sender is told in the same transaction."""
    for key in db.notes("", act_key(number, "")):
        db.set_note("", key, None)


def repeat_guard(store: Store, game: str, command: Sequence[str], now: datetime.datetime) -> Store:
    """Return a store whose next change is refused if this very command was what changed the game last.

    A command is known again by its words and by how the game stands: nothing was done in it since. So one
    that was killed behind its change, and is given again, acts once.

    Args:
        store: The store.
        game: The game; or "" for a command that is about the whole home.
        command: The words of the command.
        now: The moment.

    Raises:
        RepeatedCommand: By the next change: it was done; nothing is changed.
    """

    def stamp(rows: tuple[Row, ...]) -> Note:
        refuse_repeated(store, game, command, now)
        return stamp_of(store, game, command, now, rows)

    return cast("Store", _StampedStore(store, stamp))


def refuse_repeated(store: Store, game: str, command: Sequence[str], now: datetime.datetime) -> None:
    """Refuse a command that was what changed a game, or the home, last.

    Raises:
        RepeatedCommand: It is so.
    """
    if not store.has_journal:
        return
    with store.journal() as db:
        noted = db.note(game, LAST_DONE)
        if noted is None:
            return
        found = json.loads(noted)
        stands = _game_stamp(store, game, db.count_acts(game, found.get("whose", (MODERATOR, HOST))))
    at = datetime.datetime.fromisoformat(found["at"])
    if (found["command"], found["stands"]) == (_command_hash(command), stands) and abs(now - at) < _A_DAY:
        raise RepeatedCommand(at)


def stamp_of(
    store: Store, game: str, command: Sequence[str], now: datetime.datetime, rows: Iterable[Row]
) -> Note:
    """Return the note of a command that changes a game, or the home, with these rows.

    Something was done since if moderator or host have acted, or whoever acts by the command itself.
    """
    acts = [row.who for row in rows if isinstance(row, Act)]
    whose = sorted({MODERATOR, HOST, *acts} if game else {MODERATOR})
    with store.journal() as db:
        number = db.count_acts(game, whose) + sum(who in whose for who in acts)
    value = {
        "command": _command_hash(command),
        "at": iso(now),
        "stands": _game_stamp(store, game, number),
        "whose": whose,
    }
    return Note(game, LAST_DONE, json.dumps(value))


def _game_stamp(store: Store, game: str, acts: int) -> str:
    """Return how a game stands, in short: another whenever anything was done in it, or a turn was made."""
    turns = f"{max(store.turns(game), default=0)}.{len(store.taken_back(game))}" if game else ""
    return f"{turns} {acts}".strip()


def _command_hash(command: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(command).encode()).hexdigest()[:20]


ACTS: Final = re.compile(r"m_(?:[0-9]{1,8}\.)?(?:[a-z2-7]{16}|=[0-9a-f]{64})")
"""What stands behind the plus sign: a token, or a number and a token where an answer is answered; or, as the
journal keeps it, the hash of the token in its place."""

_KEPT: Final = "="
"""Before a hash that stands in place of a token."""

_TOKEN: Final = re.compile(r"(?<=\+m_)([0-9]{1,8}\.)?([a-z2-7]{16}(?=@|>|\s|\Z)|=[^@]*)", re.IGNORECASE)
_SHOWN: Final = re.compile(r"(m_(?:[0-9]{1,8}\.)?)([a-z2-7]{16})(?![a-z0-9])", re.IGNORECASE)
_SECRET: Final = re.compile(r"\+m_[a-z2-7]{16}(?![a-z0-9])", re.IGNORECASE)
_STARS: Final = "*" * 16


def seal_address(address: str, *, may_be_sealed: bool = False) -> str:
    """Return an address of an envelope as it is kept: in place of a secret for acts stands its hash.

    What somebody has written as a hash is hashed too, so that a hash which others know proves nothing.

    Args:
        address: The address.
        may_be_sealed: It was kept before, as it came or sealed: a hash in it stays.
    """

    def seal(one: re.Match[str]) -> str:
        is_sealed = may_be_sealed and one[2].startswith(_KEPT)
        return one[0] if is_sealed else f"{one[1] or ''}{_KEPT}{_hash(one[2])}"

    return _TOKEN.sub(seal, address)


def hash_of(token: str) -> str:
    """Return the hash of a token; of one that is kept sealed, the hash that is kept."""
    return token.removeprefix(_KEPT) if token.startswith(_KEPT) else _hash(token)


def _hash(text: str) -> str:
    return hashlib.sha256(text.lower().encode(errors="replace")).hexdigest()


def tokens_in(address: str) -> frozenset[str]:
    """Return the tokens of an address for acts, in small letters; of any other address none."""
    return frozenset(one[2].lower() for one in _TOKEN.finditer(address) if not one[2].startswith(_KEPT))


def star_secrets(text: str, tokens: frozenset[str] = frozenset()) -> str:
    """Return a text in which the secrets for acts are stars, as many as a secret has letters.

    Args:
        text: The text.
        tokens: Secrets that are starred wherever they stand; those in an address for acts always are.
    """
    lower = text.lower()
    for token in sorted(tokens):
        if token in lower:
            text = re.sub(re.escape(token), _STARS, text, flags=re.IGNORECASE)
    return _SHOWN.sub(rf"\g<1>{_STARS}", text) if "m_" in lower else text


def tokens_shown(text: str) -> frozenset[str]:
    """Return the tokens in all addresses for acts that stand in a text."""
    return frozenset(one[2].lower() for one in _SHOWN.finditer(text))


def shows_secret(text: str) -> bool:
    """Tell whether an address for acts stands in a text with its secret; that of an answer is none."""
    return "m_" in text.lower() and _SECRET.search(text) is not None


def is_shown(text: str) -> bool:
    """Tell whether an address for acts stands in a text, with its secret or with stars in its place."""
    return re.search(r"\+m_(?:[0-9]+\.)?(?:[a-z2-7]{16}|\*+)@", text, re.IGNORECASE) is not None
