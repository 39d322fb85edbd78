"""Pages of reports, drawn once in each process: the same facts make the same page, and many tests draw it.

They are drawn each time where the test may change something of the program, and where a home or a test
brings templates of its own.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from typing import Any

from jinja2 import Environment

from pbem.play.registry import OURS
from pbem.store.shipped import shipped
from pbem.text.report import Report
from tests.homes import PATCHED

MOST = 1000
"""So many pages are kept."""

_KEPT: OrderedDict[tuple[Environment, str, bytes], str] = OrderedDict()


def draw_once() -> None:
    """Let reports take pages that were drawn before."""
    draw = Report._page

    def page(report: Report, name: str, **more: Any) -> str:
        environment = report._environment
        if PATCHED or not _is_shipped(environment):
            return draw(report, name, **more)
        told = json.dumps([report._facts, sorted(how for how, is_so in more.items() if is_so is True)])
        key = environment, name, hashlib.sha256(told.encode()).digest()
        if key in _KEPT:
            _KEPT.move_to_end(key)
            return _KEPT[key]
        made = _KEPT[key] = draw(report, name, **more)
        if len(_KEPT) > MOST:
            _KEPT.popitem(last=False)
        return made

    Report._page = page  # type: ignore[assignment, method-assign]


def _is_shipped(environment: Environment) -> bool:
    """Tell whether templates come with the program: a home has none, and the rules are no test's."""
    loaders: Any = getattr(environment.loader, "loaders", ())
    if len(loaders) != 1:
        return False
    (below,) = loaders
    folders = [str(path) for loader in below.mapping.values() for path in loader.searchpath]
    return all(path.startswith((str(shipped("templates")), str(OURS))) for path in folders)
