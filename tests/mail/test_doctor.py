"""The doctor at a real mail server: by IMAP and by a Maildir, in the open and in secret."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.interface import Json
from pbem.play.homes.home import Home
from tests.homes import a_home, top
from tests.mail.homes import write_settings
from tests.mail.stack import CERTIFICATE, PASSWORD, Stack

pytestmark = pytest.mark.mailstack

HOST = "doctor@pbem.test"


@pytest.fixture
def home(stack: Stack, tmp_path: Path) -> Home:
    """Return a home with a mailbox at the server, and with the password for it."""
    shutil.rmtree(stack.maildir(HOST), ignore_errors=True)
    stack.deliver(HOST, HOST, b"Subject: so that the mailbox is there\r\n\r\n")
    stack.settle()
    home = a_home(tmp_path)
    password = top(home) / "password"
    password.touch(mode=0o600)
    password.write_text(PASSWORD, encoding="utf-8")
    return home


def told(home: Home, capsys: pytest.CaptureFixture[str], *words: str) -> list[tuple[str, str]]:
    """Return what is wrong but for the night job, which nobody has set up here."""
    run_command(["doctor", "--json", "--home", str(top(home)), *words])
    findings = json.loads(capsys.readouterr().out)["findings"]
    return [(one["part"], one["text"]) for one in findings if one["part"] != "night job"]


def login(port: int, **more: Json) -> dict[str, Json]:
    return {"server": "localhost", "port": port, "user": HOST, "password_file": "password", **more}


def test_what_is_wrong_with_a_mailbox_is_told_as_the_server_says_it(
    home: Home, stack: Stack, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    open_ones: dict[str, Json] = {
        "imap": login(stack.imap),
        "smtp": {"server": "localhost", "port": stack.smtp},
    }
    write_settings(home, address=HOST, moderator="mary@example.test", **open_ones)
    assert told(home, capsys) == []

    secret: dict[str, dict[str, Json]] = {
        "imap": login(stack.imaps, security="tls"),
        "smtp": login(stack.submission, security="starttls"),
    }
    write_settings(home, address=HOST, moderator="mary@example.test", **secret)
    found = told(home, capsys)
    assert [part for part, _ in found] == ["mail in", "mail out"]
    unknown = "nobody whom this machine knows has signed the certificate of localhost, port "
    assert all(text.startswith(unknown) for _, text in found)
    assert run_command(["receive", "--home", str(top(home))]) == 1
    assert "Type export SSL_CERT_FILE=/path/to/certificate.pem with" in capsys.readouterr().err

    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    secret = {name: {**value, "server": "127.0.0.1"} for name, value in secret.items()}
    write_settings(home, address=HOST, moderator="mary@example.test", **secret)
    found = told(home, capsys)
    assert [part for part, _ in found] == ["mail in", "mail out"]
    assert all(
        re.match(r"the certificate of 127.0.0.1, port \d+ is not its own: ", text) for _, text in found
    )
    assert run_command(["receive", "--home", str(top(home))]) == 1
    assert "Give the server in home.yaml the name that its certificate has" in capsys.readouterr().err

    write_settings(home, address=HOST, moderator="mary@example.test", **open_ones)
    (top(home) / "password").write_text("wrong", encoding="utf-8")
    ((part, text),) = told(home, capsys)
    assert (part, text.split(":")[0]) == ("mail in", f"localhost does not let {HOST} into INBOX")
