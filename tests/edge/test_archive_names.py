"""A finished game is told whole without names, and an anonymous message names nobody."""

from __future__ import annotations

import datetime
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.archive.site import write_archive
from pbem.archive.verification import verify_file
from pbem.archive.verifier import Archive, indented_json, sha256
from pbem.cli import run_command
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json, Outcome
from pbem.host.notices.announcements import announce, hold, release
from pbem.host.people.names import rename_player
from pbem.host.people.seats import replace_player
from pbem.host.run.batch import run
from pbem.host.run.undo import undo_newest_turn
from pbem.play.homes.home import Home
from pbem.play.homes.players import NAMES, NumberedPlayers, Person
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.submissions.receipts import PressReceipt
from pbem.text.strictyaml import dump
from tests.docs.forging import packed_anew, stored
from tests.facts import tells
from tests.homes import (
    NOW,
    SEED,
    a_game,
    a_home,
    files_in,
    game_folder,
    orders_text,
    send,
    submit,
    top,
    turn_folder,
    undo,
)

HOUR = datetime.timedelta(hours=1)
DAY = datetime.timedelta(days=1)
GAME = "duel-1"
CAST = ("Anna Canary", "Berta", "Cleo K.", "Dora", "Emil", "Fritz")
"""Who has a seat, waits for one, takes one and leaves it at once, takes it after, and is called so later."""

OTHERS = ("Gina Heron", "Hanna", "Ivo L.", "Jan", "Karl", "Lotte")


def silent(home: Home, day: int) -> None:
    """Let a deadline pass at which nobody has sent orders."""
    place = game_folder(home, GAME) / "game.yaml"
    deadline = (NOW + day * DAY).isoformat()
    place.write_text(re.sub("deadline: .*", f"deadline: '{deadline}'", place.read_text(encoding="utf-8")))
    assert run(home, GAME, now=NOW + day * DAY + HOUR, due=True).turn is not None


def played(path: Path, cast: tuple[str, ...] = CAST, *, undo: bool = False) -> Home:
    """Play a game in which players come and go, and the moderator writes of them."""
    anna, berta, cleo, dora, emil, fritz = cast
    home = a_home(path)
    table: Json = {
        "seats": {"red": {"player": anna}, "white": {"player": berta}},
        "silent": "greedy",
        "deadline": (NOW + DAY).isoformat(),
        "misses": {"after": 1, "then": "standby"},
        "standby": [{"player": cleo}],
    }
    a_game(home, GAME, table=dump(table), options={"own_tokens": 2})
    silent(home, 2)  # Cleo takes the seat of one of them
    replace_player(home, GAME, Seat("red"), Person(dora, ""), NOW + 3 * DAY)
    replace_player(home, GAME, Seat("red"), Person(emil, ""), NOW + 3 * DAY + HOUR)
    announce(home, GAME, f"Well done, {anna}! {dora} had no time;\n{emil}, your move.", NOW + 3 * DAY)
    hold(home, GAME, Seat("red"), f"{emil} asked for it", NOW + 3 * DAY + 2 * HOUR)
    rename_player(home, GAME, Seat("red"), fritz, NOW + 3 * DAY + 3 * HOUR)
    release(home, GAME, Seat("red"), NOW + 3 * DAY + 4 * HOUR)
    silent(home, 4)
    if undo:
        undo_newest_turn(home, GAME, NOW + 4 * DAY + HOUR, None)
        silent(home, 5)
    silent(home, 6)
    assert isinstance(SavedGame(home, GAME).ask, Outcome)
    return home


def archived(home: Home, names: bool) -> Path:
    """Write the archive of a home; return the download of its game."""
    (top(home) / "home.yaml").write_text(f"archive: {{names: {str(names).lower()}}}\n", encoding="utf-8")
    write_archive(home, top(home).parent / "site")
    return top(home).parent / "site" / GAME / f"{GAME}.zip"


def told_of(path: Path, cast: tuple[str, ...]) -> list[str]:
    """Return where names of a cast stand below a folder, in files that are packed too."""
    found = []
    for page in (one for one in path.rglob("*") if one.is_file()):
        within = files_in(page) if page.suffix == ".zip" else {"": page.read_bytes()}
        for name, data in within.items():
            found += [f"{page.name}/{name}: {one}" for one in cast if one.encode() in data]
    return found


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return played(tmp_path_factory.mktemp("named"), undo=True)


