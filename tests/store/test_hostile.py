"""Hostile mails in a real PostgreSQL database end as in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.mail.host import a_host
from tests.mail.hostile import hostile
from tests.mail.test_hostile import KEPT, received_by
from tests.work.homes import a_dealt_game, database, write_settings

pytestmark = pytest.mark.postgres

COUNT = 330


def test_hostile_mails_end_as_in_a_folder(tmp_path: Path) -> None:
    mails = [*(raw for _, raw in hostile(COUNT)), *(path.read_bytes() for path in KEPT)]
    store = database()
    many: dict[str, Any] = {"receipts_per_hour": 1000, "orders_per_hour": 1000}
    write_settings(store, **many)

    said = received_by(a_dealt_game(store, tmp_path), mails)

    expected = received_by(a_host(tmp_path / "home", **many), mails)
    assert [(one.verdict, one.rule, one.seat) for one in said] == [
        (one.verdict, one.rule, one.seat) for one in expected
    ]
