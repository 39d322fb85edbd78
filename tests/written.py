"""YAML that people wrote for tests, read by libyaml: each process of a session reads all of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml


def read_yaml(text: str | bytes) -> Any:
    """Return what a text says."""
    return yaml.load(text, yaml.CSafeLoader)


def yaml_beside(module: str, name: str) -> Any:
    """Return what a file says that lies beside a module.

    Args:
        module: The module's `__file__`.
        name: The name of the file.
    """
    return read_yaml(Path(module).with_name(name).read_bytes())


def rows_of(module: str, table: str) -> list[Any]:
    """Return the rows of a table in the YAML file of a test module, for `pytest.mark.parametrize`.

    Args:
        module: The module's `__file__`.
        table: Which of the tables there; where its rows have names, the tests are called so.
    """
    found = yaml_beside(module, f"{Path(module).stem}.yaml")[table]
    if isinstance(found, list):
        return found
    return [pytest.param(*values, id=name) for name, values in found.items()]
