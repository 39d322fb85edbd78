"""A form page as it is once it has unpacked itself, for tests that read what it holds."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from pbem.text.reports.scripts import unpacked

PACKED = re.compile(r'<script type="text/plain" id="packed" data-bytes="([0-9]+)">([^<]*)</script>')


@dataclass(frozen=True)
class Unpacked:
    """What is packed into a form page.

    Attributes:
        style: Its style while scripts run.
        script: What is run.
        app: The fields around what the script fills in, as HTML.
        json: The data as they stand there.
        signs: All of it as it stands in the page.
        dark: The colours of the board on a dark screen, a style too.
    """

    style: str
    script: str
    app: str
    json: str
    signs: str
    dark: str

    @property
    def data(self) -> Any:
        """The facts that the scripts read."""
        return json.loads(self.json)


def unpacked_page(page: str) -> Unpacked:
    """Return what is packed into a form page."""
    ((count, signs),) = PACKED.findall(page)
    script, style, data, app, dark = unpacked(signs, int(count))
    return Unpacked(style, script, app, data, signs, dark)
