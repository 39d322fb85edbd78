"""Verification: are the turns intact, does the chain hold, do the same orders give the same turns?"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem.core.book import Orders
from pbem.core.dice import commitment
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.opening import Opened
from pbem.core.turn import Policy, Position, Run, advance
from pbem.edge import store
from pbem.edge.chain import root_of, sha256, short, without_foot
from pbem.edge.errors import WrongInput
from pbem.edge.home import Home
from pbem.edge.saved import SavedGame
from pbem.edge.turnfiles import position_files, step_json
from pbem.text.codec import decode
from pbem.text.orders import open_envelope, read_lines
from pbem.text.report import FOOT


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it was committed.

    Attributes:
        place: The file, relative to the game's folder.
        text: What is wrong with it.
    """

    place: str
    text: str


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
    """

    turns: int
    undone: int
    findings: tuple[Finding, ...]
    recomputed: int
    skipped: tuple[str, ...]
    foot: str | None = None


def verify(home: Home, game: str, foot: str | None = None) -> Verified:
    """Verify a game from its folder.

    Args:
        home: The moderator's folder.
        game: The id of the game.
        foot: The root from the foot of a report that a player kept.

    Raises:
        WrongInput: There is no such game.
    """
    folder = home.game(game)
    numbers = store.turns(folder)
    taken_back = store.all_undone(folder)
    findings = list(_secret_findings(home, folder))
    if not findings:
        seed = home.secret(folder).seed
        findings.extend(_chain_findings(folder, numbers, seed))
        for path in taken_back:
            findings.extend(_turn_findings(folder, path, seed))
        findings.extend(_lost_findings(folder, numbers, taken_back))
    held = None if foot is None else _belongs(folder, numbers, taken_back, foot)
    if held == "":
        findings.append(Finding("turns", f"no turn of this game has the root {foot}"))
    if any(finding.place != "turns" for finding in findings):
        return Verified(len(numbers), len(taken_back), tuple(findings), 0, ("the game is not intact",), held)
    recomputed, skipped = 0, []
    for number in numbers:
        wrong, why = _replay(home, game, number)
        findings.extend(wrong)
        skipped.extend([why] if why else [])
        recomputed += not wrong and not why
    return Verified(len(numbers), len(taken_back), tuple(findings), recomputed, tuple(skipped), held)


def _secret_findings(home: Home, folder: Path) -> Iterator[Finding]:
    try:
        start = store.load_start(folder)
        seed = home.secret(folder).seed
    except WrongInput as wrong:
        name = "secret.json" if "secret.json" in str(wrong) else "turns/0000/start.json"
        yield Finding(name, str(wrong))
        return
    if commitment(seed) != start.commitment:
        record = _parsed(store.turn_folder(folder, 0) / "turn.json")
        start_hash = sha256((store.turn_folder(folder, 0) / "start.json").read_bytes())
        files = record.get("files") if record else None
        if isinstance(files, dict) and files.get("start.json") != start_hash:
            yield Finding("turns/0000/start.json", "it was changed")
        else:
            yield Finding("secret.json", "its seed is not the one the host committed to")


def _chain_findings(folder: Path, numbers: list[int], seed: bytes) -> Iterator[Finding]:
    previous: Json = ""
    for expected, number in enumerate(numbers):
        if number != expected:
            yield Finding(f"turns/{expected:04d}", "the turn is missing")
            return
        path = store.turn_folder(folder, number)
        found = list(_turn_findings(folder, path, seed))
        yield from found
        record = _parsed(path / "turn.json")
        if record is None:
            return
        if not found and record.get("previous") != previous:
            yield Finding(_name(folder, path / "turn.json"), "it does not follow the turn before it")
        previous = record.get("root")


def _lost_findings(folder: Path, numbers: list[int], taken_back: list[Path]) -> Iterator[Finding]:
    """Name the turns that were taken back, by what later ones say of them, and are not kept."""
    times = {int(path.stem): store.revision(path) for path in taken_back}
    for number in numbers:
        record = _parsed(store.turn_folder(folder, number) / "turn.json") or {}
        revision = record.get("revision")
        times[number] = max(times.get(number, 0), revision if isinstance(revision, int) else 0)
    kept = {path.name for path in taken_back}
    for number, count in sorted(times.items()):
        for name in (f"{number:04d}.{time}" for time in range(1, count + 1)):
            if name not in kept:
                yield Finding(f"turns/undone/{name}", "the turn that was taken back is missing")


def _turn_findings(folder: Path, path: Path, seed: bytes) -> Iterator[Finding]:
    """Compare one turn's folder with its record, and the record with its root."""
    at = path / "turn.json"
    record = _parsed(at)
    if record is None:
        yield Finding(_name(folder, at), "it is missing or no JSON")
        return
    files, reports, revision = record.get("files"), record.get("reports"), record.get("revision")
    shaped = isinstance(files, dict) and isinstance(reports, dict) and isinstance(revision, int)
    if not shaped or not _is_sealed(record, at.read_bytes(), seed):
        yield Finding(_name(folder, at), "it was changed: its root does not come out")
        return
    assert isinstance(files, dict) and isinstance(reports, dict) and isinstance(revision, int)
    root = str(record["root"])
    present = {str(p.relative_to(path)) for p in path.rglob("*") if not p.is_dir()} - {"turn.json"}
    for name in sorted(present - files.keys() - reports.keys()):
        yield Finding(_name(folder, path / name), "it does not belong to the turn")
    for name in sorted(files.keys() | reports.keys()):
        place = _name(folder, path / name)
        if name not in present:
            yield Finding(place, "it is missing")
            continue
        data = (path / name).read_bytes()
        if name in reports:
            footless = FOOT.encode() in data
            data = b"" if footless else without_foot(data, root, revision)
        if sha256(data) != files.get(name, reports.get(name)):
            yield Finding(place, "it was changed")


