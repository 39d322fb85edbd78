"""The saved game: a folder per turn, the newest complete one is the truth, and one rename commits it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem.core.book import Orders
from pbem.core.events import Seat
from pbem.core.interface import AnyRules, Json, Outcome
from pbem.core.missed import Attendance
from pbem.core.opening import Opened
from pbem.core.turn import Position
from pbem.store.disk import Disk
from pbem.store.errors import WrongInput
from pbem.text.canonical import pending_orders
from pbem.text.codec import Misshapen, decode, dumps, encode

FORMAT = 1

_DAMAGED = "`pbem verify` tells more; restore the file from your backup, or `pbem undo` the turn."

_TURN = re.compile(r"[0-9]{4,}")
_UNDONE = re.compile(r"([0-9]{4,})\.([1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class Start:
    """What was frozen when the game was made.

    Attributes:
        rules: The name of the rules.
        seats: All seats, in seating order.
        options: The rules' options in force.
        forced: Moves without a choice are played without waiting.
        most_steps: The most steps of one run.
        commitment: SHA-256 of the seed.
        own_tables: Names of the data tables that are not as shipped.
    """

    rules: str
    seats: tuple[Seat, ...]
    options: Mapping[str, Any]
    forced: bool
    most_steps: int
    commitment: str
    own_tables: tuple[str, ...]


def turns(game: Path) -> list[int]:
    """Return the numbers of a game's committed turns, in order."""
    names = (path.name for path in (game / "turns").iterdir())
    return sorted(int(name) for name in names if _TURN.fullmatch(name))


def turn_folder(game: Path, turn: int) -> Path:
    """Return the folder of a turn."""
    return game / "turns" / f"{turn:04d}"


def undone(game: Path, turn: int) -> list[Path]:
    """Return the folders of this turn that were taken back, the oldest first."""
    return [path for path in all_undone(game) if int(path.stem) == turn]


def all_undone(game: Path) -> list[Path]:
    """Return the folders of all turns that were taken back, by turn, the oldest first."""
    kept = undone_folder(game)
    found = [path for path in kept.iterdir() if _UNDONE.fullmatch(path.name)] if kept.is_dir() else []
    return sorted(found, key=lambda path: (int(path.stem), revision(path)))


def undone_folder(game: Path) -> Path:
    """Return where a game's turns lie that were taken back."""
    return game / "turns" / "undone"


def place_for_undone(game: Path, turn: int) -> Path:
    """Return where a turn will lie when it is taken back now."""
    before = undone(game, turn)
    return undone_folder(game) / f"{turn:04d}.{revision(before[-1]) + 1 if before else 1}"


def revision(taken_back: Path) -> int:
    """Return how often a turn had been taken back with this folder, from 1."""
    return int(taken_back.suffix.removeprefix("."))


def newest(game: Path) -> int:
    """Return the number of the current turn.

    Raises:
        WrongInput: The game has no committed turn.
    """
    found = turns(game)
    if not found:
        hint = "Restore it from your backup."
        raise WrongInput(f"{game / 'turns'} holds no turn; the game is damaged.", hint)
    return found[-1]


def load_start(game: Path) -> Start:
    """Return what was frozen at the start."""
    value = read_json(turn_folder(game, 0) / "start.json")
    try:
        return decode(Start, value, "start.json")
    except Misshapen as wrong:
        raise WrongInput(f"{turn_folder(game, 0) / 'start.json'}: {wrong}.") from None


def load_data(game: Path) -> dict[str, Json]:
    """Return the data tables in force."""
    return read_json(data_file(game))


def data_file(game: Path) -> Path:
    """Return the file of the data tables in force."""
    return turn_folder(game, 0) / "data.json"


def load_record(game: Path, turn: int) -> dict[str, Json]:
    """Return a turn's `turn.json`.

    Raises:
        WrongInput: It is missing or damaged.
    """
    path = turn_folder(game, turn) / "turn.json"
    record = read_json(path)
    for name, kind in (("root", str), ("rules_version", int), ("taken", dict)):
        if not isinstance(record.get(name), kind):
            raise WrongInput(f"{path} is damaged: its {name!r} is not what a turn records.", _DAMAGED)
    return record


