"""Mail that comes in by LMTP (RFC 2033): a mail server hands it over, and is told when it is safe.

It listens on this machine only: whoever can speak to it can say anything about an envelope.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import ipaddress
import signal
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pbem.mail.account.addresses import read_recipient
from pbem.mail.account.settings import MailSettings
from pbem.mail.arrivals.intake import Arrival, store_arrival
from pbem.mail.arrivals.spool import MOST_BYTES
from pbem.play.homes.home import Home
from pbem.store.errors import WrongInput
from pbem.text.names import mask_tokens

if TYPE_CHECKING:
    from aiosmtpd.smtp import SMTP, Envelope, Session

TIMEOUT: Final = 300.0
"""Seconds of silence after which a line is closed."""

Talk = Callable[[str], None]


@dataclass(frozen=True)
class LmtpHandler:
    """Takes in what comes by LMTP; one answer for every recipient, and none that is not true.

    It has no slots: aiosmtpd lists its members, which until Python 3.11.2 fails for a dataclass with slots.

    Attributes:
        home: The home.
        settings: What it says about mail.
        clock: Tells the time.
        talk: Tells the moderator.
        taken: Called when a mail is safe; set by `serve`.
    """

    home: Home
    settings: MailSettings
    clock: Callable[[], datetime.datetime]
    talk: Talk
    taken: Callable[[], None] | None = None

    async def handle_RCPT(  # noqa: N802 - the name that aiosmtpd calls
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Refuse a recipient that is not ours while the sender's own server listens."""
        if read_recipient(self.settings, address) is None:
            return "550 5.1.1 there is nobody of that name here"
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802 - the name that aiosmtpd calls
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        """Take a mail in for each of its recipients, and answer for each."""
        received = self.clock()
        raw = envelope.content if isinstance(envelope.content, bytes) else b""
        sender = (envelope.mail_from or "").removeprefix("<").removesuffix(">")
        answers = [self._answer(Arrival("lmtp", received, sender, one, raw)) for one in envelope.rcpt_tos]
        if self.taken is not None:
            self.taken()
        return "\r\n".join(answers)

    async def handle_exception(self, error: Exception) -> str:
        """Let the server keep a mail that met a fault of ours."""
        self.talk(f"a fault: {mask_tokens(repr(error))}")
        return "451 4.3.0 try again later"

    def _answer(self, arrival: Arrival) -> str:
        try:
            with self.home.journal() as db:
                store_arrival(self.home, db, arrival)
        except Exception as wrong:  # whatever it is, the mail is not safe here
            self.talk(f"a mail could not be kept: {wrong}")
            return "451 4.3.0 try again later"
        return "250 2.0.0 safe"


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """Where to listen: an address and a port of this machine, or a socket in its file system."""

    host: str = "127.0.0.1"
    port: int = 2424
    socket: Path | None = None

    def __post_init__(self) -> None:
        """Refuse to listen to the world.

        Raises:
            WrongInput: The address is not one of this machine only.
        """
        try:
            is_here = ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            is_here = False
        if not is_here:
            hint = "Use 127.0.0.1 or ::1; let your mail server listen to the world."
            raise WrongInput(f"{self.host} is not an address of this machine only.", hint)

    def __str__(self) -> str:
        return str(self.socket) if self.socket else f"{self.host}, port {self.port}"


def serve(
    taker: LmtpHandler,
    place: ListenAddress,
    ready: Callable[[ListenAddress], None],
    work: Callable[[], None] | None,
) -> None:
    """Take mail in until the program is told to end (SIGTERM or SIGINT).

    Args:
        taker: Takes the mails in.
        place: Where to listen.
        ready: Called when it listens, with where; port 0 has become a port that was free.
        work: Called after mails have come in, never twice at a time.

    Raises:
        WrongInput: The package aiosmtpd is missing, or the place is taken.
    """
    if find_spec("aiosmtpd") is None:  # before anything is said
        raise WrongInput("LMTP needs the package aiosmtpd.", command="pip install 'pbem[lmtp]'")
    try:
        asyncio.run(_serve(taker, place, ready, work))
    except OSError as wrong:
        raise WrongInput(f"cannot listen on {place}: {wrong.strerror}.", "Is it taken?") from None


async def _serve(
    taker: LmtpHandler,
    place: ListenAddress,
    ready: Callable[[ListenAddress], None],
    work: Callable[[], None] | None,
) -> None:
    from aiosmtpd.lmtp import LMTP

    loop = asyncio.get_running_loop()
    done, came = asyncio.Event(), threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, done.set)

    def line() -> LMTP:
        return LMTP(
            replace(taker, taken=came.set),
            data_size_limit=MOST_BYTES,
            hostname="pbem",
            timeout=TIMEOUT,
            loop=loop,
        )

    if place.socket is not None:
        place.socket.unlink(missing_ok=True)
        server = await loop.create_unix_server(line, place.socket)
    else:
        server = await loop.create_server(line, place.host, place.port)
        place = replace(place, port=server.sockets[0].getsockname()[1])
    async with server, _worker(came, work, taker.talk):
        ready(place)
        await done.wait()


@contextlib.asynccontextmanager
async def _worker(came: threading.Event, work: Callable[[], None] | None, talk: Talk) -> AsyncIterator[None]:
    """Do the work beside the taking in: once after whatever came meanwhile, and to its end."""
    ending = threading.Event()

    def go_on() -> None:
        while not ending.is_set() or came.is_set():
            if not came.wait(0.2):
                continue
            came.clear()
            try:
                if work is not None:
                    work()
            except Exception as wrong:  # the mails are safe; `pbem receive` and `pbem send` do it again
                talk(f"the answers have to wait: {wrong}")

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield
    finally:
        ending.set()
        await asyncio.to_thread(thread.join)
