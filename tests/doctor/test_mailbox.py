"""A mailbox by IMAP that cannot be used is found, with what mends it; looking fetches and moves nothing."""

from __future__ import annotations

import ssl
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from pbem.core.interface import Json
from tests.doctor.ward import PASSWORD, Ward, a_ward

imap_tools = pytest.importorskip("imap_tools")


class Mailbox:
    """A mailbox as imap-tools gives it, which takes one password."""

    def __init__(self, *_place: object, **_more: object) -> None:
        self.client = SimpleNamespace(shutdown=lambda: None)

    def login(self, _user: str, password: str, initial_folder: str) -> None:
        if password != PASSWORD:
            raise imap_tools.MailboxLoginError(("NO", [b"[AUTHENTICATIONFAILED]"]), "OK")
        if initial_folder == "Lost":
            raise imap_tools.MailboxFolderSelectError(("NO", [b"no such folder"]), "OK")

    def logout(self) -> None:
        pass


@pytest.fixture
def ward(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ward]:
    """Give a home whose mail comes in by IMAP."""
    monkeypatch.setattr(imap_tools, "MailBoxUnencrypted", Mailbox)
    with a_ward(tmp_path) as found:
        file = found.file("imap-password")
        file.touch(mode=0o600)
        file.write_text(PASSWORD, encoding="utf-8")
        found.mail = {**found.mail, "imap": login()}
        del found.mail["maildir"]
        found.write_settings()
        yield found


def login(**more: Json) -> dict[str, Json]:
    return {"server": "127.0.0.1", "user": "host", "password_file": "imap-password", **more}


def test_a_mailbox_that_can_be_used_is_nothing_to_tell(ward: Ward) -> None:
    assert ward.found() == []


def test_a_password_that_is_refused_is_written_anew(ward: Ward) -> None:
    ward.file("imap-password").write_text("wrong", encoding="utf-8")

    (found,) = ward.found()

    assert (found.part, found.text[:48]) == ("mail in", "127.0.0.1 does not let host into INBOX: Response")
    ward.mend(found.mend, answer=f"{PASSWORD}\n")
    assert ward.found() == []


def test_a_folder_that_is_not_there_is_told(ward: Ward) -> None:
    ward.write_settings(imap=login(folder="Lost"))

    (found,) = ward.found()

    assert found.text.startswith("127.0.0.1 does not let host into Lost: ")


def test_a_certificate_that_is_anothers_is_told(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_place: object, **_more: object) -> None:
        wrong = ssl.SSLCertVerificationError(1, "certificate verify failed")
        wrong.verify_message = "Hostname mismatch"
        raise wrong

    monkeypatch.setattr(imap_tools, "MailBoxUnencrypted", refuse)

    (found,) = ward.found()

    assert found.text == "the certificate of 127.0.0.1, port 143 is not its own: Hostname mismatch."
    assert "the name in its certificate" in found.mend


def test_a_server_that_does_not_speak_tls_is_told(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_place: object, **_more: object) -> None:
        raise ssl.SSLError(1, "WRONG_VERSION_NUMBER")

    monkeypatch.setattr(imap_tools, "MailBoxUnencrypted", refuse)

    (found,) = ward.found()

    assert found.text == "127.0.0.1, port 143 does not talk as securely as asked for (none)."


def test_a_package_that_is_missing_is_named(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imap_tools", None)

    (found,) = ward.found()

    assert (found.text, found.mend) == ("IMAP needs the package imap-tools.", "pip install 'pbem[imap]'")


def test_a_server_for_sending_that_talks_otherwise_is_told(ward: Ward) -> None:
    ward.write_settings(smtp=ward.login(security="starttls"))

    (found,) = ward.found()

    assert found.part == "mail out"
    assert "does not talk as asked for: STARTTLS extension not supported by server" in found.text
