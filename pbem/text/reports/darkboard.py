"""The colours of a board on a dark screen: a style for one picture, made from its own colours."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

INK: Final = "#ececec"
"""What is written on a dark board, but for what names its own ink."""

READABLE: Final = 4.5
"""The least contrast of text with what is behind it (WCAG 2.2, 1.4.3)."""

_PAINTED: Final = re.compile(r'\b(fill|stroke)="(#(?:[0-9a-f]{3}){1,2})"')
_GREYISH: Final = 30
"""So far apart may the parts of a colour be, of 255, that is paper and no tint."""


def dark_style(board: str) -> str:
    """Return the style that shows a board in dark colours where its reader likes screens dark.

    Paper and tints become dark, ink and lines light; hues stay. White lines stay white, and colours in
    capitals, those of pieces and of what is written on them, stay as they are.

    Args:
        board: The picture, an SVG whose colours stand as `fill` and `stroke`, `#` and 3 or 6 digits.
    """
    rules = sorted(_rules(board))
    if not rules:
        return ""
    return f"@media(prefers-color-scheme:dark){{#board svg{{fill:{INK}}}{''.join(rules)}}}"


def _rules(board: str) -> Iterator[str]:
    for name, colour in set(_PAINTED.findall(board)):
        if (name, _whole(colour)) != ("stroke", "#ffffff"):
            yield f'[{name}="{colour}"]{{{name}:{_on_dark(_whole(colour))}}}'


@lru_cache(maxsize=256)
def _on_dark(colour: str) -> str:
    """Return what stands for a colour on a dark screen; the boards of a turn share theirs."""
    return _darker(colour) if _luminance(colour) > 0.3 else _lighter(colour)


def _darker(colour: str) -> str:
    """Return the dark ground in place of a light one: what is lighter than other paper stays so."""
    hue, light, strong = colorsys.rgb_to_hls(*_parts(colour))
    if max(_parts(colour)) - min(_parts(colour)) <= _GREYISH / 255:
        return _hex(
            *colorsys.hls_to_rgb(hue, 0.06 + 0.15 * max(0, (light - 0.6) / 0.4) ** 3, min(strong, 0.12))
        )
    light, strong = 0.34, strong * 0.75
    while contrast(_hex(*colorsys.hls_to_rgb(hue, light, strong)), INK) < READABLE * 1.4:
        light -= 0.01
    return _hex(*colorsys.hls_to_rgb(hue, light, strong))


def _lighter(colour: str) -> str:
    """Return the light ink or line in place of a dark one, of the same hue."""
    hue, light, strong = colorsys.rgb_to_hls(*_parts(colour))
    return _hex(*colorsys.hls_to_rgb(hue, max(0.8, 0.93 - light), strong * 0.8))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2.2, contrast ratio)."""
    low, high = sorted((_luminance(_whole(one)), _luminance(_whole(other))))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in _parts(colour)]
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def _whole(colour: str) -> str:
    return colour if len(colour) > 4 else "#" + "".join(2 * sign for sign in colour[1:])


def _parts(colour: str) -> tuple[float, float, float]:
    red, green, blue = bytes.fromhex(colour[1:])
    return red / 255, green / 255, blue / 255


def _hex(*parts: float) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)
