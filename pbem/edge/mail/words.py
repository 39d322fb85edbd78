"""What the sender of a mail wrote: its text without what is quoted, forwarded or a signature."""

from __future__ import annotations

import re
from typing import Final

from pbem.text.mail.charsets import codec_of
from pbem.text.mail.letter import Letter

_ENDS: Final = re.compile(
    r"-- ?|_{20,}|-{3,} ?(?:original|forwarded|weitergeleitet|urspr).*"
    r"|.{1,200}(?:wrote|schrieb|a écrit|kirjoitti)\s*:",
    re.IGNORECASE,
)
_HEADER: Final = re.compile(r"\*?(?:from|von|de|lähettäjä|sent|gesendet)\s*:.*", re.IGNORECASE)


def own_lines(letter: Letter) -> list[str]:
    """Return the lines that the sender of a mail wrote, up to the first that is not theirs."""
    found: list[str] = []
    for line in _text(letter).splitlines():
        if _ENDS.fullmatch(line.strip()) or (line.startswith(">") and found):
            break
        if _HEADER.fullmatch(line.strip()) and found and not found[-1].strip():
            break
        if not line.startswith(">"):
            found.append(line)
    return found


def plain_text(letter: Letter) -> bytes:
    """Return the bytes of the first plain text of a mail."""
    parts = [one for one in letter.parts if one.content_type == "text/plain" and not one.is_attached]
    return parts[0].data if parts else b""


def _text(letter: Letter) -> str:
    parts = [one for one in letter.parts if one.content_type == "text/plain" and not one.is_attached]
    if not parts:
        return ""
    return parts[0].data.decode(codec_of(parts[0].charset) or "utf-8", "replace").replace("\r\n", "\n")
