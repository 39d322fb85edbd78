"""Trade without a table: offers, counter-offers, silence, answers beforehand, and who learns what."""

from __future__ import annotations

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.rules.game_of_powers.moves import Turn
from pbem.rules.game_of_powers.state import State
from pbem.rules.game_of_powers.trading import check_deal

from .table import (
    BLACK,
    ORANGE,
    WHITE,
    after,
    game,
    hold,
    position,
    tokens,
    view_of,
)

SAIL: dict[str, Json] = {"sail": "wisloujscie", "take_tokens": ["any", "any"]}
FIELD = {"wisloujscie": "diplomatic diplomatic"}


def met(
    white: str = "30 31", black: str = "17 18 22", white_has: str = "military", black_has: str = "religious"
) -> State:
    """Return a position in which white meets black when it sails to Wisłoujście; orange is far away."""
    return position(
        hold(white, at="owidz clockwise", tokens_of=white_has),
        hold(black, at="wisloujscie clockwise", tokens_of=black_has),
        hold("", at="haithabu clockwise"),
        stock=FIELD,
    )


def offer(give: list[Json], want: list[Json], counters: list[Json] | None = None) -> Json:
    trade: dict[str, Json] = {"with": "black", "give": give, "want": want}
    return {**SAIL, "trade": {**trade, "counters": counters} if counters else trade}


SWAP = offer(["military"], ["religious"])


@pytest.mark.paragraph("ruling-trade")
def test_who_is_silent_declines() -> None:
    waiting = after(met(), SWAP)
    ask = game().ask(waiting)
    assert isinstance(ask, Ask)
    assert ask.silence == {"decline": True} == game().hold(view_of(waiting, BLACK))


@pytest.mark.parametrize("black", ["17 18 22", "1 2"], ids=["has what is wanted", "has it not"])
def test_that_an_offer_can_only_be_declined_is_a_secret_of_the_hand(black: str) -> None:
    state = after(met(black=black, black_has="", white_has="military"), offer(["military"], ["sorte_muld"]))
    answer = game().choices(view_of(state, BLACK))
    assert {"decline": True} in [item.order for item in answer.menus[0].items]
    assert answer.only is None


@pytest.mark.parametrize("white", ["17 31", "30 31"], ids=["has what is wanted", "has it not"])
def test_that_a_counter_offer_can_only_be_declined_is_a_secret_of_the_hand(white: str) -> None:
    counter: Json = {"counter": {"give": ["religious"], "want": ["sorte_muld"]}}
    state = after(met(white=white, black="18 22"), SWAP, counter)
    answer = game().choices(view_of(state, WHITE))
    accepts: Json = {"accept": True}
    assert (accepts in [item.order for item in answer.menus[0].items]) == (white == "17 31")
    assert answer.only is None


@pytest.mark.paragraph("ruling-secrets")
def test_a_card_that_was_shown_can_be_asked_of_who_showed_it_and_of_nobody_else() -> None:
    declined = after(met(), offer([30], ["religious"]), {"decline": True})
    turn = game().read(offer(["religious"], [30]))
    assert isinstance(turn, Turn)
    assert turn.trade is not None
    deal, view = turn.trade.deal, view_of(declined, BLACK)

    def said(partner: Seat) -> list[str]:
        found = check_deal(game().facts, view, partner, deal, view.own.tokens, view.hand, ("trade",))
        return [problem.text for problem in found]

    assert said(WHITE) == []
    assert said(ORANGE) == ["Crossbow bolt (30) is not in the hand of Orange"]


def test_conditions_can_look_at_the_offer() -> None:
    table = view_of(after(met(), offer(["military", 30], ["religious", "owidz"])), BLACK).trade

    assert table is not None
    assert (table.by, dict(table.gets), dict(table.gives)) == (
        WHITE,
        dict(tokens("military")),
        dict(tokens("religious")),
    )
    assert table.gets_cards == ("Crossbow bolt (30)",)
    assert table.gives_cards == ("any card from Owidz",)
