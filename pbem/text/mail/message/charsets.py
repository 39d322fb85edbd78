"""Bytes of a mail to text: the charsets that are believed, and what is done about the others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from pbem.text.mail.message.limits import Refused

_SAME: Final = (
    "utf-8", "koi8-r", "koi8-u", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6",
    "iso-8859-7", "iso-8859-8", "iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16",
    "windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255",
    "windows-1256", "windows-1257", "windows-1258", "cp437", "cp850", "cp866", "macintosh",
    "gb18030", "big5", "euc-jp", "iso-2022-jp",
)  # fmt: skip

CODECS: Final[Mapping[str, str]] = {
    **{name: name for name in _SAME},
    "us-ascii": "utf-8",
    "ascii": "utf-8",
    "ansi_x3.4-1968": "utf-8",
    # What says Latin-1 is written by programs of Windows, and so everybody reads it.
    "iso-8859-1": "windows-1252",
    "latin1": "windows-1252",
    "iso-8859-9": "windows-1254",
    "tis-620": "cp874",
    "windows-874": "cp874",
    "iso-8859-8-i": "iso-8859-8",
    **{f"cp{number}": f"windows-{number}" for number in range(1250, 1259)},
    "ibm437": "cp437",
    "ibm850": "cp850",
    "ibm866": "cp866",
    # What says that it is one of these holds letters of Windows too, which the charset itself has not.
    "shift_jis": "cp932",
    "x-sjis": "cp932",
    "ms_kanji": "cp932",
    "windows-31j": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
}
"""The charsets that are read, and with which codec of Python. What is not here has another meaning for the
same bytes than programs show, such as UTF-7, or is no charset of texts at all."""

_SIGNS: Final = re.compile(r"[^a-z0-9]")

_REFUSED: Final = frozenset(["utf7", "unicode11utf7", "xunicode20utf7", "utf7imap", "hzgb2312", "hz"])
"""As `_bare` names them."""

_BYTE_ORDER: Final[Mapping[bytes, str]] = {
    b"\xef\xbb\xbf": "utf-8",
    b"\xff\xfe": "utf-16-le",
    b"\xfe\xff": "utf-16-be",
}


def codec_of(charset: str) -> str | None:
    """Return the codec for a charset that a mail names, or None if it is not read."""
    return _BY_NAME.get(_bare(charset))


def _bare(charset: str) -> str:
    """Return a name of a charset without what programs write as they like: capitals, hyphens and the like.

    Source: Unicode Technical Standard 22, 1.4 (charset alias matching).
    """
    return _SIGNS.sub("", charset.casefold())


_BY_NAME: Final[Mapping[str, str]] = {_bare(name): codec for name, codec in CODECS.items()}


def decoded(data: bytes, charset: str) -> tuple[str, str] | Refused:
    """Return the text of a part, and what was odd about its charset, or "".

    Args:
        data: The part.
        charset: The charset it names, or "".
    """
    name = charset.strip().strip("\"'").casefold()
    if _bare(name) in _REFUSED:
        return Refused(
            "charset", f"Your mail program wrote it in the charset {name}, which can hide text. Use UTF-8."
        )
    for start, codec in _BYTE_ORDER.items():
        if data.startswith(start) and (not name or name.startswith("utf")):
            return data[len(start) :].decode(codec, "replace"), ""
    known = codec_of(name) if name else "utf-8"
    try:
        note = "" if known else f"The charset {name!r} is not known; it was read as UTF-8."
        return data.decode(known or "utf-8"), note
    except UnicodeDecodeError:
        if known not in (None, "utf-8") or _bare(name) == "utf8":
            text = data.decode(known or "utf-8", "replace")
            return text, f"Some characters are not in the charset {name!r}; they are shown as \ufffd."
    named = f"The charset {name!r} does not fit its text" if name else "It names no charset"
    return data.decode("windows-1252", "replace"), f"{named}; it was read as Windows-1252."
