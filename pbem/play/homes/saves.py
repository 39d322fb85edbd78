"""What the files of a turn hold: the start, the record, the state, and lines that are left over."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pbem.core.engine.book import Orders
from pbem.core.engine.missed import Attendance
from pbem.core.engine.opening import Begun, Opened, Sealed
from pbem.core.engine.turn import Position
from pbem.core.events import Seat
from pbem.core.interface import AnyRules, Json, Outcome
from pbem.store.errors import WrongInput
from pbem.store.place import Place, Readable
from pbem.text.schemas.canonical import pending_orders
from pbem.text.schemas.codec import Misshapen, decode, dumps, encode, fields_of, items_of

FORMAT = 1

SPECTATOR: Final = "spectator"
"""Whose reports tell what is public."""

STEPS: Final = "steps.json"
"""What is kept beside a spectator's report of more than one step: what the public saw between two reports."""

STEPS_IN_TURN: Final = f"reports/{SPECTATOR}/{STEPS}"

_DAMAGED = "`pbem verify` tells more; try `pbem home mend`, or restore the file from your backup."


class Start(NamedTuple):
    """What was frozen when the game was made.

    Attributes:
        rules: The name of the rules.
        seats: All seats, in seating order.
        options: The rules' options in force.
        forced: Moves without a choice are played without waiting.
        most_steps: The most steps of one run.
        commitment: SHA-256 of the seed.
        own_tables: Names of the data tables that are not as shipped.
        sealed: Luck words are sealed: their hashes come first. Games of older versions do not say it.
    """

    rules: str
    seats: tuple[Seat, ...]
    options: Mapping[str, Any]
    forced: bool
    most_steps: int
    commitment: str
    own_tables: tuple[str, ...]
    sealed: bool = False


def objects(value: Json) -> list[dict[str, Json]]:
    """Return the objects in a list that was read; none where there is no list."""
    return [one for one in items_of(value) if isinstance(one, dict)]


def load_start(first: Place) -> Start:
    """Return what was frozen at the start, from the place of turn 0."""
    place = first / "start.json"
    try:
        return decode(Start, {"sealed": False, **read_json(place)}, "start.json")
    except Misshapen as wrong:
        raise WrongInput(f"{place}: {wrong}.") from None


def load_record(turn: Place) -> dict[str, Json]:
    """Return a turn's `turn.json`.

    Raises:
        WrongInput: It is missing or damaged.
    """
    place = turn / "turn.json"
    record = read_json(place)
    for name, kind in (("root", str), ("rules_version", int), ("taken", dict)):
        if not isinstance(record.get(name), kind):
            raise WrongInput(f"{place} is damaged: its {name!r} is not what a turn records.", _DAMAGED)
    return record


def load_position(turn: Place, rules: AnyRules) -> Position[Begun[Any]]:
    """Return the game after a turn, its saved state brought to the present shape.

    Raises:
        WrongInput: The save is damaged or of a newer shape; with the file.
    """
    place = turn / "state.json"
    return position_of(read_json(place), rules, str(place))


def position_of(saved: Mapping[str, Json], rules: AnyRules, where: str) -> Position[Begun[Any]]:
    """Return the position that a save holds.

    Args:
        saved: The content of `state.json`.
        rules: The rules of the game.
        where: The name of the save in errors.
    """
    raw = saved.get("state")
    try:
        made, shape = decode(int, saved.get("format"), "format"), decode(int, saved.get("shape"), "shape")
        if made > FORMAT or shape > len(rules.upgrades):
            raise WrongInput(f"{where}: this save is of a newer format.", "Install the pbem that wrote it.")
        if made < 1 or shape < 0:
            raise WrongInput(f"{where}: there is no such format.", _DAMAGED)
        for upgrade in rules.upgrades[shape:]:
            raw = upgrade(decode(dict[str, Any], raw, "state")) if raw is not None else None
        game: Begun[Any] = None
        if "sealed" in saved:
            game = decode(Sealed, saved["sealed"], "sealed")
        elif raw is not None:
            luck = decode(dict[Seat, str], saved.get("luck"), "luck")
            game = Opened(luck, decode(rules.state, raw, "state"))
        asked = decode(dict[str, int], saved.get("asked"), "asked")
        steps = decode(int, saved.get("steps"), "steps")
        over = decode(bool, saved.get("over"), "over")
        attendance = decode(Attendance, saved.get("attendance"), "attendance")
        outcome = decode(Outcome, saved["outcome"], "outcome") if "outcome" in saved else None
        return Position(game, steps, asked, over, attendance, outcome)
    except Misshapen as wrong:
        raise WrongInput(f"{where}: {wrong}.", "The save is damaged; `pbem verify` tells more.") from None


def save_of(position: Position[Begun[Any]], rules: AnyRules) -> dict[str, Json]:
    """Return the content of `state.json` for a position."""
    game = position.game
    dealt = game if isinstance(game, Opened) else None
    ended: dict[str, Json] = {"outcome": encode(position.outcome)} if position.outcome else {}
    sealed: dict[str, Json] = {"sealed": encode(game)} if isinstance(game, Sealed) else {}
    return {
        **ended,
        **sealed,
        "format": FORMAT,
        "shape": len(rules.upgrades),
        "steps": position.steps,
        "asked": dict(position.asked),
        "over": position.over,
        "attendance": encode(position.attendance),
        "luck": encode(dealt.luck) if dealt else None,
        "state": encode(dealt.state) if dealt else None,
    }


def load_pending(turn: Place, seats: tuple[Seat, ...]) -> dict[Seat, Orders]:
    """Return what a turn left over of each seat's orders.

    Raises:
        WrongInput: A file is damaged.
    """
    folder = turn / "pending"
    if not folder.is_dir():
        return {}
    names = {place.name for place in folder.iterdir()}
    return {seat: _pending_of(folder / f"{seat}.json") for seat in seats if f"{seat}.json" in names}


def _pending_of(place: Place) -> Orders:
    try:
        return pending_orders(read_json(place))
    except Misshapen as wrong:
        raise WrongInput(f"{place}: {wrong}.", _DAMAGED) from None


def read_json(path: Readable) -> dict[str, Json]:
    """Return a JSON object from a file that the program wrote.

    Raises:
        WrongInput: It is missing or damaged.
    """
    try:
        value = json.loads(path.read_bytes())
    except OSError as wrong:
        raise WrongInput(f"{path} cannot be read: {wrong.strerror}.", _DAMAGED) from None
    except (ValueError, RecursionError) as wrong:
        raise WrongInput(f"{path} is damaged: {wrong}.", _DAMAGED) from None
    if not isinstance(value, dict):
        raise WrongInput(f"{path} is damaged: expected an object.", _DAMAGED)
    return value


def record_of_undone(turn: Place) -> Mapping[str, Json]:
    """Return the record of a turn that is taken back; nothing if that is because it is damaged."""
    try:
        return read_json(turn / "turn.json")
    except WrongInput:
        return {}


def submissions_of(turn: Place) -> Mapping[str, Json]:
    """Return the SHA-256 of the orders that a turn took, by seat; nothing if the turn is damaged."""
    return fields_of(record_of_undone(turn).get("submissions"))


def record_bytes(record: Mapping[str, Json]) -> bytes:
    """Return the bytes of a `turn.json`."""
    return dumps(dict(record)).encode()
