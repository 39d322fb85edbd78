"""What a finished game shows besides: who ordered what, and why; what only some knew; what its dice drew."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.archive.public import (
    Masking,
    PublishedReport,
    PublishPolicy,
    has_anonymous_press,
    may_publish_event,
    read_published_report,
)
from pbem.core.book import Line, Orders, merge_orders
from pbem.core.dice import Dice
from pbem.core.events import ALL, Seat
from pbem.core.interface import Json
from pbem.core.opening import Begun
from pbem.core.turn import Run
from pbem.play.homes import saves
from pbem.play.homes.players import player_names_in
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import play_again
from pbem.play.turn.moments import ReplayMoment, moments_of
from pbem.store.interface import Place
from pbem.text.codec import omitted_parts, receipt_of, write_receipt
from pbem.text.orders import open_envelope, read_lines
from pbem.text.strictyaml import dump

Game = Begun[Any]


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw of the dice: `value` of the numbers from 0 to `limit` - 1."""

    step: int
    label: str
    n: int
    limit: int
    value: int


@dataclass(frozen=True, slots=True)
class ReplayedTurn:
    """What a turn came to when it was played again.

    Attributes:
        run: All of it, its events with the names of players.
        draws: What its dice drew, each draw once.
    """

    run: Run[Game]
    draws: tuple[Draw, ...]


@dataclass(frozen=True, slots=True)
class WatchedDice(Dice):
    """Dice that write down what is drawn; those of bots and of other worlds are their own affair."""

    drawn: list[Draw] = field(default_factory=list)

    def below(self, limit: int, label: str, n: int = 0) -> int:
        """Return a draw, and write it down."""
        value = Dice.below(self, limit, label, n)
        self.drawn.append(Draw(self.step, label, n, limit, value))
        return value

    def with_luck(self, words: Mapping[Seat, str]) -> Dice:
        """Return the dice of the game, which are watched too."""
        return WatchedDice(Dice.with_luck(self, words).key, self.step, self.drawn)


def replay_finished_turn(now: SavedGame, turn: Place, record: dict[str, Json]) -> ReplayedTurn | str:
    """Play a turn again; or say why it cannot be.

    Args:
        now: The game before the turn.
        turn: Where the turn lies.
        record: Its `turn.json`.
    """
    before = now.with_rules_version(record["rules_version"])
    if before is None:
        return f"it was played by version {record['rules_version']} of the rules, and this is another"
    drawn = list[Draw]()
    try:
        run = play_again(before, turn, record, lambda seed, step: WatchedDice(seed, step, drawn))
    except Exception as fault:  # what was damaged since may break any rule; `pbem verify` says what it is
        return f"it cannot be played again ({type(fault).__name__})"
    named = run._replace(events=player_names_in(turn, record).events(run.events))
    return ReplayedTurn(named, unique_draws(drawn))


def unique_draws(drawn: list[Draw]) -> tuple[Draw, ...]:
    """Return what dice have drawn, each draw once: who asks twice for one gets the same."""
    return tuple(dict.fromkeys(drawn))


@dataclass(frozen=True, slots=True)
class SeatMove:
    """What one seat did in a step.

    Attributes:
        seat: The seat.
        do: Its order.
        source: What gave it, as the turn records it: "order 2", "forced", "bot greedy".
        when: The conditions under which the line was to be played; nothing for none.
    """

    seat: str
    do: Json
    source: str
    when: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class StepMoves:
    """One step of a turn: its label, and what every seat that was asked did."""

    label: str
    kind: str
    answers: tuple[SeatMove, ...]


@dataclass(frozen=True, slots=True)
class TurnDetails:
    """What a turn of a finished game shows besides what was public.

    Attributes:
        steps: Who did what.
        sent: The orders that the turn took, as they were written, by seat.
        private: What only some knew, in order: for whom, and what.
        draws: The draws of its dice.
        undrawn: Why they cannot be told, or "".
        moments: The game after each step, and between; none where they cannot be told.
        reports: What each seat was sent.
    """

    steps: tuple[StepMoves, ...]
    sent: Mapping[str, str]
    private: tuple[tuple[tuple[str, ...], Mapping[str, Json]], ...]
    draws: tuple[Draw, ...]
    undrawn: str
    moments: tuple[ReplayMoment, ...]
    reports: Mapping[str, PublishedReport]


def read_turn_details(
    saved: SavedGame, number: int, allowed: PublishPolicy, names: frozenset[str]
) -> TurnDetails:
    """Return what a turn of a finished game shows besides what was public.

    Raises:
        WrongInput: The turn is damaged.
    """
    record = saves.load_record(saved.turns.at(number))
    before = SavedGame(saved.home, saved.name, at_turn=max(number - 1, 0))
    path = saved.turns.at(number)
    mask, seats = Masking(() if allowed.names else names), [*map(str, saved.start.seats)]
    lodged = {} if number == 0 else orders_in_force(before, path)
    played = replay_finished_turn(before, path, record) if number else ""
    return TurnDetails(
        tuple(_step_moves(step, lodged) for step in saves.objects_in(record["steps"])),
        _taken_orders(before, path, allowed, mask),
        tuple(
            sorted(_private_events(path, seats, allowed, mask), key=lambda told: [*map(seats.index, told[0])])
        ),
        played.draws if isinstance(played, ReplayedTurn) else (),
        played if isinstance(played, str) else "",
        moments_of(before, number, played.run) if isinstance(played, ReplayedTurn) else (),
        {seat: read_published_report(saved, number, seat, allowed, names) for seat in saved.start.seats},
    )


