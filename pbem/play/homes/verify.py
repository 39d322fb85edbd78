"""Verification: are the turns intact, does the chain hold, do the same orders give the same turns?"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.core.dice import Dice
from pbem.core.engine.book import Orders, after_sending
from pbem.core.engine.opening import Begun
from pbem.core.engine.turn import Position, Run, advance
from pbem.core.events import Recorded, Seat
from pbem.core.interface import Json
from pbem.play.homes import saves
from pbem.play.homes.called import called_in
from pbem.play.homes.home import Home, read_secret
from pbem.play.homes.integrity import (
    Finding,
    chain_findings,
    is_root,
    lost_findings,
    secret_findings,
    turn_findings,
    turn_of_root,
    within_game,
)
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import STEPS_IN_TURN
from pbem.play.reports.reporting import reports_of
from pbem.play.submissions.gate import read_taken
from pbem.play.submissions.waitingpress import read_press
from pbem.play.turn.luck import sent_in
from pbem.play.turn.publicsteps import is_same, public_steps, steps_text
from pbem.play.turn.turnfiles import origins_in, policy_of, position_files, step_json
from pbem.store.errors import WrongInput
from pbem.store.place import Place
from pbem.text.reports.report import Report
from pbem.text.schemas.codec import dumps_line, items_of

DiceMaker = Callable[[bytes, int], Dice]
"""Makes the dice of a step from the seed and the step's number."""


@dataclass(frozen=True, slots=True)
class Verified:
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
    excused: frozenset[str] = frozenset(),
    each: Callable[[], None] = lambda: None,
    dice_of: Callable[[int], DiceMaker] = lambda number: Dice,
) -> Verified:
    """Verify a game from its folder.

    Args:
        home: The home.
        game: The id of the game.
        foot: The root from the foot of a report that a player kept.
        excused: Files that are not as they were committed, for a reason that was told.
        each: Told after each turn that was played again.
        dice_of: What makes the dice of a turn, if somebody watches them.

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
    findings = [one for one in findings if one.place not in excused]
    if foot is not None and not is_root(foot):
        raise WrongInput(f"{foot!r} is no root.", "It stands in the foot of a report: xxxx-xxxx-xxxx-xxxx.")
    held = None if foot is None else turn_of_root(turns, foot)
    if held == "":
        findings.append(Finding("turns", f"no turn of this game has the root {foot}"))
    beside = [one for one in findings if one.place == "turns" or one.place.startswith("turns/undone/")]
    if len(findings) > len(beside):
        return Verified(len(numbers), len(taken_back), tuple(findings), 0, ("the game is not intact",), held)
    recomputed, skipped, notes = 0, [], list[str]()
    for number in numbers:
        wrong, why = _replay(home, game, number, dice_of, notes)
        findings.extend(wrong)
        skipped.extend([why] if why else [])
        recomputed += not wrong and not why
        each()
    counts = len(numbers), len(taken_back)
    return Verified(*counts, tuple(findings), recomputed, tuple(skipped), held, tuple(notes))


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
    before = now.played_by(record["rules_version"])
    if before is None:
        return [], f"turn {number}: rules version {record['rules_version']}, installed {now.rules.version}"
    if number == 0:
        state = saves.position_of(saves.read_json(turn / "state.json"), before.rules, "state.json")
        wrong = state != Position(None) or (turn / "events.jsonl").read_bytes() or (turn / "pending").exists()
        return ([Finding("turns/0000/state.json", "a game starts before the deal")] if wrong else []), ""
    run = play_again(before, turn, record, dice_of(number))
    remade = position_files(before, run.position, run.orders, run.events)
    findings = [
        Finding(within_game(turn / name), "played again, it comes out otherwise")
        for name in ("events.jsonl", *sorted(_pending(turn) | {one for one in remade if "pending/" in one}))
        if not (turn / name).exists() or (turn / name).read_bytes() != remade.get(name)
    ]
    saved = saves.load_position(turn, before.rules)
    if saved != run.position:
        findings.append(Finding(within_game(turn / "state.json"), "played again, it comes out otherwise"))
    if dumps_line([step_json(step) for step in run.steps]) != dumps_line(record["steps"]):
        findings.append(Finding(within_game(turn / "turn.json"), "its steps come out otherwise"))
    taken = _submissions(record)
    if (record["submissions"], record["taken"]) != (taken, {**before.taken, **taken}):
        findings.append(Finding(within_game(turn / "turn.json"), "it names other submissions"))
    reports = record["reports"]
    if isinstance(reports, dict) and (hashed := reports.get(STEPS_IN_TURN)) is not None:
        made = steps_text(before, public_steps(before, number, run))
        same = is_same(turn / STEPS_IN_TURN, hashed, made)
        if same is None:
            notes.append(f"turn {number}: another version told its steps, and they could not be compared")
        elif not same:
            findings.append(
                Finding(within_game(turn / STEPS_IN_TURN), "played again, it comes out otherwise")
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
            orders[seat] = after_sending(orders.get(seat, Orders()), found.orders, keep=seat in lineless)
        if (said := turn / "press" / f"{seat}.yaml").exists():
            said_besides = Orders(press=read_press(before, said))
            orders[seat] = after_sending(orders.get(seat, Orders()), said_besides, keep=True)
    seats, seed = before.start.seats, before.secret.seed
    return advance(before.opening, seats, before.position, orders, seed, policy, dice)


def reports_again(
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
    sent = {Seat(seat): data for seat, data in sent_in(turn).items()}
    told, called = origins_in(before, record, sent), called_in(turn, record)
    return reports_of(before, number, *came_to, deadline, told, called, policy_of(record))
