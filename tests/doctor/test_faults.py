"""Faults are planted one after the other; each is found, and what the doctor says mends it."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import shlex
import shutil
import socket
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias
from unittest import mock

import pytest

from pbem.cli import run_command
from pbem.cli.moderation.homes import PARTS
from pbem.host.office.watch import BEATS, beat
from pbem.mail.conversation.acts import renew_secret
from pbem.mail.outgoing.transports import Smtp
from pbem.rules.rose_king.rules import RoseKing
from pbem.store import folder
from pbem.store.errors import UnfinishedChange
from pbem.store.interface import Change, Place
from pbem.store.mailout import OutboundMail
from pbem.store.stamped import seal_address
from tests.doctor.ward import PASSWORD, Ward
from tests.facts import tells
from tests.homes import NOW, a_home, sample_games, top, tree, turn_folder, turns

Plant: TypeAlias = Callable[[Ward], object]
Repair: TypeAlias = Callable[[Ward, str], object]

HOUR = datetime.timedelta(hours=1)
LONG_AGO = NOW - datetime.timedelta(days=2)


def typed(ward: Ward, mend: str) -> None:
    """Type what the doctor says, as it stands."""
    ward.mend(mend)


def password(ward: Ward, mend: str) -> None:
    ward.mend(mend, answer=f"{PASSWORD}\n")


def addressed(ward: Ward, mend: str) -> None:
    ward.mend(mend.replace("NAME@DOMAIN", "ann@example.test"))


def edited(name: str) -> Repair:
    """Return what lets an editor put a file back that was there before the fault."""

    def repair(ward: Ward, mend: str) -> None:
        assert f"{ward.file(name)}" in mend
        ward.mend(mend, editor=f"cp {backup(ward) / name}")

    return repair


def restored(name: str) -> Repair:
    """Return what puts a file back, where only a backup can."""

    def repair(ward: Ward, mend: str) -> None:
        shutil.copy(backup(ward) / name, ward.file(name))

    return repair


def removed(name: str) -> Repair:
    """Return what takes a file away, as a remark tells to."""

    def repair(ward: Ward, mend: str) -> None:
        assert mend.startswith("# ")
        ward.file(name).unlink()

    return repair


def settings(**changed: object) -> Plant:
    return lambda ward: ward.write_settings(**changed)  # type: ignore[arg-type]


def written(name: str, text: str) -> Plant:
    def plant(ward: Ward) -> None:
        ward.file(name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        ward.file(name).write_text(text, encoding="utf-8")
        ward.file(name).chmod(0o600)

    return plant


def opened(name: str, mode: int = 0o755) -> Plant:
    return lambda ward: ward.file(name).chmod(mode)


def lost(name: str) -> Plant:
    return lambda ward: ward.file(name).unlink()


def noted(text: str | None) -> Plant:
    def plant(ward: Ward) -> None:
        with ward.home.journal() as db:
            db.set_note("", BEATS, text)

    return plant


def beaten(when: datetime.datetime) -> Plant:
    def plant(ward: Ward) -> None:
        noted(None)(ward)
        with ward.home.journal() as db:
            beat(db, when, None)

    return plant


def arrived(ward: Ward, verdict: str = "") -> int:
    """Let a mail come in long ago that nobody has processed, or that was set aside."""
    raw = ward.file("mail/raw/aa/old.eml")
    raw.parent.mkdir(parents=True, exist_ok=True)
    mail = b"Subject: hello\r\n\r\n"
    raw.write_bytes(mail)
    with ward.home.journal() as db:
        number = db.take_in(
            key="old", source="maildir", received=LONG_AGO, envelope_from="x@y.test",
            recipient="host@pbem.test", sha256=hashlib.sha256(mail).hexdigest(), raw="raw/aa/old.eml",
        )  # fmt: skip
        assert number is not None
        if verdict:
            db.finish(number, verdict=verdict, rule="ZeroDivisionError")
    return number


def with_secret(ward: Ward) -> None:
    """Keep a mail with acts as older versions kept it."""
    ward.write_settings(moderator="mary@example.test")
    address = renew_secret(ward.home, LONG_AGO)
    number = arrived(ward, "acts")
    mail = f"To: {address}\n\nstatus\n".encode()
    ward.file("mail/raw/aa/old.eml").write_bytes(mail)
    with ward.home.journal() as db:
        sql = "UPDATE intake SET recipient = ?, sha256 = ? WHERE id = ?"
        db.run(sql, seal_address(address), hashlib.sha256(mail).hexdigest(), number)


def outgoing(ward: Ward, state: str) -> None:
    """Put a mail into the outbox that waits since long ago, or failed."""
    raw = b"Message-ID: <1@pbem.test>\r\nSubject: hello\r\n\r\n"
    mail = OutboundMail("rose-1", 1, "red", "notice", 0, "ann@example.test", "", "<1@pbem.test>", raw)
    with ward.home.journal() as db:
        db.put(mail, LONG_AGO)
        if state == "failed":
            found = next(one for one in db.outbox("queued"))
            db.claim(found.id, LONG_AGO)
            db.mark(found.id, "failed", LONG_AGO, why="550 no such user")


def begun(ward: Ward) -> None:
    """Begin a change of several things, and let it be cut off."""
    same = ward.file("games/rose-1/game.yaml").read_bytes()
    change = Change({"words": "a test"}, {"games/rose-1/game.yaml": same, "templates/mail/x": b""})
    cut = mock.patch.object(folder, "_carry_out", side_effect=OSError("cut"))
    with cut, ward.home.held("rose-1"), pytest.raises(UnfinishedChange):
        ward.home.store.change("rose-1", change)


def unsent(ward: Ward) -> None:
    """Let the newest turn have no mails."""
    with ward.home.journal() as db:
        db.set_note("rose-1", "reported:1", None)
        db.run("DELETE FROM outbox")
    ward.now = NOW + 2 * HOUR
    beaten(ward.now)(ward)


def turn_lost(ward: Ward) -> None:
    """Let the journal know of a turn that nobody has."""
    with ward.home.journal() as db:
        db.set_note("rose-1", "reported:2", "0")


def put_back(ward: Ward, mend: str) -> None:
    assert tells(mend, "pbem run rose-1 --override lost")
    with ward.home.journal() as db:  # as if turn 2 were there
        db.set_note("rose-1", "reported:2", None)


def closed_port(ward: Ward) -> None:
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        ward.write_settings(smtp={"server": "127.0.0.1", "port": place.getsockname()[1]})


def wrong_password(ward: Ward) -> None:
    ward.file("password").write_text("wrong", encoding="utf-8")


def stripped(folder: str) -> Plant:
    return lambda ward: shutil.rmtree(ward.top.parent / "mail" / folder)


def seats(text: str) -> Plant:
    return written(
        "games/rose-1/game.yaml",
        f"seats:\n  red: {text}\n  white: {{player: Bob, address: b@example.test}}\n",
    )


TURN = "games/rose-1/turns/0001"


def _pipe(path: Path) -> None:
    path.parent.mkdir(mode=0o700, exist_ok=True)
    os.mkfifo(path, mode=0o600)


def came_back(ward: Ward) -> None:
    with ward.home.journal() as db:
        (sent,) = [row for row in db.outbox("sent") if row.seat == "red"]
        assert db.set_bounced(sent.envelope_from, "550 5.1.1 no such user")


def nameless_post(ward: Ward) -> None:
    settings(moderator=None)(ward)
    file = ward.top / "home.yaml"
    file.write_text(f"moderator: Mary\n{file.read_text(encoding='utf-8')}", encoding="utf-8")


def moved_elsewhere(ward: Ward, mend: str) -> None:
    ward.mend(mend.replace("NAME@DOMAIN", "ann.b@example.test"))
    assert ward.typed("send")[0] == 0


SETTINGS, SECRET, START = "home.yaml", "games/rose-1/secret.json", "games/rose-1/turns/0000/start.json"
RED = "orders/rose-1/red.yaml"
OPEN = {"server": "0.0.0.0", "user": "host", "password_file": "password", "security": "none"}
CHESS = {
    "rules": "chess", "seats": ["red", "white"], "options": {}, "own_tables": [], "commitment": "",
    "forced": False, "most_steps": 1,
}  # fmt: skip

FAULTS: dict[str, tuple[Any, ...]] = {
    "home.yaml is no YAML": (written(SETTINGS, "mail: [\n"), "settings", edited(SETTINGS), "home.yaml:2:1: "),
    "home.yaml has an unknown field": (written(SETTINGS, "mial: {}\n"), "settings", edited(SETTINGS), "mial"),
    "no such zone": (written(SETTINGS, "zone: Mars\n"), "settings", edited(SETTINGS), "'Mars'"),
    "nobody reads digests": (settings(moderator=None), "settings", edited(SETTINGS)),
    "the moderator has a name and no address": (nameless_post, "settings", edited(SETTINGS), "Mary"),
    "the moderator is the host": (settings(moderator="host@pbem.test"), "settings", edited(SETTINGS)),
    "the archive has no address": (settings(archive_address=None), "settings", edited(SETTINGS)),
    "the password is lost": (lost("password"), "settings", password, "password"),
    "others can read the password": (opened("password", 0o644), "settings", typed, "password", "0644"),
    "the password goes openly": (settings(smtp=OPEN), "settings", edited(SETTINGS)),
    "others can read a seed": (opened(SECRET, 0o644), "secrets", typed, "secret.json", "0644"),
    "others can read a game": (opened("games/rose-1"), "secrets", typed, "games/rose-1"),
    "others can read mails": (opened("mail"), "secrets", typed, "mail"),
    "the secret for acts is kept": (with_secret, "secrets", typed, "1"),
    "the seed is lost": (lost(SECRET), "games", restored(SECRET), "secret.json"),
    "the seed is another": (
        written(SECRET, json.dumps({"seed": "00" * 32, "keys": {}})),
        "games",
        restored(SECRET),
        "secret.json",
    ),
    "a turn was changed": (written(f"{TURN}/state.json", "{}\n"), "games", typed, "turns/0001/state.json: "),
    "a report of a turn is lost": (lost(f"{TURN}/reports/red/report.txt"), "games", typed, "report.txt: "),
    "a change was cut off": (begun, "games", typed, "rose-1"),
    "game.yaml is wrong": (seats("{plaier: Ann}"), "games", edited("games/rose-1/game.yaml"), "game.yaml:2:"),
    "orders by hand are wrong": (
        written(RED, "game: rose-1\nseat: red\nordrs: []\n"),
        "games",
        typed,
        "red.yaml:3:1",
    ),
    "a pipe in place of orders": (lambda ward: _pipe(ward.file(RED)), "games", typed, "red.yaml"),
    "a stranger among the orders": (
        written("orders/rose-1/blue.yaml", "x: y\n"),
        "games",
        typed,
        "blue.yaml",
    ),
    "the rules are not installed": (written(START, json.dumps(CHESS)), "rules", restored(START), "'chess'"),
    "a template that was changed fails": (
        written("templates/rose-king/report.txt.j2", "{{ nosuch.thing }}"),
        "templates",
        removed("templates/rose-king/report.txt.j2"),
        "report.txt.j2:1",
    ),
    "a player has no address": (seats("{player: Ann}"), "addresses", addressed, "red"),
    "a player has the host's address": (
        seats("{player: Ann, address: Host@pbem.test}"),
        "addresses",
        addressed,
        "Host@pbem.test",
    ),
    "a player's address lacks its end": (
        seats("{player: Ann, address: ann@example}"),
        "addresses",
        addressed,
        "ann@example",
    ),
    "the disk is full": (settings(gate={"disk": 1_000_000}), "disk", restored(SETTINGS), "1000000"),
    "the clock went back": (beaten(NOW + HOUR), "clock", lambda ward, mend: beaten(NOW)(ward)),
    "there is no night job": (noted(None), "night job", lambda ward, mend: beaten(NOW)(ward)),
    "the night job stopped": (beaten(LONG_AGO), "night job", lambda ward, _: ward.mend("pbem run --due")),
    "a mail is not read": (arrived, "stuck mails", typed, "1"),
    "a mail was set aside": (lambda ward: arrived(ward, "shunted"), "stuck mails", typed, "shunted/1.txt"),
    "a mail was not sent": (lambda ward: outgoing(ward, "queued"), "stuck mails", typed, "1"),
    "a mail was refused": (lambda ward: outgoing(ward, "failed"), "stuck mails", typed, "red", "550"),
    "a mail came back": (came_back, "stuck mails", moved_elsewhere, "red", "550 5.1.1 no such user"),
    "reports did not go out": (unsent, "stuck mails", typed, "red, white"),
    "a turn that was mailed is gone": (turn_lost, "games", put_back, "rose-1/turns/0002: "),
    "no Maildir": (stripped("host"), "mail in", typed, "new, cur, tmp"),
    "nothing brings mail in": (settings(maildir=None), "mail in", edited(SETTINGS)),
    "nothing takes mail out": (settings(smtp=None), "mail out", edited(SETTINGS)),
    "no such program": (settings(smtp=None, sendmail="/usr/sbin/nix"), "mail out", restored(SETTINGS), "nix"),
    "no archive": (stripped("archive"), "mail out", typed, "Maildir"),
    "the server is down": (closed_port, "mail out", restored(SETTINGS), "127.0.0.1"),
    "the server lets nobody in": (wrong_password, "mail out", password, "host", "535"),
}
"""By what is planted: what plants it, the part of the doctor, what mends it, and what is told of it."""


def backup(ward: Ward) -> Path:
    """Return where the home is kept as it was, beside it."""
    return ward.top.parent / "backup"


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_is_found_and_what_is_said_mends_it(ward: Ward, fault: tuple[Any, ...]) -> None:
    plant, part, repair, *facts = fault
    shutil.copytree(ward.top, backup(ward))

    plant(ward)

    found = ward.found()
    wanted = [one for one in found if one.part == part and tells(one.text, *facts)]
    assert len(wanted) == 1, found
    assert len({one.text for one in found}) == len(found)
    assert subprocess.run(["sh", "-n", "-c", wanted[0].mend], check=False).returncode == 0, wanted[0].mend
    repair(ward, wanted[0].mend)
    assert ward.found() == []


def test_more_than_twenty_faults_are_planted() -> None:
    assert len(FAULTS) > 20
    assert {part for _, part, *_ in FAULTS.values()} | {"rules", "DNS"} == {part for part, _ in PARTS}


def test_a_home_by_mail_in_which_all_is_well_is_told_in_one_line(ward: Ward) -> None:
    code, told = ward.typed(f"doctor --dns 127.0.0.1:{ward.zone.port}")

    assert (code, told.count("\n")) == (0, 1)
    looked = f"Looked at: home, {', '.join(part for part, _ in PARTS)}."
    assert tells(told, looked)


def test_a_turn_that_is_gone_before_the_newest_is_named_alone_with_how_to_play_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = top(a_home(tmp_path))
    shutil.copytree(sample_games() / "rose-1", home / "games" / "rose-1")
    before, newest = turns(home / "games" / "rose-1")[-2:]
    shutil.rmtree(turn_folder(home / "games" / "rose-1", before))

    assert run_command(["doctor", "--home", str(home), "--now", NOW.isoformat()]) == 1

    told = capsys.readouterr().out
    assert f"turns/{before:04d}: the turn is missing" in told
    assert tells(told, "rose-1 --override")
    assert f"turns/{newest:04d}" not in told


def test_looking_changes_nothing(ward: Ward) -> None:
    before = tree(ward.top)

    assert ward.found() == []

    assert tree(ward.top) == before


def test_a_folder_that_is_no_home_can_become_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "a home"
    assert run_command(["doctor", "--home", str(folder)]) == 1
    mend = capsys.readouterr().out.splitlines()[1].strip()

    assert run_command(shlex.split(mend)[1:]) == 0

    assert run_command(["doctor", "--home", str(folder)]) == 0


def test_a_folder_with_other_things_is_not_made_a_home(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "letter.txt").touch()

    assert run_command(["doctor", "--home", str(tmp_path)]) == 1

    assert "init" in capsys.readouterr().out.splitlines()[1]


def test_newer_rules_than_are_installed_are_told(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RoseKing, "version", 0)

    (found,) = ward.found()

    assert found.part == "rules" and tells(found.mend, "--upgrade")
    assert tells(found.text, "rose-1", "1", "0")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_what_root_left_in_a_home_is_given_back_to_its_owner(ward: Ward) -> None:
    for path in (ward.top, *ward.top.rglob("*")):
        shutil.chown(path, "nobody")
    shutil.chown(ward.file("orders"), "root")

    (found,) = ward.found()

    assert tells(found.text, ward.file("orders"))
    ward.mend(found.mend)
    assert ward.found() == []


def test_a_look_that_trips_is_told_and_the_others_go_on(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Smtp, "greet", lambda self: 1 / 0)
    ward.write_settings(moderator=None)

    found = ward.found()

    assert [one.part for one in found] == ["settings", "mail out"]
    assert tells(found[1].text, "ZeroDivisionError")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_orders_that_root_lodged_are_given_back_and_not_removed(ward: Ward) -> None:
    written("orders/rose-1/red.yaml", "game: rose-1\nseat: red\norders: none\n")(ward)
    for path in (ward.top, *ward.top.rglob("*")):
        shutil.chown(path, "nobody")
    orders = ward.file("orders/rose-1/red.yaml")
    shutil.chown(orders, "root")
    read = Place.read_bytes

    def read_as_another(place: Place) -> bytes:
        if str(place).endswith("red.yaml"):
            raise PermissionError(13, "Permission denied")
        return read(place)

    with mock.patch.object(Place, "read_bytes", read_as_another):
        found = [one for one in ward.found() if one.part == "games" and tells(one.text, orders)]

    (one,) = found
    assert "rm " not in one.mend
    ward.mend(one.mend)
    assert orders.owner() == "nobody"
    assert orders.read_text(encoding="utf-8").startswith("game: rose-1")


def test_a_journal_that_is_damaged_further_in_is_told_once_with_the_way_back(ward: Ward) -> None:
    with ward.home.journal() as db:
        for number in range(400):
            db.set_note("rose-1", f"some note {number}", "words " * 60)
    journal = ward.file("mail/mail.db")
    with sqlite3.connect(journal) as open_journal:
        open_journal.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(journal.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 5000] = b"x" * 5000
    journal.write_bytes(data)

    code, told = ward.typed("doctor --json")

    found = [one for one in json.loads(told)["findings"] if "mail.db" in one["text"]]
    assert (code, len(found), found[0]["part"]) == (1, 1, "home")
    assert "pbem help home salvage" in found[0]["mend"]
    assert "EDITOR" not in told and "nano" not in told


def test_a_link_to_nowhere_in_a_turn_is_named_and_gone_by_the_command_that_is_told(ward: Ward) -> None:
    turn = max((ward.top / "games" / "rose-1" / "turns").glob("[0-9]*"))
    (turn / "x").symlink_to("/nowhere")

    (found,) = ward.found()

    assert f"{turn.name}/x" in found.text
    ward.mend(found.mend)
    assert not (turn / "x").is_symlink()
    assert list(ward.found()) == []


@pytest.mark.parametrize("name", ["Bоb", "White", "all", "Ann, Bob"])
def test_a_name_written_by_hand_that_others_take_for_somebody_else_is_named_and_changed(
    ward: Ward, name: str
) -> None:
    file = ward.file("games/rose-1/game.yaml")
    file.write_text(file.read_text(encoding="utf-8").replace("player: Ann", f'player: "{name}"'), "utf-8")

    found, *more = ward.found()

    assert tells(found.text, "rose-1", "red") or name in found.text
    assert len(more) == (name == "Bоb")  # of two names that look alike, either may go
    ward.mend(found.mend.replace("NAME", "Cleo"))
    assert ward.found() == []
