"""Where mails come in: by IMAP, from the spool of `pbem-spool`, a Maildir, an mbox file, standard input."""

from __future__ import annotations

import contextlib
import datetime
import imaplib
import mailbox
import os
import re
import ssl
import stat
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from pbem.mail.account.addresses import read_recipient
from pbem.mail.account.settings import Imap, MailSettings, add_error_cure, import_imap_tools
from pbem.mail.account.tokens import log_into_imap, with_token
from pbem.mail.arrivals.intake import KEPT_BYTES, Arrival, NotForgottenError
from pbem.store import disk as disks
from pbem.store.disk import Disk
from pbem.store.errors import WrongInput

if TYPE_CHECKING:
    from imap_tools import BaseMailBox


PROCESSED: Final = ".Processed"
"""The folder of a Maildir where mails go once they are taken in."""

SPOOL: Final = "mail/spool"
"""Where `pbem-spool` leaves mails, beside what a home keeps."""

STALE_SECONDS: Final = 36 * 3600
"""A file that somebody began to write so long ago was left by a crash."""

Talk = Callable[[str], None]

_RECIPIENT: Final = (b"x-original-to", b"delivered-to", b"envelope-to", b"x-envelope-to", b"x-delivered-to")
_WRITTEN: Final = (b"to", b"cc")
"""Where the writer of a mail says whom it is for."""

_DAEMONS: Final = ("mailer-daemon@", "postmaster@")

_FIELD: Final = re.compile(rb"([!-9;-~]+)[ \t]*:[ \t]*([^\r\n]*)")
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_BETWEEN: Final = re.compile(r'[\s<>,;:"()\[\]]+')
_MOST_WRITTEN: Final = 4 * 1024
"""So many letters of whom a mail is for are read."""

_UNIQUE: Final = re.compile(r"([0-9]{9,11})\.(?:[^.]*?M([0-9]{1,6}))?")


def from_spool(spool: Path, now: datetime.datetime, talk: Talk) -> Iterator[Arrival]:
    """Yield the mails of the spool of `pbem-spool`, the oldest first; each is removed when it is safe."""
    folder, disk = spool / "new", disks.Disk()
    _clear(disk, spool / "tmp", now)
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        data = _read(path, KEPT_BYTES + 4096, talk)
        if data is None:
            continue
        head, _, raw = data.partition(b"\n")
        try:
            moment, *words = head.decode("ascii").split(" ")
            received = _moment(int(moment) / 1e9, now)
            by, to = (bytes.fromhex(one.removeprefix("-")).decode(errors="replace") for one in words)
        except (ValueError, OverflowError, OSError):
            talk(f"{path} was not written by pbem-spool; it is left where it is.")
            continue
        yield Arrival("spool", received, by, to, raw[:KEPT_BYTES], _remover(disk, path))


def from_maildir(
    folder: Path, settings: MailSettings, now: datetime.datetime, talk: Talk
) -> Iterator[Arrival]:
    """Yield the mails of a Maildir, the oldest first; each is moved to its `.Processed` when it is safe.

    When a mail came is said by its file's name, which the delivering program made, or by the file's age.

    Raises:
        WrongInput: It is no Maildir.
    """
    if not all((folder / name).is_dir() for name in ("new", "cur", "tmp")):
        raise WrongInput(
            f"{folder} is no Maildir: it has no new, cur and tmp.", "See `maildir` in home.yaml."
        )
    paths = [path for name in ("new", "cur") for path in (folder / name).iterdir() if path.name[0] != "."]
    for moment, path in sorted((_delivery_time(path), path) for path in paths):
        raw = _read(path, KEPT_BYTES, talk)
        if raw is not None:
            forget = _mover(disks.Disk(), folder, path)
            yield Arrival("maildir", _moment(moment, now), *envelope_of(raw, settings), raw, forget)


def from_mbox(path: Path, settings: MailSettings, now: datetime.datetime) -> Iterator[Arrival]:
    """Yield the mails of an mbox file, which stays as it is; they count as received now.

    Raises:
        WrongInput: It cannot be read.
    """
    try:
        box = mailbox.mbox(path, create=False)
        with contextlib.closing(box):
            for number in box.iterkeys():
                with box.get_file(number) as file:
                    raw = file.read(KEPT_BYTES)
                yield Arrival("mbox", now, *envelope_of(raw, settings), raw)
    except mailbox.Error as wrong:
        raise WrongInput(f"{path} cannot be read as an mbox: {wrong}.") from None


