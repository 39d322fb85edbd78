"""Mails: what becomes of each is what its row says."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.behaviour.corpus import OURS
from tests.behaviour.mails import Row, facts_in, outcomes, rows
from tests.mail.replies import PARTS

ROWS = rows()
REPLIES = [mail["reply"] for row in ROWS for mail in row.mails if "reply" in mail]


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=row.name, marks=OURS if row.shows_ours else ()) for row in ROWS]
)
def test_what_becomes_of_mails_is_what_their_row_says(row: Row) -> None:
    assert [facts for facts, _ in outcomes(row)] == [facts_in(mail) for mail in row.mails]


def test_there_are_mails_of_every_kind_and_no_row_stands_twice() -> None:
    names = [row.name for row in ROWS]
    verdicts = Counter(mail.get("verdict") for row in ROWS for mail in row.mails)

    assert len(names) == len(set(names))
    assert verdicts.total() >= 700
    assert len(verdicts) >= 20
    for name, parts in PARTS.items():
        assert {reply[name] for reply in REPLIES} == {*parts}
