"""Who sits where, at which address, by which name, and who came since the newest turn."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pbem.core.events import Recorded, Seat
from pbem.core.interface import Json
from pbem.core.notices import ModeratorActed, PlayerReplaced
from pbem.core.opening import Begun
from pbem.core.turn import Attendance, MissPolicy, Policy, Position, bot_seats, reset_arrived_misses
from pbem.play.config.gamefile import A_BOT, NOBODY, GameTable
from pbem.play.homes import saves
from pbem.play.homes.earlier import facts_of_old_sentence
from pbem.play.homes.home import Home, Secret
from pbem.store.errors import RequestRefused, WrongInput
from pbem.store.interface import Place
from pbem.text.codec import dumps, fields_of, items_of
from pbem.text.names import is_of_one_machine, is_plain_address, why_no_name

if TYPE_CHECKING:
    from pbem.play.homes.saved import SavedGame
    from pbem.play.homes.tenures import Tenure


NO_SEAT: Final = Seat("")
"""The seat of who waits for one."""


def why_unreachable(home: Home, address: str) -> str:
    """Say why no mail of a home gets to a player at an address; "" if it may, or there is none.

    A name without a dot is that of a machine: this one, if the host's own address has it too.
    """
    if not is_plain_address(address):
        return ""  # there is none, or the schema says what is wrong with it
    own = str(home.mail_section().get("address", "")).casefold()
    if address.casefold() == own:
        return "it is the host's own"
    domain = address.rpartition("@")[2]
    if is_of_one_machine(address) and domain.casefold() != own.rpartition("@")[2]:
        return f"{domain!r} has no dot, so no mail gets there"
    return ""


def refuse_unreachable(home: Home, address: str, place: str = "") -> None:
    """Refuse the address of a player that no mail of a home gets to.

    Args:
        home: The home.
        address: A plain address.
        place: Where it is written, in front of what is said; or "".

    Raises:
        WrongInput: It is so.
    """
    if why := why_unreachable(home, address):
        hint = "Write it whole, such as ann@example.org."
        raise WrongInput(f"{place}{': ' if place else ''}{address} is no player's address: {why}.", hint)


def refuse_player_name(
    name: str, seat: Seat | None, seats: Sequence[Seat], others: Iterable[str], place: str = ""
) -> None:
    """Refuse a name that others would take for a seat, for another player, or for all or the moderator.

    Args:
        name: The name.
        seat: Whose player is to be called so; None for a standby.
        seats: The seats of the game.
        others: The names of the others in the game.
        place: Where it is written, in front of what is said; or "".

    Raises:
        RequestRefused: It is so.
    """
    if why := why_no_name(name, seat, seats, _other_names(name, others)):
        hint = "Choose another name."
        raise RequestRefused(f"{place}{': ' if place else ''}{why}.", hint, to_player=hint)


class Person(NamedTuple):
    """Somebody who takes a seat.

    Attributes:
        player: The name that all see.
        address: Where mail goes, or "".
        zone: The time zone, or "" for the home's.
        bot: The skill of the bot that it is, or "".
    """

    player: str
    address: str = ""
    zone: str = ""
    bot: str = ""

    def row(self) -> dict[str, Json]:
        """Return the entry of the seat."""
        fields = {"player": self.player, "address": self.address, "zone": self.zone, "bot": self.bot}
        return {name: value for name, value in fields.items() if value}


def _other_names(name: str, used: Iterable[str]) -> list[str]:
    """Return the names besides one that are used in a game; that of nobody is one."""
    return [NOBODY, *(one for one in used if one not in (name, NOBODY))]


class UnfitName(NamedTuple):
    """A name in `game.yaml` that others take for somebody else, and that addresses nobody.

    Attributes:
        name: The name.
        seat: Whose player is called so; "" of a standby.
        why: For whom it is taken, in words.
    """

    name: str
    seat: Seat
    why: str


class Players(NamedTuple):
    """The players of a game at a position.

    Attributes:
        saved: The game.
        position: How it stands at that moment.
        called: What players are called whom the position names by numbers.
        secret: The keys of the game.
    """

    saved: SavedGame
    position: Position[Begun[Any]]
    called: NumberedPlayers
    secret: Secret

    @property
    def table(self) -> GameTable:
        """The moderator's file of the game."""
        return self.saved.table

    def key(self, seat: Seat) -> str:
        """Return the key that a seat's orders must carry where keys are asked for."""
        return self.secret.key(seat, self.standby(seat))

    def holder(self, seat: Seat) -> str:
        """Return the name of the player who has the seat now: of `game.yaml`, or the standby."""
        return self.standby(seat) or self.table.players[seat]

    def holders(self) -> dict[Seat, str]:
        """Return the name of the player who has each seat now."""
        return {seat: self.holder(seat) for seat in self.table.players}

    def refuse_name(self, name: str, seat: Seat, *gone: str, is_new: bool = True) -> None:
        """Refuse to call a seat's player by a name that is taken, or that others take for somebody else.

        Args:
            name: The name.
            seat: The seat.
            gone: Names of former players that are used still.
            is_new: The player has no seat in the game and waits for none, or gets another name there.

        Raises:
            RequestRefused: It is so.
        """
        found = (*self.holders().values(), *self.table.players.values(), *self.table.standby, *gone)
        if is_new and name in found:
            hint = "Choose another name."
            raise RequestRefused(f"the name {name} is taken.", hint, to_player=hint)
        others = (one for one in dict.fromkeys(found) if one != self.holder(seat))
        refuse_player_name(name, seat, [*self.table.players], others)

    def unfit_names(self) -> tuple[UnfitName, ...]:
        """Return the names of people that none of them could be given: only a hand writes them.

        A name of somebody who plays is not unfit for a standby's sake, who cannot be written to.
        """
        seats, holders = tuple(self.table.players), self.holders()
        rows = [
            (name, seat, [*holders.values()])
            for seat, name in holders.items()
            if seat not in self.table.free and seat not in self.bots
        ]
        known = (*holders.values(), *self.table.players.values(), *self.table.standby)
        rows += [(name, NO_SEAT, [*known]) for name in self.table.standby if name not in holders.values()]
        found = (
            UnfitName(name, seat, why_no_name(name, seat or None, seats, _other_names(name, used)))
            for name, seat, used in rows
        )
        return tuple(one for one in found if one.why)

    def address(self, seat: Seat) -> str:
        """Return the address of the player who has the seat now; "" if none is written."""
        standby = self.standby(seat)
        return self.table.standby.get(standby, "") if standby else self.table.addresses.get(seat, "")

    def standby(self, seat: Seat) -> str:
        """Return the name of the standby who has a seat; "" if whom `game.yaml` names has it."""
        found = self.position.attendance.substitutes.get(seat)
        if found is None or not self.saved.tenures.is_still_standby(seat, found, self.called.named(found.of)):
            return ""
        return self.called.named(found.by)

    def standby_seats_since(self, before: Attendance) -> tuple[Seat, ...]:
        """Return the seats that standbys have who did not have them at a moment before."""
        substitutes = self.position.attendance.substitutes
        new = [seat for seat, one in substitutes.items() if one != before.substitutes.get(seat)]
        return tuple(seat for seat in self.table.players if seat in new and self.standby(seat))

    @property
    def attendance(self) -> Attendance:
        """Who missed turns, of those who play now."""
        return reset_arrived_misses(self.position.attendance, self.saved.arrived)

    @property
    def bots(self) -> dict[Seat, str]:
        """The seats that bots play, with their skills: by the moderator's file, or taken over."""
        return {**bot_seats(self.attendance, self.table.misses), **self.table.bots}


