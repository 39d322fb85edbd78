"""The order form as a page: one file that fills in orders by clicking; its scripts, colours, packed data."""

from __future__ import annotations

import base64
import colorsys
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, TemplateNotFound, TemplateRuntimeError
from markupsafe import Markup

from pbem.core.book import START
from pbem.core.foresight import Domain
from pbem.core.interface import Json
from pbem.core.wording import PLAIN, Wording
from pbem.text.reports.facts import texts_in
from pbem.text.reports.report import Report, page_environment

if TYPE_CHECKING:
    from jinja2 import Environment


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
    shared, domains, ready, position, tree, *_ = _bundle_rows(environment)
    own = _rules_file(environment, f"{rules}/form.js")
    planned = [domains, ready, *([position, tree] if _MOVES.search(own) else ())] if is_planned else []
    game = [_game_script(environment, rules, own)] if own else []
    seal = [minify_script(wrap_module(read_source(environment, SEAL)))] if is_sealed else []
    return "\n".join([shared, *game, *planned, *seal, "pbem.start();"])


def loader_of(environment: Environment) -> str:
    """Return the script that unpacks a page."""
    return "\n".join(_bundle_rows(environment)[1 + len(PLANNED) :])


def _bundle_rows(environment: Environment) -> list[str]:
    """Return the rows of the bundle: what all pages share, the parts for lines for later, and the loader."""
    return read_source(environment, f"common/form/{BUNDLE}").splitlines()[1:]


def read_source(environment: Environment, name: str) -> str:
    """Return a file beside the templates as it stands there."""
    assert environment.loader is not None, "report templates are always loaded from somewhere"
    return environment.loader.get_source(environment, name)[0]


def minify_script(script: str) -> str:
    """Return a script of ours without indentation and comments; none of its texts has several lines."""
    lines = (line.strip() for line in _TYPES.sub("", script).splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def wrap_module(module: str) -> str:
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


def _game_script(environment: Environment, rules: str, own: str) -> str:
    """Return a game's own script as it was made short; as written where that was made from another."""
    first, *rest = _rules_file(environment, f"{rules}/{BUNDLE}").splitlines() or [""]
    return rest[0] if first == head((own,)) else minify_script(wrap_module(own))


def _rules_file(environment: Environment, name: str) -> str:
    """Return a file that some rules have; "" if they do not."""
    try:
        return read_source(environment, name)
    except TemplateNotFound:
        return ""


SEPARATOR: Final = "\0"
"""What stands between packed texts; none of them holds it."""

_LEVEL: Final = 9
_MEMORY: Final = 7
"""Of zlib, 1 to 9: shorter blocks fit scripts, pictures and data better than those of 8, as usual."""

_WIDTH: Final = 800
"""So many signs in a row: a mail may have 998 (RFC 5322, 2.1.1)."""


def pack_texts(common: tuple[str, ...], own: tuple[str, ...]) -> str:
    """Return texts packed, in rows of base64.

    Args:
        common: Texts that many pages share; they are packed once in a process.
        own: Texts of this page alone, which come behind them.
    """
    begun, packer = _packed_start(common)
    packer = packer.copy()
    data = begun + packer.compress(SEPARATOR.join(own).encode()) + packer.flush()
    signs = base64.b64encode(data).decode()
    return "\n".join(signs[n : n + _WIDTH] for n in range(0, len(signs), _WIDTH))


@lru_cache(maxsize=16)
def _packed_start(common: tuple[str, ...]) -> tuple[bytes, Any]:
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
    rules = sorted(_dark_css_rules(board))
    if not rules:
        return ""
    return f"@media screen and (prefers-color-scheme:dark){{{place} svg{{fill:{INK}}}{''.join(rules)}}}"


def _dark_css_rules(board: str) -> Iterator[str]:
    for name, colour in set(_PAINTED.findall(board)):
        if (name, _long_hex(colour)) != ("stroke", "#ffffff"):
            yield f'[{name}="{colour}"]{{{name}:{_dark_colour(_long_hex(colour))}}}'


@lru_cache(maxsize=256)
def _dark_colour(colour: str) -> str:
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
    low, high = sorted((_luminance(_long_hex(one)), _luminance(_long_hex(other))))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in _parts(colour)]
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def _long_hex(colour: str) -> str:
    return colour if len(colour) > 4 else "#" + "".join(2 * sign for sign in colour[1:])


def _parts(colour: str) -> tuple[float, float, float]:
    red, green, blue = bytes.fromhex(colour[1:])
    return red / 255, green / 255, blue / 255


def _hex(*parts: float) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)


