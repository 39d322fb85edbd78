"""The mail server of the tests, started once for all that need it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.mail.stack import Stack, a_stack, missing


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    """Give a real mail server."""
    if why := missing():
        pytest.skip(why)
    with a_stack() as found:
        yield found