@pytest.fixture(scope="module")
def sites(home: Home, tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """Return the archive of the game with names and without."""

    def make(folder: Path, names: bool) -> Path:
        return Path(shutil.copytree(archived(home, names).parents[1], folder / "site"))

    return {names: make(tmp_path_factory.mktemp("site"), names) for names in (True, False)}


def packed_in(site: Path) -> Path:
    """Return the download of the game in an archive."""
    return site / GAME / f"{GAME}.zip"


def test_without_names_the_whole_game_is_there_and_both_verifiers_check_all_of_it(
    sites: dict[bool, Path], tmp_path: Path
) -> None:
    packed = packed_in(sites[False])
    files = files_in(packed)
    (tmp_path / "verify.py").write_bytes(files["verify.py"])

    _, found = verify_file(packed)
    alone = subprocess.run(
        [sys.executable, "-I", "-S", tmp_path / "verify.py", packed],
        capture_output=True,
        text=True,
        check=False,
    )

    assert json.loads(files["archive.json"])["kind"] == "whole"
    assert (found.findings, found.skipped) == ((), ())
    assert found.recomputed == found.turns >= 4
    assert (alone.returncode, alone.stderr) == (0, ""), alone.stdout
    record = json.loads(files["turns/0003/turn.json"])
    assert record["policy"]["misses"]["players"] == {"red": "player_4", "white": "player_3"}


def test_no_name_stands_in_an_archive_without_names(sites: dict[bool, Path]) -> None:
    assert told_of(sites[False], CAST) == []

    told = " ".join(told_of(sites[True], CAST))
    assert all(name in told for name in CAST), "the test would see them"


def test_an_archive_without_names_does_not_name_the_host_who_plays_too(tmp_path: Path) -> None:
    home, host = a_home(tmp_path), "Zelda Canary"
    settings = top(home) / "home.yaml"
    settings.write_text(f"moderator: {host}\n", encoding="utf-8")
    table: Json = {
        "seats": {"red": {"player": host}, "white": {"player": "Berta"}},
        "silent": "greedy",
        "deadline": (NOW + DAY).isoformat(),
    }
    a_game(home, GAME, table=dump(table), options={"own_tokens": 1})
    silent(home, 1)
    assert isinstance(SavedGame(home, GAME).ask, Outcome)

    for names in (True, False):
        settings.write_text(
            f"moderator: {host}\narchive: {{names: {str(names).lower()}}}\n", encoding="utf-8"
        )
        write_archive(home, tmp_path / "site")
        packed = tmp_path / "site" / GAME / f"{GAME}.zip"
        assert bool(told_of(tmp_path / "site", (host, "Zelda"))) == names
        assert verify_file(packed)[1].findings == ()


def test_other_names_leave_another_download_only_in_hashes(tmp_path: Path) -> None:
    """Two worlds that differ in names alone differ in what is hashed of names, and in nothing else."""
    downloads = [
        files_in(archived(played(tmp_path / str(number), cast), names=False))
        for number, cast in enumerate((CAST, OTHERS))
    ]
    hashed = {"root", "previous", "replaces", "reports", "files"}

    one, other = downloads
    assert one.keys() == other.keys()
    for name, data in one.items():
        if name.endswith("/turn.json"):
            records = [json.loads(data), json.loads(other[name])]
            for record in records:
                record["files"].pop(NAMES, "")
                record["files"] = {**record["files"]}
                for field in hashed - {"files"}:
                    record.pop(field)
            assert records[0] == records[1], name
        elif name != "archive.json":
            assert data == other[name], name


def test_reports_and_a_download_with_names_tell_them(sites: dict[bool, Path]) -> None:
    packed = packed_in(sites[True])
    files = files_in(packed)
    _, found = verify_file(packed)

    assert (found.findings, Archive(files).findings()) == ((), [])
    assert found.recomputed == found.turns
    report = files["turns/0003/reports/spectator/report.txt"].decode()
    assert tells(report, "Emil", "1", "Dora")
    assert "Well done, Anna Canary! Dora had no time;" in report
    assert tells(files["turns/0002/reports/spectator/report.txt"].decode(), "Cleo")
    assert b"player_" not in b"".join(data for name, data in files.items() if "/reports/" in name)
    for name, data in files.items():
        if not name.endswith((NAMES, "verify.py")) and "/reports/" not in name:
            assert not any(one.encode() in data for one in CAST), name


@pytest.mark.wording("receipts, reports and saved games are known again by their words")
@pytest.mark.parametrize("names", [True, False])
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("turns/0003/events.jsonl", b"player_5 plays", b"player_2 plays"),
        ("turns/0002/state.json", b"player_1", b"player_2"),
        ("turns/0003/names.json", b"Dora", b"Dorb"),
        ("turns/0003/reports/spectator/report.txt", b"Dora", b"Dorb"),
    ],
    ids=["a number in events", "in the state", "a name", "a name in a report"],
)
def test_a_changed_number_or_name_is_found_by_both(
    sites: dict[bool, Path], tmp_path: Path, names: bool, name: str, old: bytes, new: bytes
) -> None:
    files = files_in(packed_in(sites[names]))
    if name not in files:
        assert not names, "it is left out with the names"
        return
    changed = packed_anew({**files, name: files[name].replace(old, new, 1)})

    _, by_program = verify_file(stored(changed, tmp_path / "changed.zip"))

    assert [place for place, _ in Archive(changed).findings()] == [name]
    assert [one.place for one in by_program.findings] == [name]


