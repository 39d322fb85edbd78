"""A mailbox by IMAP: one mail that the server does not give keeps no other from being taken in."""

from __future__ import annotations

import datetime
import imaplib
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeAlias

import pytest

from pbem.cli.moderation.mailed import MailedCommands
from pbem.mail.account.settings import Imap, Login, Security, mail_settings
from pbem.mail.arrivals.sources import check_mailbox, from_imap
from pbem.mail.outgoing import delivery
from pbem.mail.outgoing.delivery import receive
from pbem.store.errors import WrongInput
from pbem.store.folder import FolderStore
from tests.facts import each_tells
from tests.homes import NOW, a_home, top
from tests.mail.homes import write_settings

imap_tools = pytest.importorskip("imap_tools")

Parts: TypeAlias = list[tuple[bytes, bytes] | bytes | None]
CommandLead: TypeAlias = tuple[str, Parts] | Exception


def a_mail(name: str) -> bytes:
    return f"Delivered-To: host+web-1.{name}@pbem.test\r\nFrom: ann@example.test\r\n\r\nx\r\n".encode()


def good(name: str) -> CommandLead:
    told = b'1 (UID 1 INTERNALDATE "21-Nov-2026 19:00:00 +0000" BODY[]<0> {9}'
    return "OK", [(told, a_mail(name)), b")"]


@dataclass
class Mailbox:
    """A mailbox as imap-tools gives it, which holds what a test puts there.

    Attributes:
        mails: What the server says to a fetch, by number.
        stuck: The numbers of mails that it does not move.
    """

    mails: dict[str, CommandLead]
    stuck: frozenset[str] = frozenset()
    moved: list[str] = field(default_factory=list)
    is_closed: bool = False

    def __post_init__(self) -> None:
        self.client = SimpleNamespace(uid=self._uid, shutdown=self._shutdown)
        self.folder = SimpleNamespace(exists=lambda name: True)

    def login(self, user: str, password: str, initial_folder: str) -> None:
        assert (user, password, initial_folder) == ("host", "secret", "INBOX")

    def uids(self) -> list[str]:
        return [*self.mails]

    def move(self, uid: str, folder: str) -> None:
        if uid in self.stuck:
            raise imaplib.IMAP4.error("no room")
        assert folder == "Processed"
        self.moved.append(uid)

    def logout(self) -> None:
        pass

    def _uid(self, verb: str, uid: str, what: str) -> tuple[str, Parts]:
        assert (verb, what.startswith("(INTERNALDATE ")) == ("FETCH", True)
        given = self.mails[uid]
        if isinstance(given, Exception):
            raise given
        return given

    def _shutdown(self) -> None:
        self.is_closed = True


@pytest.fixture
def open_box(monkeypatch: pytest.MonkeyPatch) -> Callable[[Mailbox], Mailbox]:
    """Return what makes a mailbox the one that is found at the server."""

    def opened(box: Mailbox) -> Mailbox:
        monkeypatch.setattr(imap_tools, "MailBoxUnencrypted", lambda *place, **more: box)
        monkeypatch.setenv("PBEM_IMAP_PASSWORD", "secret")
        return box

    return opened


def taken(path: Path) -> tuple[int, tuple[str, ...], int]:
    """Take mail in; return how many were looked at, what is told, and the exit code."""
    home = a_home(path)
    write_settings(home, imap={"server": "127.0.0.1", "user": "host"})
    said: list[str] = []
    received = receive(home, NOW, said.append, MailedCommands())
    return len(received.processed), (*said, *received.problems), received.exit_code


BAD: dict[str, Any] = {
    "an error": imaplib.IMAP4.error("FETCH: it is damaged"),
    "no": ("NO", [b"cannot"]),
    "no longer there": ("OK", [None]),
}


@pytest.mark.parametrize("given", BAD.values(), ids=BAD)
def test_a_mail_that_the_server_does_not_give_stays_there_and_the_others_are_taken_in(
    tmp_path: Path, open_box: Callable[[Mailbox], Mailbox], given: CommandLead
) -> None:
    box = open_box(Mailbox({"10": good("c"), "7": given, "3": good("a")}))

    new, _said, code = taken(tmp_path)

    assert (new, box.moved, box.is_closed) == (2, ["3", "10"], True)
    assert code == 1


