"""Verification: do the same orders give the same turns? And damaged files, put back as their hashes prove."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from pbem.core.book import Orders, merge_orders
from pbem.core.dice import Dice
from pbem.core.events import Recorded, Seat
from pbem.core.interface import Json
from pbem.core.opening import Begun
from pbem.core.turn import Position, Run, advance
from pbem.play.config.gamefile import promised
from pbem.play.homes import saves
from pbem.play.homes.home import Home, read_secret
from pbem.play.homes.integrity import (
    Finding,
    chain_findings,
    is_root,
    lost_findings,
    missing_findings,
    path_in_game,
    secret_findings,
    turn_findings,
    turn_of_root,
)
from pbem.play.homes.players import player_names_in
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import STEPS_IN_TURN, Turns, insert_foot, root_of, sha256
from pbem.play.submissions.gate import read_taken
from pbem.play.submissions.reinstated import read_press
from pbem.play.turn.luck import orders_files_in
from pbem.play.turn.moments import is_same_steps, public_steps, steps_text
from pbem.play.turn.turnfiles import origins_in, policy_of, position_files, reports_of, step_json
from pbem.store.errors import WrongInput
from pbem.store.interface import Change, Place
from pbem.store.memory import MemoryStore
from pbem.text.codec import dumps_line, fields_of, items_of
from pbem.text.orders import mask_key, open_envelope
from pbem.text.reports.report import Report

DiceMaker = Callable[[bytes, int], Dice]
"""Makes the dice of a step from the seed and the step's number."""


@dataclass(frozen=True, slots=True)
class VerifyResult:
    """What verification found.

    Attributes:
        turns: How many turns stand.
        undone: How many turns that were taken back are kept.
        findings: Everything that is wrong; empty if all is intact and recomputed.
        recomputed: How many turns were played again and came out the same.
        skipped: Turns that could not be played again, with the reason.
        foot: What a root that a player holds belongs to, or ""; None if no root was given.
        notes: What else is to be known of it.
    """

    turns: int
    undone: int
    findings: tuple[Finding, ...]
    recomputed: int
    skipped: tuple[str, ...]
    foot: str | None = None
    notes: tuple[str, ...] = ()


def verify(
    home: Home,
    game: str,
    foot: str | None = None,
    *,
    each: Callable[[], None] = lambda: None,
) -> VerifyResult:
    """Verify a game from its folder.

    Args:
        home: The home.
        game: The id of the game.
        foot: The root from the foot of a report that a player kept.
        each: Told after each turn that was played again.

    Raises:
        WrongInput: There is no such game, or the root does not look like one.
    """
    folder, turns = home.game(game), home.turns(game)
    numbers, taken_back = turns.numbers(), turns.taken_back()
    findings = list(secret_findings(home, game))
    if not findings:
        seed = read_secret(folder).seed
        findings.extend(chain_findings(turns, seed))
        for one in taken_back:
            findings.extend(turn_findings(one.place, seed))
        findings.extend(lost_findings(turns))
    if foot is not None and not is_root(foot):
        raise WrongInput(f"{foot!r} is no root.", "It stands in the foot of a report: xxxx-xxxx-xxxx-xxxx.")
    held = None if foot is None else turn_of_root(turns, foot)
    if held == "":
        findings.append(Finding("turns", f"no turn of this game has the root {foot}"))
    beside = [one for one in findings if one.place == "turns" or one.place.startswith("turns/undone/")]
    if len(findings) > len(beside):
        return VerifyResult(
            len(numbers), len(taken_back), tuple(findings), 0, ("the game is not intact",), held
        )
    played = replay_game(home, game, each)
    return replace(played, findings=(*findings, *played.findings), foot=held)


