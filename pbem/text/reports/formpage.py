"""The order form as a page: one file that fills in orders by clicking, made from a report's facts alone."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from pbem.core.foresight import Domain
from pbem.core.interface import Json
from pbem.core.labels import START
from pbem.core.wording import PLAIN, Wording
from pbem.text.reports.facts import texts_in
from pbem.text.reports.report import Report, escaping
from pbem.text.reports.scripts import dark_style, lean, loader_of, packed, script_of, source

if TYPE_CHECKING:
    from jinja2 import Environment

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
    told: dict[str, Json] = {"schema": _brief(material.schema, ask["kind"] == START)}
    told |= {name: facts[name] for name in _FACTS if name in facts}
    told |= {
        "facts": dict(material.wording.facts),
        "predicates": {} if ask["kind"] == START else _predicates(material.wording),
        **_pooled(material.forecasts),
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
    menus: Json = _in_words(facts, material.wording)
    view, players = facts["view"], facts["players"]
    names = _named(material.wording, [told, view, players, menus], facts)
    called = _names_in_conditions(material.wording, view, names)
    # What shares words stands side by side: that takes fewest bytes.
    told |= {"view": view, "called": called, "names": names, "players": players, "menus": menus}
    plain, style = (_slim(source(environment, f"common/form/{name}.css")) for name in ("plain", "style"))
    script = script_of(environment, rules, is_planned="plan" in facts, is_sealed=_is_sealed(facts["view"]))
    loader = loader_of(environment)
    pages = escaping(environment)
    known = {**facts, "board": Markup(material.board.replace(">\n<", "><")), "address": material.address}
    brief = {"detail": "", "by_mail": bool(material.address and ask["mine"])}
    form = environment.get_template("common/reply.yaml.j2").render({**facts, **brief})
    app = pages.select_template([f"{rules}/form/app.html.j2", "common/form/app.html.j2"]).render(known)
    dark = dark_style(material.board)
    signs = packed((script, style), (json.dumps(told, separators=(",", ":")), app, dark))
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


def _in_words(facts: Mapping[str, Json], wording: Wording) -> list[Json]:
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


def _brief(schema: Mapping[str, Json], is_start: bool) -> Json:
    """Return a schema of orders without what the page never shows: words on what is the same in all games.

    Args:
        schema: The schema of a whole orders file.
        is_start: Start forms are asked for; later they fit nothing.
    """
    parts = schema.get("$defs", {})
    assert isinstance(parts, dict), "a schema of orders"
    own: dict[str, Json] = {**parts, **({} if is_start else {"start": False})}
    rest = {name: _wordless(one) for name, one in schema.items() if name not in ("$schema", "title", "$defs")}
    return {**rest, "$defs": own}


def _wordless(schema: Json) -> Json:
    if isinstance(schema, list):
        return [_wordless(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    words = {name for name in ("title", "description") if isinstance(schema.get(name), str)}
    return {name: _wordless(one) for name, one in schema.items() if name not in words}


@lru_cache(maxsize=8)
def _slim(style: str) -> str:
    """Return a style without the blanks that only people need."""
    tight = re.sub(r"\s*([{};,>])\s*", r"\1", lean(style)).replace(";}", "}")
    return re.sub(r"\b0(?=\.\d)", "", re.sub(r": (?=[^{}]*[;}])", ":", tight))


def _named(wording: Wording, told: Json, facts: Mapping[str, Json]) -> dict[str, Json]:
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


def _pooled(forecasts: Iterable[Json]) -> dict[str, Json]:
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
