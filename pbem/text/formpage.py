"""The order form as a page: one file that fills in orders by clicking, made from a report's facts alone."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from pbem.core.interface import Json
from pbem.text.report import escaping

if TYPE_CHECKING:
    from jinja2 import Environment

SCRIPTS: Final = (
    "begin", "yaml", "schema", "dom", "model", "fields", "conditions", "board",
)  # fmt: skip
_FACTS: Final = (
    "game", "seat", "players", "ask", "key_asked", "marker", "menus", "view", "orders", "stop_if", "names",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Material:
    """What the page of a seat needs besides the facts of its report.

    Attributes:
        form: The orders form as plain text.
        board: The picture of the board, or "".
        schema: The schema of a whole orders file of the rules.
        forecasts: Orders that are likely: `order`, and `lines` or `problems`, as `pbem check` says them.
        hints: What the rules' own script needs, made from the seat's view alone.
        address: Where the orders are mailed to; "" if the page does not know.
    """

    form: str
    board: str
    schema: Mapping[str, Json]
    forecasts: tuple[Json, ...] = ()
    hints: Json = None
    address: str = ""


def form_page(environment: Environment, facts: Mapping[str, Json], material: Material) -> str:
    """Return the page: style, scripts, board and data in one file that may load nothing and send nothing.

    Args:
        environment: Where templates, style and scripts are found.
        facts: The facts of the report, as in its `report.json`.
        material: What the page needs besides.
    """
    rules = facts["rules"]
    style = _source(environment, "common/form/style.css")
    parts = [_source(environment, f"common/form/{name}.js") for name in SCRIPTS]
    script = "\n".join(
        [*parts, _own_script(environment, f"{rules}/form.js"), _source(environment, "common/form/page.js")]
    )
    told: dict[str, Json] = {name: facts[name] for name in _FACTS if name in facts}
    told |= {
        "schema": dict(material.schema),
        **_pooled(material.forecasts),
        "hints": material.hints,
        "address": material.address,
        "subject": f"[{facts['game']}] Orders of {facts['seat']}",
    }
    page = escaping(environment).select_template([f"{rules}/orders.html.j2", "common/orders.html.j2"])
    return page.render(
        {
            **facts,
            "form": material.form,
            "board": Markup(material.board),
            "address": material.address,
            "policy": _policy(style, script),
            "style": Markup(style),
            "script": Markup(script),
            "data": Markup(_in_script(told)),
        }
    )


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


def _source(environment: Environment, name: str) -> str:
    """Return a file beside the templates as it stands there."""
    assert environment.loader is not None, "report templates are always loaded from somewhere"
    return environment.loader.get_source(environment, name)[0]


def _own_script(environment: Environment, name: str) -> str:
    """Return the script of the rules; "" if they have none."""
    from jinja2 import TemplateNotFound

    try:
        return _source(environment, name)
    except TemplateNotFound:
        return ""


def _in_script(value: Json) -> str:
    """Return JSON that no text in it can end or turn into markup: <, > and & are written as escapes."""
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _policy(style: str, script: str) -> str:
    """Return the policy of the page: its own style and script, and nothing else from anywhere."""
    return (
        f"default-src 'none'; style-src {digest(style)}; script-src {digest(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def digest(text: str) -> str:
    """Return how a content security policy names a style or script that stands in the page (CSP Level 3)."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
