"""A report goes out and orders come back, in a plain body and in an attachment."""

from __future__ import annotations

from pbem.text.mail.compose import Attachment
from pbem.text.mail.findorders import FoundOrders, find_orders
from pbem.text.mail.letter import Letter, read_letter
from tests.mail.samples import a_mail

ORDERS = "game: web-1\nseat: 7\norders:\n- at: turn-3\n  do: {move: e2}\n"


def test_orders_come_in_an_attachment() -> None:
    letter = read_letter(a_mail("Here they are.", Attachment("orders.yaml", "text/x-yaml", ORDERS.encode())))

    assert isinstance(letter, Letter)
    found = find_orders(letter, lambda line: True)
    assert isinstance(found, FoundOrders)
    assert found.origin == "attachment orders.yaml"
    assert found.place(5, 3) == (5, 3)
