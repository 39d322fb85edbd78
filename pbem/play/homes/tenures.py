"""Players and their tenures: who has had each seat of a game, from which turn, and how that began.

The journal keeps the tenures of a game in one note. Whenever the game is opened they are brought level with
its `game.yaml`, which the moderator edits by hand. Where they are lost, they are made again from what reports
call the player of each seat; a report has no addresses, so another name is then another player.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, takewhile
from operator import itemgetter
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, cast

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.config.gamefile import A_BOT, NOBODY
from pbem.play.homes import saves
from pbem.play.homes.earlier import OlderNames, read_older
from pbem.store.errors import WrongInput
from pbem.store.interface import Place
from pbem.store.records import Note
from pbem.text.codec import fields_of, items_of
from pbem.text.names import is_same_address

if TYPE_CHECKING:
    from pbem.core.turn import Substitute
    from pbem.play.homes.saved import SavedGame

TENURES: Final = "tenures"
"""The key of the note with the tenures of a game."""


class PlayerId:
    """Which person somebody is; it never leaves the home, and says nothing.

    Attributes:
        key: What it is kept as.
    """

    __slots__ = ("key",)

    def __init__(self, key: str) -> None:
        self.key: Final = key

    if not TYPE_CHECKING:  # the type checker refuses by itself to compare it with anything else

        def __eq__(self, other: object) -> bool:
            if other is None:
                return False
            if not isinstance(other, PlayerId):
                raise TypeError(f"a player is compared with {other!r}")
            return self.key == other.key

        def __hash__(self) -> int:
            return hash(self.key)


class Player(NamedTuple):
    """A person.

    Attributes:
        id: Which one.
        name: The name that all see.
        address: Where their mail goes, as far as it is known; or "".
    """

    id: PlayerId
    name: str
    address: str = ""


Began: TypeAlias = Literal["taken", "standby", "command", "hand"]
"""How a tenure began: in a seat without a person, for missed turns, by a command, or by hand."""


class Run(NamedTuple):
    """One run of one turn.

    Attributes:
        turn: The turn.
        revision: How often it had been taken back before.
    """

    turn: int
    revision: int


class Tenure(NamedTuple):
    """A player, or no person, in a seat until the next tenure begins.

    Attributes:
        player: Who has the seat; None if nobody has it, or a bot.
        names: What the player was called in it, the present name last; the first made the seat's secrets.
        since: The first run whose reports are made for them.
        began: How it began.
    """

    player: Player | None
    names: tuple[str, ...]
    since: Run
    began: Began

    def renamed(self, name: str) -> Tenure:
        """Return it with another present name."""
        if self.player is None or name == self.names[-1]:
            return self
        first, *more = self.names
        names = (first, *(one for one in more if one != name), name)
        return self._replace(player=self.player._replace(name=name), names=names)

    def told(self) -> Tenure:
        """Return it where a command has told all that it began."""
        return self._replace(began="command") if self.began == "hand" else self

    @property
    def who(self) -> str:
        """What rows of the journal mean the player by: the id; of nobody or a bot the name."""
        return self.player.id.key if self.player is not None else self.names[-1]

    @property
    def secret_name(self) -> str:
        """The name that the secrets of the seat are made from."""
        return self.names[0]


class Tenures:
    """Who has had the seats of a game, up to the turn at which it is looked at."""

    def __init__(self, saved: SavedGame, noted: Note | None = None) -> None:
        """Look at a game.

        Args:
            saved: The game.
            noted: What the journal will keep of its tenures after a change; None for what it keeps.
        """
        self._saved, self._noted = saved, noted
        self._found: dict[Seat, tuple[Tenure, ...]] = {}
        self._named: dict[str, dict[Seat, str]] = {}
        self._substitutes: dict[int, Mapping[Seat, Substitute]] = {}

    @cached_property
    def _journal_tenures(self) -> dict[Seat, tuple[Tenure, ...]]:
        """The tenures that the journal keeps."""
        value = self._noted.value if self._noted is not None else None
        if self._noted is None and self._saved.home.has_journal:
            with self._saved.home.journal() as db:
                value = db.note(self._saved.name, TENURES)
        rows = fields_of(json.loads(value or "{}"))
        return {Seat(seat): tuple(map(_from_json, items_of(found))) for seat, found in rows.items()}

    @cached_property
    def _older_names(self) -> OlderNames:
        """What an older version noted of names."""
        if not self._saved.home.has_journal:
            return OlderNames()
        with self._saved.home.journal() as db:
            return read_older(db.notes(self._saved.name), self._saved.start.seats)

    @cached_property
    def _runs(self) -> list[tuple[Run, Place]]:
        """The runs up to the turn, also those that were taken back, in order, and where each lies."""
        saved, times = self._saved, Counter(one.turn for one in self._saved.undone)
        undone = [(Run(one.turn, one.revision - 1), one.place) for one in saved.undone]
        standing = [(Run(turn, times[turn]), saved.turns.at(turn)) for turn in saved.turns.numbers()]
        return sorted((row for row in (*undone, *standing) if row[0].turn <= saved.turn), key=itemgetter(0))

    @cached_property
    def _next_run(self) -> Run:
        """The run that makes the next reports."""
        following = self._saved.turn + 1
        return Run(following, sum(one.turn == following for one in self._saved.undone))

    def _reported_name(self, turn: Place, seat: Seat) -> str:
        """Return what the reports of a turn call the player of a seat; that of a run's last seat is read."""
        if turn.path not in self._named:
            self._named[turn.path] = player_names_in_report(turn, self._saved.start.seats[-1])
        return self._named[turn.path].get(seat, "")

    def of(self, seat: Seat) -> tuple[Tenure, ...]:
        """Return all tenures of a seat, the present one last."""
        if seat not in self._found:
            self._found[seat] = self._seat_tenures(seat, 0)
        return self._found[seat]

    def current(self, seat: Seat) -> Tenure:
        """Return the tenure of whoever has a seat now."""
        return (
            self.of(seat)[-1]
            if seat in self._journal_tenures
            else self._seat_tenures(seat, self._saved.turn)[-1]
        )

    def at(self, seat: Seat, turn: int, revision: int | None = None) -> Tenure:
        """Return the tenure for which the report of a turn was made.

        Args:
            seat: The seat.
            turn: The turn.
            revision: How often it had been taken back before; None for the turn as it stands.
        """
        run = Run(turn, _STANDING if revision is None else revision)
        found = (
            self.of(seat)
            if seat in self._journal_tenures or seat in self._found
            else self._seat_tenures(seat, turn)
        )
        return next((one for one in reversed(found) if one.since <= run), found[0])

    def former(self, seat: Seat, turn: int, revision: int | None = None) -> Player | None:
        """Return for whom the report of a turn was made, if another has the seat now; else None."""
        then, now = self.at(seat, turn, revision), self.current(seat)
        return then.player if _id_of(then) != _id_of(now) else None

    def is_present(self, seat: Seat, who: str) -> bool:
        """Tell whether whom a row of the journal means by `Tenure.who` has a seat now.

        Older versions wrote a name: whoever was called so in the seat last.
        """
        rows = self.of(seat)
        found = next((one for one in reversed(rows) if one.who == who), None) or _find_tenure(rows, who)
        return found is not None and _id_of(found) == _id_of(self.current(seat))

    def is_player_of(self, seat: Seat, name: str) -> bool:
        """Tell whether the player of a name in the game has a seat now."""
        named = self._person(name)
        return self.is_called(seat, name) if named is None else _id_of(self.current(seat)) == named.id

    def is_called(self, seat: Seat, name: str) -> bool:
        """Tell whether a name is the present one of a seat's player of now."""
        return self.current(seat).names[-1] == name

    def waiting(self) -> Iterator[tuple[str, str]]:
        """Yield the name and the address of each standby who has no seat, the next one first."""
        table, seats = self._saved.table, self._saved.start.seats
        for name, address in table.standby.items():
            if name not in table.players.values() and not any(
                self.is_player_of(seat, name) for seat in seats
            ):
                yield name, address

    def has_name(self, name: str) -> bool:
        """Tell whether a player of now has, or had in the same seat, a name."""
        return any(name in self.current(seat).names for seat in self._saved.start.seats)

    def names(self) -> frozenset[str]:
        """Return all names that players of the game are known to have had, in whatever seat."""
        found = {name for seat in self._saved.start.seats for names in self.names_of(seat) for name in names}
        return frozenset(found | self._older_names.left)

    def names_of(self, seat: Seat) -> tuple[tuple[str, ...], ...]:
        """Return the names of each player of a seat, the present one last, from public reports alone."""
        if (kept := self._journal_tenures.get(seat)) is not None:
            return tuple(one.names for one in self._update_tenures(seat, kept))
        found: list[tuple[str, ...]] = []
        for name in (
            *(names.get(seat, "") for names in self._public_names),
            self._saved.table.players.get(seat, ""),
        ):
            names = self._older_names.group(seat, name)
            if found and found[-1][-1] in names:
                found[-1] = names
            elif name and (not found or name not in found[-1]):
                found.append(names)
        return tuple(found)

    @cached_property
    def _public_names(self) -> tuple[dict[Seat, str], ...]:
        """What the public report of each run calls the players of the seats."""
        return tuple(player_names_in_report(place, saves.SPECTATOR) for _, place in self._runs)

    def untold(self, seat: Seat) -> str:
        """Return who had a seat before a hand changed `game.yaml`, if no command has told it since; or ""."""
        found = self.of(seat)
        before = found[-2].player if found[-1].began == "hand" and len(found) > 1 else None
        return before.name if before is not None else ""

    def _seat_tenures(self, seat: Seat, back_to: int) -> tuple[Tenure, ...]:
        """Return the tenures of a seat, made from reports only as far back as a turn."""
        if (kept := self._journal_tenures.get(seat)) is not None:
            return self._update_tenures(seat, kept)
        found: list[Tenure] = []
        named = [(run, self._reported_name(place, seat)) for run, place in self._runs if run.turn >= back_to]
        for run, name in (*named, (self._next_run, self._saved.players.holder(seat))):
            names, before = self._older_names.group(seat, name), found[-1] if found else None
            if before is not None and before.names[-1] in names:
                found[-1] = before._replace(names=names, player=self._person(name))
            elif name:
                found.append(Tenure(self._person(name), names, run, self._tenure_start(seat, before, name)))
        return tuple(found)

    def _tenure_start(self, seat: Seat, before: Tenure | None, name: str) -> Began:
        """Return how a tenure of which only reports tell began, after another."""
        if before is None or before.player is None:
            return "taken"
        substitute = self._saved.position.attendance.substitutes.get(seat)
        if substitute is not None and self._saved.called.named(substitute.by) == name:
            return "standby"
        return "command" if before.names[-1] in self._older_names.left else "hand"

    def _update_tenures(self, seat: Seat, kept: Sequence[Tenure]) -> tuple[Tenure, ...]:
        """Return the tenures of a seat that the journal keeps, with what a hand or a run has changed since.

        A name that was changed beside the same address is another name of the same player.
        """
        following, holder = self._next_run, self._saved.players.holder(seat)
        rows = _clip_to_run(following, kept)
        while len(rows) > 1 and rows[-1].names[-1] != holder and _is_void(rows[-1], following):
            rows.pop()
        last, who = rows[-1], self._person(holder)
        if last.names[-1] == holder:
            address = who.address if who is not None else ""
            rows[-1] = last._replace(player=last.player and last.player._replace(address=address))
        elif self._is_renamed(seat, last.player, who):
            rows[-1] = last.renamed(holder)
        else:
            is_standby = bool(self._saved.players.standby(seat))
            began: Began = "standby" if is_standby else "hand" if last.player is not None else "taken"
            rows.append(Tenure(who, (holder,), self._first_run_named(seat, holder), began))
        return tuple(rows)

    def _is_renamed(self, seat: Seat, before: Player | None, now: Player | None) -> bool:
        """Tell whether a hand has written another name of the same player, beside the same address."""
        if before is None or now is None or self._saved.players.standby(seat):
            return False
        return is_same_address(now.address, before.address)

    def is_still_standby(self, seat: Seat, substitute: Substitute, replaced: str) -> bool:
        """Tell whether a standby has a seat still.

        As long as `game.yaml` names whom they replaced, and nobody was given the seat since. Where no tenures
        are kept, the newest report tells that.

        Args:
            seat: The seat.
            substitute: The standby, and whom they replaced, as the files of the game have them.
            replaced: The name of whom they replaced.
        """
        saved, table, following = self._saved, self._saved.table, self._next_run
        name = table.players[seat]
        if seat not in self._journal_tenures:
            is_new = saved.position.attendance.substitutes.get(seat) != substitute
            return name == replaced and (
                is_new or self._reported_name(saved.turns.at(saved.turn), seat) != name
            )
        rows = [
            one
            for one in _clip_to_run(following, self._journal_tenures[seat])
            if not _is_void(one, following)
        ]
        if rows and self._substitutes_after(rows[-1].since.turn - 1).get(seat) == substitute:
            return False
        before, now = _find_tenure(rows, replaced), _find_tenure(rows, name, table.addresses.get(seat, ""))
        return name == replaced if before is None or now is None else _id_of(now) == _id_of(before)

    def _substitutes_after(self, turn: int) -> Mapping[Seat, Substitute]:
        """Return the standbys that had taken seats after a turn; none if it is missing or damaged."""
        if turn not in self._substitutes:
            try:
                found = saves.load_position(self._saved.turns.at(turn), self._saved.rules)
                self._substitutes[turn] = found.attendance.substitutes
            except WrongInput:  # the gate and `pbem verify` tell of it
                self._substitutes[turn] = {}
        return self._substitutes[turn]

    def _first_run_named(self, seat: Seat, name: str) -> Run:
        """Return the first of the runs up to the newest whose reports all name a seat's player so."""
        same = takewhile(lambda row: self._reported_name(row[1], seat) == name, reversed(self._runs))
        return min((run for run, _ in same), default=self._next_run)

    def _person(self, name: str, address: str = "") -> Player | None:
        """Return the player of a name in the game; None for nobody's and a bot's.

        Who is new to the game has the same id in all games by name and address: the given one, or else that
        of `game.yaml`.
        """
        if name in ("", NOBODY, A_BOT):
            return None
        table, known = self._saved.table, self._known_players
        seats = [seat for seat, one in table.players.items() if one == name]
        written = next((table.addresses.get(seat, "") for seat in seats), "")
        address = address or written or table.standby.get(name, "")
        found = next((one.id for one in reversed(known) if one.name == name), None)
        key = f"{name}\n{address.casefold() or self._saved.name}"
        while found is None:
            key = hashlib.sha256(key.encode()).hexdigest()[:20]
            if all(one.id.key != key for one in known):
                found = PlayerId(key)
        return Player(found, name, address)

    @property
    def _known_players(self) -> list[Player]:
        """Who is kept as a player of the game."""
        return [
            one.player for rows in self._journal_tenures.values() for one in rows if one.player is not None
        ]

    def rename_note(self, seat: Seat, name: str) -> Note:
        """Return the note of all tenures, with another name of a seat's player.

        Whom a hand called so, or called otherwise when this was their name, is the player of before.
        """
        *before, last = self.of(seat)
        if self.untold(seat) and (name == last.names[-1] or name in before[-1].names):
            *before, last = before
        return self.noted({seat: [*before, last.renamed(name).told()]})

    def next_tenure_note(self, seat: Seat, name: str, address: str = "") -> Note:
        """Return the note of all tenures, with that of whom a command gives a seat to."""
        given = Tenure(self._person(name, address), (name,), self._next_run, "command")
        return self.noted({seat: [*self.of(seat), given]})

    def known_tenures_note(self, seat: Seat) -> Note:
        """Return the note of all tenures, where all know by a command who has a seat now."""
        *before, last = self.of(seat)
        return self.noted({seat: [*before, last.told()]})

    def noted(self, changed: Mapping[Seat, Sequence[Tenure]] | None = None) -> Note:
        """Return the note of all tenures of the game, with those of some seats in place of what they are."""
        found = {seat: self.of(seat) for seat in self._saved.start.seats} | dict(changed or {})
        value: dict[str, Json] = {str(seat): [*map(_as_json, rows)] for seat, rows in found.items()}
        return Note(self._saved.name, TENURES, json.dumps(value))

    @property
    def has_notes(self) -> bool:
        """Whether the journal keeps any."""
        return bool(self._journal_tenures)

    def is_journal_current(self) -> bool:
        """Tell whether the journal keeps them as they are."""
        return all(self._journal_tenures.get(seat) == self.of(seat) for seat in self._saved.start.seats)


