"""The bare steps of reading orders: the C parser and jsonschema, nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator

from pbem.play.config.registry import find_rules
from pbem.text.envelope import ENVELOPE


def reader(rules: str) -> Callable[[Path], None]:
    """Return what parses and validates an orders file of a rule system."""
    is_valid = validator(rules)

    def read(path: Path) -> None:
        assert is_valid(yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader))

    return read


def validator(rules: str) -> Callable[[Any], bool]:
    """Return what validates the value of an orders file of a rule system, its schemas compiled once."""
    envelope = Draft202012Validator(ENVELOPE)
    moves = Draft202012Validator(dict(find_rules(rules).move_schema.schema))

    def is_valid(value: Any) -> bool:
        value["seat"] = str(value["seat"])
        for message in value.get("press", []):
            message["to"] = [str(seat) for seat in message["to"]]
        return envelope.is_valid(value) and all(moves.is_valid(line["do"]) for line in value["orders"])

    return is_valid
