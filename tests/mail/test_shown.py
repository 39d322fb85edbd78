"""A mail is shown by the number or Message-ID that the log prints, with what was answered, and no secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli import run_command
from tests.facts import tells
from tests.homes import top
from tests.mail.host import BAD, N2, Host, a_host


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
