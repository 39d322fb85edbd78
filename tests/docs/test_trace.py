"""Which layers a run enters, and a mail on its way to its receipt."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.modules import ways

pytestmark = pytest.mark.usefixtures("monkeypatch")
"""Nothing is kept of what other tests made, so that every module is entered."""


@pytest.fixture
def layers(tmp_path: Path) -> dict[str, set[str]]:
    """Return the layers that are entered by each way."""
    mail, run = ways(tmp_path)
    return {way: {name.partition(".")[0] for name in found} for way, found in (("mail", mail), ("run", run))}


def test_a_run_never_enters_mail_or_the_archive(layers: dict[str, set[str]]) -> None:
    assert layers["run"] >= {"cli", "host", "play", "store", "text", "core"}
    assert not layers["run"] & {"mail", "archive"}


def test_a_mail_to_its_receipt_enters_neither_the_command_line_nor_the_archive(
    layers: dict[str, set[str]],
) -> None:
    assert layers["mail"] >= {"mail", "host", "play", "store", "text", "core"}
    assert not layers["mail"] & {"cli", "archive"}
