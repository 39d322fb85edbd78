"""Press that came by itself, not in orders: lodged until a turn has taken it, a file for each message."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pbem.core.book import Press
from pbem.core.events import ALL, Seat
from pbem.core.interface import Json
from pbem.edge.errors import WrongInput
from pbem.edge.files import Disk, replace_file
from pbem.edge.saved import SavedGame
from pbem.text.orders import open_envelope, read_lines
from pbem.text.strictyaml import dump

MOST_WAITING: Final = 30
"""So many messages of one seat wait for a turn."""

_NAME: Final = re.compile(r"(.+)\.([0-9]{1,12})\.yaml")


@dataclass(frozen=True, slots=True)
class Waiting:
    """A seat's press that no turn has taken yet.

    Attributes:
        press: The messages, in the order in which they came.
        number: The number of the last one.
        data: All of them as one file, as a turn keeps them.
    """

    press: tuple[Press, ...]
    number: int
    data: bytes


def press_folder(saved: SavedGame) -> Path:
    """Return where a game's press waits."""
    return saved.home.orders_folder / saved.name / "press"


def lodge_press(disk: Disk, saved: SavedGame, seat: Seat, number: int, press: Press) -> bool:
    """Lodge a message under a number that is its own and higher than those before; again changes nothing.

    Returns:
        Whether there was room for it.
    """
    folder = press_folder(saved)
    path = folder / f"{seat}.{number}.yaml"
    if path.exists():
        return True
    waiting = waiting_press(saved).get(seat)
    if waiting is not None and len(waiting.press) >= MOST_WAITING:
        return False
    disk.make_folder(folder, mode=0o700)
    disk.sync_names(folder.parent)
    replace_file(disk, path, _file(saved.name, seat, (press,)), 0o600)
    return True


def waiting_press(saved: SavedGame) -> dict[Seat, Waiting]:
    """Return the press of each seat that no turn has taken yet.

    Raises:
        WrongInput: One of the files cannot be read.
    """
    found: dict[Seat, dict[int, Path]] = {}
    folder = press_folder(saved)
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        name = _NAME.fullmatch(path.name)
        if name and int(name[2]) > taken_press(saved.record).get(name[1], 0):
            found.setdefault(Seat(name[1]), {})[int(name[2])] = path
    waiting = {}
    for seat in saved.start.seats:
        numbers = sorted(found.get(seat, {}))
        press = tuple(one for n in numbers for one in read_press(saved, found[seat][n]))
        if press:
            waiting[seat] = Waiting(press, numbers[-1], _file(saved.name, seat, press))
    return waiting


def taken_press(record: Mapping[str, Json]) -> dict[str, int]:
    """Return the number of the last message of each seat that was taken, by a turn's record."""
    taken = record.get("press")
    numbers = taken if isinstance(taken, dict) else {}
    return {seat: number for seat, number in numbers.items() if isinstance(number, int)}


def read_press(saved: SavedGame, path: Path) -> tuple[Press, ...]:
    """Return the messages of a file.

    Raises:
        WrongInput: It cannot be read.
    """
    try:
        envelope = open_envelope(path.read_bytes())
    except OSError as wrong:
        raise WrongInput(f"{path} cannot be read: {wrong.strerror}.") from None
    read = envelope if isinstance(envelope, list) else read_lines(envelope, saved.grammar)
    if isinstance(read, list):
        raise WrongInput(f"{path}:{read[0]}", "It holds press that waits for a run; mend or remove it.")
    return read.orders.press


def _file(game: str, seat: Seat, press: tuple[Press, ...]) -> bytes:
    said: list[Json] = [
        {
            "to": one.to if one.to == ALL else list[Json](sorted(one.to)),
            "say": one.say,
            **({"anonymous": True} if one.anonymous else {}),
        }
        for one in press
    ]
    return dump({"game": game, "seat": seat, "press": said}).encode()
