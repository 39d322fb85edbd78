"""Mail that comes in by IMAP: fetched, made safe, and then moved to another folder of the mailbox."""

from __future__ import annotations

import contextlib
import datetime
import imaplib
import re
import ssl
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from pbem.mail.account.securing import with_cure
from pbem.mail.account.settings import Imap, MailSettings
from pbem.mail.arrivals.intake import KEPT_BYTES, Arrival, NotForgottenError
from pbem.mail.arrivals.sources import envelope_of
from pbem.store.errors import WrongInput

if TYPE_CHECKING:
    from imap_tools import BaseMailBox

TIMEOUT: Final = 60.0
"""Seconds."""


def from_imap(
    imap: Imap, settings: MailSettings, now: datetime.datetime, talk: Callable[[str], None]
) -> Iterator[Arrival]:
    """Yield the mails of a mailbox in the order in which the server numbered them.

    A mail counts as received when the server had it (INTERNALDATE); of a big one only the beginning is
    fetched.

    Args:
        imap: The mailbox.
        settings: Whose addresses are ours.
        now: The moment; nothing was received later.
        talk: Told of a mail that the server does not give; the others are fetched.

    Raises:
        WrongInput: The package imap-tools is missing, or the server refuses.
    """
    need_package()
    import imap_tools

    login = imap.login
    try:
        box = opened(imap)
        try:
            if not box.folder.exists(imap.processed):
                box.folder.create(imap.processed)
            for uid in sorted(box.uids(), key=int):
                try:
                    arrival = _fetched(box, uid, imap.processed, settings, now)
                except imaplib.IMAP4.abort:
                    raise
                except imaplib.IMAP4.error as wrong:
                    talk(f"{login.user} at {login.server}: {wrong}; it stays there.")
                    continue
                yield arrival
            box.logout()
        finally:
            shut(box)
    except (imap_tools.ImapToolsError, imaplib.IMAP4.error, OSError) as wrong:
        text = f"{login.user} at {login.server}, port {login.port}: {with_cure(str(wrong), wrong, login)}"
        raise WrongInput(f"{text}.", "What was taken in before that is safe.") from None


def look_in(imap: Imap) -> None:
    """Connect to a mailbox, log in and open its folder, as for fetching; nothing is fetched.

    Raises:
        OSError: No server is reached, or its certificate is not its own.
        imaplib.IMAP4.error: The server refuses something else than the login.
        ValueError: The server refuses the login or the folder.
        WrongInput: The package imap-tools is missing, or there is no password.
    """
    need_package()
    import imap_tools

    try:
        box = opened(imap)
        try:
            box.logout()
        finally:
            shut(box)
    except imap_tools.ImapToolsError as wrong:
        raise ValueError(str(wrong)) from None


def opened(imap: Imap) -> BaseMailBox:
    """Return a mailbox, logged in, with its folder open.

    Raises:
        OSError: No server is reached, or its certificate is not its own.
        imaplib.IMAP4.error, imap_tools.ImapToolsError: The server refuses.
        WrongInput: The package imap-tools is missing, there is no password, or no token that it takes.
    """
    if imap.login.oauth is None:
        return _opened(imap, None)
    from pbem.mail.account.tokens import with_token

    return with_token(imap.login.oauth, partial(_opened, imap))


def _opened(imap: Imap, token: str | None) -> BaseMailBox:
    connect, login = _kind_of_box(imap), imap.login
    box = connect(login.server, login.port, timeout=TIMEOUT)
    try:
        if token is None:
            box.login(login.user, login.password(), initial_folder=imap.folder)
        else:
            from pbem.mail.account.sasl import log_into_imap

            log_into_imap(box.client, login, token)
            box.folder.set(imap.folder)
    except BaseException:
        shut(box)
        raise
    return box


def shut(box: BaseMailBox) -> None:
    """Close the line to a mailbox."""
    with contextlib.suppress(OSError, imaplib.IMAP4.error):
        box.client.shutdown()


def _kind_of_box(imap: Imap) -> Callable[..., BaseMailBox]:
    """Return what opens a mailbox as securely as is wanted.

    Raises:
        WrongInput: The package imap-tools is missing.
    """
    need_package()
    import imap_tools

    if imap.login.security == "none":
        return imap_tools.MailBoxUnencrypted
    kind = imap_tools.MailBox if imap.login.security == "tls" else imap_tools.MailBoxStartTls
    return partial(kind, ssl_context=ssl.create_default_context())  # without one no certificate is looked at


def need_package() -> None:
    """See that the package is there that speaks IMAP.

    Raises:
        WrongInput: It is not.
    """
    try:
        import imap_tools  # noqa: F401 - looked for before anything is done
    except ImportError:
        raise WrongInput("IMAP needs the package imap-tools.", command="pip install 'pbem[imap]'") from None


def _fetched(
    box: BaseMailBox, uid: str, processed: str, settings: MailSettings, now: datetime.datetime
) -> Arrival:
    code, parts = box.client.uid("FETCH", uid, f"(INTERNALDATE BODY.PEEK[]<0.{KEPT_BYTES}>)")
    found = [part for part in parts if isinstance(part, tuple)]
    if code != "OK" or not found:
        raise imaplib.IMAP4.error(f"mail {uid} cannot be fetched")
    told = b" ".join(part if isinstance(part, bytes) else part[0] for part in parts)
    raw = bytes(found[0][1])

    def move() -> None:
        import imap_tools

        try:
            box.move(uid, processed)
        except (imap_tools.ImapToolsError, imaplib.IMAP4.error, OSError) as wrong:
            raise NotForgottenError(f"mail {uid} cannot be moved to {processed}: {wrong}") from None

    return Arrival("imap", min(_internal_date(told) or now, now), *envelope_of(raw, settings), raw, move)


def _internal_date(told: bytes) -> datetime.datetime | None:
    """Return the moment at which the server had a mail, if it says so."""
    date = re.search(rb'INTERNALDATE "[^"]*"', told)
    try:
        local = imaplib.Internaldate2tuple(date[0]) if date else None
        return datetime.datetime.fromtimestamp(time.mktime(local), datetime.UTC) if local else None
    except (ValueError, OverflowError):
        return None
