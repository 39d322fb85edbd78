"""What docs/proof.md calls wrong, both verifiers find: downloads that a host with the seed made to fit."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.site import write_archive
from pbem.archive.verifier import Archive, foot, indented, lined, sha256
from pbem.archive.verifying import verify_file
from pbem.cli import run_command
from pbem.host.batch import run
from pbem.play.chain import root_of
from tests.docs.test_proof import alone, files_in, packed_anew, stored
from tests.edge.test_archive_names import archived, played
from tests.homes import NOW, a_game, a_home, first_choice, send, top

Files = dict[str, bytes]
SIGN = "\ue000" * 19


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Files]:
    """Return downloads of one game with names and without, and of a game that runs."""
    home = played(tmp_path_factory.mktemp("mutants"), undo=True)
    found = {"named": files_in(archived(home, names=True)), "nameless": files_in(archived(home, names=False))}
    home = a_home(tmp_path_factory.mktemp("public"))
    saved = a_game(home)
    send(home, "rose-1", "red", [{"do": first_choice(saved, "red")}])
    run(home, "rose-1", now=NOW)
    write_archive(home, top(home).parent / "site")
    found["public"] = files_in(top(home).parent / "site" / "rose-1" / "rose-1.zip")
    return found


def forged(files: Files) -> Files:
    """Make records, roots and feet fit the files of a download."""
    told, made, new = json.loads(files["archive.json"]), dict(files), dict[str, str]()
    seed, lacking = bytes.fromhex(told["seed"]), {*told["left_out"], *told["changed"]}
    places = {found[1] for name in files if (found := re.match(r"(turns/(undone/)?\d{4}(\.\d+)?)/", name))}
    for place in sorted(places, key=lambda one: (re.sub(r"\D*(\d{4}).*", r"\1", one), "undone" not in one)):
        record = json.loads(made[f"{place}/turn.json"])
        old = foot(root := record.pop("root"), json.loads(files[f"{place}/turn.json"])["revision"]).encode()
        old = next((one for one in (old, foot(root, 1).encode()) if one in b"".join(made.values())), old)
        inside = {name.removeprefix(f"{place}/") for name in made if name.startswith(f"{place}/")}
        for kind, is_report in (("files", False), ("reports", True)):
            known = {name: one for name, one in record[kind].items() if f"{place}/{name}" in lacking}
            for name in inside - {"turn.json"} - known.keys():
                if name.startswith("reports/") is is_report:
                    known[name] = sha256(made[f"{place}/{name}"].replace(old, SIGN.encode()))
            record[kind] = known
        record |= {name: new.get(record[name], record[name]) for name in ("previous", "replaces")}
        new[root] = made_root = root_of(record, seed)
        anew = foot(made_root, record["revision"])
        for name in record["reports"].keys() & inside:
            made[f"{place}/{name}"] = made[f"{place}/{name}"].replace(old, anew.encode())
        made[f"{place}/turn.json"] = indented({**record, "root": made_root})
        if "undone" not in place:
            told["roots"][int(place[6:])], told["feet"][int(place[6:])] = made_root, anew
    return packed_anew({**made, "archive.json": indented(told)})


def excused(kind: str, name: str, *, gone: bool = False) -> Callable[[Files], Files]:
    def change(files: Files) -> Files:
        told = json.loads(files["archive.json"])[kind]
        files = {one: data for one, data in files.items() if not (gone and one == name)}
        return packed_anew(files, **{kind: {**told, name: "it is not published"}})

    return change


def with_json(name: str, change: Callable[[dict[str, Any]], object]) -> Callable[[Files], Files]:
    def changed(files: Files) -> Files:
        value = json.loads(files[name])
        change(value)
        return forged({**files, name: indented(value)})

    return changed


def with_text(name: str, before: str, after: str) -> Callable[[Files], Files]:
    def changed(files: Files) -> Files:
        assert before.encode() in files[name]
        return forged({**files, name: files[name].replace(before.encode(), after.encode(), 1)})

    return changed


def told(**fields: Any) -> Callable[[Files], Files]:
    return lambda files: packed_anew(files, **fields)


def draws(change: Callable[[dict[str, Any]], object]) -> Callable[[Files], Files]:
    def changed(files: Files) -> Files:
        value = json.loads(files["draws.json"])
        change(value)
        return packed_anew({**files, "draws.json": lined(value) + b"\n"})

    return changed


def without(*names: str) -> Callable[[Files], Files]:
    return lambda files: forged({one: data for one, data in files.items() if one not in names})


def without_names_alone(files: Files) -> Files:
    names = [name for name in files if name.endswith("/names.json")]
    made = {name: data for name, data in files.items() if name not in names}
    return packed_anew(made, left_out=dict.fromkeys(names, "it names players"))


def other_foot(files: Files) -> Files:
    name = "turns/0001/report.json"
    facts = {**json.loads(files[name]), "foot": "aaaa-aaaa-aaaa-aaaa"}
    return packed_anew({**files, name: lined(facts)})


REPORT = "turns/0003/reports/1/report.txt"
LAST = "turns/0003/names.json"
BACK = "turns/undone/0003.1/turn.json"
RECORD = "turns/0002/turn.json"
MUTANTS: dict[str, tuple[str, Callable[[Files], Files]]] = {
    "an order is left out": ("named", excused("left_out", "turns/0001/orders/1.yaml", gone=True)),
    "a report is changed": ("named", excused("changed", REPORT)),
    "what is changed is absent": ("named", excused("changed", "turns/0003/press/1.yaml")),
    "what is left out is here": ("named", excused("left_out", REPORT)),
    "what is left out is of no record": ("named", excused("left_out", "turns/0003/reports/3/report.txt")),
    "another name": ("named", with_json(LAST, lambda value: value["names"].__setitem__(0, "Eve"))),
    "another salt": ("named", with_json(LAST, lambda value: value.update(salt="0" * 64))),
    "fewer names": ("named", with_json(LAST, lambda value: value["names"].__delitem__(slice(1, None)))),
    "no names in a turn": ("named", without(LAST)),
    "names are left out, reports are here": ("named", without_names_alone),
    "the sign in a report": ("named", with_text(REPORT, "no deadline", "\ue000")),
    "a turn that was taken back follows nothing": (
        "named",
        with_json(BACK, lambda value: value.update(previous="0" * 64)),
    ),
    "a turn that was taken back is of another turn": (
        "named",
        with_json(BACK, lambda value: value.update(turn=2)),
    ),
    "a turn was not taken back": (
        "named",
        with_json("turns/0003/turn.json", lambda value: value.update(revision=0, replaces="")),
    ),
    "a record of another game": ("named", with_json(RECORD, lambda value: value.update(game="web-2"))),
    "a record of other rules": ("named", with_json(RECORD, lambda value: value.update(rules="rose-king"))),
    "other seats": ("named", told(seats=["2", "1"])),
    "a game that is not over": ("named", told(over=False)),
    "a foreign file": ("named", lambda files: packed_anew({**files, "more.txt": b""})),
    "a draw of no turn": ("named", draws(lambda value: value["turns"].update({"99": []}))),
    "a turn both told and untold": (
        "named",
        draws(lambda value: value["untold"].update({"1": "old"})),
    ),
    "public: another foot": ("public", other_foot),
    "public: another seed": ("public", told(over=True, seed="11" * 32)),
    "public: a foreign file": (
        "public",
        lambda files: packed_anew({**files, "turns/0001/a.json": b"{}"}),
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_what_the_document_calls_wrong_is_found_by_both(
    games: dict[str, Files], tmp_path: Path, name: str
) -> None:
    kind, change = MUTANTS[name]
    files = change(games[kind])

    _, by_program = verify_file(
        stored(files, tmp_path / "forged.zip", json.loads(files["archive.json"])["game"])
    )

    assert Archive(files).findings() != []
    assert by_program.findings != ()


@pytest.mark.parametrize("kind", ["named", "nameless", "public"])
def test_nothing_is_wrong_in_what_nobody_changed(games: dict[str, Files], kind: str) -> None:
    assert Archive(games[kind]).findings() == []
    if kind != "public":
        assert Archive(forged(games[kind])).findings() == [], "the forger forges well"


def test_an_empty_root_proves_nothing(games: dict[str, Files], tmp_path: Path) -> None:
    """As a variable of a shell that is not set gives it."""
    packed, script = stored(games["named"], tmp_path / "web-1.zip"), tmp_path / "verify.py"
    script.write_bytes(games["named"]["verify.py"])

    found = alone(packed, "--foot", "", script=script)

    assert (found.returncode, "nothing in this game proves it" in found.stdout) == (1, True)
    assert run_command(["verify", str(packed), "--foot", ""]) == 1