def _is_sealed(record: dict[str, Json], written: bytes, seed: bytes) -> bool:
    try:
        return record.get("root") == root_of(record, seed) and store.record_bytes(record) == written
    except ValueError:  # it holds what no text can
        return False


def _parsed(path: Path) -> dict[str, Json] | None:
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and "turn" in value else None


def _name(folder: Path, path: Path) -> str:
    return str(path.relative_to(folder))


def _belongs(folder: Path, numbers: list[int], taken_back: list[Path], foot: str) -> str:
    """Say which turn a root from a report belongs to; "" if none."""
    wanted = foot.strip().lower().split()[0] if foot.strip() else ""
    for path in [store.turn_folder(folder, number) for number in numbers] + taken_back:
        record = _parsed(path / "turn.json") or {}
        root = record.get("root")
        if isinstance(root, str) and wanted and wanted in (root, _short(root)):
            kept = " (taken back later)" if path in taken_back else ""
            return f"turn {record['turn']}{kept}"
    return ""


def _short(root: str) -> str:
    """Return a root as a foot prints it, or nothing if it is no root."""
    return short(root) if re.fullmatch("[0-9a-f]{64}", root) else ""


def _replay(home: Home, game: str, number: int) -> tuple[list[Finding], str]:
    """Play a turn again, whatever a forged turn may do to the rules."""
    try:
        return _play_again(SavedGame(home, game, at_turn=max(number - 1, 0)), number)
    except WrongInput as wrong:
        text = f"it cannot be played again: {wrong}"
    except Exception as fault:  # a state that nobody could reach may break any rule
        text = f"it cannot be played again ({type(fault).__name__})"
    return [Finding(f"turns/{number:04d}", text)], ""


def _play_again(before: SavedGame, number: int) -> tuple[list[Finding], str]:
    """Play a turn again from the one before it; return what came out otherwise, or why it cannot be."""
    record = store.load_record(before.folder, number)
    if record["rules_version"] != before.rules.version:
        return [], f"turn {number}: rules version {record['rules_version']}, installed {before.rules.version}"
    path = store.turn_folder(before.folder, number)
    if number == 0:
        state = store.position_of(store.read_json(path / "state.json"), before.rules, "state.json")
        wrong = state != Position(None) or (path / "events.jsonl").read_bytes() or (path / "pending").exists()
        return ([Finding("turns/0000/state.json", "a game starts before the deal")] if wrong else []), ""
    run = _again(before, path, record)
    remade = position_files(before, run.position, run.orders, run.events)
    findings = [
        Finding(_name(before.folder, path / name), "played again, it comes out otherwise")
        for name in ("events.jsonl", *sorted(_pending(path) | {one for one in remade if "pending/" in one}))
        if not (path / name).exists() or (path / name).read_bytes() != remade.get(name)
    ]
    saved = store.load_position(before.folder, number, before.rules)
    if saved != run.position:
        findings.append(
            Finding(_name(before.folder, path / "state.json"), "played again, it comes out otherwise")
        )
    if [step_json(step) for step in run.steps] != record["steps"]:
        findings.append(Finding(_name(before.folder, path / "turn.json"), "its steps come out otherwise"))
    taken: dict[str, Json] = {
        one.stem: sha256(one.read_bytes()) for one in sorted((path / "orders").glob("*.yaml"))
    }
    if (record["submissions"], record["taken"]) != (taken, {**before.taken, **taken}):
        findings.append(Finding(_name(before.folder, path / "turn.json"), "it names other submissions"))
    return findings, ""


def _pending(turn: Path) -> set[str]:
    return {f"pending/{path.name}" for path in (turn / "pending").glob("*")}


def _again(before: SavedGame, path: Path, record: dict[str, Json]) -> Run[Opened[Any] | None]:
    policy = decode(Policy, record["policy"], "policy")
    orders: dict[Seat, Orders] = dict(before.pending)
    for seat in before.start.seats:
        lodged = path / "orders" / f"{seat}.yaml"
        if lodged.exists():
            envelope = open_envelope(lodged.read_bytes())
            assert not isinstance(envelope, list), "orders that a turn took can be read"
            found = read_lines(
                envelope, before.start.seats, before.system.move_schema, before.system.start_schema
            )
            assert not isinstance(found, list), "orders that a turn took can be read"
            orders[seat] = found.orders
    return advance(before.opening, before.start.seats, before.position, orders, before.secret.seed, policy)
