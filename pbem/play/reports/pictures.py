"""Pictures in mails: a report's SVG becomes PNG and stands in its page, where the extra `png` is installed.

Nothing of it is kept in a turn: the pictures there are SVG, and a report is complete without any. Without the
extra the page shows its tables alone.
"""

from __future__ import annotations

import hashlib
import html
import importlib.util
import io
import re
import zlib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pbem.text.mail.compose import Attachment
from pbem.text.names import LONGEST_LOCAL

if TYPE_CHECKING:
    from PIL import Image

WIDTH: Final = 450
"""Pixels, as many as our pictures have units: a line of one is sharp then, and packs best."""

INK: Final = (0x1A, 0x1A, 0x1A)
GREY: Final = (0x8A, 0x89, 0x84)
"""Half way from ink to paper: the edges of letters, which would else have the nearest hue of the board."""

EFFORT: Final = 9
"""Of packing, as zlib counts it: a few milliseconds more, and a tenth less to mail."""

HALF_BYTES: Final = 16
"""So many colours would share bytes, two pixels in each: that packs worse, and is avoided."""

FONTS: Final = tuple(
    str(Path(__file__).parents[1] / "fonts" / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
)
PLACE: Final = "<!-- picture: {} -->"
"""Where a page would have a picture; nobody's words can look so, for they are escaped."""

_COLOUR: Final = re.compile('"#([0-9A-Fa-f]{6})"')
_TITLE: Final = re.compile(r"<title[^>]*>([^<]*)</title>")


@lru_cache(maxsize=32)
def png(svg: str, width: int = WIDTH) -> bytes | None:
    """Return a picture as PNG, drawn with the fonts of the package alone; None without the extra.

    Readers of one turn have the same plots: these are drawn once.

    Args:
        svg: The picture as SVG.
        width: How wide it is drawn, in pixels.

    Raises:
        ValueError: It is no SVG.
    """
    try:
        from PIL import Image
        from resvg_py import svg_to_bytes
    except ImportError:
        return None
    drawn = svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True, font_files=list(FONTS))
    few = _in_few_colours(Image.open(io.BytesIO(drawn)).convert("RGB"), svg)
    out = io.BytesIO()
    few.save(out, "PNG", compress_level=EFFORT, compress_type=zlib.Z_FILTERED)
    return out.getvalue()


def _in_few_colours(whole: Image.Image, svg: str) -> Image.Image:
    """Return a picture in the colours that its SVG names and in GREY; only those are kept that it shows."""
    from PIL import Image

    named = dict.fromkeys((*(tuple(bytes.fromhex(one)) for one in _COLOUR.findall(svg)), INK, GREY))
    palette = [part for colour in named for part in colour][: 3 * 256]
    table = Image.new("P", (1, 1))
    table.putpalette(palette + palette[:3] * (256 - len(palette) // 3))
    few = whole.quantize(palette=table, dither=Image.Dither.NONE)
    shades = few.histogram()
    used = sorted(range(256), key=lambda shade: shades[shade] == 0)
    return few.remap_palette(used[: max(HALF_BYTES + 1, sum(count > 0 for count in shades))])


def can_draw() -> bool:
    """Tell whether the extra `png` is installed."""
    return all(importlib.util.find_spec(name) is not None for name in ("PIL", "resvg_py"))


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
            page = page.replace(place, _shown(svg, shown[-1]), 1)
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


def _shown(svg: str, drawn: Attachment) -> str:
    """Return the picture in the page: as wide as it is drawn, but never wider than the screen."""
    found = _TITLE.search(svg)
    title = html.escape(html.unescape(found[1])) if found else "A picture"
    told = f"{title}: the text below says the same."
    width = int.from_bytes(drawn.data[16:20])
    look = "max-width:100%;height:auto"
    return f'<img src="cid:{drawn.content_id}" width="{width}" alt="{told}" style="{look}">'
