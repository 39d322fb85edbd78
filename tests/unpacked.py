"""A form page as it is once it has unpacked itself, for tests that read what it holds."""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import dataclass
from typing import Any

from pbem.text.reports.formpage import SEPARATOR

PACKED = re.compile(r'<script type="text/plain" id="packed">([^<]*)</script>')


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


def texts_in(signs: str) -> list[str]:
    """Return the texts that were packed."""
    return zlib.decompress(base64.b64decode(signs)).decode().split(SEPARATOR)


def unpacked_page(page: str) -> Unpacked:
    """Return what is packed into a form page."""
    (signs,) = PACKED.findall(page)
    script, style, data, app, dark = texts_in(signs)
    return Unpacked(style, script, app, data, signs, dark)
