"""Damaged files of turns are put back: made again or found elsewhere, and proven by their hashes."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

from pbem.core.engine.book import Orders
from pbem.core.engine.position import Position
from pbem.core.events import Recorded, Seat
from pbem.core.interface import Json
from pbem.play.config.nextdeadline import promised
from pbem.play.homes import saves
from pbem.play.homes.chain import root_of, sha256, with_foot
from pbem.play.homes.home import Home, read_secret
from pbem.play.homes.integrity import Finding, missing_findings, turn_findings, within_game
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import STEPS_IN_TURN
from pbem.play.homes.turns import Turns
from pbem.play.homes.verify import play_again, reports_again
from pbem.play.turn.publicsteps import public_steps, steps_text
from pbem.play.turn.turnfiles import position_files
from pbem.store.errors import WrongInput
from pbem.store.interface import Change
from pbem.store.memory import MemoryStore
from pbem.store.place import Place
from pbem.text.schemas.codec import fields_of
from pbem.text.submission.orders import masked, open_envelope

_RECORD: Final = "turn.json"


class PutBack(NamedTuple):
    """What became of the damaged files of a game's turns.

    Attributes:
        files: Those that are again as they were committed, by their names in the game's folder.
        left: What is still wrong.
    """

    files: tuple[str, ...]
    left: tuple[Finding, ...]


def put_back(home: Home, game: str) -> PutBack:
    """Put back what is damaged in a game's turns, as far as it can be made again or is kept elsewhere too.

    A file is written only if it has the hash that the record of its turn promises, whose root comes out. So
    no byte becomes another than it was when the turn was committed; done again, it changes nothing.

    Raises:
        WrongInput: There is no such game, or its seed is damaged.
        GateClosedError: Another program is at work on the game.
    """
    with home.held(game, wait_seconds=0.0):
        return _put_back(home, game)


def can_be_put_back(home: Home, game: str) -> PutBack:
    """Return what `put_back` would put back and leave; nothing is changed.

    Raises:
        WrongInput: There is no such game, or its seed is damaged.
    """
    return _put_back(Home(MemoryStore({}, behind=home.store)), game)


def _put_back(home: Home, game: str) -> PutBack:
    turns, seed = home.turns(game), read_secret(home.game(game)).seed
    done = [name for turn, number in _all(turns) for name in _mended(home, game, turn, number, seed)]
    left = [*missing_findings(turns)]
    left += [one for turn, _ in _all(turns) for one in turn_findings(turn, seed)]
    return PutBack(tuple(done), tuple(left))


def _all(turns: Turns) -> Iterator[tuple[Place, int]]:
    """Yield each turn and its number: those that count first, in order: each is made of the last."""
    yield from ((turns.at(number), number) for number in turns.numbers())
    yield from ((one.place, one.turn) for one in turns.taken_back())


def _mended(home: Home, game: str, turn: Place, number: int, seed: bytes) -> Iterator[str]:
    """Put back the files of one turn: first what the rest is made of."""
    for made in (_record, _kept_elsewhere, _made_again):
        damaged = {one.place.partition(f"{within_game(turn)}/")[2] for one in turn_findings(turn, seed)}
        if not damaged:
            return
        found: Mapping[str, bytes] = {}
        with suppress(Exception):  # what is damaged may break any rule, and then stays as it is
            found = made(home, game, turn, number, damaged, seed)
        if files := {f"{turn.path}/{name}": found[name] for name in sorted(damaged & found.keys())}:
            home.store.change(game, Change({"words": f"putting turn {number} back"}, files))
            yield from (within_game(home.store.at(name)) for name in files)


def _record(
    home: Home, game: str, turn: Place, number: int, damaged: set[str], seed: bytes
) -> dict[str, bytes]:
    """Return the record of a turn that was only spaced or sorted otherwise: it still has its root."""
    record = json.loads((turn / _RECORD).read_bytes())
    return {_RECORD: saves.record_bytes(record)} if record["root"] == root_of(record, seed) else {}


def _kept_elsewhere(
    home: Home, game: str, turn: Place, number: int, damaged: set[str], seed: bytes
) -> dict[str, bytes]:
    """Return damaged files of which another turn, or the folder of orders, has the very bytes."""
    files = fields_of(saves.load_record(turn).get("files"))
    found: dict[str, bytes] = {}
    for name in sorted(damaged & files.keys()):
        for read in _others(home, game, turn, name):
            with suppress(OSError, WrongInput):
                if sha256(data := read()) == files[name]:
                    found[name] = data
    return found


def _others(home: Home, game: str, turn: Place, name: str) -> Iterator[Callable[[], bytes]]:
    yield from ((one / name).read_bytes for one, _ in _all(home.turns(game)) if one != turn)
    folder, _, file = name.partition("/")
    if folder == "orders":
        lodged = home.orders_file(game, Seat(file.removesuffix(".yaml")))
        yield lambda: _covered(lodged.read_bytes())


def _covered(data: bytes) -> bytes:
    """Return orders as a turn keeps them: the key masked."""
    envelope = open_envelope(data)
    return data if isinstance(envelope, list) else masked(data, envelope)


def _made_again(
    home: Home, game: str, turn: Place, number: int, damaged: set[str], seed: bytes
) -> dict[str, bytes]:
    """Return what a turn comes to when it is played again, as far as its record promises just that."""
    record = saves.load_record(turn)
    before = _before(home, game, number, str(record["previous"]))
    reports = fields_of(record.get("reports"))
    hashes = {**fields_of(record.get("files")), **reports}
    found: dict[str, bytes] = {}
    for made in _files(before, turn, number, record, damaged):
        found |= {name: data for name, data in made.items() if hashes.get(name) == sha256(data)}
    root, revision = str(record["root"]), int(str(record["revision"]))
    return {
        name: with_foot(data.decode(), root, revision).encode() if name in reports else data
        for name, data in found.items()
    }


class _Followed(Turns):
    """The turns of a game as they were when a turn was run that was taken back, with the one before it."""

    last: Place

    def at(self, turn: int) -> Place:
        """Return where a turn lies; the last one is another than the one that counts now."""
        return self.last if turn == int(self.last.name.partition(".")[0]) else super().at(turn)


def _before(home: Home, game: str, number: int, root: str) -> SavedGame:
    """Return the game before a turn: at the turn that it followed, which may be taken back too."""
    last = max(number - 1, 0)
    before = SavedGame(home, game, at_turn=last)
    if number and _root(before.turns.at(last)) != root:
        turns = _Followed(*before.turns)
        turns.last = next(one.place for one in before.turns.taken_back(last) if _root(one.place) == root)
        before.turns = turns
    return before


def _root(turn: Place) -> Json:
    return saves.record_of_undone(turn).get("root")


def _files(
    before: SavedGame, turn: Place, number: int, record: dict[str, Json], damaged: set[str]
) -> Iterator[dict[str, bytes]]:
    """Yield the files of a turn that is played again: what is saved, then reports, which may fail."""
    orders: Mapping[Seat, Orders] = {}
    events: tuple[Recorded, ...] = ()
    position, run = Position[Any](None), None
    if number:
        run = play_again(before, turn, record)
        position, orders, events = run.position, run.orders, run.events
    yield position_files(before, position, orders, events)
    if not any(name.startswith("reports/") for name in damaged):
        return
    with suppress(Exception):
        shown = steps_text(before, public_steps(before, number, run)) if run is not None else ""
        yield {STEPS_IN_TURN: shown.encode()}
    for deadline in _deadlines(before, record):
        with suppress(Exception):
            reports = reports_again(before, turn, record, number, (position, orders, events), deadline)
            yield {
                f"reports/{reader}/{name}": page.encode()
                for reader, report in reports.items()
                for name, page in report.kept().items()
            }


def _deadlines(before: SavedGame, record: Mapping[str, Json]) -> list[datetime.datetime | None]:
    """Return the deadlines that the reports of a turn may name: the record has it if `game.yaml` has not."""
    noted = promised(record)
    return [noted] if noted else list(dict.fromkeys((before.table.deadline, None)))