def replay_game(
    home: Home,
    game: str,
    each: Callable[[], None],
    dice_of: Callable[[int], DiceMaker] = lambda number: Dice,
) -> VerifyResult:
    """Play each turn of a game again, and look at nothing else of it.

    Args:
        home: The home.
        game: The id of the game.
        each: Told after each turn.
        dice_of: What makes the dice of a turn, if somebody watches them.
    """
    turns = home.turns(game)
    numbers, taken_back = turns.numbers(), turns.taken_back()
    recomputed, findings, skipped, notes = 0, list[Finding](), list[str](), list[str]()
    for number in numbers:
        wrong, why = _replay(home, game, number, dice_of, notes)
        findings.extend(wrong)
        skipped.extend([why] if why else [])
        recomputed += not wrong and not why
        each()
    counts = len(numbers), len(taken_back)
    return VerifyResult(*counts, tuple(findings), recomputed, tuple(skipped), notes=tuple(notes))


def _replay(
    home: Home,
    game: str,
    number: int,
    dice_of: Callable[[int], DiceMaker],
    notes: list[str],
) -> tuple[list[Finding], str]:
    """Play a turn again, whatever a forged turn may do to the rules."""
    try:
        before = SavedGame(home, game, at_turn=max(number - 1, 0))
        return _play_again(before, number, dice_of, notes)
    except WrongInput as wrong:
        text = f"it cannot be played again: {wrong}"
    except Exception as fault:  # a state that nobody could reach may break any rule
        text = f"it cannot be played again ({type(fault).__name__})"
    return [Finding(f"turns/{number:04d}", text)], ""


def _play_again(
    now: SavedGame,
    number: int,
    dice_of: Callable[[int], DiceMaker],
    notes: list[str],
) -> tuple[list[Finding], str]:
    """Play a turn again from the one before it; return what came out otherwise, or why it cannot be."""
    turn = now.turns.at(number)
    record = saves.load_record(turn)
    before = now.with_rules_version(record["rules_version"])
    if before is None:
        return [], f"turn {number}: rules version {record['rules_version']}, installed {now.rules.version}"
    if number == 0:
        state = saves.position_of(saves.read_json(turn / "state.json"), before.rules, "state.json")
        wrong = state != Position(None) or (turn / "events.jsonl").read_bytes() or (turn / "pending").exists()
        return ([Finding("turns/0000/state.json", "a game starts before the deal")] if wrong else []), ""
    run = play_again(before, turn, record, dice_of(number))
    remade = position_files(before, run.position, run.orders, run.events)
    findings = [
        Finding(path_in_game(turn / name), "played again, it comes out otherwise")
        for name in ("events.jsonl", *sorted(_pending(turn) | {one for one in remade if "pending/" in one}))
        if not (turn / name).exists() or (turn / name).read_bytes() != remade.get(name)
    ]
    saved = saves.load_position(turn, before.rules)
    if saved != run.position:
        findings.append(Finding(path_in_game(turn / "state.json"), "played again, it comes out otherwise"))
    if dumps_line([step_json(step) for step in run.steps]) != dumps_line(record["steps"]):
        findings.append(Finding(path_in_game(turn / "turn.json"), "its steps come out otherwise"))
    taken = _submissions(record)
    if (record["submissions"], record["taken"]) != (taken, {**before.taken_hashes, **taken}):
        findings.append(Finding(path_in_game(turn / "turn.json"), "it names other submissions"))
    reports = record["reports"]
    if isinstance(reports, dict) and (hashed := reports.get(STEPS_IN_TURN)) is not None:
        made = steps_text(before, public_steps(before, number, run))
        same = is_same_steps(turn / STEPS_IN_TURN, hashed, made)
        if same is None:
            notes.append(f"turn {number}: another version told its steps, and they could not be compared")
        elif not same:
            findings.append(
                Finding(path_in_game(turn / STEPS_IN_TURN), "played again, it comes out otherwise")
            )
    return findings, ""


def _submissions(record: dict[str, Json]) -> dict[str, Json]:
    """Return the SHA-256 of the orders that a turn took, as its record has them among its files."""
    files = record["files"] if isinstance(record["files"], dict) else {}
    found = ((re.fullmatch(r"orders/(.+)\.yaml", name), data) for name, data in files.items())
    return {name[1]: data for name, data in found if name}


