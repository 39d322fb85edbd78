"""Downloads that somebody changed: any value of any JSON file, and a host who makes all hashes fit again."""

from __future__ import annotations

import fnmatch
import io
import json
import random
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from pbem.archive.download import download, is_whole_game
from pbem.archive.finished import Draw, read_turn_details
from pbem.archive.public import known_names, public_turn, publish_policy_of
from pbem.archive.verification import verify_file
from pbem.archive.verifier import Archive, compact_json, indented_json, report_foot, sha256
from pbem.core.dice import Dice
from pbem.core.interface import Ask, Json, Outcome
from pbem.core.opening import seal_of
from pbem.host.run.batch import run
from pbem.play.config.registry import find_rules
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import root_of
from pbem.store.errors import WrongInput
from pbem.text.strictyaml import dump
from tests.finished import SEATS
from tests.homes import NOW, a_game, a_home, game_folder, send, top

Files: TypeAlias = dict[str, bytes]
Where: TypeAlias = tuple[str | int, ...]

FIELDS: Final = 12
"""An object with more plain values than this, all of one type, is a table: its rows are of one kind."""

SIGN: Final = "\ue000" * 19
SEALED: Final = ("web-of-power", "web-of-intrigue")
"""The games in which the first seat seals its luck words."""

WORDS: Final = "a bucket of moonlight"


def download_of(home: Home, game: str, settings: str = "names: true, press: all") -> Files:
    """Return the files of the download of a game, as an archive with such settings has it."""
    (top(home) / "home.yaml").write_text(f"archive: {{{settings}}}\n", encoding="utf-8")
    saved = SavedGame(home, game)
    allowed, names = publish_policy_of(home, game), known_names(saved)
    turns = [public_turn(saved, number, allowed, names) for number in saved.turns.numbers()]
    is_over = isinstance(saved.ask, Outcome)
    is_whole = is_over and is_whole_game(saved, allowed, names)

    def draws(number: int) -> tuple[Sequence[Draw], str]:
        found = read_turn_details(saved, number, allowed, names)
        return found.draws, found.undrawn

    data = download(saved, turns, allowed, names, draws if is_over else None, is_whole=is_whole)
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return {name.partition("/")[2]: packed.read(name) for name in packed.namelist()}


def stored(files: Mapping[str, bytes], place: Path, game: str = "web-1") -> Path:
    """Write files as a download of a game."""
    with zipfile.ZipFile(place, "w", zipfile.ZIP_STORED) as made:
        for name, data in files.items():
            made.writestr(f"{game}/{name}", data)
    return place


def packed_anew(files: Mapping[str, bytes], **told: Json) -> Files:
    """Return a download whose list of files is made again."""
    listed = {**json.loads(files["archive.json"]), **told}
    listed.pop("itself")
    listed["files"] = {one: sha256(data) for one, data in files.items() if one != "archive.json"}
    listed["itself"] = sha256(indented_json(listed))
    return {**files, "archive.json": indented_json(listed)}


def finished_games(folder: Path) -> dict[str, Files]:
    """Return a download of a finished game of each rules, in which one seat sends orders and bots play on."""
    home = a_home(folder)
    for rules in SEATS:
        _play(home, rules)
    return {rules: download_of(home, rules) for rules in SEATS}


def _play(home: Home, rules: str) -> None:
    system = find_rules(rules).system
    assert system is not None, "the shipped rules load"
    seats = [str(seat) for seat in system.seat_names(SEATS[rules])]
    first, is_sealed = seats[0], rules in SEALED
    players: dict[str, dict[str, Json]] = {
        seat: {"player": f"Player {seat}", "bot": "greedy"} for seat in seats
    }
    players[first].pop("bot")
    table: Json = {"seats": dict[str, Json](players)}
    options: dict[str, Json] = {"turns": 1} if rules == "web-of-intrigue" else {}
    options |= {"sealed": True} if is_sealed else {}
    a_game(home, rules, rules=rules, table=dump(table), options=options, deal=False)
    luck: Json = {"seal": seal_of(rules, first, WORDS)} if is_sealed else {"luck": WORDS}
    send(home, rules, first, [{"at": "start", "do": luck}])
    run(home, rules, now=NOW)
    if is_sealed:
        send(home, rules, first, [{"at": "open", "do": {"luck": WORDS}}])
        run(home, rules, now=NOW)
    saved = SavedGame(home, rules)
    do = saved.opening.bot_order(saved.position.game, saved.start.seats[0], Dice(b"x", 1), "greedy")
    press: list[Json] = [{"to": "all", "say": "Well met."}]
    send(home, rules, first, [{"do": do}], press=press)
    run(home, rules, now=NOW)
    sheet = game_folder(home, rules) / "game.yaml"
    text, human = sheet.read_text(encoding="utf-8"), f"Player {first}}}"
    assert human in text
    sheet.write_text(text.replace(human, f"Player {first}, bot: greedy}}", 1), encoding="utf-8")
    while isinstance(SavedGame(home, rules).ask, Ask):
        assert run(home, rules, now=NOW).turn is not None, rules