def test_a_mail_that_cannot_be_moved_is_taken_in_and_said_and_the_others_are_moved(
    tmp_path: Path, open_box: Callable[[Mailbox], Mailbox]
) -> None:
    box = open_box(Mailbox({"1": good("a"), "2": good("b")}, frozenset(["1"])))

    new, said, _ = taken(tmp_path)

    assert (new, box.moved) == (2, ["2"])
    assert each_tells(said, ("1", "Processed"))


def test_what_was_taken_in_before_the_line_broke_is_safe(
    tmp_path: Path, open_box: Callable[[Mailbox], Mailbox]
) -> None:
    box = open_box(Mailbox({"1": good("a"), "2": imaplib.IMAP4.abort("gone"), "3": good("c")}))

    new, said, code = taken(tmp_path)

    assert (new, box.moved, box.is_closed, code) == (1, ["1"], True, 1)
    assert len(said) == 1
    assert "host at 127.0.0.1, port 143: gone" in said[0]


def test_a_mail_counts_from_the_moment_at_which_the_server_had_it_and_no_later_than_now(
    tmp_path: Path, open_box: Callable[[Mailbox], Mailbox]
) -> None:
    later = b'2 (UID 2 INTERNALDATE "24-Nov-2036 19:00:00 +0000" BODY[]<0> {9}'
    nothing = b"3 (UID 3 BODY[]<0> {9}"
    open_box(
        Mailbox(
            {
                "1": good("a"),
                "2": ("OK", [(later, a_mail("b")), b")"]),
                "3": ("OK", [(nothing, a_mail("c")), b")"]),
            }
        )
    )
    home = a_home(tmp_path)
    write_settings(home)
    login = Login("127.0.0.1", 143, "none", "host", None, "PBEM_IMAP_PASSWORD")

    found = [*from_imap(Imap(login, "INBOX", "Processed"), mail_settings(home), NOW, print)]

    assert [one.received for one in found] == [NOW - datetime.timedelta(hours=1), NOW, NOW]
    assert [one.recipient for one in found] == [f"host+web-1.{seat}@pbem.test" for seat in "abc"]


def test_a_server_that_is_silent_without_encryption_is_told_with_what_to_write(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("pbem.mail.arrivals.sources.TIMEOUT", 0.1)
    home = a_home(tmp_path)
    write_settings(home)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        imap = Imap(
            Login("127.0.0.1", mute.getsockname()[1], "none", "host", None, "X"), "INBOX", "Processed"
        )

        with pytest.raises(WrongInput):
            [*from_imap(imap, mail_settings(home), NOW, print)]


@pytest.mark.parametrize(("security", "kind"), [("tls", "MailBox"), ("starttls", "MailBoxStartTls")])
def test_a_mailbox_is_opened_only_where_the_certificate_is_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, security: Security, kind: str
) -> None:
    given: list[ssl.SSLContext] = []

    def refuse(*_place: object, ssl_context: ssl.SSLContext, **_more: object) -> None:
        given.append(ssl_context)
        raise OSError("as far as this goes")

    monkeypatch.setattr(imap_tools, kind, refuse)
    imap = Imap(Login("imap.example.org", 993, security, "host", None, "X"), "INBOX", "Processed")
    home = a_home(tmp_path)
    write_settings(home)

    with pytest.raises(WrongInput, match="as far as this goes"):
        [*from_imap(imap, mail_settings(home), NOW, print)]
    with pytest.raises(OSError, match="as far as this goes"):
        check_mailbox(imap)

    assert [(one.verify_mode, one.check_hostname) for one in given] == [(ssl.CERT_REQUIRED, True)] * 2


def test_two_programs_fetch_from_a_mailbox_one_after_the_other(
    tmp_path: Path, open_box: Callable[[Mailbox], Mailbox], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the second would find gone what the first has moved, and say that it cannot be fetched."""
    box = open_box(Mailbox({"1": good("a")}))
    home = a_home(tmp_path)
    write_settings(home, imap={"server": "127.0.0.1", "user": "host"})
    monkeypatch.setattr(delivery, "WAIT_SECONDS", 0.0)

    with FolderStore(top(home)).held("mail/fetching"):
        assert receive(home, NOW, print, MailedCommands()).exit_code == 3
    assert (box.moved, box.is_closed) == ([], False)

    assert receive(home, NOW, print, MailedCommands()).exit_code == 0
    assert box.moved == ["1"]