NAMES: Final = "names.json"
"""The file of a turn with the names. It can be left out of a download: its salt keeps them from being guessed
by its hash. A turn whose files name nobody has none."""

_NUMBER: Final = re.compile(r"(?<!\w)player_([1-9]\d{0,5})(?!\w)")
_NAMING: Final = frozenset(["ModeratorActed", "PlayerReplaced"])
"""The kinds of events that name players."""


def whole_word_pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Return what finds these names where they stand as words of their own, the longest first."""
    longest_first = sorted({name for name in names if name}, key=lambda name: (-len(name), name))
    any_name = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in longest_first) or "(?!)"
    return re.compile(rf"(?<!\w)(?:{any_name})(?!\w)")


class NumberedPlayers(NamedTuple):
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


def player_names_in(turn: Place, record: Mapping[str, Json]) -> NumberedPlayers:
    """Return what players are called by the files of a turn; nobody where the names were left out.

    Args:
        turn: Where the turn lies.
        record: Its `turn.json`.
    """
    files = record.get("files")
    if not isinstance(files, dict) or NAMES not in files:
        return NumberedPlayers()
    try:
        value = json.loads((turn / NAMES).read_bytes())
        return NumberedPlayers(tuple(map(str, value["names"])), str(value["salt"]))
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return NumberedPlayers()  # `verify` and the gate say that it is missing or damaged


def acts_of(record: Mapping[str, Json]) -> tuple[dict[str, Json], ...]:
    """Return the facts of the acts that a `turn.json` records; none of a damaged one."""
    policy = fields_of(record.get("policy"))
    found = saves.objects_in(policy.get("act_facts"))
    return tuple(found or map(facts_of_old_sentence, map(str, items_of(policy.get("acts")))))


def number_players(saved: SavedGame, policy: Policy) -> tuple[Policy, NumberedPlayers]:
    """Return the policy of a run with numbers in place of names, and the names.

    A game in which an older version put a standby into a seat by name goes on with names.

    Args:
        saved: The game before the turn.
        policy: The policy, with names.
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
    former = saved.tenures.names() if policy.acts else frozenset()
    told = {*known, *table.players.values(), *table.standby, *former} - {*saved.start.seats, NOBODY, A_BOT}
    words = whole_word_pattern(told)

    def without(text: str) -> str:
        as_written = {" ".join(name.split()): name for name in told}
        return words.sub(lambda found: number(as_written[" ".join(found[0].split())]), text)

    out = policy._replace(
        misses=MissPolicy(misses.after, misses.then, standbys, players),
        acts=tuple(map(without, policy.acts)),
    )
    if not known:
        return policy, saved.called
    return out, NumberedPlayers(tuple(known), saved.called.salt or _next_salt(saved))