def orders_in_force(before: SavedGame, turn: Place) -> dict[Seat, Orders]:
    """Return the orders that a turn was played with: those it took, and those that had been left over."""
    orders, kept = dict(before.pending), saves.read_json(turn / "turn.json").get("kept", [])
    assert isinstance(kept, list), "the record names the seats that sent no lines"
    for seat in before.start.seats:
        if (found := taken_orders(before, turn / "orders" / f"{seat}.yaml")) is not None:
            orders[seat] = merge_orders(orders.get(seat, Orders()), found, keep=seat in kept)
    return orders


def taken_orders(before: SavedGame, path: Place) -> Orders | None:
    """Return the orders of a file that a turn took; None if there are none."""
    if not path.exists():
        return None
    envelope = open_envelope(path.read_bytes())
    found = envelope if isinstance(envelope, list) else read_lines(envelope, before.grammar)
    return None if isinstance(found, list) else found.orders


def _step_moves(step: Mapping[str, Json], lodged: Mapping[Seat, Orders]) -> StepMoves:
    moves, sources = step["moves"], step["sources"]
    assert isinstance(moves, dict) and isinstance(sources, dict), "every step records them"
    answers = (
        SeatMove(seat, do, str(sources[seat]), _line_condition(lodged.get(Seat(seat)), str(sources[seat])))
        for seat, do in moves.items()
    )
    return StepMoves(str(step["label"]), str(step["kind"]), tuple(answers))


def _line_condition(orders: Orders | None, source: str) -> Mapping[str, Json]:
    """Return the conditions of the line that gave a move."""
    lines: dict[str, Line] = {f"order {line.number}": line for line in orders.lines} if orders else {}
    return lines[source].when if source in lines else {}


def _taken_orders(before: SavedGame, path: Place, allowed: PublishPolicy, mask: Masking) -> dict[str, str]:
    """Return the orders that a turn took, by seat, without press that is not to be published.

    If an anonymous message went out, all are written anew, and none is there that had messages alone.
    """
    files = {seat: path / "orders" / f"{seat}.yaml" for seat in before.start.seats}
    anew = has_anonymous_press(path)
    shown = {
        str(seat): mask.text(publishable_orders(file.read_bytes(), allowed, anew=anew).decode())
        for seat, file in files.items()
        if file.exists()
    }
    return {seat: text for seat, text in shown.items() if text}


def publishable_orders(data: bytes, allowed: PublishPolicy, *, anew: bool = False) -> bytes:
    """Return an orders file as it was written; or, if it holds press that is not published, without that.

    Args:
        data: The file.
        allowed: What may be published.
        anew: Write it anew in any case, without comments and receipt; nothing if it had messages alone.
    """
    envelope = open_envelope(data)
    value = {} if isinstance(envelope, list) else envelope.document.value
    press = value.get("press", []) if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(press, list):
        return data
    kept: list[Json] = [one for one in press if isinstance(one, dict) and _may_show_press(one, allowed)]
    if len(kept) == len(press) and not anew:
        return data
    rest = {name: part for name, part in value.items() if name != "press"}
    text = dump({**rest, "press": kept} if kept else rest).encode()
    if anew:
        return text if "orders" in rest else b""
    return copy_receipt(text, data)


def copy_receipt(text: bytes, data: bytes) -> bytes:
    """Return an orders file with the receipt of another."""
    receipt = receipt_of(data)
    return write_receipt(text, receipt, omitted_parts(data)) if receipt else text


def _may_show_press(press: Mapping[str, Json], allowed: PublishPolicy) -> bool:
    to = press.get("to")
    return may_show_sender(
        ALL in to if isinstance(to, list) else to == ALL, press.get("anonymous") is True, allowed
    )


def may_show_sender(to_all: bool, anonymous: bool, allowed: PublishPolicy) -> bool:
    """Tell whether press may be shown with the seat that sent it."""
    return not anonymous and (allowed.press == "all" or (allowed.press == "public" and to_all))


def _private_events(
    path: Place, seats: list[str], allowed: PublishPolicy, mask: Masking
) -> Iterator[tuple[tuple[str, ...], Mapping[str, Json]]]:
    for line in (path / "events.jsonl").read_text().splitlines():
        event = json.loads(line)
        if event["to"] != ALL and may_publish_event(event, allowed):
            yield tuple(seat for seat in seats if seat in event["to"]), mask.event(event)
