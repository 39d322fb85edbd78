"""Signed mails (OpenPGP), as `gpgv` finds them: what the signature covers, and nothing else of the mail."""

from __future__ import annotations

import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

GPGV: Final = "gpgv"
_SECONDS: Final = 20
_CLEAR: Final = b"-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE: Final = b"-----BEGIN PGP SIGNATURE-----"
_VALID: Final = re.compile(r"^\[GNUPG:\] VALIDSIG [0-9A-F]+ [0-9-]+ ([0-9]+)", re.MULTILINE)
_GOOD: Final = re.compile(r"^\[GNUPG:\] GOODSIG ", re.MULTILINE)
"""Said of a signature by a key that is neither revoked nor expired: else it is EXPKEYSIG or REVKEYSIG."""

_BOUNDARY: Final = re.compile(rb'multipart/signed;[^\x00]*?boundary="?([^"\s;]{1,70})"?', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Signed:
    """What a good signature covers.

    Attributes:
        data: A part of a mail with its headers (PGP/MIME), or plain text.
        is_part: It is a part of a mail with its headers.
        made: When it was signed, in seconds since 1970.
    """

    data: bytes
    is_part: bool
    made: int


def keyring(home: Path, game: str, seat: str) -> Path:
    """Return where the public keys of a seat's player lie: a file for each seat."""
    return home / "mail" / "keys" / game / f"{seat}.gpg"


def signed_part(raw: bytes, text: bytes, ring: Path) -> Signed | None:
    """Return what one of a player's keys has signed of a mail, or None.

    Args:
        raw: The mail.
        text: Its plain text, decoded, as it may hold a clear-signed text.
        ring: The keys of this player and nobody else.
    """
    if not ring.is_file():
        return None
    if pair := _detached(raw):
        return _verified(*pair, ring)
    if _CLEAR in text:
        return _verified(text[text.index(_CLEAR) :], None, ring)
    return None


def _detached(raw: bytes) -> tuple[bytes, bytes] | None:
    """Return the signed part of a PGP/MIME mail (RFC 3156) byte for byte, and its signature."""
    raw = re.sub(rb"\r?\n", b"\r\n", raw)
    head, _, body = raw.partition(b"\r\n\r\n")
    found = _BOUNDARY.search(re.sub(rb"\r\n[ \t]", b" ", head))
    if not found:
        return None
    parts = re.split(rb"(?:^|\r\n)--" + re.escape(found[1]) + rb"(?:--)?[ \t]*(?:\r\n|$)", body)
    if len(parts) != 4 or _SIGNATURE not in parts[2]:  # preamble, part, signature, epilogue
        return None
    return parts[1], parts[2][parts[2].index(_SIGNATURE) :]


def _verified(signed: bytes, signature: bytes | None, ring: Path) -> Signed | None:
    with tempfile.TemporaryDirectory(prefix="pbem-") as folder:
        given, out, detached = Path(folder) / "in", Path(folder) / "out", Path(folder) / "sig"
        given.write_bytes(signed)
        files = [str(given)]
        if signature is not None:
            detached.write_bytes(signature)
            files = [str(detached), str(given)]
        command = [GPGV, "--status-fd", "1", "--keyring", str(ring.absolute()), "--homedir", folder]
        written = [] if signature is not None else ["--output", str(out)]
        try:
            ran = subprocess.run(
                [*command, *written, "--", *files], capture_output=True, check=False, timeout=_SECONDS
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        said = ran.stdout.decode("ascii", "replace")
        valid = _VALID.findall(said)
        if ran.returncode != 0 or len(valid) != 1 or len(_GOOD.findall(said)) != 1:
            return None
        data = signed if signature is not None else out.read_bytes()
    return Signed(data, is_part=signature is not None, made=int(valid[0]))