def _next_salt(saved: SavedGame) -> str:
    """Return a new salt; of a turn that was taken back the one it had, so that it comes out the same."""
    import secrets

    before = saved.again.get(saved.turn + 1)
    salt = (
        player_names_in(before.place, saves.record_of_undone(before.place)).salt if before is not None else ""
    )
    return salt or secrets.token_hex(32)


def newcomer_seats(saved: SavedGame) -> frozenset[Seat]:
    """Return the seats that missed turns under another player than the one who has them now.

    Whoever is called otherwise, and is the same person, has not arrived.
    """
    missed = saved.position.attendance.missed
    if not missed:
        return frozenset()
    return frozenset(seat for seat in missed if saved.tenures.former(seat, saved.turn) is not None)


def seats_changed_by_hand(saved: SavedGame) -> dict[Seat, str]:
    """Return the seats that got another player by hand since the newest turn, each with who had it then."""
    return {seat: former.names[-1] for seat, former, _ in _changes_by_hand(saved)}


def doubtful_seats(saved: SavedGame) -> dict[Seat, str]:
    """Return those of them whose address was changed beside the name: a command must say who it is."""
    return {
        seat: former.names[-1]
        for seat, former, now in _changes_by_hand(saved)
        if former.player is not None and now.player is not None and former.player.address
    }


def _changes_by_hand(saved: SavedGame) -> Iterator[tuple[Seat, Tenure, Tenure]]:
    """Yield each seat that was given by hand since the newest turn, with its tenure then and now."""
    for seat in saved.start.seats:
        now = saved.tenures.current(seat)
        if now.began == "hand" and now.since.turn > saved.turn:
            yield seat, saved.tenures.at(seat, saved.turn), now


def hand_change_lines(saved: SavedGame, by_hand: Mapping[Seat, str]) -> tuple[str, ...]:
    """Return what is said of seats that were given to another by hand, and the command that tells all of it.

    Args:
        saved: The game.
        by_hand: Who had them.
    """
    told = []
    for seat, former in by_hand.items():
        player, skill = saved.players.holder(seat), saved.table.bots.get(seat, "")
        name = shlex.quote(player)
        who = f"--bot {skill}" if skill else f"--player {name}"
        same = "" if skill else f". If it is the same person: pbem seat {saved.name} {seat} --name {name}"
        told.append(
            f"game.yaml gives {seat} to {player}, in place of {former}, and nobody was told. This tells all, "
            f"and makes new secrets: pbem replace {saved.name} {seat} {who}{same}"
        )
    return tuple(told)
