"""Orders with slips in mails: what was taken for what is told, and what could be written is shown."""

from __future__ import annotations

from pbem.core.events import Seat
from pbem.mail.conversation.replies import refusal
from pbem.text.mail.findorders import FoundOrders
from pbem.text.orders import Faults
from tests.mail.letters import letter_of


def test_no_key_is_mailed_with_the_lines_that_are_offered() -> None:
    letter = letter_of(b"From: ann@example.test\n\n")
    faults = Faults(whole=("game: tea", "seat: red", "key: k1-moon", "orders:", "- do: {play: N2}"))

    answer = refusal(Seat("red"), "", faults, FoundOrders(b"", (), "body"), letter, "x")

    assert answer.facts["offer"] == 'key: ""   # your key\norders:\n- do: {play: N2}'
