"""A form sent back untouched is no orders, whatever mail program it comes from.

The newest form of each game in each style stands in `tests/behaviour/mails.yaml`; here are the first ones.
"""

from __future__ import annotations

import pytest

from pbem.host.office.samples import sample_names
from pbem.text.mail.findorders import NoOrders, find_orders
from tests.mail.letters import letter_of
from tests.mail.samples import Sent, all_sent
from tests.mail.styles import MORE_STYLES, write

PLAYER = "ann@example.test"
HOST = "host+web-1.k3v9qq7tk3v9qq7t@pbem.example"
GAMES = sample_names()
"""Their mails are made when a test asks for them; to list them here would make them for every command."""


def of_game(mails: tuple[Sent, ...], game: str) -> list[Sent]:
    found = [sent for sent in mails if sent.game == game]
    assert found, f"no mail of {game}"
    return found


@pytest.mark.parametrize("style", MORE_STYLES)
def test_a_form_sent_back_untouched_is_no_orders(style: str) -> None:
    for sent in (of_game(all_sent(), game)[0] for game in GAMES):
        raw = write(style, sent.raw, None, PLAYER, HOST)

        found = find_orders(letter_of(raw), lambda line: True)

        assert isinstance(found, NoOrders), (str(sent), found, raw.decode("latin-1"))
        assert found.reason == "blank-form", str(sent)


@pytest.mark.parametrize("game", GAMES)
def test_a_report_as_it_was_sent_holds_no_orders(game: str) -> None:
    for sent in of_game(all_sent(), game):
        found = find_orders(letter_of(sent.raw), lambda line: True, game=sent.game, seat=sent.seat)

        assert isinstance(found, NoOrders), str(sent)
        assert found.reason == ("blank-form" if sent.form else "no-orders"), str(sent)