def load_position(game: Path, turn: int, rules: AnyRules) -> Position[Opened[Any] | None]:
    """Return the game after a turn, its saved state brought to the present shape.

    Raises:
        WrongInput: The save is damaged or of a newer shape; with the file.
    """
    path = turn_folder(game, turn) / "state.json"
    return position_of(read_json(path), rules, str(path))


def position_of(saved: Mapping[str, Json], rules: AnyRules, where: str) -> Position[Opened[Any] | None]:
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
        game = None
        if raw is not None:
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


def save_of(position: Position[Opened[Any] | None], rules: AnyRules) -> dict[str, Json]:
    """Return the content of `state.json` for a position."""
    game = position.game
    ended: dict[str, Json] = {"outcome": encode(position.outcome)} if position.outcome else {}
    return {
        **ended,
        "format": FORMAT,
        "shape": len(rules.upgrades),
        "steps": position.steps,
        "asked": dict(position.asked),
        "over": position.over,
        "attendance": encode(position.attendance),
        "luck": encode(game.luck) if game is not None else None,
        "state": encode(game.state) if game is not None else None,
    }


def load_pending(game: Path, turn: int, seats: tuple[Seat, ...]) -> dict[Seat, Orders]:
    """Return what a turn left over of each seat's orders.

    Raises:
        WrongInput: A file is damaged.
    """
    folder = turn_folder(game, turn) / "pending"
    found = {seat: folder / f"{seat}.json" for seat in seats}
    return {seat: _pending_of(path) for seat, path in found.items() if path.exists()}


def _pending_of(path: Path) -> Orders:
    try:
        return pending_orders(read_json(path))
    except Misshapen as wrong:
        raise WrongInput(f"{path}: {wrong}.", _DAMAGED) from None


def read_json(path: Path) -> dict[str, Json]:
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


def commit(disk: Disk, game: Path, turn: int, files: Mapping[str, bytes]) -> None:
    """Write a turn beside the others, make it durable, and give it its name: one rename is the commit.

    Args:
        disk: The door to the disk.
        game: The game's folder, locked by the caller.
        turn: The turn's number; there must be no such turn yet.
        files: The content of every file, by its path in the turn's folder.
    """
    folder = turn_folder(game, turn)
    beside = folder.with_name(f".{folder.name}.tmp")
    clear_traces(disk, game)
    folders = {beside} | {(beside / name).parent for name in files}
    for path in sorted(folders):
        disk.make_folder(path)
    for name, data in files.items():
        disk.write(beside / name, data)
    disk.sync_tree(beside)
    disk.rename(beside, folder)
    disk.sync_names(folder.parent)


def take_back(disk: Disk, game: Path, turn: int) -> Path:
    """Move a turn to the turns taken back; one rename, like the commit. Returns where it lies now."""
    kept, place = undone_folder(game), place_for_undone(game, turn)
    disk.make_folder(kept)
    disk.sync_names(kept.parent)  # also if the folder is there: who made it may have been killed
    disk.rename(turn_folder(game, turn), place)
    disk.sync_names(kept)
    disk.sync_names(kept.parent)
    return place


def root_of_undone(taken_back: Path) -> str:
    """Return the root of a turn that was taken back; "" if it was taken back because it is damaged."""
    try:
        return str(read_json(taken_back / "turn.json").get("root", ""))
    except WrongInput:
        return ""


def clear_traces(disk: Disk, game: Path) -> None:
    """Remove what a crash left of a turn that was never committed."""
    for trace in sorted((game / "turns").glob(".*.tmp")):
        disk.remove_tree(trace)


def record_bytes(record: Mapping[str, Json]) -> bytes:
    """Return the bytes of a `turn.json`."""
    return dumps(dict(record)).encode()