def from_stdin(
    file: BinaryIO, sender: str, recipient: str, settings: MailSettings, now: datetime.datetime
) -> Iterator[Arrival]:
    """Yield the one mail of standard input; where the envelope is not given, it is as the headers say."""
    raw = file.read(KEPT_BYTES)
    told = envelope_of(raw, settings)
    yield Arrival("stdin", now, sender or told[0], recipient or told[1], raw)


def envelope_of(raw: bytes, settings: MailSettings) -> tuple[str, str]:
    """Return sender and recipient of the envelope, as the delivering server wrote them on top of a mail.

    The top-most of such headers counts. Below it anybody can have written anything, which does no harm: who
    knows a token could as well have written to it. For the same reason `To` and `Cc` are looked at where the
    server has written none of our addresses, or only the bare one: many providers do. Where no `Return-Path`
    was written, its author is taken for the sender: only an empty one says that a mail is a bounce.
    """
    senders, recipients, written, authors = [], [], [], []
    for name, value in _fields(raw):
        if name == b"return-path":
            senders.append(_address_text(value))
        elif name in _RECIPIENT:
            recipients.append(_address_text(value))
        elif name == b"from":
            authors.append(value.decode("ascii", "replace"))
        elif name in _WRITTEN:
            written.append(value.decode("ascii", "replace"))
    found = [*recipients, *_addresses(" , ".join(written)[:_MOST_WRITTEN])]
    ours = [one for one in found if read_recipient(settings, one) is not None]
    return (*senders, _from_address(authors))[0], (
        *(one for one in ours if "+" in one),
        *ours,
        *recipients,
        "",
    )[0]


def _from_address(written: list[str]) -> str:
    """Return the sender of an envelope that no server has written down; "" if it may be a bounce."""
    found = _addresses(written[0][:_MOST_WRITTEN]) if len(written) == 1 else []
    is_person = len(found) == 1 and not found[0].lower().startswith(_DAEMONS)
    return found[0] if is_person else ""


def _address_text(value: bytes) -> str:
    return value.strip(b" \t<>").decode("ascii", "replace")


def _addresses(text: str) -> list[str]:
    """Return what may be addresses in the field of a header; names in quotes are none."""
    return [one for one in _BETWEEN.split(_QUOTED.sub(" ", text)) if "@" in one]


