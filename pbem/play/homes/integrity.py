"""Whether what was committed stands as it was: files against records, records against roots, the chain."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from pbem.core.dice import commitment
from pbem.core.interface import Json
from pbem.play.homes import saves
from pbem.play.homes.home import Home, read_secret
from pbem.play.homes.saves import Turns, root_of, sha256, short_root, without_foot
from pbem.store.errors import WrongInput
from pbem.store.interface import Place
from pbem.text.reports.facts import FOOT


class Finding(NamedTuple):
    """Something that is not as it was committed.

    Attributes:
        place: The file, relative to the game's folder.
        text: What is wrong with it.
        is_stray: It lies in a turn's folder and is none of its files: who deletes it has mended that.
    """

    place: str
    text: str
    is_stray: bool = False


def secret_findings(home: Home, game: str) -> Iterator[Finding]:
    """Compare the seed with what the host committed to at the start, and the keys with their sum."""
    first = home.turns(game).at(0)
    try:
        start = saves.load_start(first)
        secret = read_secret(home.game(game))
    except WrongInput as wrong:
        name = "secret.json" if "secret.json" in str(wrong) else "turns/0000/start.json"
        yield Finding(name, str(wrong))
        return
    told = saves.read_json(home.game(game) / "secret.json")
    if commitment(secret.seed) != start.commitment:
        record = _read_record_or_none(first / "turn.json")
        start_hash = sha256((first / "start.json").read_bytes())
        files = record.get("files") if record else None
        if isinstance(files, dict) and files.get("start.json") != start_hash:
            yield Finding("turns/0000/start.json", "it was changed")
        else:
            yield Finding("secret.json", "its seed is not the one the host committed to")
    elif told.get("sum", secret.sum) != secret.sum or told.keys() - secret.as_json().keys():
        yield Finding("secret.json", "it was changed: what it holds does not give its sum")


def missing_findings(turns: Turns) -> Iterator[Finding]:
    """Name each turn that is missing before the newest."""
    there = turns.numbers()
    for number in sorted({*range(max(there, default=-1))} - {*there}):
        yield Finding(f"turns/{number:04d}", "the turn is missing")


def chain_findings(turns: Turns, seed: bytes) -> Iterator[Finding]:
    """Compare every turn with its record, and follow the chain from the first to the newest."""
    previous: Json = ""  # None behind a turn that has no record
    missing = list(missing_findings(turns))
    yield from missing
    for number in () if missing else turns.numbers():
        turn = turns.at(number)
        found = list(turn_findings(turn, seed))
        yield from found
        record = _read_record_or_none(turn / "turn.json")
        follows = previous is None or record is None or record.get("previous") == previous
        if not found and not follows:
            yield Finding(path_in_game(turn / "turn.json"), "it does not follow the turn before it")
        previous = None if record is None else record.get("root")


def lost_findings(turns: Turns) -> Iterator[Finding]:
    """Name the turns that were taken back, by what later ones say of them, and are not kept."""
    taken_back = turns.taken_back()
    times = {one.turn: one.revision for one in taken_back}
    for number in turns.numbers():
        record = _read_record_or_none(turns.at(number) / "turn.json") or {}
        revision = record.get("revision")
        times[number] = max(times.get(number, 0), revision if isinstance(revision, int) else 0)
    kept = {one.place.name for one in taken_back}
    for number, count in sorted(times.items()):
        for name in (f"{number:04d}.{time}" for time in range(1, count + 1)):
            if name not in kept:
                yield Finding(f"turns/undone/{name}", "the turn that was taken back is missing")


def turn_findings(turn: Place, seed: bytes) -> Iterator[Finding]:
    """Compare one turn with its record, and the record with its root."""
    place, present = path_in_game(turn), {*turn.below()} - {"turn.json"}
    written, record = _read_record(turn / "turn.json")
    if record is None:
        yield Finding(f"{place}/turn.json", "it is missing or no JSON")
        return
    files, reports, revision = record.get("files"), record.get("reports"), record.get("revision")
    shaped = isinstance(files, dict) and isinstance(reports, dict) and isinstance(revision, int)
    if not shaped or not _is_sealed(record, written, seed):
        yield Finding(f"{place}/turn.json", "it was changed: its root does not come out")
        return
    assert isinstance(files, dict) and isinstance(reports, dict) and isinstance(revision, int)
    root = str(record["root"])
    for name in sorted(present - files.keys() - reports.keys()):
        yield Finding(f"{place}/{name}", "it does not belong to the turn", is_stray=True)
    for name in sorted(files.keys() | reports.keys()):
        if name not in present:
            yield Finding(f"{place}/{name}", "it is missing")
            continue
        data = (turn / name).read_bytes()
        if name in reports:
            footless = FOOT.encode() in data
            data = b"" if footless else without_foot(data, root, revision)
        if sha256(data) != files.get(name, reports.get(name)):
            yield Finding(f"{place}/{name}", "it was changed")


def _is_sealed(record: dict[str, Json], written: bytes, seed: bytes) -> bool:
    try:
        return record.get("root") == root_of(record, seed) and saves.record_bytes(record) == written
    except ValueError:  # it holds what no text can
        return False


def _read_record_or_none(place: Place) -> dict[str, Json] | None:
    return _read_record(place)[1]


def _read_record(place: Place) -> tuple[bytes, dict[str, Json] | None]:
    """Return the bytes of a turn's record, and the record; None if it is missing or none."""
    try:
        written = place.read_bytes()
        value = json.loads(written)
    except (OSError, ValueError, RecursionError):
        return b"", None
    return written, value if isinstance(value, dict) and "turn" in value else None