class Mutant(NamedTuple):
    """A change of one value.

    Attributes:
        name: The file.
        path: Where in it; of events the number of the line first.
        what: What is done there.
        kind: What it has in common with others.
    """

    name: str
    path: Where
    what: str

    kind: str = ""


def _kind(name: str, shape: Where, what: str) -> str:
    """Return what a change has in common with others: the file without numbers, where, what is done."""
    file = re.sub(r"\d{4}|(?<=/)[^/]+(?=\.json$|/report\.json$)(?<!report)(?<!turn)", "N", name)
    return f"{file} {'.'.join(map(str, shape))} {what}"


def mutants(files: Files) -> Iterator[Mutant]:
    """Yield all changes that can be made of the JSON files of a download."""
    for name in sorted(files):
        if name.endswith((".json", ".jsonl")):
            value = _read(files, name)
            for path, shape, one in _below(value):
                parent = _at(value, path[:-1]) if path else None
                for what in _ways(one, parent, path):
                    yield Mutant(name, path, what, _kind(name, shape, what))


def _ways(value: Any, parent: Any, path: Where) -> Iterator[str]:
    yield from ("delete", "change") if path else ()
    if isinstance(value, bool) or (isinstance(value, int) and path):
        yield "write otherwise"
    if isinstance(parent, list) and path:
        yield "repeat"
        place = int(path[-1])
        if place != len(parent) - 1 and compact_json(parent[place]) != compact_json(parent[place + 1]):
            yield "exchange"
    if isinstance(value, dict):
        yield "add"


def changed(files: Files, mutant: Mutant) -> Files:
    """Return a download with a change, and nothing made to fit."""
    value = _read(files, mutant.name)
    above, last = ("all", *mutant.path)[:-1], mutant.path[-1] if mutant.path else "all"
    whole = {"all": value}
    parent: Any = _at(whole, above)
    match mutant.what:
        case "delete":
            del parent[last]
        case "change":
            parent[last] = _other(parent[last])
        case "write otherwise":
            old = parent[last]
            parent[last] = int(old) if isinstance(old, bool) else float(old)
        case "repeat":
            parent.insert(last, parent[last])
        case "exchange":
            parent.insert(last, parent.pop(int(last) + 1))
        case "add":
            parent[last]["more"] = "than there was"
    return {**files, mutant.name: _bytes(mutant.name, whole["all"])}


def edited(files: Files, *, changes: Sequence[Mapping[str, Any]], fits: str = "all", of: str = "") -> Files:
    """Return a download with the changes of a row, and what the row says made to fit."""
    made = dict(files)
    for change in changes:
        names = fnmatch.filter(made, change["file"]) or [change["file"]]
        for name in names:
            _edit(made, name, change, 1 if name == change["file"] else -1)
    assert made != files, f"{of} was changed"
    return forged(made) if fits == "all" else packed_anew(made) if fits == "list" else made


def _edit(made: Files, name: str, change: Mapping[str, Any], times: int) -> None:
    """Carry out one change of one file."""
    path = _path(_read(made, name), change["at"]) if "at" in change else ()
    match change:
        case {"gone": why}:
            del made[name]
            if isinstance(why, str):
                _edit(made, "archive.json", {"at": ["left_out", name], "to": why}, 1)
        case {"text": [before, after]}:
            text = made[name]
            assert times < 0 or before.encode() in text
            made[name] = text.replace(before.encode(), after.encode(), times)
        case {"do": what}:
            made.update(changed(made, Mutant(name, path, what)))
        case {"at": _}:
            value = _read(made, name)
            assert _bytes(name, value) == made[name], f"{name} is written as its host writes it"
            if "append" in change:
                _at(value, path).append(change["append"])
            else:
                above = _at(value, path[:-1])
                above[path[-1]] = change["to"]
            made[name] = _bytes(name, value)
        case _:
            made[name] = change["to"].encode()


def _path(value: Any, steps: Sequence[Any]) -> Where:
    """Return a path of a row as places; `{field: value}` and `/text` are the first that has it."""
    path: Where = ()
    for step in steps:
        path = (*path, _place(_at(value, path), step))
    return path


def _place(value: Any, step: Any) -> str | int:
    rows = value.items() if isinstance(value, dict) else enumerate(value)
    if isinstance(step, dict):
        return next(at for at, row in rows if _has(row, step))
    if isinstance(step, str) and step.startswith("/"):
        return next(at for at, row in rows if step in str(row))
    return str(step) if isinstance(step, str) else int(step)