def _fields(raw: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the fields of a mail's head, each in one line."""
    head = re.split(rb"\r?\n\r?\n", raw[: 64 * 1024], maxsplit=1)[0]
    for line in re.sub(rb"\r?\n[ \t]+", b" ", head).splitlines():
        if found := _FIELD.match(line):
            yield found[1].lower(), found[2]


def _read(path: Path, most: int, talk: Talk) -> bytes | None:
    """Return the beginning of a plain file; None if it is something else, a link for example, or has gone."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError as wrong:
        talk(f"{path} is left where it is: {wrong.strerror}.")
        return None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        talk(f"{path} is left where it is: it is no plain file.")
        return None
    try:
        with os.fdopen(handle, "rb") as file:
            return file.read(most)
    except OSError as wrong:
        talk(f"{path} is left where it is: {wrong.strerror}.")
        return None


def _moment(seconds: float, now: datetime.datetime) -> datetime.datetime:
    """Return a moment of the disk's; nothing was received later than now."""
    return min(datetime.datetime.fromtimestamp(seconds, datetime.UTC), now)


def _delivery_time(path: Path) -> float:
    """Return the moment at which a Maildir's mail was delivered, in seconds."""
    if found := _UNIQUE.match(path.name):
        return int(found[1]) + int(found[2] or 0) / 1e6
    with contextlib.suppress(OSError):
        return path.lstat().st_mtime
    return 0.0


def _remover(disk: Disk, path: Path) -> Callable[[], None]:
    def remove() -> None:
        try:
            disk.remove(path)
        except FileNotFoundError:
            pass  # somebody else took it in meanwhile
        except OSError as wrong:
            raise NotForgottenError(f"{path} cannot be removed: {wrong.strerror}") from None

    return remove


def _mover(disk: Disk, folder: Path, path: Path) -> Callable[[], None]:
    def move() -> None:
        kept = folder / PROCESSED
        try:
            if not (kept / "maildirfolder").exists():  # which is written last: who makes it may be killed
                for name in ("tmp", "new", "cur"):
                    disk.make_folder(kept / name, mode=0o700)
                _copy_owner(folder, kept)
                disk.write(kept / "maildirfolder", b"")
                _copy_owner(folder, kept)
            disk.rename(path, kept / "cur" / f"{path.name.partition(':')[0]}:2,S")
        except FileNotFoundError:
            pass  # somebody else took it in meanwhile
        except OSError as wrong:
            raise NotForgottenError(f"{path} cannot be moved to {kept}: {wrong.strerror}") from None

    return move


def _copy_owner(folder: Path, kept: Path) -> None:
    """Give what root made in a Maildir to the Maildir's owner."""
    if os.geteuid() == 0:
        owner = folder.stat()
        for path in (kept, *kept.iterdir()):
            os.chown(path, owner.st_uid, owner.st_gid)


def _clear(disk: Disk, folder: Path, now: datetime.datetime) -> None:
    """Remove what a crash left half-written, when it is old enough that nobody writes it any more."""
    before = now.timestamp() - STALE_SECONDS
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        with contextlib.suppress(FileNotFoundError):
            if path.lstat().st_mtime < before:
                disk.remove(path)


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
    imap_tools = import_imap_tools()

    login = imap.login
    try:
        box = open_mailbox(imap)
        try:
            if not box.folder.exists(imap.processed):
                box.folder.create(imap.processed)
            for uid in sorted(box.uids(), key=int):
                try:
                    arrival = _fetch_mail(box, uid, imap.processed, settings, now)
                except imaplib.IMAP4.abort:
                    raise
                except imaplib.IMAP4.error as wrong:
                    talk(f"{login.user} at {login.server}: {wrong}; it stays there.")
                    continue
                yield arrival
            box.logout()
        finally:
            close_mailbox(box)
    except (imap_tools.ImapToolsError, imaplib.IMAP4.error, OSError) as wrong:
        text = (
            f"{login.user} at {login.server}, port {login.port}: {add_error_cure(str(wrong), wrong, login)}"
        )
        raise WrongInput(f"{text}.", "What was taken in before that is safe.") from None


def check_mailbox(imap: Imap) -> None:
    """Connect to a mailbox, log in and open its folder, as for fetching; nothing is fetched.

    Raises:
        OSError: No server is reached, or its certificate is not its own.
        imaplib.IMAP4.error: The server refuses something else than the login.
        ValueError: The server refuses the login or the folder.
        WrongInput: The package imap-tools is missing, or there is no password.
    """
    imap_tools = import_imap_tools()

    try:
        box = open_mailbox(imap)
        try:
            box.logout()
        finally:
            close_mailbox(box)
    except imap_tools.ImapToolsError as wrong:
        raise ValueError(str(wrong)) from None


def open_mailbox(imap: Imap) -> BaseMailBox:
    """Return a mailbox, logged in, with its folder open.

    Raises:
        OSError: No server is reached, or its certificate is not its own.
        imaplib.IMAP4.error, imap_tools.ImapToolsError: The server refuses.
        WrongInput: The package imap-tools is missing, there is no password, or no token that it takes.
    """
    if imap.login.oauth is None:
        return _connect_mailbox(imap, None)

    return with_token(imap.login.oauth, partial(_connect_mailbox, imap))


def _connect_mailbox(imap: Imap, token: str | None) -> BaseMailBox:
    connect, login = _mailbox_class(imap), imap.login
    box = connect(login.server, login.port, timeout=TIMEOUT)
    try:
        if token is None:
            box.login(login.user, login.password(), initial_folder=imap.folder)
        else:
            log_into_imap(box.client, login, token)
            box.folder.set(imap.folder)
    except BaseException:
        close_mailbox(box)
        raise
    return box


def close_mailbox(box: BaseMailBox) -> None:
    """Close the line to a mailbox."""
    with contextlib.suppress(OSError, imaplib.IMAP4.error):
        box.client.shutdown()


def _mailbox_class(imap: Imap) -> Callable[..., BaseMailBox]:
    """Return what opens a mailbox as securely as is wanted.

    Raises:
        WrongInput: The package imap-tools is missing.
    """
    imap_tools = import_imap_tools()

    if imap.login.security == "none":
        plain: type[BaseMailBox] = imap_tools.MailBoxUnencrypted
        return plain
    kind = imap_tools.MailBox if imap.login.security == "tls" else imap_tools.MailBoxStartTls
    return partial(kind, ssl_context=ssl.create_default_context())  # without one no certificate is looked at


def _fetch_mail(
    box: BaseMailBox, uid: str, processed: str, settings: MailSettings, now: datetime.datetime
) -> Arrival:
    code, parts = box.client.uid("FETCH", uid, f"(INTERNALDATE BODY.PEEK[]<0.{KEPT_BYTES}>)")
    found = [part for part in parts if isinstance(part, tuple)]
    if code != "OK" or not found:
        raise imaplib.IMAP4.error(f"mail {uid} cannot be fetched")
    told = b" ".join(part if isinstance(part, bytes) else part[0] for part in parts)
    raw = bytes(found[0][1])

    def move() -> None:
        imap_tools = import_imap_tools()
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
