"""The moderator's file of one game, `game.yaml`: who sits where, what silence does, when orders are due."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.turn import MissPolicy
from pbem.play.config.homefile import game_schema
from pbem.play.config.registry import FieldsFile, read_fields_file
from pbem.play.config.schedule import (
    ALWAYS,
    DAYS,
    MINUTE,
    NEVER,
    Schedule,
    Span,
    deadline_after,
    moment_in_zone,
    round_up_to_minute,
    span_of,
    zone_of,
)
from pbem.store.errors import WrongInput
from pbem.store.interface import Readable
from pbem.text.codec import decode, fields_of, items_of
from pbem.text.names import near_seat


class PressRule(NamedTuple):
    """What a game allows of press.

    Attributes:
        deliver: "off", with the next "report", or "at once" and with the report again.
        anonymous: A seat may leave its name out.
    """

    deliver: str
    anonymous: bool


class GameTable(NamedTuple):
    """The moderator's file of one game, `game.yaml`.

    Attributes:
        players: Name of the player in each seat.
        luck: Luck words the moderator was given, by seat.
        answers: What else these seats' start forms would say.
        bots: Skill of the bot in each seat that one plays.
        silent: What answers for each seat that is silent at the deadline: wait, hold, or a bot's skill.
        misses: What becomes of seats that miss turns.
        key: Whether orders must carry the seat's key.
        deadline: When orders are due, or None.
        addresses: Where mail for each seat goes, as far as it is written.
        standby: Address of each player who waits to take a seat over, by name; "" where none is written.
        press: What messages between seats are allowed.
        auth: What proves whose a mail is: "token and sender", "token", "sender" or "openpgp".
        schedule: When turns are due.
        zones: Time zone of each seat whose player has named one.
        zone: The time zone of all others; "" if the home names none.
        absent: What an announced absence does: "excuse" (no missed turn) or "wait" (the deadline waits).
        votes: Who learns what the seats vote for: "public", "secret" or "none" (there are no votes).
        free: The seats without a player, which can be taken by mail.
        questions: When the moderator reads mails that need a person: "digest", "at once", or "".
    """

    players: Mapping[Seat, str]
    luck: Mapping[Seat, str]
    answers: Mapping[Seat, dict[str, Json]]
    bots: Mapping[Seat, str]
    silent: Mapping[Seat, str]
    misses: MissPolicy
    key: bool
    deadline: datetime.datetime | None
    addresses: Mapping[Seat, str]
    standby: Mapping[str, str]
    press: PressRule
    auth: str
    schedule: Schedule
    zones: Mapping[Seat, str]
    zone: str
    absent: str
    votes: str
    free: tuple[Seat, ...]
    questions: str = ""

    def zone_of(self, seat: Seat | None = None) -> str:
        """Return the zone in which a seat's player writes days and hours; for all others the home's."""
        return self.zone_of_reader(seat) or self.schedule.zone

    def spelled(self, moment: datetime.datetime, seat: Seat | None = None) -> str:
        """Return a moment in words in the zone of a seat's player; for all others in the home's."""
        return moment_in_zone(moment, self.zone_of_reader(seat))

    def zone_of_reader(self, seat: Seat | None = None) -> str:
        """Return the zone in which a seat's player is told moments, or all others; "" for UTC."""
        own = self.zones.get(seat, "") if seat is not None else ""
        return own or self.public_zone

    def public_moment_text(self, moment: datetime.datetime) -> str:
        """Return a moment in words for readers in several zones: the home's, and UTC where one has another.

        No zone of a player is named, for the others would read where that player is.
        """
        told, there = self.spelled(moment), moment.astimezone(datetime.UTC)
        here = moment.astimezone(zone_of(self.public_zone or "UTC"))
        others = (moment.astimezone(zone_of(zone)).utcoffset() for zone in self.zones.values() if zone)
        if here.utcoffset() == there.utcoffset() or all(one == here.utcoffset() for one in others):
            return told
        return (
            f"{told} = {there:%H:%M} UTC"
            if here.date() == there.date()
            else f"{told} = {moment_in_zone(there)}"
        )

    @property
    def deadline_zone(self) -> str:
        """The zone in which deadlines are set; "" where neither the home nor the schedule names one."""
        return "" if self.schedule.zone == "UTC" and not self.public_zone else self.schedule.zone

    @property
    def public_zone(self) -> str:
        """The zone of what is told to all: the home's, or else the schedule's; "" for UTC."""
        return self.zone or (self.schedule.zone if self.schedule.days else "")