def _pending(turn: Place) -> set[str]:
    return {f"pending/{one.name}" for one in _files(turn / "pending")}


def _files(folder: Place) -> list[Place]:
    return list(folder.iterdir()) if folder.is_dir() else []


def play_again(
    before: SavedGame,
    turn: Place,
    record: dict[str, Json],
    dice: DiceMaker = Dice,
) -> Run[Begun[Any]]:
    """Return what a turn comes to when it is played again from the one before it.

    Args:
        before: The game before the turn.
        turn: Where the turn lies.
        record: Its `turn.json`.
        dice: What makes the dice of a step.
    """
    policy = policy_of(record)
    orders: dict[Seat, Orders] = dict(before.pending)
    lineless = items_of(record.get("kept"))
    for seat in before.start.seats:
        lodged = turn / "orders" / f"{seat}.yaml"
        if lodged.exists():
            found = read_taken(before, lodged.read_bytes())
            orders[seat] = merge_orders(orders.get(seat, Orders()), found.orders, keep=seat in lineless)
        if (said := turn / "press" / f"{seat}.yaml").exists():
            said_besides = Orders(press=read_press(before, said))
            orders[seat] = merge_orders(orders.get(seat, Orders()), said_besides, keep=True)
    seats, seed = before.start.seats, before.secret.seed
    return advance(before.opening, seats, before.position, orders, seed, policy, dice)


def remake_reports(
    before: SavedGame,
    turn: Place,
    record: dict[str, Json],
    number: int,
    came_to: tuple[Position[Begun[Any]], Mapping[Seat, Orders], tuple[Recorded, ...]],
    deadline: datetime.datetime | None,
) -> dict[str, Report]:
    """Return the reports of a turn that was played again, of whom and when as its record says.

    Args:
        before: The game before the turn.
        turn: Where the turn lies.
        record: Its `turn.json`.
        number: The number of the turn.
        came_to: The position, the orders that are left, and the events.
        deadline: When the orders that the turn asks for were due, or None.
    """
    sent = {Seat(seat): data for seat, data in orders_files_in(turn).items()}
    told, called = origins_in(before, record, sent), player_names_in(turn, record)
    return reports_of(before, number, *came_to, deadline, told, called, policy_of(record))


_RECORD: Final = "turn.json"


class Restoration(NamedTuple):
    """What became of the damaged files of a game's turns.

    Attributes:
        files: Those that are again as they were committed, by their names in the game's folder.
        left: What is still wrong.
    """

    files: tuple[str, ...]
    left: tuple[Finding, ...]


def restore_game(home: Home, game: str) -> Restoration:
    """Put back what is damaged in a game's turns, as far as it can be made again or is kept elsewhere too.

    A file is written only if it has the hash that the record of its turn promises, whose root comes out. So
    no byte becomes another than it was when the turn was committed; done again, it changes nothing.

    Raises:
        WrongInput: There is no such game, or its seed is damaged.
        GateClosedError: Another program is at work on the game.
    """
    with home.held(game, wait_seconds=0.0):
        return _put_back(home, game)


def plan_restoration(home: Home, game: str) -> Restoration:
    """Return what `put_back` would put back and leave; nothing is changed.

    Raises:
        WrongInput: There is no such game, or its seed is damaged.
    """
    return _put_back(Home(MemoryStore({}, behind=home.store)), game)


def _put_back(home: Home, game: str) -> Restoration:
    turns, seed = home.turns(game), read_secret(home.game(game)).seed
    done = [
        name for turn, number in _all_turns(turns) for name in _restore_turn(home, game, turn, number, seed)
    ]
    left = [*missing_findings(turns)]
    left += [one for turn, _ in _all_turns(turns) for one in turn_findings(turn, seed)]
    return Restoration(tuple(done), tuple(left))


def _all_turns(turns: Turns) -> Iterator[tuple[Place, int]]:
    """Yield each turn and its number: those that count first, in order: each is made of the last."""
    yield from ((turns.at(number), number) for number in turns.numbers())
    yield from ((one.place, one.turn) for one in turns.taken_back())


