"""The mail server of the tests, started once for all that need it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from tests.mail.authorizing import Authorizer, an_authorizer
from tests.mail.stack import CERTIFICATE, Stack, a_stack, missing


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    """Give a real mail server."""
    if why := missing():
        pytest.skip(why)
    with a_stack() as found:
        yield found


@pytest.fixture(scope="session")
def _oauth_stack() -> Iterator[tuple[Authorizer, Stack]]:
    """Give a real mail server that takes tokens, and who gives them."""
    if why := missing():
        pytest.skip(why)
    with (
        an_authorizer() as authorizer,
        a_stack(introspection=f"http://127.0.0.1:{authorizer.plain_port}/introspect") as stack,
    ):
        yield authorizer, stack


@pytest.fixture
def oauth_stack(
    _oauth_stack: tuple[Authorizer, Stack], monkeypatch: pytest.MonkeyPatch
) -> tuple[Authorizer, Stack]:
    """Give a real mail server that takes tokens, and who gives them; nothing is left of tests before."""
    authorizer, stack = _oauth_stack
    authorizer.reset()
    for name in ("pbem.test", "example.test"):
        shutil.rmtree(stack.folder / "mail" / name, ignore_errors=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    return authorizer, stack
