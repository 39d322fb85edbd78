"""Imperfect mails, as people write them in Gmail, in Outlook and on a phone, and the answer to each."""

from __future__ import annotations

from pbem.core.interface import Choice, Json, Menu
from pbem.text.mail.sayings.sentences import ways_to_write


def test_a_field_that_no_author_described_is_not_told_how_it_is_written() -> None:
    menus = (Menu(("bid_1",), "Bids", (Choice({"for": "Spain"}, "Spain"),)),)
    schema: dict[str, Json] = {"properties": {"bid_1": {"type": "object"}}}

    assert ways_to_write(["Should I bid 6 on Spain?"], menus, schema) == ()
