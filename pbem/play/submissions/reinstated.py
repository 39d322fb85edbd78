"""Orders that count again after a turn was taken back, and press that waits until a turn has taken it."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from pbem.core.book import Press
from pbem.core.events import ALL, Seat
from pbem.core.interface import Json
from pbem.play.homes import saves
from pbem.play.homes.players import acts_of
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import sha256, submissions_of
from pbem.store.errors import WrongInput
from pbem.store.interface import Place
from pbem.text.codec import fields_of
from pbem.text.orders import open_envelope, read_lines
from pbem.text.strictyaml import dump


def reinstated_orders(saved: SavedGame, seat: Seat, lodged: bytes) -> dict[int, bytes]:
    """Return the orders of a seat that turns had taken which were taken back, and that count again, by turn.

    Each counts when its turn is run again. They are void as soon as anything newer is lodged; then there are
    none. Nor is there what a damaged turn had taken.

    Args:
        saved: The game.
        seat: The seat.
        lodged: What is lodged for it, the key masked.
    """
    if not saved.again:
        return {}
    sha = sha256(lodged)
    taken = {one.turn: (submissions_of(one.place).get(seat), one.place) for one in saved.again.values()}
    if all(of != sha for of, _ in taken.values()):
        return {}
    copies = {turn: place / "orders" / f"{seat}.yaml" for turn, (_, place) in taken.items()}
    files = {
        turn: lodged if taken[turn][0] == sha else copy.read_bytes() if copy.is_file() else b""
        for turn, copy in sorted(copies.items())
    }
    return {turn: data for turn, data in files.items() if sha256(data) == taken[turn][0]}


def press_of_later(saved: SavedGame, seat: Seat) -> range:
    """Return the numbers of press that went out with later turns that were taken back, and waits for them."""
    if saved.turn + 1 not in saved.again:
        return range(0)
    first = _press_until(saved.again[saved.turn + 1].place, seat)
    return range(first + 1, max(_press_until(one.place, seat) for one in saved.again.values()) + 1)


def _press_until(turn: Place, seat: Seat) -> int:
    taken = saves.record_of_undone(turn).get("press")
    number = taken.get(seat, 0) if isinstance(taken, dict) else 0
    return number if isinstance(number, int) else 0


def is_remade(saved: SavedGame) -> bool:
    """Tell whether the newest turn was lost and made again, as the turn itself says."""
    return {"kind": "turn-remade", "turn": saved.turn} in acts_of(saved.record)


def taken_back_since(saved: SavedGame) -> tuple[int, ...]:
    """Return the turns that were taken back since the newest one was made, in order; one may stand twice.

    The turns themselves say it, whether or not the home has a journal: each names the root of the turn that
    it followed. Of a damaged one, which may name none, the newest counts.
    """
    undone = saved.undone
    records = [saves.record_of_undone(one.place) for one in undone]

    def after(turn: int, root: str) -> Iterator[int]:
        newest = max((one.revision for one in undone if one.turn == turn), default=0)
        for one, record in zip(undone, records, strict=True):
            previous = str(record.get("previous", root if one.revision == newest else ""))
            if one.turn == turn and previous == root:
                yield from after(turn + 1, str(record.get("root", "")))
                yield turn

    return tuple(after(saved.turn + 1, str(saved.record["root"])))


MOST_WAITING: Final = 30
"""So many messages of one seat wait for a turn."""

_NAME: Final = re.compile(r"(.+)\.([0-9]{1,12})\.yaml")


class WaitingPress(NamedTuple):
    """A seat's press that no turn has taken yet.

    Attributes:
        press: The messages, in the order in which they came.
        number: The number of the last one.
        data: All of them as one file, as a turn keeps them.
    """

    press: tuple[Press, ...]
    number: int
    data: bytes

    def without_duplicates(self, game: str, seat: Seat, said: Container[Press]) -> WaitingPress:
        """Return what is left when the same messages in the seat's orders go out once."""
        press = tuple(one for one in self.press if one not in said)
        return (
            self if press == self.press else WaitingPress(press, self.number, _dump_press(game, seat, press))
        )


def press_folder(saved: SavedGame) -> Place:
    """Return where a game's press waits."""
    return saved.home.store.at(f"orders/{saved.name}/press")


