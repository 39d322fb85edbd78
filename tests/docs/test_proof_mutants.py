"""What docs/proof.md calls wrong, both verifiers find: downloads that a host with the seed made to fit."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from pbem.archive.verification import verify_file
from pbem.archive.verifier import Archive, compact_json, indented_json, receipt_number, report_foot
from pbem.cli import run_command
from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.host.run.undo import undo_newest_turn
from pbem.play.homes.saved import SavedGame
from tests.docs.forging import (
    Files,
    Mutant,
    changed,
    download_of,
    edited,
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
from tests.written import yaml_beside


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
    undo_newest_turn(home, "rose-1", NOW, None)
    send(home, "rose-1", "red", [{"do": first_choice(SavedGame(home, "rose-1"), "red")}])
    run(home, "rose-1", now=NOW)
    public = download_of(home, "rose-1", "")
    return {"named": named, "nameless": nameless, "public": public, **finished_games(folder / "finished")}


def of_other_version(version: Json, files: Files) -> Files:
    """Give every turn another version of the rules, and no draws."""
    made, told = dict(files), json.loads(files["draws.json"])
    for turn in [*told["turns"]]:
        name = f"turns/{int(turn):04d}/turn.json"
        made[name] = indented_json({**json.loads(made[name]), "rules_version": version})
        told["turns"].pop(turn)
        told["untold"][turn] = f"it was played by version {version} of the rules, and this is another"
    return forged({**made, "draws.json": compact_json(told) + b"\n"})


ROWS = yaml_beside(__file__, "test_proof_mutants.yaml")


@pytest.mark.parametrize("name", ROWS["both"])
def test_what_the_document_calls_wrong_is_found_by_both(
    games: dict[str, Files], tmp_path: Path, name: str
) -> None:
    row = ROWS["both"][name]
    files = edited(games[row["of"]], **row)

    _, by_program = verify_file(stored(files, tmp_path / "forged.zip"))

    assert Archive(files).findings() != []
    assert by_program.findings != ()


def test_a_version_that_is_true_is_found_by_both(games: dict[str, Files], tmp_path: Path) -> None:
    first = {"file": "turns/0000/turn.json", "at": ["rules_version"], "to": True}
    files = of_other_version(True, edited(games["rose-king"], changes=[first]))

    _, by_program = verify_file(stored(files, tmp_path / "forged.zip"))

    assert Archive(files).findings() != []
    assert by_program.findings != ()


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in ("again", "root") for name in ROWS[kind]]
)
def test_a_forgery_that_fits_is_found_by_playing_again_or_by_a_root_that_was_kept(
    games: dict[str, Files], tmp_path: Path, kind: str, name: str
) -> None:
    row = ROWS[kind][name]
    whole = games[row["of"]]
    files = edited(whole, **row)
    kept = report_foot(json.loads(whole["archive.json"])["roots"][-1], 0)

    _, by_program = verify_file(stored(files, tmp_path / "forged.zip"))
    _, with_root = verify_file(stored(files, tmp_path / "forged.zip"), kept)

    assert Archive(files).findings() == [], "verify.py cannot know"
    assert (by_program.findings != ()) is (kind == "again")
    if "draw is" not in name:
        assert (Archive(files).turn_of_foot(kept), with_root.foot) == ("", "")


def test_turns_that_nobody_can_play_again_are_no_success(
    games: dict[str, Files], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed, script = (
        stored(of_other_version(99, games["rose-king"]), tmp_path / "forged.zip"),
        tmp_path / "verify.py",
    )
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
    stored({**files, "archive.json": indented_json(old)}, packed)
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
    assert receipt_number(b"a: 1\n# pbem receipt 4\n# pbem receipt 9, without order 2\n") == 9
    assert receipt_number(b"game: rose-1\n# pbem receipt 4\nseat: red\n") == 0


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