NOBODY: Final = "(free)"
"""What stands for the player of a free seat."""

A_BOT: Final = "a bot"
"""What stands for the player of a bot's seat, where the file names none."""


def seat_with_player(seat: Seat, player: str) -> str:
    """Return a seat with who plays it."""
    return f"{seat} {player}" if player == NOBODY else f"{seat} ({player})"


def read_game_file(path: Readable, seats: tuple[Seat, ...], silent: Json = None, zone: str = "") -> GameTable:
    """Return a `game.yaml` or a file of players.

    Args:
        path: The file.
        seats: The seats of the game, in seating order.
        silent: The home's default for silent seats.
        zone: The home's time zone, or "".

    Raises:
        WrongInput: It does not fit the schema or the seats.
    """
    return table_of(read_fields_file(path), seats, silent, zone)


def table_of(file: FieldsFile, seats: tuple[Seat, ...], silent: Json, zone: str) -> GameTable:
    """Return what a file says.

    Raises:
        WrongInput: It does not fit the schema or the seats; with FILE:LINE:COLUMN.
    """
    file.refuse_misfits(game_schema())
    value, rows = file.value, _rows(file, seats)

    def column(name: str) -> dict[Seat, str]:
        return {seat: str(row[name]) for seat, row in rows.items() if name in row}

    named = column("player")
    free = tuple(seat for seat in seats if seat not in named)
    players = {seat: named.get(seat, NOBODY) for seat in seats}
    general = str(value.get("silent") or silent or "wait")
    zones = column("zone")
    for seat, name in zones.items():
        file.refuse_strange_zone(name, "seats", seat, "zone")
    return GameTable(
        players=players,
        luck=column("luck"),
        answers={seat: found for seat, row in rows.items() if isinstance(found := row.get("answers"), dict)},
        bots=column("bot"),
        silent={**dict.fromkeys(seats, general), **column("silent")},
        misses=_miss_policy(file, players),
        key=value.get("key") is True,
        deadline=_moment(file),
        addresses=column("address"),
        standby={str(one["player"]): str(one.get("address", "")) for one in _standby(value)},
        press=_press_rule(value.get("press")),
        auth=str(value.get("auth", "token and sender")),
        schedule=_schedule(file, zone),
        zones=zones,
        zone=zone,
        absent=str(value.get("absent", "excuse")),
        votes=str(value.get("votes", "secret")),
        free=free,
        questions=str(value.get("questions", "")),
    )


def _rows(file: FieldsFile, seats: tuple[Seat, ...]) -> dict[Seat, dict[str, Json]]:
    """Return what is written of each seat; only an open game may have seats without a player or a bot."""
    written = file.value["seats"]
    assert isinstance(written, dict), "the schema says so"
    if strange := [seat for seat in written if seat not in seats]:
        place = file.at("seats", strange[0], at_key=True)
        raise WrongInput(f"{place}: there is no seat {strange[0]!r}.", near_seat(strange[0], seats))
    if missing := [seat for seat in seats if seat not in written]:
        raise WrongInput(f"{file.at('seats')}: the seat {missing[0]!r} has no player.")
    rows = {seat: row for seat in seats if isinstance(row := written[seat], dict)}
    if file.value.get("open") is True:
        return rows
    rows = {seat: {"player": A_BOT, **row} if "bot" in row else row for seat, row in rows.items()}
    if free := [seat for seat in seats if "player" not in rows[seat]]:
        hint = "In a game with `open: true` a seat may be free."
        raise WrongInput(f"{file.at('seats', free[0])}: the field 'player' is missing.", hint)
    return rows