def path_in_game(place: Place) -> str:
    """Return a place as findings name it: from the game's folder."""
    return place.path.split("/", 2)[2]


def newest_findings(turns: Turns, seed: bytes) -> Iterator[Finding]:
    """Check what a run builds on: the start, the newest turn, and that no turn between them is missing."""
    numbers = turns.numbers()
    yield from missing_findings(turns)
    for number in sorted({numbers[0], numbers[-1]}):
        yield from turn_findings(turns.at(number), seed)
    if numbers[-1] - 1 in numbers:
        before, record = (_read_record_or_none(turns.at(n) / "turn.json") for n in numbers[-2:])
        if before and record and record.get("previous") != before.get("root"):
            yield Finding(f"turns/{numbers[-1]:04d}/turn.json", "it does not follow the turn before it")


def turn_of_root(turns: Turns, foot: str) -> str:
    """Say which turn a root from a report belongs to; "" if none."""
    wanted = _normalize_foot(foot)
    places = [(turns.at(number), "") for number in turns.numbers()]
    places += [(one.place, " (taken back later)") for one in turns.taken_back()]
    for place, kept in places:
        record = _read_record_or_none(place / "turn.json") or {}
        root = record.get("root")
        if isinstance(root, str) and wanted in (root, _short_root(root).replace("-", "")) and wanted:
            return f"turn {record['turn']}{kept}"
    return ""


def _short_root(root: str) -> str:
    """Return a root as a foot prints it, or nothing if it is no root."""
    return short_root(root) if re.fullmatch("[0-9a-f]{64}", root) else ""


def is_root(text: str) -> bool:
    """Tell whether a text looks like a root: whole, or in short with or without its hyphens."""
    return re.fullmatch("[0-9a-f]{64}|[a-z2-7]{16}", _normalize_foot(text)) is not None


def _normalize_foot(foot: str) -> str:
    """Return a foot without hyphens, blanks and what a corrected report says behind its root."""
    return re.sub(r"[\s-]", "", foot.partition("(")[0].lower())


NOTE: Final = "newest.json"
"""The name of the note in a game's folder: the number of the turn, and how often it had been taken back."""


def note_newest(home: Home, game: str) -> None:
    """Note the newest turn of a game, once it stands; a kill before that leaves the note of an older one.

    Where turns are missing that were noted, nothing is noted. By mail it is known which turns were mailed,
    and in a database no hand deletes a folder.

    Raises:
        OSError: The disk is full or fails; the note is as it was.
    """
    if not home.store.is_folder or home.mail_section():
        return
    turns = home.turns(game)
    newest = turns.newest()
    data = json.dumps({"turn": newest, "revision": turns.revision(newest)}).encode()
    if newest and _noted_bytes(turns) != data and not missing_turns(turns):
        home.store.lodge(f"games/{game}/{NOTE}", data)


def missing_turns(turns: Turns) -> tuple[int, ...]:
    """Return the turns after the newest that were noted and not taken back; none if nothing can be read."""
    try:
        noted = json.loads(_noted_bytes(turns))
        turn, revision = int(noted["turn"]), int(noted["revision"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return ()
    later = range(turns.newest() + 1, turn + 1)
    return tuple(one for one in later if turns.revision(one) <= (revision if one == turn else 0))


def _noted_bytes(turns: Turns) -> bytes:
    try:
        return turns.store.read(f"games/{turns.game}/{NOTE}")
    except OSError:
        return b""