def _has(row: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    """Tell whether a row has fields; of those without a value it is enough that they are there."""
    return all(name in row and value in (None, row[name]) for name, value in fields.items())


def _other(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return value[:-1] + ("0" if value[-1:] != "0" else "1")
        case list():
            return [*value, 0] if not value else []
        case dict():
            return {} if value else {"more": 0}
    return 0


def _read(files: Files, name: str) -> Any:
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in files[name].splitlines()]
    return json.loads(files[name])


def _bytes(name: str, value: Any) -> bytes:
    if name.endswith(".jsonl"):
        return b"".join(compact_json(one) + b"\n" for one in value)
    if name == "draws.json":
        return compact_json(value) + b"\n"
    return indented_json(value) if "/reports/" not in name else json.dumps(value, ensure_ascii=False).encode()


def _below(value: Any, path: Where = (), shape: Where = ()) -> Iterator[tuple[Where, Where, Any]]:
    """Yield every value with its path, and the path with a star for each place in a list or a large table."""
    yield path, shape, value
    rows = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in rows:
        place = "*" if isinstance(name, int) or _is_table(value) else name
        yield from _below(one, (*path, name), (*shape, place))


def _is_table(value: Any) -> bool:
    """Tell whether an object has rows, as the tiles of a board, and no fields of its own."""
    rows = [one for one in value.values() if one is not None] if isinstance(value, dict) else []
    if rows and all(isinstance(one, dict) for one in rows):
        return len(rows) > 1 and all(one.keys() == rows[0].keys() for one in rows)
    return len(rows) > FIELDS and len({*map(type, rows)}) == 1


def _at(value: Any, path: Where) -> Any:
    for name in path:
        value = value[name]
    return value


def forged(files: Files) -> Files:
    """Make records, roots and feet fit the files of a download."""
    told, made, new = json.loads(files["archive.json"]), dict(files), dict[str, str]()
    seed, lacking = bytes.fromhex(told["seed"]), {*told["left_out"], *told["changed"]}
    places = {found[1] for name in files if (found := re.match(r"(turns/(undone/)?\d{4}(\.\d+)?)/", name))}
    for place in sorted(places, key=lambda one: (re.sub(r"\D*(\d{4}).*", r"\1", one), "undone" not in one)):
        record = json.loads(made[f"{place}/turn.json"])
        old = report_foot(
            root := record.pop("root"), json.loads(files[f"{place}/turn.json"])["revision"]
        ).encode()
        old = next(
            (one for one in (old, report_foot(root, 1).encode()) if one in b"".join(made.values())), old
        )
        inside = {name.removeprefix(f"{place}/") for name in made if name.startswith(f"{place}/")}
        for kind, is_report in (("files", False), ("reports", True)):
            before = record[kind]
            known = {name: one for name, one in before.items() if f"{place}/{name}" in lacking}
            for name in inside - {"turn.json"} - known.keys():
                if name.startswith("reports/") is is_report:
                    known[name] = sha256(made[f"{place}/{name}"].replace(old, SIGN.encode()))
            record[kind] = known
            new |= {before.get(name, one): one for name, one in known.items() if name.startswith("orders/")}
        for kind in ("submissions", "taken"):
            record[kind] = {seat: new.get(one, one) for seat, one in record[kind].items()}
        record |= {name: new.get(record[name], record[name]) for name in ("previous", "replaces")}
        new[root] = made_root = root_of(record, seed)
        anew = report_foot(made_root, record["revision"])
        for name in record["reports"].keys() & inside:
            made[f"{place}/{name}"] = made[f"{place}/{name}"].replace(old, anew.encode())
        made[f"{place}/turn.json"] = indented_json({**record, "root": made_root})
        if "undone" not in place:
            told["roots"][int(place[6:])], told["feet"][int(place[6:])] = made_root, anew
    return packed_anew({**made, "archive.json": indented_json(told)})


def found_by(files: Files, place: Path) -> tuple[set[str], set[str]]:
    """Return the files in which `verify.py` and `pbem verify` find something wrong."""
    try:
        alone = {name for name, _ in Archive(files).findings()}
    except (LookupError, ValueError, TypeError, AttributeError):
        alone = {"archive.json"}  # its main says so
    try:
        by_program = {one.place for one in verify_file(stored(files, place))[1].findings}
    except WrongInput as wrong:
        by_program = {"archive.json"} if "archive.json" in str(wrong) else set()
    return alone, by_program


def sampled(files: Files, times: int) -> list[Mutant]:
    """Return so many changes of a download, of as many kinds as there are, the same every time."""
    chance, kinds = random.Random(7), dict[str, list[Mutant]]()
    for one in mutants(files):
        kinds.setdefault(one.kind, []).append(one)
    chosen = [chance.choice(kinds[kind]) for kind in sorted(kinds)]
    return chance.sample(chosen, min(times, len(chosen)))