def _schedule(file: FieldsFile, zone: str) -> Schedule:
    value = file.value.get("schedule")
    if not isinstance(value, dict):
        return Schedule(zone=zone or "UTC")
    if ("days" in value) != ("at" in value):
        hint = "Write days: [tue, fri], at: 20:00."
        raise WrongInput(f"{file.at('schedule')}: days and at go together.", hint)
    usual = Schedule()

    def span(name: str, otherwise: Span | None) -> Span | None:
        text = value.get(name)
        if text in (None, ALWAYS):
            return otherwise
        return None if text == NEVER else span_of(str(text))

    def set_span(name: str, otherwise: Span) -> Span:
        found = span(name, otherwise)
        return otherwise if found is None else found

    chosen = str(value.get("zone", zone or "UTC"))
    file.refuse_strange_zone(chosen, "schedule", "zone")
    days = value.get("days")
    hour, _, minute = str(value.get("at", "0:00")).partition(":")
    return Schedule(
        days=frozenset(DAYS.index(str(day)) for day in days) if isinstance(days, list) else frozenset(),
        hour=int(hour),
        minute=int(minute),
        zone=chosen,
        grace=set_span("grace", usual.grace),
        early=span("early", usual.early),
        least=set_span("least", usual.least),
        remind=span("remind", usual.remind),
        extension=set_span("extension", usual.extension),
    )


def _standby(value: Mapping[str, Json]) -> list[dict[str, Json]]:
    """Return the rows of those who wait to take a seat over."""
    return [one for one in items_of(value.get("standby")) if isinstance(one, dict)]


def _press_rule(written: Json) -> PressRule:
    rule = fields_of(written)
    return PressRule(str(rule.get("deliver", "report")), rule.get("anonymous") is True)


def _miss_policy(file: FieldsFile, players: Mapping[Seat, str]) -> MissPolicy:
    """Return what becomes of seats that miss turns; a standby who has a seat already waits for none."""
    names = [str(one["player"]) for one in _standby(file.value)]
    if twice := [place for place, name in enumerate(names) if name in names[:place]]:
        told = f"{file.at('standby', twice[0])}: {names[twice[0]]} is there twice."
        raise WrongInput(told, "Give each a name of their own.")
    misses = file.value.get("misses")
    if not isinstance(misses, dict):
        return MissPolicy()
    waiting = tuple(name for name in names if name not in players.values())
    return MissPolicy(decode(int, misses["after"], "after"), str(misses["then"]), waiting, players)


def _moment(file: FieldsFile) -> datetime.datetime | None:
    text = file.value.get("deadline")
    if text is None:
        return None
    try:
        moment = round_up_to_minute(datetime.datetime.fromisoformat(str(text)))
    except (ValueError, OverflowError):
        moment = None
    if moment is None or moment.tzinfo is None:
        example = "Write 2026-12-01T20:00:00+01:00. `pbem extend GAME --to WHEN` takes words: Friday 20:00."
        raise WrongInput(f"{file.at('deadline')}: {text} is no moment with a zone.", example)
    return moment


Moment = datetime.datetime

DEADLINE: Final = "deadline of "
"""Before a turn, the key of the note of what the deadline of its ask was moved to."""
LAST_DEADLINE: Final = "deadline"
"""As earlier versions noted it: the turn, and the moment."""
SINGLE: Final = "single deadline of "
"""Before a turn: what `deadline` in the game's file was then, and the moment that it was moved to."""


def moved_deadlines(notes: Mapping[str, str]) -> dict[int, Moment]:
    """Return what the deadlines of asks were moved to, by the turn that they follow.

    Args:
        notes: What is noted of a game, by its key.
    """
    last = read_turn_and_moment(notes.get(LAST_DEADLINE))
    found = {
        int(key.removeprefix(DEADLINE)): Moment.fromisoformat(json.loads(text))
        for key, text in notes.items()
        if key.startswith(DEADLINE)
    }
    return {**dict([last] if last else []), **found}


