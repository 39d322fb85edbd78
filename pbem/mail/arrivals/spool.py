"""`pbem-spool`: the tiny program that a mail server pipes a mail to. It keeps the mail, durably, and ends.

It answers 0 when the mail is safe, and 75 ("try again later") on any doubt, so that the server keeps it. It
imports nothing that it could do without: it starts for every mail.
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MOST_BYTES = 1024 * 1024
TRY_AGAIN = 75
USAGE = "usage: pbem-spool [--home DIR] SENDER RECIPIENT < mail"


def main() -> int:
    """Take a mail from standard input into the spool of a home, and return the exit code."""
    try:
        home, sender, recipient = _arguments(sys.argv[1:])
        keep(home, sender, recipient, sys.stdin.buffer.read, time.time_ns())
    except BaseException as wrong:  # whatever it is, the mail is not safe
        os.write(2, f"pbem-spool: {wrong}\n".encode(errors="replace"))
        return TRY_AGAIN
    return 0


def keep(home: str, sender: str, recipient: str, read: Callable[[int], bytes], now: int) -> None:
    """Write a mail into the spool: first beside it, then, when it is durable, by a rename.

    The file's first line says when it came, in nanoseconds, and its envelope in hexadecimal; the mail follows
    as it came, cut one byte behind the most that is ever read.

    Args:
        home: The home, which must be there.
        sender: The sender of the envelope.
        recipient: Its recipient.
        read: Reads so many bytes.
        now: The moment.
    """
    if not os.path.isdir(f"{home}/games"):
        raise ValueError(f"{home} is no pbem home")
    if os.path.exists(f"{home}/closed.json"):
        raise ValueError(f"{home} was closed; let mail go where the home is now")
    spool = f"{home}/mail/spool"
    for folder in (f"{home}/mail", spool, f"{spool}/tmp", f"{spool}/new"):
        try:
            os.mkdir(folder, 0o700)
            _sync(os.path.dirname(folder))
        except FileExistsError:
            pass
    name = f"{now:020d}.{os.getpid()}.{os.urandom(6).hex()}"
    head = f"{now} {_hex(sender)} {_hex(recipient)}\n".encode()
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    handle = os.open(f"{spool}/tmp/{name}", flags, 0o600)
    with open(handle, "wb") as file:
        file.write(head)
        file.write(read(MOST_BYTES + 1))
        file.flush()
        os.fsync(handle)
    while read(1 << 16):
        pass
    os.rename(f"{spool}/tmp/{name}", f"{spool}/new/{name}")
    _sync(f"{spool}/new")


def _arguments(words: list[str]) -> tuple[str, str, str]:
    home = os.environ.get("PBEM_HOME", "")
    if words[:1] == ["--home"] and len(words) > 1:
        home, words = words[1], words[2:]
    if not home or len(words) != 2:
        raise ValueError(USAGE)
    return home, words[0], words[1]


def _hex(text: str) -> str:
    return os.fsencode(text).hex() or "-"


def _sync(folder: str) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


if __name__ == "__main__":
    sys.exit(main())