def test_names_that_are_lost_or_changed_in_the_home_are_missed(tmp_path: Path) -> None:
    home = played(tmp_path)
    place = turn_folder(game_folder(home, GAME), 3) / NAMES

    place.write_bytes(place.read_bytes().replace(b"Dora", b"Dorb"))
    assert [one.place for one in verify(home, GAME).findings] == ["turns/0003/names.json"]
    place.unlink()
    assert [one.place for one in verify(home, GAME).findings] == ["turns/0003/names.json"]


def test_a_turn_that_is_run_again_has_its_numbers_and_its_salt_again(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    table = "seats:\n  red: {player: Ann}\n  white: {player: Bob}\n"
    a_game(home, table=table, deal=False)
    announce(home, "rose-1", "Bob begins.", NOW)
    run(home, "rose-1", now=NOW, deal=True)
    place = turn_folder(game_folder(home, "rose-1"), 1) / NAMES
    before = place.read_bytes()

    undo_newest_turn(home, "rose-1", NOW + HOUR, None)
    run(home, "rose-1", now=NOW + 2 * HOUR, deal=True)

    assert place.read_bytes() == before
    assert json.loads(before)["names"] == ["Bob"]
    assert json.loads(before)["salt"] not in SEED.hex()


def as_older_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let runs write names into records, as before there were numbers."""
    monkeypatch.setattr(
        "pbem.play.turn.running.number_players", lambda saved, policy: (policy, NumberedPlayers())
    )


@pytest.mark.wording("receipts, reports and saved games are known again by their words")
def test_a_game_that_an_older_version_wrote_with_names_tells_without_them_only_what_was_public(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    as_older_versions(monkeypatch)
    home = played(tmp_path)

    packed = archived(home, names=False)
    assert run_command(["archive", str(packed.parents[1]), "--home", str(top(home))]) == 0
    assert tells(capsys.readouterr().err, GAME)
    _, found = verify_file(packed)
    assert (found.findings, found.recomputed) == ((), 0)
    why = "only what was public is here, and nothing was played again: its records tell what is not published"
    assert (found.skipped, found.notes) == ((), (why,))
    assert told_of(packed.parents[1], CAST) == []

    _, found = verify_file(archived(home, names=True))
    assert (found.findings, found.recomputed) == ((), found.turns)


def test_a_game_goes_on_with_names_if_an_older_version_seated_a_standby(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the standby, who has a number then, would be given a second seat."""
    home = a_home(tmp_path)
    table = (
        "seats:\n  1: {player: Ann}\n  2: {player: Bob}\nsilent: hold\nmisses: {after: 1, then: standby}\n"
        f"standby: [{{player: Cleo}}]\ndeadline: {(NOW + DAY).isoformat()}\n"
    )
    with monkeypatch.context() as older:
        as_older_versions(older)
        a_game(home, GAME, rules="web-of-intrigue", table=table, options={"turns": 3})
        silent(home, 2)
    announce(home, GAME, "Bob is here.", NOW + 3 * DAY)

    silent(home, 4)

    saved = SavedGame(home, GAME)
    seats = {seat: one.by for seat, one in saved.position.attendance.substitutes.items()}
    assert seats == {"1": "Cleo"}
    assert saved.players.holder(Seat("1")) == "Cleo"
    assert not (turn_folder(game_folder(home, GAME), saved.turn) / NAMES).exists()
    assert verify(home, GAME).findings == ()


def test_the_hash_of_the_names_tells_nothing_to_who_guesses_them(home: Home, sites: dict[bool, Path]) -> None:
    """All that is told is not enough to make the file: its salt stands in no file of the download."""
    files = files_in(packed_in(sites[False]))
    names = json.loads((turn_folder(game_folder(home, GAME), 3) / NAMES).read_bytes())
    hashed = json.loads(files["turns/0003/turn.json"])["files"][NAMES]

    assert hashed == sha256(indented_json(names))
    assert all(names["salt"].encode() not in data for data in files.values())
    assert len(bytes.fromhex(names["salt"])) == 32


SEATS, SENDERS = ("1", "2", "3"), ("2", "3")
HASHES = re.compile(rb"[0-9a-f]{64}|[a-z2-7]{4}(-[a-z2-7]{4}){3}")
"""Hashes and roots: they cover who sent what, and are different in each game."""


def archive_of(
    folder: Path, sender: str, message: dict[str, Json], allowed: str, *, alone: bool, again: bool
) -> dict[str, bytes]:
    """Return the archive of a game in which a seat sent an anonymous message, without roots and hashes."""
    home = a_home(folder)
    table: Json = {
        "seats": {seat: {"player": f"Player {seat}"} for seat in SEATS},
        "press": {"anonymous": True},
        "deadline": (NOW + HOUR).isoformat(),
        "silent": "hold",
    }
    options: dict[str, Json] = {"turns": 1}
    a_game(home, "web-1", rules="web-of-intrigue", table=dump(table), options=options)
    saved = SavedGame(home, "web-1")
    assert isinstance(saved.ask, Ask)
    for seat in (seat for seat in saved.start.seats if not (alone and seat in SENDERS)):
        do = saved.opening.bot_order(saved.position.game, seat, Dice(b"x", 1), "greedy")
        press: list[Json] = [{"to": ["1"], "say": f"I am {seat}."}]
        press += [message] if seat == sender and not alone else []
        send(home, "web-1", seat, [{"at": "turn-1", "do": do}], press=press)
    if alone:
        path = folder / "message.yaml"
        path.write_text(orders_text("web-1", sender, [], press=[message]), encoding="utf-8")
        assert isinstance(submit(home, path), PressReceipt)
    run(home, "web-1", now=NOW + HOUR, due=True)
    if again:
        undo(home, "web-1")
        run(home, "web-1", now=NOW + HOUR, due=True)
    (top(home) / "home.yaml").write_text(f"archive: {allowed}\n", encoding="utf-8")
    write_archive(home, folder / "out")
    found: dict[str, bytes] = {}
    for path in (path for path in (folder / "out").rglob("*") if path.is_file()):
        if path.suffix == ".zip":
            found |= {f"zip/{name}": data for name, data in files_in(path).items()}
        elif path.name != "archive.json":  # only hashes of what files are made from
            found[path.relative_to(folder / "out").as_posix()] = path.read_bytes()
    return {name: HASHES.sub(b"#", data) for name, data in found.items()}


@pytest.mark.parametrize(
    ("to", "allowed", "alone", "again"),
    [
        (["1"], "{names: true, press: all}", False, False),
        ("all", "{names: true, press: public}", True, False),
        ("all", "{press: all}", False, True),
    ],
)
def test_an_archive_does_not_tell_who_sent_an_anonymous_message(
    tmp_path: Path, to: Json, allowed: str, alone: bool, again: bool
) -> None:
    message: dict[str, Json] = {"to": to, "say": "from nobody", "anonymous": True}
    one, other = (
        archive_of(tmp_path / sender, sender, message, allowed, alone=alone, again=again)
        for sender in SENDERS
    )

    assert {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)} == set()
    assert any(b"from nobody" in data for data in one.values()) is (to == "all")