def moved_singles(notes: Mapping[str, str]) -> dict[int, tuple[Moment | None, Moment]]:
    """Return the moves of a single deadline by their turns: what the game's file said then, and to when."""
    found = {}
    for key, text in notes.items():
        if key.startswith(SINGLE):
            written, moved = json.loads(text)
            before = Moment.fromisoformat(written) if written else None
            found[int(key.removeprefix(SINGLE))] = (before, Moment.fromisoformat(moved))
    return found


def read_turn_and_moment(text: str | None) -> tuple[int, Moment] | None:
    """Return a turn and a moment that are noted together."""
    if text is None:
        return None
    turn, moment = json.loads(text)
    return int(turn), Moment.fromisoformat(moment)


class Absence(NamedTuple):
    """A player is away from a moment up to another."""

    start: Moment
    end: Moment

    def covers(self, moment: Moment) -> bool:
        """Tell whether the player is away then."""
        return self.start <= moment < self.end

    def told(self, table: GameTable, seat: Seat) -> str:
        """Return it in words in the zone of a seat's player; whole days as days.

        It is "from Thursday 24 December 2026 through Monday 28 December 2026" if it ends at midnight there.
        """
        zone = zone_of(table.zone_of_reader(seat) or "UTC")
        start, end = self.start.astimezone(zone), self.end.astimezone(zone)
        begin = _day(start) if _is_midnight(start) else table.spelled(self.start, seat)
        until = f"to {table.spelled(self.end, seat)}"
        return f"from {begin} {f'through {_day(end - MINUTE)}' if _is_midnight(end) else until}"

    def told_to_host(self, table: GameTable, seat: Seat) -> str:
        """Return it in words for the host, as its player said it: with their zone, if it is another."""
        own = table.zone_of_reader(seat)
        told = self.told(table, seat)
        return told if own in ("", table.public_zone) or own in told else f"{told} ({own})"


def _is_midnight(moment: Moment) -> bool:
    return moment.time() == datetime.time()


def _day(moment: Moment) -> str:
    return f"{moment:%A} {moment.day} {moment:%B %Y}"


def next_deadline(
    table: GameTable, now: Moment, *, away: Iterable[Absence] = (), kept: Moment | None = None
) -> Moment | None:
    """Return when the orders for an ask that opens now will be due.

    Args:
        table: The moderator's file of the game.
        now: The moment of the run that opens it.
        away: Absences that the deadline must wait for.
        kept: What the players were told before the turn was taken back; it stays if it leaves enough time.
    """
    if table.deadline is not None and table.deadline > now:
        return table.deadline
    schedule = table.schedule
    if kept is not None and schedule.days and kept >= now + schedule.least:
        return kept
    found, absences = deadline_after(schedule, now), sorted(away, key=lambda one: one.end)
    for absence in absences:
        if found is not None and absence.covers(found):
            found = deadline_after(schedule, absence.end)
    return found


def promised(record: Mapping[str, Json]) -> Moment | None:
    """Return the deadline that a turn set, by the schedule or as it was moved, or None."""
    text = record.get("deadline")
    return Moment.fromisoformat(text) if isinstance(text, str) and text else None


def deadlines_in_words(table: GameTable, file: str, game: str, now: Moment) -> str:
    """Return when the turns of a new game are due, as its file says, and how more deadlines are set.

    Args:
        table: The moderator's file of the game.
        file: Where it lies.
        game: The id of the game.
        now: The moment.
    """
    first = next_deadline(table, now)
    more = (
        f'A deadline for every turn: write `schedule: {{days: [tue, fri], at: "20:00"}}` into {file}. '
        f"For one turn: pbem extend {game} --to MOMENT"
    )
    if first is None:
        return f"There is no deadline: each turn waits until all have answered. {more}"
    due = f"Orders are due {table.spelled(first)}"
    if first != table.deadline:
        return f"{due}. Each turn after that has a deadline of its own, as `schedule` says."
    told = f"{due}. That is for each turn that is made before it"
    if (then := deadline_after(table.schedule, first)) is not None:
        return f"{told}; the first one after it is due {table.spelled(then)}, as `schedule` says."
    return f"{told}; after it there is no deadline. {more}"
