"""A game as one file to keep: what can be verified without the host, and nothing unpublished."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

from pbem import __version__
from pbem.archive import verifier
from pbem.archive.finished import Draw, copy_receipt, may_show_sender, publishable_orders
from pbem.archive.public import Masking, PublishPolicy, Turn, has_anonymous_press, redact_facts
from pbem.core.events import ALL
from pbem.core.interface import Json
from pbem.play.homes import saves
from pbem.play.homes.integrity import turn_findings
from pbem.play.homes.players import NAMES
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import SPECTATOR, STEPS, sha256
from pbem.store.interface import Place
from pbem.text.codec import dumps, dumps_line, fields_of
from pbem.text.orders import open_envelope
from pbem.text.strictyaml import dump

FORMAT: Final = 3
"""From 2 on, `archive.json` holds its own SHA-256, and the draws and a verifier are there; from 3 on, the
names of players can be left out."""
CONTENTS: Final = "archive.json"
DRAWS: Final = "draws.json"
VERIFIER: Final = "verify.py"
DrawsOf: TypeAlias = Callable[[int], tuple[Sequence[Draw], str]]
TAKEN_BACK: Final = "taken_back"
"""The field of `archive.json` with the roots of turns that were taken back, where only these are told."""
ENDED: Final = "ended"
"""The field of `archive.json` that stands there only where the moderator has ended the game."""

PUBLIC: Final = "public"
WHOLE: Final = "whole"


@dataclass(slots=True)
class GamePackage:
    """The files of a download, and what it could not take as it is.

    Attributes:
        files: Content by path, within the game's folder.
        left_out: Files of the game's folder that are not in it, each with the reason.
        changed: Files that are in it without something that is not published, each with the reason.
    """

    files: dict[str, bytes]
    left_out: dict[str, str]
    changed: dict[str, str]


def download(
    saved: SavedGame,
    turns: Sequence[Turn],
    allowed: PublishPolicy,
    names: frozenset[str],
    draws_of: DrawsOf | None,
    *,
    is_whole: bool,
) -> bytes:
    """Return a game as one zip file, the same bytes for the same game.

    Args:
        saved: The game.
        turns: Its turns as everybody may know them.
        allowed: What may be published of it.
        names: Every name that a player of it ever had.
        draws_of: Of a game that is over: returns the draws of a turn, or why they cannot be told. None: it
            is not over.
        is_whole: It is told whole, as `is_whole_game` says of a game that is over; else only what was public.
    """
    is_over = draws_of is not None
    whole = _pack_whole(saved, allowed, names) if is_whole else None
    if whole and draws_of:
        whole.files[DRAWS] = _draws_json(saved, draws_of)
        whole.files[VERIFIER] = Path(verifier.__file__).read_bytes()
    packed = whole or GamePackage({}, {}, {})
    for turn in () if whole else turns:
        for name, page in turn.told.files.items():
            packed.files[f"turns/{turn.number:04d}/{name}"] = page.encode()
    contents: dict[str, Json] = {
        "format": FORMAT,
        "pbem": __version__,
        "kind": WHOLE if whole else PUBLIC,
        "over": is_over,
        "game": saved.name,
        "rules": saved.start.rules,
        "seats": list[Json](saved.start.seats),
        "commitment": saved.start.commitment,
        "seed": saved.secret.seed.hex() if is_over else "",
        "roots": [saves.load_record(saved.turns.at(turn.number))["root"] for turn in turns],
        "feet": [turn.root for turn in turns],
        **({} if whole else {TAKEN_BACK: _roots_of_undone_turns(saved)}),
        **({ENDED: True} if saved.cancelled is not None else {}),
        "files": {name: sha256(data) for name, data in sorted(packed.files.items())},
        "left_out": dict[str, Json](packed.left_out),
        "changed": dict[str, Json](packed.changed),
    }
    contents["itself"] = sha256(dumps(contents).encode())
    files = {**packed.files, CONTENTS: dumps(contents).encode()}
    return pack_zip({f"{saved.name}/{name}": data for name, data in files.items()})


def _roots_of_undone_turns(saved: SavedGame) -> dict[str, Json]:
    """Return the root of each turn that was taken back, by its place; none of one that is damaged."""
    return {
        one.place.name: saves.load_record(one.place)["root"]
        for one in saved.turns.taken_back()
        if next(turn_findings(one.place, saved.secret.seed), None) is None
    }


def _draws_json(saved: SavedGame, draws_of: DrawsOf) -> bytes:
    """Return the draws of all turns: step, name, number, limit and value of each."""
    listed: dict[str, Json] = {}
    untold: dict[str, Json] = {}
    for number in saved.turns.numbers()[1:]:
        draws, why = draws_of(number)
        if why:
            untold[str(number)] = why
        else:
            listed[str(number)] = [[one.step, one.label, one.n, one.limit, one.value] for one in draws]
    return dumps_line({"turns": listed, "untold": untold}).encode() + b"\n"


def public_files(path: Path) -> dict[int, dict[str, str]]:
    """Return the files of each turn that a download of public reports holds; nothing if it cannot be read."""
    found: dict[int, dict[str, str]] = {}
    try:
        with zipfile.ZipFile(path) as packed:
            for name in packed.namelist():
                parts = name.split("/")
                if len(parts) == 4 and parts[1] == "turns":
                    found.setdefault(int(parts[2]), {})[parts[3]] = packed.read(name).decode()
    except (OSError, zipfile.BadZipFile, zlib.error, ValueError):
        return {}
    return found


def pack_zip(files: Mapping[str, bytes]) -> bytes:
    """Return files as a zip file that knows no date and no owner."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            packed.writestr(entry, data)
    return out.getvalue()


