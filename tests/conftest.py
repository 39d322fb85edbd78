"""No test times anything; with CI set, examples are the same each time; a session makes the samples once."""

from __future__ import annotations

import os
import shutil
import tempfile

import pytest
from hypothesis import settings

from tests.homes import SHARED

usual = settings.get_profile("ci" if os.environ.get("CI") else "default")
settings.register_profile("untimed", usual, deadline=None)
settings.load_profile("untimed")


def pytest_configure(config: pytest.Config) -> None:
    """Give the session a folder for the samples, before it starts processes that share it."""
    if SHARED not in os.environ:
        folder = os.environ[SHARED] = tempfile.mkdtemp(prefix="pbem-samples-")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