_FACTS: Final = (
    "game", "seat", "ask", "key_asked", "marker", "orders", "stop_if", "draft",
    "plan", "deadline",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Material:
    """What the page of a seat needs besides the facts of its report.

    Attributes:
        board: The picture of the board, or "".
        schema: The schema of a whole orders file of the rules.
        forecasts: Orders that are likely: `order`, and `lines` or `problems`, as `pbem check` says them.
        hints: What the rules' own script needs, made from the seat's view alone.
        address: Where the orders are mailed to; "" if the page does not know.
        wording: How the rules say orders, facts and names.
        records: Paths of the view where fields are fixed, for conditions.
        labels: The labels under which the seat can be asked, the next first.
        domains: What can ever stand at paths of the view.
        last: The greatest count that a label can have, if there is one.
    """

    board: str
    schema: Mapping[str, Json]
    forecasts: tuple[Json, ...] = ()
    hints: Json = None
    address: str = ""
    wording: Wording = PLAIN
    records: tuple[tuple[str, ...], ...] = ()
    labels: tuple[str, ...] = ()
    domains: Mapping[str, Domain] = field(default_factory=dict)
    last: int | None = None


def form_page(environment: Environment, facts: Mapping[str, Json], material: Material) -> str:
    """Return the page, in ASCII: one file that may load nothing and send nothing.

    The position and the form stand there as text; the board as a picture, the scripts with their style and
    their data are packed, and a short script unpacks them.

    Args:
        environment: Where templates, style and scripts are found.
        facts: The facts of the report, as in its `report.json`.
        material: What the page needs besides.
    """
    rules = str(facts["rules"])
    ask = facts["ask"]
    assert isinstance(ask, dict), "every report has one"
    told: dict[str, Json] = {"schema": _trim_schema(material.schema, ask["kind"] == START)}
    told |= {name: facts[name] for name in _FACTS if name in facts}
    told |= {
        "facts": dict(material.wording.facts),
        "predicates": {} if ask["kind"] == START else _predicates(material.wording),
        **_pool_sentences(material.forecasts),
        "hints": material.hints,
        "records": [".".join(path) for path in material.records],
        "labels": list[Json](material.labels),
        "address": material.address,
        "subject": f"[{facts['game']}] Orders of {facts['seat']}",
    }
    told |= {} if material.last is None else {"last": material.last}
    if "plan" in facts:
        told["domains"] = {path: _bounds(domain) for path, domain in material.domains.items()}
        told["plan"] = _plan_in_words(facts["plan"], material.wording)
    menus: Json = _menus_in_words(facts, material.wording)
    view, players = facts["view"], facts["players"]
    names = _replace_ids(material.wording, [told, view, players, menus], facts)
    called = _names_in_conditions(material.wording, view, names)
    # What shares words stands side by side: that takes fewest bytes.
    told |= {"view": view, "called": called, "names": names, "players": players, "menus": menus}
    plain, style = (
        _minify_style(read_source(environment, f"common/form/{name}.css")) for name in ("plain", "style")
    )
    script = script_of(environment, rules, is_planned="plan" in facts, is_sealed=_is_sealed(facts["view"]))
    loader = loader_of(environment)
    pages = page_environment(environment)
    known = {**facts, "board": Markup(material.board.replace(">\n<", "><")), "address": material.address}
    brief = {"detail": "", "by_mail": bool(material.address and ask["mine"])}
    form = environment.get_template("common/reply.yaml.j2").render({**facts, **brief})
    app = pages.select_template([f"{rules}/form/app.html.j2", "common/form/app.html.j2"]).render(known)
    dark = dark_style(material.board)
    signs = pack_texts((script, style), (json.dumps(told, separators=(",", ":")), app, dark))
    page = pages.select_template([f"{rules}/orders.html.j2", "common/orders.html.j2"]).render(
        {
            **known,
            "form": form,
            "position": Report(environment, facts).standing,
            "policy": _policy((plain, style, dark), (loader, script)),
            "style": Markup(plain),
            "loader": Markup(loader),
            "packed": Markup(signs),
        }
    )
    return page.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _predicates(wording: Wording) -> dict[str, Json]:
    """Return the conditions that the rules declare, as data."""
    told: dict[str, Json] = {}
    for name, one in wording.predicates.items():
        arguments: list[Json] = [
            {
                "name": of.name,
                "values": dict(of.values),
                **({"default": of.default} if of.default else {}),
                **({"also": dict(of.also)} if of.also else {}),
            }
            for of in one.arguments
        ]
        number: Json = None
        if one.number is not None:
            least, most, default = one.number
            bounds: dict[str, Json] = {"least": least, "most": most, "default": dict(default) or None}
            number = {bound: value for bound, value in bounds.items() if value is not None}
        told[name] = {
            **{"sentence": one.sentence, "term": dict(one.term), "arguments": arguments},
            **({} if number is None else {"number": number}),
        }
    return told


def _is_sealed(view: Json) -> bool:
    """Tell whether a view is of somebody who may send a seal now."""
    return isinstance(view, dict) and "seals" in view and view["seals"] is None


def _menus_in_words(facts: Mapping[str, Json], wording: Wording) -> list[Json]:
    """Return the menus of a report, whole orders with what they say in words."""
    menus: list[Json] = []
    ask, given = facts["ask"], facts["menus"]
    assert isinstance(ask, dict) and isinstance(given, list), "the facts of a report"
    for menu in given:
        assert isinstance(menu, dict), "a menu"
        paths, items = menu["paths"], menu["items"]
        assert isinstance(paths, list) and isinstance(items, list), "a menu"
        if "" in paths and ask["kind"] != START:
            items = [{**one, "words": wording.order(one["order"])} for one in items if isinstance(one, dict)]
        menus.append({**menu, "items": items})
    return menus


def _plan_in_words(plan: Json, wording: Wording) -> Json:
    """Return a plan of a report, its lines with what their orders say in words."""
    assert isinstance(plan, dict), "the facts of a report"
    return {**plan, "lines": [{**line, "words": wording.order(line["do"])} for line in _rows(plan["lines"])]}


def _bounds(domain: Domain) -> Json:
    values = None if domain.values is None else list[Json](domain.values)
    told: dict[str, Json] = {"values": values, "least": domain.least, "most": domain.most}
    return {name: one for name, one in told.items() if one is not None}


def _trim_schema(schema: Mapping[str, Json], is_start: bool) -> Json:
    """Return a schema of orders without what the page never shows: words on what is the same in all games.

    Args:
        schema: The schema of a whole orders file.
        is_start: Start forms are asked for; later they fit nothing.
    """
    parts = schema.get("$defs", {})
    assert isinstance(parts, dict), "a schema of orders"
    own: dict[str, Json] = {**parts, **({} if is_start else {"start": False})}
    rest = {
        name: _drop_words(one) for name, one in schema.items() if name not in ("$schema", "title", "$defs")
    }
    return {**rest, "$defs": own}


def _drop_words(schema: Json) -> Json:
    if isinstance(schema, list):
        return [_drop_words(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    words = {name for name in ("title", "description") if isinstance(schema.get(name), str)}
    return {name: _drop_words(one) for name, one in schema.items() if name not in words}


@lru_cache(maxsize=8)
def _minify_style(style: str) -> str:
    """Return a style without the blanks that only people need."""
    tight = re.sub(r"\s*([{};,>])\s*", r"\1", minify_script(style)).replace(";}", "}")
    return re.sub(r"\b0(?=\.\d)", "", re.sub(r": (?=[^{}]*[;}])", ":", tight))


def _replace_ids(wording: Wording, told: Json, facts: Mapping[str, Json]) -> dict[str, Json]:
    """Return the names of all ids that stand in what the page is told, and of no others.

    These are the ids that the rules list, the seats, and whatever else is no word of English.
    """
    seats = {one["seat"] for one in _rows(facts["players"])}
    found: dict[str, Json] = {}
    for one in texts_in(told):
        name = wording.names.get(one, "")
        if not name and (one in seats or "_" in one):
            name = wording.name(one)
        if name and name != one and "_" not in name:
            found[one] = name
    return dict(sorted(found.items()))


def _names_in_conditions(wording: Wording, view: Json, names: Mapping[str, Json]) -> dict[str, Json]:
    """Return what only conditions call otherwise: a site without an owner is "nobody"'s."""
    spelled = ((one, wording.name(one)) for one in sorted(texts_in(view) - names.keys()) if one)
    return {one: name for one, name in spelled if name != one}


def _rows(value: Json) -> Iterator[Mapping[str, Json]]:
    return (one for one in value if isinstance(one, dict)) if isinstance(value, list) else iter(())


def _pool_sentences(forecasts: Iterable[Json]) -> dict[str, Json]:
    """Return what orders come to with every sentence once: `said`, and `tried` with places in it."""
    said: dict[str, int] = {}
    tried: list[Json] = []
    for one in forecasts:
        assert isinstance(one, dict), "an order with what it comes to"
        lines = one.get("lines")
        places = [said.setdefault(str(line), len(said)) for line in lines] if isinstance(lines, list) else []
        tried.append({**one, "lines": list[Json](places)} if places else one)
    return {"said": list[Json](said), "tried": tried}


def _policy(styles: Iterable[str], scripts: Iterable[str]) -> str:
    """Return the policy of the page: its own styles and scripts, and nothing else from anywhere."""
    return (
        f"default-src 'none'; style-src {' '.join(map(digest, styles))}; "
        f"script-src {' '.join(map(digest, scripts))}; base-uri 'none'; form-action 'none'"
    )


def digest(text: str) -> str:
    """Return how a content security policy names a style or script that stands in the page (CSP Level 3)."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