def _restore_turn(home: Home, game: str, turn: Place, number: int, seed: bytes) -> Iterator[str]:
    """Put back the files of one turn: first what the rest is made of."""
    for made in (_record, _kept_elsewhere, _remake_files):
        damaged = {one.place.partition(f"{path_in_game(turn)}/")[2] for one in turn_findings(turn, seed)}
        if not damaged:
            return
        found: Mapping[str, bytes] = {}
        with suppress(Exception):  # what is damaged may break any rule, and then stays as it is
            found = made(home, game, turn, number, damaged, seed)
        if files := {f"{turn.path}/{name}": found[name] for name in sorted(damaged & found.keys())}:
            home.store.change(game, Change({"words": f"putting turn {number} back"}, files))
            yield from (path_in_game(home.store.at(name)) for name in files)


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
        for read in _other_sources(home, game, turn, name):
            with suppress(OSError, WrongInput):
                if sha256(data := read()) == files[name]:
                    found[name] = data
    return found


def _other_sources(home: Home, game: str, turn: Place, name: str) -> Iterator[Callable[[], bytes]]:
    yield from ((one / name).read_bytes for one, _ in _all_turns(home.turns(game)) if one != turn)
    folder, _, file = name.partition("/")
    if folder == "orders":
        lodged = home.orders_file(game, Seat(file.removesuffix(".yaml")))
        yield lambda: _mask_key(lodged.read_bytes())


def _mask_key(data: bytes) -> bytes:
    """Return orders as a turn keeps them: the key masked."""
    envelope = open_envelope(data)
    return data if isinstance(envelope, list) else mask_key(data, envelope)


def _remake_files(
    home: Home, game: str, turn: Place, number: int, damaged: set[str], seed: bytes
) -> dict[str, bytes]:
    """Return what a turn comes to when it is played again, as far as its record promises just that."""
    record = saves.load_record(turn)
    before = _game_before(home, game, number, str(record["previous"]))
    reports = fields_of(record.get("reports"))
    hashes = {**fields_of(record.get("files")), **reports}
    found: dict[str, bytes] = {}
    for made in _rebuild_files(before, turn, number, record, damaged):
        found |= {name: data for name, data in made.items() if hashes.get(name) == sha256(data)}
    root, revision = str(record["root"]), int(str(record["revision"]))
    return {
        name: insert_foot(data.decode(), root, revision).encode() if name in reports else data
        for name, data in found.items()
    }


class _EarlierTurns(Turns):
    """The turns of a game as they were when a turn was run that was taken back, with the one before it."""

    last: Place

    def at(self, turn: int) -> Place:
        """Return where a turn lies; the last one is another than the one that counts now."""
        return self.last if turn == int(self.last.name.partition(".")[0]) else super().at(turn)


def _game_before(home: Home, game: str, number: int, root: str) -> SavedGame:
    """Return the game before a turn: at the turn that it followed, which may be taken back too."""
    last = max(number - 1, 0)
    before = SavedGame(home, game, at_turn=last)
    if number and _root(before.turns.at(last)) != root:
        turns = _EarlierTurns(*before.turns)
        turns.last = next(one.place for one in before.turns.taken_back(last) if _root(one.place) == root)
        before.turns = turns
    return before


def _root(turn: Place) -> Json:
    return saves.record_of_undone(turn).get("root")


def _rebuild_files(
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
            reports = remake_reports(before, turn, record, number, (position, orders, events), deadline)
            yield {
                f"reports/{reader}/{name}": page.encode()
                for reader, report in reports.items()
                for name, page in report.kept().items()
            }


def _deadlines(before: SavedGame, record: Mapping[str, Json]) -> list[datetime.datetime | None]:
    """Return the deadlines that the reports of a turn may name: the record has it if `game.yaml` has not."""
    noted = promised(record)
    return [noted] if noted else list(dict.fromkeys((before.table.deadline, None)))
