"""Mails are received: orders are lodged once, and every mail ends in a verdict and at most one answer."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.core.interface import Json
from pbem.mail.arrivals.proof import mail_identity
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions import lodging
from pbem.play.submissions.gate import read_lodged_orders
from pbem.play.submissions.lodging import KnownSender
from pbem.play.submissions.receipts import LodgingResult
from pbem.store.errors import WrongInput
from pbem.text.codec import canonical_yaml
from pbem.text.mail.letter import Letter, read_letter
from pbem.text.orders import Envelope, Fault
from tests.homes import a_home, game_folder, home_at, orders_text, top
from tests.mail.host import ANN, BOB, E1, N2, RED, a_host, read, text_of


def test_the_receipt_shows_the_very_lines_that_will_run(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    lines: list[Json] = [
        *N2,
        {"at": "red-2", "when": {"crown": ["F2", "F4"]}, "keep": False, "do": {"draw": True}},
        {"when": {"pile": {"at_most": 9}}, "keep": True, "do": {"draw": True}},
    ]
    host.gets(host.a_mail(orders_text("rose-1", "red", lines, stop_if={"pile": 3})), host.address())

    shown = host.answer().split("THESE LINES WILL RUN\n")[1].split("\n\n")[0]
    saved = SavedGame(host.home, "rose-1")
    runs = canonical_yaml(read_lodged_orders(saved).orders[RED])

    assert [line.removeprefix("    | ") for line in shown.splitlines()] == runs.splitlines()


def test_the_receipt_answers_the_mail_and_cannot_be_answered_by_robots(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    host.orders(N2)

    (row,) = host.outbox()
    mail = read(row.raw)

    assert (row.rcpt, row.envelope_from, row.kind) == (ANN, "", "receipt")
    assert mail["In-Reply-To"] == "<mail1@example.test>"
    assert "<mail1@example.test>" in str(mail["References"])
    assert mail["Auto-Submitted"] == "auto-replied"
    assert mail["X-Auto-Response-Suppress"] == "All"
    assert mail["X-Loop"] == "host@pbem.test"
    assert mail["Reply-To"] == host.address()


# Again and again


def test_a_mail_of_another_sender_is_never_the_same_mail(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    text = orders_text("rose-1", "red", N2)
    ids, contents = set(), set()
    for sender in (ANN, BOB):
        raw = host.a_mail(text, sender, Message_ID="", Date=THEN)
        letter = read_letter(raw)
        assert isinstance(letter, Letter)
        identity, content = mail_identity(letter, raw, text.encode(), is_command=False)
        ids.add(identity)
        contents.add(content)

    assert len(ids) == 2
    assert contents == {hashlib.sha256(f"{THEN}\0{text}".encode()).hexdigest()}, "as noted in older homes"


THEN, NOW_WRITTEN = "Sat, 21 Nov 2026 20:00:00 +0000", "Mon, 23 Nov 2026 08:00:00 +0000"
# What waits


def test_a_command_that_meets_a_damaged_home_waits_and_tells_nobody_of_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = a_host(tmp_path)
    host.put(host.a_mail("vote pause"), host.address())

    def damaged(*_: object, **__: object) -> None:
        raise WrongInput("/home/mary/games/rose-1/secret.json is damaged.")

    with monkeypatch.context() as patched:
        patched.setattr("pbem.mail.conversation.commands.vote", damaged)
        assert [one.verdict for one in host.process()] == ["waits"]
    assert host.outbox() == []
    assert [one.verdict for one in host.process()] == ["command-vote"]


def test_mails_wait_while_their_game_is_damaged_and_keep_their_order(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    file = game_folder(host.home, "rose-1") / "game.yaml"
    good = file.read_text(encoding="utf-8")
    first = host.put(host.a_mail(orders_text("rose-1", "red", N2)), host.address())
    second = host.put(host.a_mail(orders_text("rose-1", "red", E1)), host.address())
    file.write_text("seats: {", encoding="utf-8")

    waiting = host.process()
    file.write_text(good, encoding="utf-8")
    said = host.process()

    assert [one.verdict for one in waiting] == ["waits", "waits"]
    assert [(one.intake, one.verdict) for one in said] == [(first, "lodged"), (second, "lodged")]
    assert "E1" in host.lodged()


def test_a_mail_does_not_overtake_one_of_the_same_game_that_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = a_host(tmp_path)
    for lines in (N2, E1):
        host.put(host.a_mail(orders_text("rose-1", "red", lines)), host.address())
    faults = [OSError(28, "No space left on device")]

    def lodge(
        home: Home, data: bytes, sender: KnownSender, envelope: Envelope
    ) -> LodgingResult | list[Fault]:
        if faults:
            raise faults.pop()
        return lodging.lodge(home, data, sender, envelope)

    monkeypatch.setattr("pbem.mail.conversation.handlers.lodge", lodge)

    assert [one.verdict for one in host.process()] == ["waits", "waits"]
    assert [one.verdict for one in host.process()] == ["lodged", "lodged"]
    assert "E1" in host.lodged()


def test_mails_wait_while_a_run_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host = a_host(tmp_path)
    monkeypatch.setattr("pbem.play.submissions.lodging.WAIT_SECONDS", 0.0)
    host.put(host.a_mail(orders_text("rose-1", "red", N2)), host.address())
    with host.home.held("rose-1"):
        waiting = host.process()

    assert [one.verdict for one in waiting] == ["waits"]
    assert [one.verdict for one in host.process()] == ["lodged"]


def test_a_template_of_the_moderators_that_fails_keeps_no_mail_waiting_and_is_told(tmp_path: Path) -> None:
    host = a_host(tmp_path, moderator="mary@example.test")
    template = (top(host.home) / "templates") / "mail" / "receipt.txt.j2"
    template.parent.mkdir(parents=True)
    template.write_text("{{ nothing }}", encoding="utf-8")
    host.put(host.a_mail(orders_text("rose-1", "red", N2)), host.address())

    taken = host.process()

    assert [one.verdict for one in taken] == ["lodged"]
    assert "red-1" in host.answer()
    (told,) = (read(one.raw) for one in host.outbox("notice"))
    assert (told["To"], told["X-PBEM-Kind"]) == ("mary@example.test", "template-failed")
    assert str(template) in "".join(text_of(told).split("\n"))


def test_a_database_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host = a_host(tmp_path)
    host.put(host.a_mail("status"), host.address())
    with home_at(top(host.home)).journal() as other, other.writing():
        monkeypatch.setattr("pbem.store.connection.BUSY_SECONDS", 0.05)
        with pytest.raises(WrongInput):
            host.process()


@pytest.mark.parametrize(
    ("free", "wrong"),
    [
        (4096, "disk I/O error"),
        (0, "database or disk is full"),
        (0, "database is locked"),
        (1 << 30, "disk I/O error"),
    ],
)
def test_a_full_disk_is_named_when_the_database_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, wrong: str
) -> None:
    home = a_home(tmp_path)
    monkeypatch.setattr("shutil.disk_usage", lambda _path: SimpleNamespace(free=free))

    class Failing(sqlite3.Connection):
        def execute(self, sql: str, values: Any = (), /) -> sqlite3.Cursor:
            if sql == "SELECT 1":
                raise sqlite3.OperationalError(wrong)
            return super().execute(sql, values)

    monkeypatch.setattr("pbem.store.connection.Connection", Failing)

    with pytest.raises(WrongInput), home.journal() as db:
        db.rows("SELECT 1")
