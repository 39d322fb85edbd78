"""A mail server for tests, in a thread: it keeps what it is sent, and refuses what it is told to refuse."""

from __future__ import annotations

import asyncio
import contextlib
import re
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

MESSAGE_ID = re.compile(rb"^message-id:[ \t]*(<[^>]*>)", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Kept:
    """A mail that was delivered to one reader."""

    sender: str
    recipient: str
    raw: bytes

    @property
    def message_id(self) -> str:
        found = MESSAGE_ID.search(self.raw)
        return found[1].decode() if found else ""


@dataclass
class Sink:
    """What a server was sent.

    Attributes:
        mails: Every mail, for every reader, in order.
        archive: A Maildir that gets what is sent to `archive_address`.
        archive_address: Whose mails go there.
        refuse: By recipient, or "MAIL" or "DATA": what is answered instead.
        silent_archive: Nothing gets to the archive now.
        sessions: How often somebody connected.
        refuses_no_sender: Mails whose envelope names no sender are refused, as some providers do.
    """

    port: int = 0
    mails: list[Kept] = field(default_factory=list)
    archive: Path | None = None
    archive_address: str = "archive@pbem.test"
    refuse: dict[str, str] = field(default_factory=dict)
    silent_archive: bool = False
    sessions: int = 0
    refuses_no_sender: bool = False
    logins: list[tuple[bytes, bytes]] = field(default_factory=list)

    def handle(self) -> Any:
        return _Handler(self)

    def delivered(self) -> list[tuple[str, str]]:
        """Return Message-ID and reader of each mail that reached a reader, probes left out, in order."""
        return [
            (one.message_id, one.recipient) for one in self.mails if not one.message_id.startswith("<probe.")
        ]


class _Handler:
    def __init__(self, sink: Sink) -> None:
        self.sink = sink

    async def handle_EHLO(  # noqa: N802
        self, _server: SMTP, session: Session, _envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        self.sink.sessions += 1
        return responses

    async def handle_MAIL(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.sink.refuses_no_sender and address in ("", "<>"):
            return "550 5.7.1 the sender is not yours"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return self.sink.refuse.get("MAIL", "250 OK")

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.sink.refuse:
            return self.sink.refuse[address]
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 OK"

    async def handle_DATA(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        if "DATA" in self.sink.refuse:
            return self.sink.refuse["DATA"]
        assert isinstance(envelope.content, bytes)
        for one in envelope.rcpt_tos:
            if self.sink.archive is not None and one == self.sink.archive_address:
                self._file(self.sink.archive, envelope.content)
            else:
                self.sink.mails.append(Kept((envelope.mail_from or "").strip("<>"), one, envelope.content))
        return "250 OK"

    def _file(self, archive: Path, raw: bytes) -> None:
        if not self.sink.silent_archive:
            name = f"{1_700_000_000 + len(list((archive / 'new').iterdir()))}.M{len(self.sink.mails)}.sink"
            (archive / "tmp" / name).write_bytes(raw)
            (archive / "tmp" / name).rename(archive / "new" / name)


class _Controller(Controller):
    """Listens on a port that is free."""

    def _trigger_server(self) -> None:
        assert isinstance(self.server, asyncio.Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]


def make_maildir(path: Path) -> Path:
    """Make a Maildir."""
    for name in ("new", "cur", "tmp"):
        (path / name).mkdir(parents=True)
    return path


@contextlib.contextmanager
def a_sink(
    archive: Path | None = None,
    *,
    tls: ssl.SSLContext | None = None,
    login: Callable[[bytes, bytes], bool] | None = None,
) -> Iterator[Sink]:
    """Give a server that listens on a free port."""
    sink = Sink(archive=make_maildir(archive) if archive is not None else None)

    def check(
        _server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, given: object
    ) -> AuthResult:
        assert isinstance(given, LoginPassword)
        sink.logins.append((given.login, given.password))
        is_right = login is not None and login(given.login, given.password)
        return AuthResult(success=is_right, handled=False)

    controller = _Controller(
        sink.handle(),
        hostname="127.0.0.1",
        port=0,
        tls_context=tls,
        require_starttls=tls is not None,
        authenticator=check if login else None,
        auth_required=login is not None and tls is not None,
        auth_require_tls=tls is not None,
    )
    controller.start()
    try:
        sink.port = controller.port
        yield sink
    finally:
        controller.stop()
