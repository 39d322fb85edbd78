"""What the files of turns hold, which turns count, and the chain of their hashes."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pbem.core.book import Orders
from pbem.core.events import Seat
from pbem.core.interface import AnyRules, Json, Outcome
from pbem.core.opening import Begun, DealtGame, SealedGame
from pbem.core.turn import Attendance, Position
from pbem.store.errors import WrongInput
from pbem.store.interface import Place, Readable, turn_name, undone_name
from pbem.text.codec import ShapeError, decode, dumps, dumps_line, encode, fields_of, items_of, pending_orders
from pbem.text.reports.facts import FOOT

if TYPE_CHECKING:
    from pbem.store.interface import Store


FORMAT = 1

SPECTATOR: Final = "spectator"
"""Whose reports tell what is public."""

STEPS: Final = "steps.json"
"""What is kept beside a spectator's report of more than one step: what the public saw between two reports."""

STEPS_IN_TURN: Final = f"reports/{SPECTATOR}/{STEPS}"

_DAMAGED = "`pbem verify` tells more; try `pbem home mend`, or restore the file from your backup."


class GameStart(NamedTuple):
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


def objects_in(value: Json) -> list[dict[str, Json]]:
    """Return the objects in a list that was read; none where there is no list."""
    return [one for one in items_of(value) if isinstance(one, dict)]


def load_start(first: Place) -> GameStart:
    """Return what was frozen at the start, from the place of turn 0."""
    place = first / "start.json"
    try:
        return decode(GameStart, {"sealed": False, **read_json(place)}, "start.json")
    except ShapeError as wrong:
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
            game = decode(SealedGame, saved["sealed"], "sealed")
        elif raw is not None:
            luck = decode(dict[Seat, str], saved.get("luck"), "luck")
            game = DealtGame(luck, decode(rules.state, raw, "state"))
        asked = decode(dict[str, int], saved.get("asked"), "asked")
        steps = decode(int, saved.get("steps"), "steps")
        over = decode(bool, saved.get("over"), "over")
        attendance = decode(Attendance, saved.get("attendance"), "attendance")
        outcome = decode(Outcome, saved["outcome"], "outcome") if "outcome" in saved else None
        return Position(game, steps, asked, over, attendance, outcome)
    except ShapeError as wrong:
        raise WrongInput(f"{where}: {wrong}.", "The save is damaged; `pbem verify` tells more.") from None


def save_of(position: Position[Begun[Any]], rules: AnyRules) -> dict[str, Json]:
    """Return the content of `state.json` for a position."""
    game = position.game
    dealt = game if isinstance(game, DealtGame) else None
    ended: dict[str, Json] = {"outcome": encode(position.outcome)} if position.outcome else {}
    sealed: dict[str, Json] = {"sealed": encode(game)} if isinstance(game, SealedGame) else {}
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
    except ShapeError as wrong:
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


class WithdrawnTurn(NamedTuple):
    """A turn that was taken back.

    Attributes:
        turn: Its number.
        revision: How often the turn had been taken back with this one, from 1.
        place: Where it is kept.
    """

    turn: int
    revision: int
    place: Place


class Turns(NamedTuple):
    """The turns of one game.

    Attributes:
        store: What keeps them.
        game: The id of the game.
    """

    store: Store
    game: str

    def numbers(self) -> list[int]:
        """Return the numbers of the committed turns, in order."""
        return self.store.turns(self.game)

    def newest(self) -> int:
        """Return the number of the current turn.

        Raises:
            WrongInput: The game has no committed turn.
        """
        found = self.numbers()
        if not found:
            text = f"{self.store.spelled(f'games/{self.game}/turns')} holds no turn; the game is damaged."
            raise WrongInput(text, "Restore it from your backup.")
        return found[-1]

    def at(self, turn: int) -> Place:
        """Return where a turn lies."""
        return self.store.at(turn_name(self.game, turn))

    def absent(self, turn: int) -> WrongInput:
        """Return what is said where a turn is asked for that is not there: it is gone, or never was."""
        newest = self.newest()
        if 0 <= turn < newest:
            text = f"{self.game}/turns/{turn:04d}: the turn is missing."
            return WrongInput(text, "Put it back from a copy.")
        return WrongInput(f"{self.game} has no turn {turn}.", f"The newest is {newest}.")

    def taken_back(self, turn: int | None = None) -> list[WithdrawnTurn]:
        """Return the turns that were taken back, or how often this one was; the oldest first."""
        return [
            WithdrawnTurn(number, revision, self.store.at(undone_name(self.game, number, revision)))
            for number, revision in self.store.taken_back(self.game)
            if turn is None or number == turn
        ]

    def revision(self, turn: int) -> int:
        """Return how often a turn was taken back before it was run as it stands."""
        return max((one.revision for one in self.taken_back(turn)), default=0)


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def root_of(record: Mapping[str, Json], seed: bytes) -> str:
    """Return the root of a turn.

    Args:
        record: The content of `turn.json`: the hashes of the turn's files and of its reports without their
            foot, and the root before; a "root" of its own is left out.
        seed: The secret seed; its nonce keeps the root from telling what the state holds.
    """
    content = dumps_line({key: value for key, value in record.items() if key != "root"})
    nonce = seed_hmac(seed, "nonce", record["turn"])
    return sha256(nonce + content.encode())


def seed_hmac(seed: bytes, *purpose: Json) -> bytes:
    """Return 32 bytes that only the holder of the seed can make, one value for each purpose."""
    return hmac.digest(seed, json.dumps(purpose).encode(), "sha256")


def short_root(root: str) -> str:
    """Return 80 bits of a root as four groups of four letters and digits, for the foot of a report."""
    text = base64.b32encode(bytes.fromhex(root))[:16].decode().lower()
    return "-".join(text[n : n + 4] for n in range(0, 16, 4))


def foot(root: str, revision: int) -> str:
    """Return what stands in the foot of a report: the short root, and whether the turn was corrected."""
    return f"{short_root(root)} (corrected; earlier ones void)" if revision else short_root(root)


def insert_foot(page: str, root: str, revision: int) -> str:
    """Return a page with its foot."""
    return page.replace(FOOT, foot(root, revision))


def without_foot(page: bytes, root: str, revision: int) -> bytes:
    """Return a page as it was before the root was known."""
    return page.replace(foot(root, revision).encode(), FOOT.encode())


def receipt_proof(seed: bytes, game: str, seat: str, receipt: int, words: str) -> str:
    """Return the salted hash of accepted orders; the salt can be shown when the seed is published."""
    salt = seed_hmac(seed, "receipt", game, seat, receipt)
    return short_root(sha256(salt + words.encode()))
