"""The bare steps of reading orders: the C parser and jsonschema, nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator

from pbem.edge.registry import find
from pbem.text.envelope import ENVELOPE


def reader(rules: str) -> Callable[[Path], None]:
    """Return what parses and validates an orders file of a rule system."""
    envelope = Draft202012Validator(ENVELOPE)
    moves = Draft202012Validator(dict(find(rules).move_schema.schema))

    def read(path: Path) -> None:
        value = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
        value["seat"] = str(value["seat"])
        for message in value.get("press", []):
            message["to"] = [str(seat) for seat in message["to"]]
        assert envelope.is_valid(value)
        for line in value["orders"]:
            assert moves.is_valid(line["do"])

    return read