def press_file(saved: SavedGame, seat: Seat, number: int) -> Place:
    """Return where a seat's press of a number is kept."""
    return press_folder(saved) / f"{seat}.{number}.yaml"


def next_number(saved: SavedGame, seat: Seat) -> int:
    """Return the number of a seat's next press: higher than those before, also of turns that were undone."""
    kept = _press_files(saved).get(seat, {})
    return 1 + max([taken_press_numbers(saved.record).get(seat, 0), *kept])


def is_kept(saved: SavedGame, seat: Seat, number: int, press: Sequence[Press]) -> bool:
    """Tell whether just this press was stored under a number, whether or not a turn has taken it since."""
    place = press_file(saved, seat, number)
    return place.exists() and place.read_bytes() == _dump_press(saved.name, seat, press)


def waiting_press_number(saved: SavedGame, seat: Seat, press: Sequence[Press]) -> int:
    """Return the number under which just this press waits for a turn, or 0."""
    taken = taken_press_numbers(saved.record).get(seat, 0)
    numbers = [n for n in sorted(_press_files(saved).get(seat, {})) if n > taken]
    return next((n for n in numbers if is_kept(saved, seat, n, press)), 0)


def has_room(saved: SavedGame, seat: Seat, press: Sequence[Press]) -> bool:
    """Tell whether so much more press of a seat may wait for a turn."""
    waiting = waiting_press(saved).get(seat)
    return len(press) + (len(waiting.press) if waiting else 0) <= MOST_WAITING


def press_to_keep(saved: SavedGame, seat: Seat, number: int, press: Sequence[Press]) -> tuple[str, bytes]:
    """Return the name and the content of the file that keeps press of a seat until a turn has taken it."""
    return press_file(saved, seat, number).path, _dump_press(saved.name, seat, press)


def waiting_press(saved: SavedGame) -> dict[Seat, WaitingPress]:
    """Return the press of each seat that no turn has taken yet.

    Raises:
        WrongInput: One of the files cannot be read.
    """
    kept, taken = _press_files(saved), taken_press_numbers(saved.record)
    waiting = {}
    for seat in saved.start.seats:
        files = kept.get(seat, {})
        later = press_of_later(saved, seat) if files else ()
        numbers = [n for n in sorted(files) if n > taken.get(seat, 0) and n not in later]
        press = tuple(one for n in numbers for one in read_press(saved, files[n]))
        if press:
            waiting[seat] = WaitingPress(press, numbers[-1], _dump_press(saved.name, seat, press))
    return waiting


def _press_files(saved: SavedGame) -> dict[str, dict[int, Place]]:
    """Return the files of press of each seat by their numbers; they are never removed."""
    found: dict[str, dict[int, Place]] = {}
    folder = press_folder(saved)
    for place in folder.iterdir() if folder.is_dir() else ():
        if name := _NAME.fullmatch(place.name):
            found.setdefault(name[1], {})[int(name[2])] = place
    return found


def taken_press_numbers(record: Mapping[str, Json]) -> dict[str, int]:
    """Return the number of the last message of each seat that was taken, by a turn's record."""
    taken = fields_of(record.get("press"))
    return {seat: number for seat, number in taken.items() if isinstance(number, int)}


def read_press(saved: SavedGame, place: Place) -> tuple[Press, ...]:
    """Return the messages of a file.

    Raises:
        WrongInput: It cannot be read.
    """
    try:
        envelope = open_envelope(place.read_bytes())
    except OSError as wrong:
        raise WrongInput(f"{place} cannot be read: {wrong.strerror}.") from None
    read = envelope if isinstance(envelope, list) else read_lines(envelope, saved.grammar)
    if isinstance(read, list):
        raise WrongInput(f"{place}:{read[0]}", "It holds press that waits for a run; mend or remove it.")
    return read.orders.press


def _dump_press(game: str, seat: Seat, press: Sequence[Press]) -> bytes:
    said: list[Json] = [
        {
            "to": one.to if one.to == ALL else list[Json](sorted(one.to)),
            "say": one.say,
            **({"anonymous": True} if one.anonymous else {}),
        }
        for one in press
    ]
    return dump({"game": game, "seat": seat, "press": said}).encode()
