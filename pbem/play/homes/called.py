"""What players are called: the hashed files of a turn hold numbers of players, and one file has the names."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.core.engine.missed import Misses
from pbem.core.engine.position import Policy
from pbem.core.events import Recorded
from pbem.core.interface import Json
from pbem.play.config.gamefile import A_BOT, NOBODY
from pbem.play.homes import saves
from pbem.text.schemas.codec import dumps, fields_of, items_of

if TYPE_CHECKING:
    from pbem.play.homes.saved import SavedGame
    from pbem.store.place import Place

NAMES: Final = "names.json"
"""The file of a turn with the names. It can be left out of a download: its salt keeps them from being guessed
by its hash. A turn whose files name nobody has none."""

FORMER: Final = "former names"
"""The key of a game's note that lists the names that players had who left, or are called otherwise now."""

_NUMBER: Final = re.compile(r"(?<!\w)player_([1-9]\d{0,5})(?!\w)")
_NAMING: Final = frozenset(["ModeratorActed", "PlayerReplaced"])
"""The kinds of events that name players."""

_LODGED: Final = re.compile(r"(orders|press) for \S+ (was|were) lodged by the moderator.*")
"""Acts that verifiers read, and that name no player: whatever players are called, they stay as they are."""


def whole_words(names: Iterable[str]) -> re.Pattern[str]:
    """Return what finds these names where they stand as words of their own, the longest first."""
    longest_first = sorted({name for name in names if name}, key=lambda name: (-len(name), name))
    any_name = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in longest_first) or "(?!)"
    return re.compile(rf"(?<!\w)(?:{any_name})(?!\w)")


class Called(NamedTuple):
    """The players that the files of a game name by their numbers.

    Attributes:
        names: Name of each, that of `player_1` first.
        salt: 64 hexadecimal digits that are told with the names and nowhere else; "" if there are none.
    """

    names: tuple[str, ...] = ()
    salt: str = ""

    def named(self, text: str) -> str:
        """Return a text with names in place of numbers; where the names are left out, as it is."""

        def name(found: re.Match[str]) -> str:
            number = int(found[1])
            return self.names[number - 1] if number <= len(self.names) else found[0]

        return _NUMBER.sub(name, text)

    def events(self, events: Collection[Recorded]) -> tuple[Recorded, ...]:
        """Return events with names in place of numbers."""
        if not any(type(one.event).__name__ in _NAMING for one in events):
            return tuple(events)
        from pbem.core.engine.notices import ModeratorActed, PlayerReplaced  # few turns tell any of this

        out = []
        for one in events:
            event = one.event
            if isinstance(event, ModeratorActed):
                event = replace(event, text=self.named(event.text))
            elif isinstance(event, PlayerReplaced):
                event = replace(event, player=self.named(event.player))
            out.append(one if event is one.event else Recorded(one.at, event))
        return tuple(out)

    def as_bytes(self) -> bytes:
        """Return the content of the file."""
        return dumps({"names": list[Json](self.names), "salt": self.salt}).encode()


def called_in(turn: Place, record: Mapping[str, Json]) -> Called:
    """Return what players are called by the files of a turn; nobody where the names were left out.

    Args:
        turn: Where the turn lies.
        record: Its `turn.json`.
    """
    files = record.get("files")
    if not isinstance(files, dict) or NAMES not in files:
        return Called()
    try:
        value = json.loads((turn / NAMES).read_bytes())
        return Called(tuple(map(str, value["names"])), str(value["salt"]))
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return Called()  # `verify` and the gate say that it is missing or damaged


def acts_of(record: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the acts that a `turn.json` records, with numbers in place of names; none of a damaged one."""
    return tuple(map(str, items_of(fields_of(record.get("policy")).get("acts"))))


def numbered(saved: SavedGame, policy: Policy, former: Iterable[str]) -> tuple[Policy, Called]:
    """Return the policy of a run with numbers in place of names, and the names.

    A game in which an older version put a standby into a seat by name goes on with names.

    Args:
        saved: The game before the turn.
        policy: The policy, with names.
        former: Names that acts may tell and the game's file does not.
    """
    substitutes = saved.position.attendance.substitutes.values()
    if not all(_NUMBER.fullmatch(one.by) for one in substitutes):
        return policy, saved.called
    known, misses = [*saved.called.names], policy.misses

    def number(name: str) -> str:
        if name not in known:
            known.append(name)
        return f"player_{known.index(name) + 1}"

    standbys = tuple(number(name) for name in misses.standbys)
    players = {seat: number(name) for seat, name in misses.players.items()}
    table = saved.table
    told = {*known, *table.players.values(), *table.standby, *former} - {*saved.start.seats, NOBODY, A_BOT}
    words = whole_words(told)

    def without(text: str) -> str:
        as_written = {" ".join(name.split()): name for name in told}
        plain = words.sub(lambda found: number(as_written[" ".join(found[0].split())]), text)
        return text if _LODGED.fullmatch(text) else plain

    out = policy._replace(
        misses=Misses(misses.after, misses.then, standbys, players),
        acts=tuple(map(without, policy.acts)),
    )
    if not known:
        return policy, saved.called
    return out, Called(tuple(known), saved.called.salt or _salt_of_next(saved))


def _salt_of_next(saved: SavedGame) -> str:
    """Return a new salt; of a turn that was taken back the one it had, so that it comes out the same."""
    import secrets  # few games need one, and each one time

    before = saved.again.get(saved.turn + 1)
    salt = called_in(before.place, saves.record_of_undone(before.place)).salt if before is not None else ""
    return salt or secrets.token_hex(32)
