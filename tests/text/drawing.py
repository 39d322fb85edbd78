"""Where the words of a picture stand: its texts with their boxes, as resvg and browsers lay them out."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

from pbem.play.reports.formpages import FONTS

if TYPE_CHECKING:
    from PIL import ImageFont

SVG: Final = "{http://www.w3.org/2000/svg}"
INHERITED: Final = ("font-size", "font-weight", "text-anchor", "fill")
SKIPPED: Final = ("title", "desc", "defs", "pattern")

Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class Word:
    """A text as it stands in a picture, in units of its viewBox.

    Attributes:
        text: What it says.
        size: The height of its letters, as `font-size` says and as transforms change it.
        box: Its left, upper, right and lower edge, from the top of a capital to its baseline.
    """

    text: str
    size: float
    box: tuple[float, float, float, float]

    def covers(self, other: Word, slack: float = 1.0) -> bool:
        """Tell whether another text stands upon this one by more than some slack."""
        left, top, right, low = self.box
        x, y, far, deep = other.box
        return left + slack < far and x + slack < right and top + slack < deep and y + slack < low


@cache
def _font(bold: bool) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(FONTS[1 if bold else 0], 100)


@cache
def width_of(text: str, size: float, bold: bool) -> float:
    """Return how wide a text is in the fonts of the package, in units of its size."""
    return float(_font(bold).getlength(text)) * size / 100


def words_of(picture: ET.Element) -> Iterator[Word]:
    """Yield every text of a picture with its box; what is drawn once and used is yielded for each use."""
    named = {found.get("id"): found for found in picture.iter() if found.get("id")}
    yield from _below(picture, named, {}, (1, 0, 0, 1, 0, 0))


def _below(
    found: ET.Element, named: dict[str | None, ET.Element], outer: dict[str, str], matrix: Matrix
) -> Iterator[Word]:
    looks = outer | {name: value for name in INHERITED if (value := found.get(name)) is not None}
    matrix = _moved(matrix, found.get("transform") or "")
    tag = found.tag.removeprefix(SVG)
    if tag == "use":
        matrix = _times(matrix, (1, 0, 0, 1, float(found.get("x") or 0), float(found.get("y") or 0)))
        yield from _below(named[(found.get("href") or "")[1:]], named, looks, matrix)
    elif tag == "text":
        yield _word(found, looks, matrix)
    elif tag not in SKIPPED:
        for child in found:
            yield from _below(child, named, looks, matrix)


def _word(found: ET.Element, looks: dict[str, str], matrix: Matrix) -> Word:
    text = "".join(found.itertext())
    size = float(looks["font-size"])
    drawn = width_of(text, size, looks.get("font-weight") == "bold")
    wide = float(found.get("textLength") or drawn)
    x, y = float(found.get("x") or 0), float(found.get("y") or 0)
    x -= {"middle": wide / 2, "end": wide}.get(looks.get("text-anchor", ""), 0)
    corners = [_at(matrix, left, top) for left in (x, x + wide) for top in (y - size * 0.73, y)]
    across, down = zip(*corners, strict=True)
    return Word(text, size * math.hypot(*matrix[2:4]), (min(across), min(down), max(across), max(down)))


def _moved(matrix: Matrix, transform: str) -> Matrix:
    for name, inside in re.findall(r"(\w+)\(([^)]*)\)", transform):
        numbers = [float(one) for one in re.split("[ ,]+", inside.strip())]
        if name == "translate":
            step: Matrix = (1, 0, 0, 1, numbers[0], (*numbers, 0)[1])
        elif name == "scale":
            step = (numbers[0], 0, 0, numbers[-1], 0, 0)
        else:
            assert name == "rotate", f"no test knows the transform {name}"
            turn = math.radians(numbers[0])
            step = (math.cos(turn), math.sin(turn), -math.sin(turn), math.cos(turn), 0, 0)
        matrix = _times(matrix, step)
    return matrix


def _times(one: Matrix, two: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = two
    return (
        a * g + c * h,
        b * g + d * h,
        a * i + c * j,
        b * i + d * j,
        a * k + c * m + e,
        b * k + d * m + f,
    )


def _at(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f
