"""What docs/proof.md calls wrong, both verifiers find: downloads that a host with the seed made to fit."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.verification import verify_file
from pbem.archive.verifier import Archive, foot, indented, lined, receipt_in
from pbem.cli import run_command
from pbem.host.run.batch import run
from pbem.host.run.undo import take_back
from pbem.play.homes.saved import SavedGame
from tests.docs.forging import (
    Files,
    Mutant,
    changed,
    download_of,
    finished_games,
    forged,
    found_by,
    packed_anew,
    sampled,
    stored,
)
from tests.docs.test_proof import alone
from tests.edge.test_archive_names import GAME, played
from tests.facts import tells
from tests.homes import NOW, a_game, a_home, first_choice, send, worked_out_once


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Files]:
    """Return downloads of a game with names and without, of one that runs, and of one of each rules."""
    return worked_out_once("downloads", lambda: _games(tmp_path_factory.mktemp("games")))


def _games(folder: Path) -> dict[str, Files]:
    home = played(folder / "named", undo=True)
    named, nameless = (download_of(home, GAME, f"names: {names}") for names in ("true", "false"))
    home = a_home(folder / "public")
    saved = a_game(home)
    send(home, "rose-1", "red", [{"do": first_choice(saved, "red")}])
    run(home, "rose-1", now=NOW)
    take_back(home, "rose-1", NOW, None)
    send(home, "rose-1", "red", [{"do": first_choice(SavedGame(home, "rose-1"), "red")}])
    run(home, "rose-1", now=NOW)
    public = download_of(home, "rose-1", "")
    return {"named": named, "nameless": nameless, "public": public, **finished_games(folder / "finished")}


def excused(kind: str, name: str, *, gone: bool = False, more: bytes = b"") -> Callable[[Files], Files]:
    def change(files: Files) -> Files:
        told = json.loads(files["archive.json"])[kind]
        files = {one: data for one, data in files.items() if not (gone and one == name)}
        files |= {name: files[name] + more} if more else {}
        return packed_anew(files, **{kind: {**told, name: "it is not published"}})

    return change


def with_json(name: str, change: Callable[[dict[str, Any]], object]) -> Callable[[Files], Files]:
    def changed(files: Files) -> Files:
        value = json.loads(files[name])
        change(value)
        return forged({**files, name: indented(value)})

    return changed


def saying(name: str, **fields: Any) -> Callable[[Files], Files]:
    return with_json(name, lambda value: value.update(**fields))


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


def lines(name: str, change: Callable[[list[dict[str, Any]]], object]) -> Callable[[Files], Files]:
    def changed(files: Files) -> Files:
        value = [json.loads(line) for line in files[name].splitlines()]
        change(value)
        return forged({**files, name: b"".join(lined(one) + b"\n" for one in value)})

    return changed


def without_event(kind: str) -> Callable[[list[dict[str, Any]]], None]:
    def change(events: list[dict[str, Any]]) -> None:
        kept = [one for one in events if one["event"] != kind]
        assert len(kept) < len(events), "there is such an event"
        events[:] = kept

    return change


def with_luck(kind: str, field: str) -> Callable[[list[dict[str, Any]]], None]:
    def change(events: list[dict[str, Any]]) -> None:
        event = next(one for one in events if one["event"] == kind)
        event[field][sorted(event[field])[0]] = "f" * 64

    return change


def other_form(words: str) -> Callable[[dict[str, Any]], None]:
    def change(record: dict[str, Any]) -> None:
        moves = record["steps"][0]["moves"]
        moves[min(moves)]["luck"] = words

    return change


def back(**places: str) -> Callable[[Files], Files]:
    return told(
        taken_back={place.replace("_", ".").removeprefix("t"): root for place, root in places.items()}
    )


def without(*names: str) -> Callable[[Files], Files]:
    return lambda files: forged({one: data for one, data in files.items() if one not in names})


def without_the_turn_taken_back(files: Files) -> Files:
    return packed_anew({name: data for name, data in files.items() if "/undone/" not in name})


def with_a_space_more(name: str) -> Callable[[Files], Files]:
    return lambda files: packed_anew({**files, name: files[name] + b" "})


def other_die(events: list[dict[str, Any]]) -> None:
    event = next(one for one in events if "die" in one)
    event["die"] = event["die"] % 6 + 1


def without_names_alone(files: Files) -> Files:
    names = [name for name in files if name.endswith("/names.json")]
    made = {name: data for name, data in files.items() if name not in names}
    return packed_anew(made, left_out=dict.fromkeys(names, "it names players"))


def other_foot(files: Files) -> Files:
    name = "turns/0001/report.json"
    facts = {**json.loads(files[name]), "foot": "aaaa-aaaa-aaaa-aaaa"}
    return packed_anew({**files, name: lined(facts)})


def other_turn(files: Files) -> Files:
    name = "turns/0001/report.json"
    return packed_anew({**files, name: lined({**json.loads(files[name]), "turn": 2})})


SEALED, OPENED, DEALT = "web-of-power", "turns/0001/events.jsonl", "turns/0002/events.jsonl"
ACTED, ACTS = "turns/0003/events.jsonl", "turns/0003/turn.json"
REPORT = "turns/0003/reports/red/report.txt"
LAST = "turns/0003/names.json"
BACK = "turns/undone/0003.1/turn.json"
RECORD = "turns/0002/turn.json"
SENT, STATE = "turns/0002/orders/red.yaml", "turns/0003/state.json"


def of_rules(version: int, *, first: int = 1, last: int = 99) -> Callable[[Files], Files]:
    """Give some turns another version of the rules, and no draws."""

    def change(files: Files) -> Files:
        made, told = dict(files), json.loads(files["draws.json"])
        for turn in (turn for turn in [*told["turns"]] if first <= int(turn) <= last):
            name = f"turns/{int(turn):04d}/turn.json"
            made[name] = indented({**json.loads(made[name]), "rules_version": version})
            told["turns"].pop(turn)
            told["untold"][turn] = f"it was played by version {version} of the rules, and this is another"
        return forged({**made, "draws.json": lined(told) + b"\n"})

    return change


def half_a_sign(files: Files) -> Files:
    data = files["archive.json"].replace(b"{", b'{"more": "\\ud800",', 1)
    return {**files, "archive.json": data}


def _without_a_die(value: dict[str, Any]) -> None:
    turn = next(draws for draws in value["turns"].values() if any("/die/" in str(one) for one in draws))
    turn.remove(next(one for one in turn if "/die/" in str(one)))


def left_out_and_changed(files: Files) -> Files:
    made = {**files, REPORT: b"another report\n"}
    return packed_anew(made, left_out={REPORT: "it holds names"}, changed={REPORT: "it is shorter"})


def without_salt(files: Files) -> Files:
    made = dict(files)
    for name in (name for name in files if name.endswith("/names.json")):
        made[name] = indented({**json.loads(files[name]), "salt": ""})
    return forged(made)


MUTANTS: dict[str, tuple[str, Callable[[Files], Files]]] = {
    "an order is left out": ("rose-king", excused("left_out", SENT, gone=True)),
    "a report is changed": ("named", excused("changed", REPORT)),
    "a state is changed": ("rose-king", excused("changed", STATE, more=b" ")),
    "a text that no UTF-8 can hold": ("named", half_a_sign),
    "what is changed is absent": ("named", excused("changed", "turns/0003/press/red.yaml")),
    "what is left out is here": ("named", excused("left_out", REPORT)),
    "what is left out is of no record": ("named", excused("left_out", "turns/0003/reports/green/report.txt")),
    "another name": ("named", with_json(LAST, lambda value: value["names"].__setitem__(0, "Eve"))),
    "another salt": ("named", saying(LAST, salt="0" * 64)),
    "fewer names": ("named", with_json(LAST, lambda value: value["names"].__delitem__(slice(1, None)))),
    "no names in a turn": ("named", without(LAST)),
    "names are left out, reports are here": ("named", without_names_alone),
    "the sign in a report": ("named", with_text(REPORT, "no deadline", "\ue000")),
    "a turn that was taken back follows nothing": ("named", saying(BACK, previous="0" * 64)),
    "a turn that was taken back is of another turn": ("named", saying(BACK, turn=2)),
    "a turn that was taken back is gone": ("named", without_the_turn_taken_back),
    "the state of a turn that was taken back": ("named", with_a_space_more(BACK.replace("turn.", "state."))),
    "a die fell otherwise": ("web-of-intrigue", lines(ACTED, other_die)),
    "a turn was not taken back": ("named", saying("turns/0003/turn.json", revision=0, replaces="")),
    "a turn does not tell which one it replaces": ("named", saying("turns/0003/turn.json", replaces="")),
    "a turn replaces one, and was not taken back": ("named", saying(RECORD, replaces="0" * 64)),
    "a report is left out and changed": ("named", left_out_and_changed),
    "names without a salt": ("named", without_salt),
    "acts stand behind what happened": ("named", lines(ACTED, lambda events: events.append(events.pop(0)))),
    "an event of no step": (
        "rose-king",
        lines("turns/0002/events.jsonl", lambda events: events[0].update(at="red-99")),
    ),
    "two steps have one label": (
        "named",
        with_json("turns/0003/turn.json", lambda one: one["steps"][0].update(label="start")),
    ),
    "a step that is false": ("rose-king", draws(lambda value: value["turns"]["1"][0].__setitem__(0, False))),
    "a draw twice, of other limits": (
        "rose-king",
        draws(lambda value: value["turns"]["1"].append([*value["turns"]["1"][-1][:3], 1, 0])),
    ),
    "a state of no record": (
        "rose-king",
        lambda files: with_json(RECORD, lambda one: one["files"].pop("state.json"))(
            {name: data for name, data in files.items() if name != "turns/0002/state.json"}
        ),
    ),
    "a number that is none": ("rose-king", saying(STATE, more=float("nan"))),
    "a draw of nothing": (
        "rose-king",
        draws(lambda value: value["turns"]["1"].append([0, "more", 0, 0, -1])),
    ),
    "sealed in a word": (SEALED, saying("turns/0000/start.json", sealed="yes")),
    "a record of another game": ("named", saying(RECORD, game="web-2")),
    "a record of other rules": ("named", saying(RECORD, rules="web-of-power")),
    "other seats": ("named", told(seats=["white", "red"])),
    "a game that is not over": ("named", told(over=False)),
    "a foreign file": ("named", lambda files: packed_anew({**files, "more.txt": b""})),
    "a draw of no turn": ("named", draws(lambda value: value["turns"].update({"99": []}))),
    "a turn both told and untold": ("named", draws(lambda value: value["untold"].update({"1": "old"}))),
    "no LuckSealed": (SEALED, lines(OPENED, without_event("LuckSealed"))),
    "LuckSealed has another seal": (SEALED, lines(OPENED, with_luck("LuckSealed", "seals"))),
    "LuckSealed has other words": (SEALED, lines(OPENED, with_luck("LuckSealed", "luck"))),
    "no GameDealt": (SEALED, lines(DEALT, without_event("GameDealt"))),
    "GameDealt twice": (SEALED, lines(DEALT, lambda events: events.append(events[-1]))),
    "GameDealt has other words": ("rose-king", lines(OPENED, with_luck("GameDealt", "luck"))),
    "the form has other words": ("rose-king", with_json("turns/0001/turn.json", other_form("more rain"))),
    "the words of a seal are other words": (SEALED, with_json("turns/0002/turn.json", other_form("more"))),
    "an act is not told": ("named", lines(ACTED, without_event("ModeratorActed"))),
    "an act is not recorded": (
        "named",
        with_json(f"{ACTED[:11]}turn.json", lambda one: one["policy"].pop("acts")),
    ),
    "events are not canonical": ("named", with_text(ACTED, '{"at":', '{"at": ')),
    "a draw has another value": (
        "rose-king",
        draws(lambda value: value["turns"]["1"][0].__setitem__(4, value["turns"]["1"][0][4] ^ 1)),
    ),
    "a draw that an event tells is not listed": ("web-of-intrigue", draws(_without_a_die)),
    "no draws of a turn": ("rose-king", draws(lambda value: value["turns"].pop("1"))),
    "a draw of another turn": (
        "named",
        draws(lambda value: value["turns"]["2"].append(value["turns"]["1"][0])),
    ),
    "a limit beyond all bounds": (
        "rose-king",
        draws(lambda value: value["turns"]["1"][0].__setitem__(3, 2**300)),
    ),
    "a draw is listed twice": (
        "rose-king",
        draws(lambda value: value["turns"]["1"].append(value["turns"]["1"][-1])),
    ),
    "a draw lacks its value": ("rose-king", draws(lambda value: value["turns"]["1"][0].pop())),
    "a limit is no number": ("rose-king", draws(lambda value: value["turns"]["1"][-1].__setitem__(3, True))),
    "draws have another field": ("rose-king", draws(lambda value: value.update(more={}))),
    "no draws": (
        "rose-king",
        lambda files: packed_anew({one: data for one, data in files.items() if one != "draws.json"}),
    ),
    "draws of a turn of other rules": ("rose-king", saying(RECORD, rules_version=99)),
    "older rules than those of the turn before": ("rose-king", of_rules(99, first=2, last=2)),
    "a field twice in what a turn holds": (
        "rose-king",
        lambda files: forged({**files, STATE: files[STATE].replace(b"{", b'{"steps": 99,', 1)}),
    ),
    "a version that is true": (
        "rose-king",
        lambda files: of_rules(True)(saying("turns/0000/turn.json", rules_version=True)(files)),
    ),
    "a false submission": ("rose-king", with_json(RECORD, lambda one: one["submissions"].update(red="0"))),
    "no submission": ("rose-king", with_json(RECORD, lambda one: one["submissions"].clear())),
    "false orders taken": ("rose-king", with_json(RECORD, lambda one: one["taken"].update(white="0"))),
    "orders taken are forgotten": ("rose-king", with_json(RECORD, lambda one: one["taken"].clear())),
    "a record of format 2": ("named", saying(RECORD, format=2)),
    "a record of format 1.0": ("named", saying(RECORD, format=1.0)),
    "a record of no format": ("named", with_json(RECORD, lambda one: one.pop("format"))),
    "false in place of 0": ("named", saying(BACK, revision=False)),
    "a turn behind the last": ("named", lambda files: packed_anew({**files, "turns/0099/state.json": b"{}"})),
    "roots of turns taken back beside their files": ("named", told(taken_back={"0003.1": "a" * 64})),
    "a foot too many": (
        "named",
        lambda files: packed_anew(files, feet=[*json.loads(files["archive.json"])["feet"], "x"]),
    ),
    "whether it is over is missing": ("named", told(over=None)),
    "another end": ("named", lines("turns/0004/events.jsonl", lambda one: one[-1].update(event="Told"))),
    "public: no list of turns taken back": ("public", told(taken_back=["a" * 64])),
    "public: a place that is none": ("public", back(t2="a" * 64)),
    "public: a turn that was not taken back": ("public", back(t0001_1="a" * 64)),
    "public: the first turn was taken back": ("public", back(t0000_1="a" * 64)),
    "public: a root that is none": ("public", back(t0002_1="a" * 63)),
    "public: one root twice": ("public", back(t0002_1="a" * 64, t0002_2="a" * 64)),
    "public: left out": ("public", told(left_out={"turns/0001/names.json": "it names players"})),
    "public: a report of another turn": ("public", other_turn),
    "public: another foot": ("public", other_foot),
    "public: another seed": ("public", told(over=True, seed="11" * 32)),
    "public: a foreign file": ("public", lambda files: packed_anew({**files, "turns/0001/a.json": b"{}"})),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_what_the_document_calls_wrong_is_found_by_both(
    games: dict[str, Files], tmp_path: Path, name: str
) -> None:
    kind, change = MUTANTS[name]
    files = change(games[kind])

    _, by_program = verify_file(stored(files, tmp_path / "forged.zip"))

    assert Archive(files).findings() != []
    assert by_program.findings != ()


FORGED: dict[str, tuple[str, Callable[[Files], Files]]] = {
    "pbem: an order": ("rose-king", with_text(SENT, "play: NE2", "play: NE3")),
    "pbem: a move": ("rose-king", with_text("turns/0004/turn.json", '"draw": true', '"draw": 1')),
    "pbem: what gave an order": ("rose-king", with_text("turns/0003/turn.json", "bot greedy", "bot random")),
    "pbem: an event": ("rose-king", lines("turns/0003/events.jsonl", lambda events: events.pop(-1))),
    "pbem: the game after a turn": ("rose-king", saying(STATE, steps=9)),
    "pbem: a draw is not listed": ("rose-king", draws(lambda value: value["turns"]["1"].pop())),
    "root: a report": ("named", with_text(REPORT, "no deadline", "a deadline")),
    "root: a name from the first turn on": (
        "named",
        lambda files: forged({one: data.replace(b"Cleo", b"Clea") for one, data in files.items()}),
    ),
    "root: when a turn was played": ("rose-king", saying(RECORD, at="never")),
    "root: a reason that was set aside": ("rose-king", saying(RECORD, overrides=["paused"])),
    "root: terms that changed nothing": (
        "rose-king",
        with_json(RECORD, lambda one: one["policy"]["misses"].update(after=7)),
    ),
    "root: a field that nobody knows": ("rose-king", saying(RECORD, more=1)),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forgery_that_fits_is_found_by_playing_again_or_by_a_root_that_was_kept(
    games: dict[str, Files], tmp_path: Path, name: str
) -> None:
    kind, change = FORGED[name]
    files = change(games[kind])
    kept = foot(json.loads(games[kind]["archive.json"])["roots"][-1], 0)

    _, by_program = verify_file(stored(files, tmp_path / "forged.zip"))
    _, with_root = verify_file(stored(files, tmp_path / "forged.zip"), kept)

    assert Archive(files).findings() == [], "verify.py cannot know"
    assert (by_program.findings != ()) is name.startswith("pbem")
    if "draw is" not in name:
        assert (Archive(files).turn_of_foot(kept), with_root.foot) == ("", "")


def test_turns_that_nobody_can_play_again_are_no_success(
    games: dict[str, Files], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed, script = stored(of_rules(99)(games["rose-king"]), tmp_path / "forged.zip"), tmp_path / "verify.py"
    script.write_bytes(games["rose-king"]["verify.py"])

    by_itself, code = alone(packed, script=script), run_command(["verify", str(packed)])

    told = capsys.readouterr().out
    assert (by_itself.returncode, code) == (5, 5)
    assert "are not listed: not all was checked.\nrose-king: " in by_itself.stdout
    assert tells(told, "2", "99")
    assert ", 1 recomputed, " in told.splitlines()[-1], "the first turn alone says its version as it was"


def test_excused_messages_and_turns_pass_every_root_and_so_are_told(
    games: dict[str, Files], tmp_path: Path
) -> None:
    files, at = games["rose-king"], ("turns/0002/events.jsonl", "turns/0002/orders/red.yaml")
    other = {name: files[name].replace(b"Well met.", b"I give up.") for name in at}
    made = packed_anew({**files, **other}, changed=dict.fromkeys(at, "messages are not published"))

    _, by_program = verify_file(stored(made, tmp_path / "forged.zip"))

    by_itself = Archive(made)
    assert (by_itself.findings(), by_program.findings) == ([], ()), "only who kept the report can know"
    assert tells(by_itself.doubt(), "2")
    assert tells(by_program.notes, "2")
    assert not by_itself.identify_report(
        files["turns/0002/reports/red/report.txt"].replace(b"Well met.", b"I give up.")
    )


def test_a_download_as_if_of_the_first_format_has_no_draws_and_is_no_success(
    games: dict[str, Files], tmp_path: Path
) -> None:
    told = json.loads(games["rose-king"]["archive.json"])
    files = {name: data for name, data in games["rose-king"].items() if name != "draws.json"}
    told |= {"format": 1, "files": {name: one for name, one in told["files"].items() if name in files}}
    old = {name: one for name, one in told.items() if name not in ("itself", "over")}
    packed, script = tmp_path / "old.zip", tmp_path / "verify.py"
    stored({**files, "archive.json": indented(old)}, packed)
    script.write_bytes(files["verify.py"])

    assert alone(packed, script=script).returncode == 5


def test_a_zip_with_one_file_twice_is_no_archive(games: dict[str, Files], tmp_path: Path) -> None:
    packed, script = stored(games["rose-king"], tmp_path / "twice.zip"), tmp_path / "verify.py"
    script.write_bytes(games["rose-king"]["verify.py"])
    with zipfile.ZipFile(packed, "a") as twice:
        twice.writestr("other/turns/0001/state.json", games["rose-king"]["turns/0001/state.json"])

    found = alone(packed, script=script)

    assert (found.returncode, "it holds a file twice" in found.stderr) == (1, True)


def test_a_receipt_is_in_the_last_line_of_orders_alone() -> None:
    assert receipt_in(b"a: 1\n# pbem receipt 4\n# pbem receipt 9, without order 2\n") == 9
    assert receipt_in(b"game: rose-1\n# pbem receipt 4\nseat: red\n") == 0


TIMES = 60
RULES = ("rose-king", "web-of-power", "web-of-power-cards", "game-of-powers", "web-of-intrigue")


@pytest.mark.parametrize("rules", RULES)
def test_whatever_is_changed_in_a_download_both_name_its_file(
    games: dict[str, Files], tmp_path: Path, rules: str
) -> None:
    """Any field of any JSON file, deleted, repeated, exchanged or with another value."""
    _changed_in(games[rules], tmp_path, TIMES)


@pytest.mark.worlds
@pytest.mark.parametrize("rules", RULES)
def test_each_kind_of_change_of_a_download_is_found_by_both(
    games: dict[str, Files], tmp_path: Path, rules: str
) -> None:
    _changed_in(games[rules], tmp_path, 10**6)


def _changed_in(files: Files, folder: Path, times: int) -> None:
    contents = [Mutant("archive.json", (name,), "delete") for name in json.loads(files["archive.json"])]
    for one in [*contents, *sampled(files, times)]:
        alone, by_program = found_by(changed(files, one), folder / "changed.zip")
        assert one.name in alone, one
        assert one.name in by_program, one


@pytest.mark.parametrize("kind", ["named", "nameless", "public", *RULES])
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
