"""Pictures in mails: a report's SVG becomes PNG and stands in its page, where the extra `png` is installed.

Nothing of it is kept in a turn: the pictures there are SVG, and a report is complete without any. Without the
extra the page shows its tables alone.
"""

from __future__ import annotations

import hashlib
import html
import io
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pbem.text.mail.compose import Attachment
from pbem.text.mailaddress import LONGEST_LOCAL

if TYPE_CHECKING:
    from PIL import Image

WIDTH: Final = 600
"""Pixels, as wide as the page: more would make replies that quote the pictures too large to be taken in."""

INK: Final = (0x1A, 0x1A, 0x1A)
TRIES: Final[tuple[tuple[int, tuple[tuple[tuple[float, ...], int], ...]], ...]] = (
    (WIDTH, (((0.5,), 6), ((), 6), ((), 9))),
    (520, (((), 9),)),
)
"""Widths, with shades between colours and ink and effort of packing: what is small enough is kept."""

MOST: Final = 60_000
"""Bytes of a picture that is not too large."""

FONTS: Final = tuple(
    str(Path(__file__).parent / "fonts" / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
)
PLACE: Final = "<!-- picture: {} -->"
"""Where a page would have a picture; nobody's words can look so, for they are escaped."""

_COLOUR: Final = re.compile('"#([0-9a-f]{6})"')
_TITLE: Final = re.compile(r"<title[^>]*>([^<]*)</title>")


@lru_cache(maxsize=32)
def png(svg: str) -> bytes | None:
    """Return a picture as PNG, drawn with the fonts of the package alone; None without the extra.

    Readers of one turn have the same plots: these are drawn once.

    Raises:
        ValueError: It is no SVG.
    """
    try:
        from PIL import Image
        from resvg_py import svg_to_bytes
    except ImportError:
        return None
    packed = b""
    for width, ways in TRIES:
        drawn = svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True, font_files=list(FONTS))
        whole = Image.open(io.BytesIO(drawn)).convert("RGB")
        for blends, effort in ways:
            out = io.BytesIO()
            few = whole.quantize(palette=_table(svg, blends), dither=Image.Dither.NONE)
            few.save(out, "PNG", compress_level=effort)
            packed = out.getvalue()
            if len(packed) <= MOST:
                return packed
    return packed


def _table(svg: str, blends: tuple[float, ...]) -> Image.Image:
    """Return the colours that a picture names, and shades between them and ink, as Pillow wants them."""
    from PIL import Image

    named = dict.fromkeys(tuple(bytes.fromhex(one)) for one in _COLOUR.findall(svg))
    shades = (
        tuple(round(one * (1 - part) + ink * part) for one, ink in zip(colour, INK, strict=True))
        for part in blends
        for colour in named
    )
    palette = [part for colour in dict.fromkeys((*named, *shades, INK)) for part in colour][: 3 * 256]
    table = Image.new("P", (1, 1))
    table.putpalette(palette + palette[:3] * (256 - len(palette) // 3))
    return table


def illustrated(
    page: str, pictures: Mapping[str, str], message_id: str
) -> tuple[str, tuple[Attachment, ...]]:
    """Return a report's page with its pictures in their places, and the files that it shows.

    Args:
        page: The page as the turn has it.
        pictures: The SVG files of the report, by name.
        message_id: Of the mail, in its angle brackets; pictures are named after it.

    Returns:
        The page, and a PNG file for each picture in it; none where the extra is not installed.
    """
    shown: list[Attachment] = []
    for name, svg in pictures.items():
        place = PLACE.format(name)
        if place in page and (drawn := _drawn(svg)) is not None:
            kind = name.removesuffix(".svg")
            shown.append(Attachment(f"{kind}.png", "image/png", drawn, _id_of(kind, message_id.strip("<>"))))
            page = page.replace(place, _shown(svg, shown[-1].content_id), 1)
    return page, tuple(shown)


def _id_of(kind: str, message: str) -> str:
    """Return what the page calls a picture: like the mail, or by a hash of its name where that is long."""
    local, _, domain = message.rpartition("@")
    if len(f"{kind}.{local}") > LONGEST_LOCAL:
        local = hashlib.sha256(local.encode()).hexdigest()[:32]
    return f"{kind}.{local}@{domain}"


def _drawn(svg: str) -> bytes | None:
    """Return a picture as PNG, or None if it cannot be drawn: a mail does not wait for a picture."""
    try:
        return png(svg)
    except ValueError:
        return None


def _shown(svg: str, content_id: str) -> str:
    found = _TITLE.search(svg)
    title = html.escape(html.unescape(found[1])) if found else "A picture"
    told = f"{title}: the text below says the same."
    return f'<img src="cid:{content_id}" width="{WIDTH}" alt="{told}" style="max-width:100%;height:auto">'