def is_whole_game(saved: SavedGame, allowed: PublishPolicy, names: frozenset[str]) -> bool:
    """Tell whether the download of a finished game holds all of it.

    It does not if a record names who may not be named, or tells from whom an anonymous message came.
    """
    turns = [saved.turns.at(number) for number in saved.turns.numbers()]
    if any(map(has_anonymous_press, turns)):
        return False
    mask = Masking(names)
    return allowed.names or not any(_names_players(turn, mask) for turn in turns)


def _pack_whole(saved: SavedGame, allowed: PublishPolicy, names: frozenset[str]) -> GamePackage:
    """Return all of a finished game as far as it is published; its records name nobody who may not be."""
    mask = Masking(() if allowed.names else names)
    packed = GamePackage({}, {}, {})
    for number in saved.turns.numbers():
        turn = saved.turns.at(number)
        _pack_turn(packed, turn, f"turns/{turn.name}", allowed, mask)
        _pack_reports(packed, saved, turn, f"turns/{turn.name}", allowed, names)
    for one in saved.turns.taken_back():
        _pack_undone(packed, saved, one.place, allowed, names)
    return packed


def _pack_undone(
    packed: GamePackage, saved: SavedGame, turn: Place, allowed: PublishPolicy, names: frozenset[str]
) -> None:
    """Pack a turn that was taken back, but for all that was said in it; or say why it is not there."""
    at, silent, mask = f"turns/undone/{turn.name}", replace(allowed, press="none"), Masking(())
    if not allowed.names:
        mask = Masking(names)
    if next(turn_findings(turn, saved.secret.seed), None):
        packed.left_out[at] = "it was taken back, and is damaged"
    elif has_anonymous_press(turn):
        packed.left_out[at] = "it was taken back, and has an anonymous message"
    elif not allowed.names and _names_players(turn, mask):
        packed.left_out[at] = "it was taken back, and names players"
    else:
        _pack_turn(packed, turn, at, silent, mask)
        _pack_reports(packed, saved, turn, at, silent, names)


def _pack_reports(
    packed: GamePackage, saved: SavedGame, turn: Place, at: str, allowed: PublishPolicy, names: frozenset[str]
) -> None:
    """Pack those reports of a turn that may be published as they were sent."""
    for reader in (*saved.start.seats, SPECTATOR):
        folder = turn / "reports" / reader
        facts = saves.read_json(folder / "report.json")
        as_sent = redact_facts(facts, allowed, names) == facts
        for page in folder.iterdir():
            name = f"{at}/reports/{reader}/{page.name}"
            if as_sent or page.name == STEPS:
                packed.files[name] = page.read_bytes()
            else:
                packed.left_out[name] = "it holds names, keys or messages that are not published"


def _names_players(turn: Place, mask: Masking) -> bool:
    """Tell whether a turn's record, events or state name players: then they cannot be left out of them."""
    policy = fields_of(saves.read_json(turn / "turn.json").get("policy"))
    attendance = saves.read_json(turn / "state.json").get("attendance")
    told = dumps([policy.get("misses"), policy.get("acts"), attendance])
    lines = (turn / "events.jsonl").read_text().splitlines()
    events = [event for event in map(json.loads, lines) if event["event"] != "PressSent"]
    return mask.text(told) != told or any(mask.event(event) != event for event in events)


def _pack_turn(packed: GamePackage, turn: Place, at: str, allowed: PublishPolicy, mask: Masking) -> None:
    """Pack a turn but for its reports; orders, press and events without what is not published."""
    for name in turn.below():
        if name.startswith("reports/"):
            continue
        if name == NAMES and not allowed.names:
            packed.left_out[f"{at}/{name}"] = "it names players"
            continue
        data = shown = (turn / name).read_bytes()
        if name == "events.jsonl":
            shown = _redact_events(data, allowed, mask)
        elif name.startswith(("orders/", "press/")):
            shown = _redact_orders(data, allowed, mask)
        packed.files[f"{at}/{name}"] = shown
        if shown != data:
            packed.changed[f"{at}/{name}"] = "it is without messages or names not published"


def _redact_events(data: bytes, allowed: PublishPolicy, mask: Masking) -> bytes:
    """Return the events of a turn without press that is not published, and without press of nobody."""
    kept = []
    for line in data.decode().splitlines(keepends=True):
        event = json.loads(line)
        if event["event"] != "PressSent":
            kept.append(line)
        elif may_show_sender(event["to"] == ALL, event["sender"] == "", allowed):
            masked = mask.event(event)
            kept.append(line if masked == event else dumps_line(masked) + "\n")
    return "".join(kept).encode()


def _redact_orders(data: bytes, allowed: PublishPolicy, mask: Masking) -> bytes:
    """Return an orders file with what may be published of it."""
    shown = publishable_orders(data, allowed)
    if mask.text(shown.decode()) == shown.decode():
        return shown
    envelope = open_envelope(shown)  # without comments, and with the names in messages left out
    assert not isinstance(envelope, list), "orders that a turn took can be read"
    value = dict(fields_of(envelope.document.value))
    for one in saves.objects_in(value.get("press")):
        one["say"] = mask.text(str(one["say"]))
    return copy_receipt(dump(value).encode(), data)