_STANDING: Final = 1 << 30
"""A number of times that no turn is taken back."""


def _as_json(one: Tenure) -> Json:
    who = one.player
    player: Json = [who.id.key, who.name, who.address] if who is not None else None
    return [player, [*one.names], [*one.since], one.began]


def _from_json(row: Json) -> Tenure:
    player, names, since, began = items_of(row)
    who = (
        Player(PlayerId(str(player[0])), str(player[1]), str(player[2])) if isinstance(player, list) else None
    )
    turn, revision = map(int, cast("list[int]", since))
    return Tenure(who, tuple(map(str, items_of(names))), Run(turn, revision), cast("Began", began))


# --- made from reports


def player_names_in_report(turn: Place, reader: str) -> dict[Seat, str]:
    """Return what a reader's report of a turn calls the player of each seat; nothing if it is damaged."""
    try:
        return player_names_of_facts(saves.read_json(turn / "reports" / reader / "report.json"))
    except WrongInput:  # the gate and `pbem verify` tell of it
        return {}


def player_names_of_facts(facts: Mapping[str, Json]) -> dict[Seat, str]:
    """Return what a report calls the player of each seat, from the facts that it is made of."""
    rows = saves.objects_in(facts.get("players"))
    return {Seat(str(row.get("seat"))): str(row.get("name", "")) for row in rows}


def _id_of(tenure: Tenure) -> PlayerId | None:
    return tenure.player.id if tenure.player is not None else None


def _find_tenure(rows: Sequence[Tenure], name: str, address: str = "") -> Tenure | None:
    """Return the last tenure of whom a name means, or else an address; None if it is nobody's."""
    named = (one for one in reversed(rows) if name in one.names)
    addressed = (one for one in reversed(rows) if one.player and is_same_address(address, one.player.address))
    return next(chain(named, addressed), None)


def _clip_to_run(following: Run, kept: Sequence[Tenure]) -> list[Tenure]:
    """Return tenures as they are before a run: what began behind it begins with it."""
    return [one if one.since <= following else one._replace(since=following) for one in kept]


def _is_void(tenure: Tenure, following: Run) -> bool:
    """Tell whether a tenure never was: no command began it, and no report that stands was made for it."""
    if tenure.began == "standby":
        return tenure.since.turn >= following.turn  # the turn was taken back
    return tenure.began == "hand" and tenure.since >= following
