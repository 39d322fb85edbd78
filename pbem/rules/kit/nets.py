"""A net of choices that a form page looks up: each sentence and each node stands once, and has a number."""

from __future__ import annotations

import json
from collections.abc import Mapping

from pbem.core.interface import Json


class Net:
    """Sentences and nodes in the order in which they came; what comes again has its number already."""

    def __init__(self) -> None:
        self._lines: dict[str, int] = {}
        self._nodes: dict[str, int] = {}

    @property
    def lines(self) -> Json:
        """The sentences."""
        return list[Json](self._lines)

    @property
    def nodes(self) -> Json:
        """The nodes."""
        return [json.loads(node) for node in self._nodes]

    def line(self, text: str) -> int:
        """Return the number of a sentence."""
        return self._lines.setdefault(text, len(self._lines))

    def node(self, node: Mapping[str, Json]) -> int:
        """Return the number of a node; two are the same if they hold the same in the same order."""
        return self._nodes.setdefault(json.dumps(node), len(self._nodes))
