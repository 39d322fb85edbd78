"""A mail is shown by the number or Message-ID that the log prints, with what was answered, and no secret."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from pbem.cli import run_command
from tests.facts import tells
from tests.homes import top
from tests.mail.host import ANN, BAD, BOB, N2, Host, a_host

STRANGER = "eve@example.test"


def shown(host: Host, mail: str, *more: str, code: int = 0) -> None:
    """Show a mail; its words go to standard output."""
    assert run_command(["answer", mail, *more, "--home", str(top(host.home))]) == code


def test_the_number_that_the_log_prints_shows_a_mail_and_its_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host = a_host(tmp_path)
    host.orders(N2)
    refused = host.orders(BAD)
    assert refused.line() == "mail 2: refused (orders) rose-1 seat red"

    shown(host, "2")

    said = capsys.readouterr().out
    assert said.startswith(refused.line())
    assert tells(said, "ann@example.test, 2026-11-21 20:00 UTC", "mail/raw/")
    assert "| - at: red-1\n|   do: {play: N4}" in said
    assert "Answered: receipt rose-1 turn 1 red\nto ann@example.test, queued " in said
    assert "Subject: [rose-1] Orders NOT accepted" in said
    assert tells(said, "'N4'")
    assert "receipt 1" not in said


def test_the_automatic_answer_and_that_of_the_host_are_shown_below_a_mail_without_a_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host = a_host(tmp_path)
    host.gets(host.a_mail("Where are the rules?", Message_ID=""), host.address())

    shown(host, "1")

    said = capsys.readouterr().out
    assert "Answered: receipt rose-1 turn 1 red\n" in said
    shown(host, "1", "--text", "In the book.")
    for _ in range(2):
        capsys.readouterr()
        shown(host, "1")
        told = capsys.readouterr().out
        assert told.startswith(said.rstrip())
        assert tells(told, "[rose-1] The")
        assert "| | In the book." in told
        assert len(host.outbox("notice")) == 1


def test_what_a_player_was_warned_with_is_shown_below_each_mail_that_proved_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host = a_host(tmp_path)
    for n in range(2):
        host.gets(host.a_mail("status", sender=STRANGER, X=str(n)), host.address(), STRANGER)
    host.now += datetime.timedelta(days=1)
    host.gets(host.a_mail("status", sender=STRANGER), host.address(), STRANGER)
    host.gets(b"\xff" * 9_000_000, host.address())

    for number, day in (("1", "11-21"), ("2", "11-21"), ("3", "11-22")):
        shown(host, number)
        said = capsys.readouterr().out
        assert tells(said, "eve@example.test, 2026-", day)
        assert f"Answered: notice rose-1 turn 1 red\nto {ANN}, queued 2026-{day}" in said
        assert "No answer" not in said
    shown(host, "4")
    assert "(unreadable)" in capsys.readouterr().out


def test_orders_in_a_file_are_shown_and_other_files_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host = a_host(tmp_path)
    raw = (
        "From: ann@example.test\r\nMessage-ID: <f@example.test>\r\nSubject: Hi\r\nMIME-Version: 1.0\r\n"
        "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHere.\r\n"
        "--b\r\nContent-Type: application/yaml; name=mine.yaml\r\n"
        "Content-Disposition: attachment; filename=mine.yaml\r\n\r\ngame: rose-1\r\n"
        "--b\r\nContent-Type: image/png; name=me.png\r\n"
        "Content-Disposition: attachment; filename=me.png\r\n\r\nx\r\n--b--\r\n"
    )
    host.gets(raw.encode(), host.address())

    shown(host, "1")

    said = capsys.readouterr().out
    assert tells(said, "Here", "mine.yaml:", "rose-1", "me.png")


def test_a_mail_that_pbem_sent_is_shown_by_its_message_id(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host = a_host(tmp_path)
    host.orders(N2)
    (receipt,) = host.outbox("receipt")

    shown(host, receipt.message_id)
    whole = capsys.readouterr().out
    shown(host, receipt.message_id.strip("<>"))

    assert whole == capsys.readouterr().out
    assert whole.startswith("receipt rose-1 turn 1 red\nto ann@example.test, queued ")
    assert "| - at: red-1" in whole


def test_no_secret_address_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    host = a_host(tmp_path)
    address = host.address()
    token = address.split("@")[0].rsplit(".", 1)[1]
    host.gets(host.a_mail(f"I write to {address}, is that right?"), address)

    shown(host, "1")

    assert token not in capsys.readouterr().out


def test_a_moderator_who_plays_sees_no_words_of_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host = a_host(tmp_path, moderator=BOB)
    host.orders(N2)
    (receipt,) = host.outbox("receipt")

    shown(host, "1")
    shown(host, receipt.message_id)

    said = capsys.readouterr().out
    assert "mail 1: lodged (orders) rose-1 seat red" in said
    assert "N2" not in said


@pytest.mark.parametrize("mail", ["2", "0", "x@y"])
def test_a_mail_that_is_not_there_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mail: str
) -> None:
    host = a_host(tmp_path)
    host.gets(host.a_mail("Hello"), "host@pbem.test", ANN)

    shown(host, mail, code=1)

    assert tells(capsys.readouterr().err)


def test_a_mail_whose_file_is_gone_is_shown_as_far_as_it_is_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host = a_host(tmp_path)
    host.orders(N2)
    (top(host.home) / "mail" / host.intake(1).raw).unlink()

    shown(host, "1")

    said = capsys.readouterr().out
    assert "mail 1: lodged (orders) rose-1 seat red" in said
    assert "(receipt 1)" in said
