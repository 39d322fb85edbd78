"""What most of these tests begin with: a home by mail in which all is well."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.doctor.ward import Ward, a_ward


@pytest.fixture
def ward(tmp_path: Path) -> Iterator[Ward]:
    """Give a home by mail, with the servers around it."""
    with a_ward(tmp_path) as found:
        yield found
