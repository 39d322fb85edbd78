"""Bytes of a mail to text: the charsets that are believed, and what is done about the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_SAME: Final = (
    "utf-8", "koi8-r", "koi8-u", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6",
    "iso-8859-7", "iso-8859-8", "iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16",
    "windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255",
    "windows-1256", "windows-1257", "windows-1258", "cp437", "cp850", "cp866", "macintosh",
    "gb2312", "gbk", "gb18030", "big5", "shift_jis", "euc-jp", "euc-kr", "iso-2022-jp",
)  # fmt: skip

CODECS: Final[Mapping[str, str]] = {
    **{name: name for name in _SAME},
    "utf8": "utf-8",
    "us-ascii": "utf-8",
    "ascii": "utf-8",
    "ansi_x3.4-1968": "utf-8",
    # What says Latin-1 is written by programs of Windows, and so everybody reads it.
    "iso-8859-1": "windows-1252",
    "latin1": "windows-1252",
    "latin-1": "windows-1252",
    "iso-8859-9": "windows-1254",
    "tis-620": "cp874",
    "windows-874": "cp874",
    "iso-8859-8-i": "iso-8859-8",
    "cp1251": "windows-1251",
    "cp1252": "windows-1252",
    "x-sjis": "shift_jis",
    "ks_c_5601-1987": "cp949",
}
"""The charsets that are read, and with which codec of Python. What is not here has another meaning for the
same bytes than programs show, such as UTF-7, or is no charset of texts at all."""


def codec_of(charset: str) -> str | None:
    """Return the codec for a charset that a mail names, or None if it is not read."""
    return CODECS.get(charset.strip().strip("\"'").casefold())
