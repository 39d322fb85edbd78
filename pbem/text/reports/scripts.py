"""The scripts and colours of a form page, and how a page packs its data."""

from __future__ import annotations

import base64
import colorsys
import hashlib
import re
import zlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from jinja2 import Environment, TemplateNotFound, TemplateRuntimeError

PLANNED: Final = ("domains", "ready", "position", "tree")
"""The parts for lines for later, each a row of the bundle; pages without ready lines leave them out.

The last two are also left out where the game's own script lists no moves of a position.
"""

LOADER: Final = "load"
"""What unpacks a page: the last rows of the bundle, short ones, as they stand in the page and its mail."""

BUNDLE: Final = "form.min.js"
"""What is made of scripts: a line that names the sources, and a line for each script."""

SEAL: Final = "common/form/seal.js"
"""What makes luck words and their seal; few pages have it, so that it is in no bundle."""

_MOVES: Final = re.compile(r"\breturn \{[^}]*\bmoves\b")
_IMPORT: Final = re.compile(r'^import (\{[^}]*\}) from "[^"]*/kit\.js";$', re.MULTILINE)
_OTHER: Final = re.compile(r"^import\b.*", re.MULTILINE)
_DEFAULT: Final = re.compile(r"^export default ", re.MULTILINE)
_TYPES: Final = re.compile(r"^ */\*\*(?:(?!\*/).)*\*/\n", re.MULTILINE | re.DOTALL)
"""Comments with types (JSDoc) that fill whole lines; those within a line stand before an expression."""


def script_of(
    environment: Environment, rules: str, *, is_planned: bool = True, is_sealed: bool = False
) -> str:
    """Return the script of the form pages of some rules.

    Args:
        environment: Where the scripts are found.
        rules: The name of the rules.
        is_planned: The page has lines that the rules have ready.
        is_sealed: The page asks for a seal of luck words.
    """
    shared, domains, ready, position, tree, *_ = _bundled(environment)
    own = _own(environment, f"{rules}/form.js")
    planned = [domains, ready, *([position, tree] if _MOVES.search(own) else ())] if is_planned else []
    game = [_short(environment, rules, own)] if own else []
    seal = [lean(beside(source(environment, SEAL)))] if is_sealed else []
    return "\n".join([shared, *game, *planned, *seal, "pbem.start();"])


def loader_of(environment: Environment) -> str:
    """Return the script that unpacks a page."""
    return "\n".join(_bundled(environment)[1 + len(PLANNED) :])


def _bundled(environment: Environment) -> list[str]:
    """Return the rows of the bundle: what all pages share, the parts for lines for later, and the loader."""
    return source(environment, f"common/form/{BUNDLE}").splitlines()[1:]


def source(environment: Environment, name: str) -> str:
    """Return a file beside the templates as it stands there."""
    assert environment.loader is not None, "report templates are always loaded from somewhere"
    return environment.loader.get_source(environment, name)[0]


def lean(script: str) -> str:
    """Return a script of ours without indentation and comments; none of its texts has several lines."""
    lines = (line.strip() for line in _TYPES.sub("", script).splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def beside(module: str) -> str:
    """Return a module that imports from the kit alone as a script beside the bundle, where `pbem` is the kit.

    What it exports as its default, the game's own functions, is left in `pbem.rules`.

    Raises:
        TemplateRuntimeError: It imports something else, which no page has.
    """
    bound = _IMPORT.sub(r"const \1 = pbem;", module)
    if other := _OTHER.search(bound):
        raise TemplateRuntimeError(
            f'form.js has "{other[0]}": it imports {{names}} from kit.js, and nothing else'
        )
    return f"(() => {{\n{_DEFAULT.sub('pbem.rules = ', bound)}}})();\n"


def head(scripts: tuple[str, ...]) -> str:
    """Return the first line of a bundle, which tells what it was made from."""
    return f"// Made by `make scripts` from {hashlib.sha256(chr(0).join(scripts).encode()).hexdigest()}"


def _short(environment: Environment, rules: str, own: str) -> str:
    """Return a game's own script as it was made short; as written where that was made from another."""
    first, *rest = _own(environment, f"{rules}/{BUNDLE}").splitlines() or [""]
    return rest[0] if first == head((own,)) else lean(beside(own))


def _own(environment: Environment, name: str) -> str:
    """Return a file that some rules have; "" if they do not."""
    try:
        return source(environment, name)
    except TemplateNotFound:
        return ""


SEPARATOR: Final = "\0"
"""What stands between packed texts; none of them holds it."""

_LEVEL: Final = 9
_MEMORY: Final = 7
"""Of zlib, 1 to 9: shorter blocks fit scripts, pictures and data better than those of 8, as usual."""

_WIDTH: Final = 800
"""So many signs in a row: a mail may have 998 (RFC 5322, 2.1.1)."""


def packed(common: tuple[str, ...], own: tuple[str, ...]) -> str:
    """Return texts packed, in rows of base64.

    Args:
        common: Texts that many pages share; they are packed once in a process.
        own: Texts of this page alone, which come behind them.
    """
    begun, packer = _begun(common)
    packer = packer.copy()
    data = begun + packer.compress(SEPARATOR.join(own).encode()) + packer.flush()
    signs = base64.b64encode(data).decode()
    return "\n".join(signs[n : n + _WIDTH] for n in range(0, len(signs), _WIDTH))


@lru_cache(maxsize=16)
def _begun(common: tuple[str, ...]) -> tuple[bytes, Any]:
    """Return what many pages begin with, and the packer behind it."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, zlib.MAX_WBITS, _MEMORY)
    text = "".join(f"{one}{SEPARATOR}" for one in common)
    return packer.compress(text.encode()) + packer.flush(zlib.Z_SYNC_FLUSH), packer


INK: Final = "#ececec"
"""What is written on a dark board, but for what names its own ink."""

READABLE: Final = 4.5
"""The least contrast of text with what is behind it (WCAG 2.2, 1.4.3)."""

_PAINTED: Final = re.compile(r'\b(fill|stroke)="?(#(?:[0-9a-f]{3}){1,2})(?=["\s/>])')
_GREYISH: Final = 30
"""So far apart may the parts of a colour be, of 255, that is paper and no tint."""


def dark_style(board: str, place: str = "#board") -> str:
    """Return the style that shows a board in dark colours where its reader likes screens dark.

    Paper and tints become dark, ink and lines light; hues stay. White lines stay white, and colours in
    capitals, those of pieces and of what is written on them, stay as they are.

    Args:
        board: The picture, an SVG whose colours stand as `fill` and `stroke`, `#` and 3 or 6 digits.
        place: What it stands in on its page, as a selector of CSS.
    """
    rules = sorted(_rules(board))
    if not rules:
        return ""
    return f"@media screen and (prefers-color-scheme:dark){{{place} svg{{fill:{INK}}}{''.join(rules)}}}"


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
