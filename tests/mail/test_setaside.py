"""Mails that trip the program up: kept with the fault, told, and processed again on demand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.host.notices.digest import news_of
from pbem.mail.arrivals import identify
from pbem.mail.arrivals.desk import Desk
from pbem.store import disk
from pbem.store.records import Intake
from tests.facts import tells
from tests.homes import orders_text, top
from tests.mail.host import E1, N2, Host, a_host


@pytest.fixture
def poison(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let mails with a certain word trip the program up; return what mends it."""

    def look(desk: Desk, intake: Intake, raw: bytes) -> identify.Inspection:
        if b"poison" in raw:
            raise ZeroDivisionError(f"a fault of ours, at {intake.recipient}")
        return identify.inspect_mail(desk, intake, raw)

    monkeypatch.setattr("pbem.mail.arrivals.processing.inspect_mail", look)
    return monkeypatch.undo


def set_aside(host: Host) -> int:
    """Let a mail with good orders trip the program up, and return its number."""
    said = host.gets(host.a_mail(orders_text("rose-1", "red", N2) + "# poison\n"), host.address())
    assert (said.verdict, said.rule) == ("shunted", "ZeroDivisionError")
    return said.intake


def again(host: Host, *numbers: int) -> int:
    """Give the command."""
    options = [word for number in numbers for word in ("--again", str(number))]
    return run_command(["receive", *options, "--home", str(top(host.home)), "--now", host.now.isoformat()])


def fault(host: Host, number: int) -> Path:
    """Return where the fault of a mail stands."""
    return top(host.home) / "mail" / "shunted" / f"{number}.txt"


def test_the_others_go_on_and_the_mail_is_kept(tmp_path: Path, poison: Callable[[], None]) -> None:
    host = a_host(tmp_path)
    numbers = [host.put(host.a_mail(text), host.address()) or 0 for text in ("one", "poison", "two")]

    said = [(one.intake, one.verdict) for one in host.process()]

    assert said == [(numbers[0], "question"), (numbers[1], "shunted"), (numbers[2], "question")]
    kept = top(host.home) / "mail" / host.intake(numbers[1]).raw
    assert b"poison" in kept.read_bytes()
    assert host.process() == []


def test_the_moderator_reads_what_happened_and_no_token_stands_there(
    tmp_path: Path, poison: Callable[[], None]
) -> None:
    host = a_host(tmp_path)
    number = set_aside(host)

    told = fault(host, number).read_text(encoding="utf-8")

    assert "ZeroDivisionError: a fault of ours, at host+rose-1.****@pbem.test" in told
    assert ", in look\n" in told
    assert f"`pbem receive --again {number}`" in told
    assert host.address().partition("rose-1.")[2].partition("@")[0] not in told
    assert fault(host, number).stat().st_mode & 0o777 == 0o600
    with host.home.journal() as db:
        (news,) = news_of(host.home, db, [])
    assert tells(news, "mail/shunted/", number, "--again")


def test_it_is_processed_again_when_the_fault_is_mended(
    tmp_path: Path, poison: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    host = a_host(tmp_path)
    number = set_aside(host)
    assert again(host, number) == 4
    assert f"mail {number}: shunted (ZeroDivisionError)" in capsys.readouterr().out

    poison()
    assert again(host, number) == 0

    assert f"mail {number}: lodged (orders) rose-1 seat red" in capsys.readouterr().out
    assert "N2" in host.lodged()
    assert "receipt 1" in host.answer()


def test_newer_orders_are_not_replaced_by_it(tmp_path: Path, poison: Callable[[], None]) -> None:
    host = a_host(tmp_path)
    number = set_aside(host)
    host.orders(E1)
    poison()

    assert again(host, number) == 0

    assert host.intake(number).verdict == "superseded"
    assert "E1" in host.lodged()


def test_no_other_mail_is_processed_again(
    tmp_path: Path, poison: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    host = a_host(tmp_path)
    number, good = set_aside(host), host.orders(E1).intake
    poison()

    assert again(host, number, good) == 1
    assert tells(capsys.readouterr().err, good)
    assert again(host, 99) == 1
    assert tells(capsys.readouterr().err, "99")

    assert host.intake(number).verdict == "shunted"
    assert "E1" in host.lodged()


def test_without_disk_for_the_fault_the_mail_waits(
    tmp_path: Path, poison: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    host = a_host(tmp_path)

    real = disk.replace_file

    def full(door: disk.Disk, path: Path, data: bytes, mode: int) -> None:
        if "shunted" in path.parts:
            raise OSError(28, "No space left on device")
        real(door, path, data, mode)

    monkeypatch.setattr("pbem.store.disk.replace_file", full)

    assert host.gets(host.a_mail("poison"), host.address()).verdict == "waits"
