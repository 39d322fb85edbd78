"""Trade without a table: offers, counter-offers, silence, answers beforehand, and who learns what."""

from __future__ import annotations

import pytest

from pbem.core.events import ALL, Seat, only
from pbem.core.interface import Ask, Json
from pbem.rules.game_of_powers import events
from pbem.rules.game_of_powers.moves import Turn
from pbem.rules.game_of_powers.state import State
from pbem.rules.game_of_powers.trading import check_deal

from .table import (
    BLACK,
    ORANGE,
    WHITE,
    after,
    asked,
    cards,
    do,
    game,
    hold,
    kinds,
    position,
    tokens,
    view_of,
    wrong,
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


@pytest.mark.paragraph("trade", "ruling-trade")
def test_an_offer_is_put_to_its_partner_under_the_label_of_the_turn() -> None:
    state, told = do(met(), SWAP)

    ask = game().ask(state)
    assert ask == Ask("trade", ask.label, frozenset({BLACK}), silence={"decline": True})  # type: ignore[union-attr]
    assert isinstance(ask, Ask)
    assert ask.label == "white-2.trade"
    assert told[-2] == events.TradeProposed(seat=WHITE, partner=BLACK, to=ALL)
    assert told[-1] == events.TradeOffered(
        seat=WHITE,
        partner=BLACK,
        give=("military",),
        want=("religious",),
        is_counter=False,
        to=only(WHITE, BLACK),
    )


@pytest.mark.paragraph("trade")
def test_what_is_accepted_changes_hands_and_the_next_seat_is_on_turn() -> None:
    state, told = do(after(met(), SWAP), {"accept": True})

    assert state.players[WHITE].tokens == tokens("religious diplomatic diplomatic")
    assert state.players[BLACK].tokens == tokens("military")
    assert told == (
        events.TradeMade(seat=WHITE, partner=BLACK, gave=("military",), got=("religious",), to=ALL),
    )
    assert asked(state) == BLACK
    ask = game().ask(state)
    assert isinstance(ask, Ask)
    assert ask.label == "black-2"


@pytest.mark.paragraph("ruling-trade")
def test_silence_and_declining_leave_everything_as_it_was() -> None:
    waiting = after(met(), SWAP)
    ask = game().ask(waiting)
    assert isinstance(ask, Ask)
    assert ask.silence == {"decline": True} == game().hold(view_of(waiting, BLACK))

    state, told = do(waiting, {"decline": True})

    assert told == (events.TradeDeclined(seat=BLACK, partner=WHITE, to=ALL),)
    assert [state.players[seat].tokens for seat in state.order] == [
        waiting.players[seat].tokens for seat in state.order
    ]
    assert state.offer is None


@pytest.mark.paragraph("ruling-trade", "trade-example")
def test_a_counter_offer_goes_back_to_the_mover_and_can_only_be_accepted_or_declined() -> None:
    state, told = do(after(met(), SWAP), {"counter": {"give": ["religious"], "want": ["diplomatic"]}})

    ask = game().ask(state)
    assert isinstance(ask, Ask)
    assert (ask.kind, ask.label, asked(state)) == ("counter", "white-2.counter", WHITE)
    assert ask.silence == {"decline": True}
    assert kinds(told) == ["TradeCountered", "TradeOffered"]
    again = wrong(state, {"counter": {"give": ["military"], "want": ["religious"]}})
    assert "this is a counter-offer, and you are asked to answer a counter-offer" in again[0]

    made, _ = do(state, {"accept": True})
    assert made.players[WHITE].tokens == tokens("military religious diplomatic")
    declined, told = do(state, {"decline": True})
    assert told == (events.TradeDeclined(seat=WHITE, partner=BLACK, to=ALL),)
    assert declined.players[WHITE].tokens == tokens("military diplomatic diplomatic")


def swap(give: list[Json], want: list[Json]) -> Json:
    return {"give": give, "want": want}


COUNTERS: list[tuple[str, list[Json], Json, bool]] = [
    (
        "as said",
        [swap(["diplomatic"], ["religious"])],
        swap(["religious"], ["diplomatic"]),
        True,
    ),
    (
        "asks for more",
        [swap(["diplomatic"], ["religious"])],
        swap(["religious"], ["diplomatic", "diplomatic"]),
        False,
    ),
    (
        "gives less",
        [swap(["diplomatic"], ["religious", 17])],
        swap(["religious"], ["diplomatic"]),
        False,
    ),
    (
        "gives a card that fits",
        [swap(["military"], [{"site": "sorte_muld", "score": 5}])],
        swap([17], ["military"]),
        True,
    ),
    (
        "gives a card that does not",
        [swap(["military"], [{"site": "owidz"}])],
        swap([17], ["military"]),
        False,
    ),
    (
        "wants a card that may go",
        [swap([30, 31], ["religious"])],
        swap(["religious"], [{"site": "owidz"}]),
        True,
    ),
    (
        "wants a card that may not go",
        [swap([30], ["religious"])],
        swap(["religious"], [31]),
        False,
    ),
    (
        "the second of two",
        [
            swap(["military"], ["religious", "religious"]),
            swap(["military"], ["religious"]),
        ],
        swap(["religious"], ["military"]),
        True,
    ),
]


@pytest.mark.paragraph("ruling-trade")
@pytest.mark.parametrize(
    ("terms", "counter", "made"), [row[1:] for row in COUNTERS], ids=[row[0] for row in COUNTERS]
)
def test_a_counter_offer_that_was_accepted_beforehand_asks_nobody(
    terms: list[Json], counter: Json, made: bool
) -> None:
    state = after(met(black_has="religious religious"), offer(["diplomatic"], ["religious"], terms))

    ended, told = do(state, {"counter": counter})

    assert ("TradeMade" in kinds(told)) == made
    assert asked(ended) == (BLACK if made else WHITE)


def test_of_the_cards_that_fit_the_one_with_the_fewest_points_goes() -> None:
    state = after(met(), offer(["military"], ["sorte_muld"]))

    ended, told = do(state, {"accept": True})

    assert told[0].got == ("Gold-foil man (22)",)  # type: ignore[attr-defined]
    assert ended.players[WHITE].hand == cards("22 30 31")


def test_terms_can_name_the_card_that_goes() -> None:
    state = after(met(), offer(["military"], ["sorte_muld"]))

    ended, _ = do(state, {"accept": {"give": [17], "want": ["military"]}})

    assert ended.players[WHITE].hand == cards("17 30 31")


TERMS: list[tuple[str, Json, bool]] = [
    ("just this", {"give": ["religious"], "want": ["military"]}, True),
    ("less would do", {"give": ["religious", "religious"], "want": []}, True),
    ("more is wanted", {"give": ["religious"], "want": ["military", "military"]}, False),
    ("another is wanted", {"give": ["religious"], "want": ["diplomatic"]}, False),
    ("less is given", {"give": ["military"], "want": ["military"]}, False),
]


@pytest.mark.paragraph("ruling-trade")
@pytest.mark.parametrize(("terms", "holds"), [row[1:] for row in TERMS], ids=[row[0] for row in TERMS])
def test_terms_are_kept(terms: Json, holds: bool) -> None:
    problems = wrong(after(met(), SWAP), {"accept": terms})

    assert (problems == []) == holds
    assert (
        holds
        or "the offer does not keep to your terms: you get 1 military token for 1 religious token"
        in problems[0]
    )


@pytest.mark.paragraph("trade-limits")
def test_the_limits_hold_for_both_sides() -> None:
    ten = met(white_has="military " * 8, black_has="religious " * 10)
    too_many = wrong(ten, offer(["military"], ["religious", "religious"]))
    assert "after it you would hold more than 10 tokens or 10 cards" in too_many[0]
    assert (
        "after it Black would hold more than 10 tokens or 10 cards"
        in wrong(ten, offer(["military", "military"], ["religious"]))[0]
    )
    hands = met(white="30", black="1 2 3 4 5 6 7 8 9 10")
    assert "after it Black would hold more" in wrong(hands, offer([30], ["religious"]))[0]


@pytest.mark.paragraph("trade-what")
def test_played_cards_and_task_tokens_are_not_traded() -> None:
    white = hold(
        "30", at="owidz clockwise", tokens_of="military", played=cards("31"), tasks={"four_sites": 6}
    )
    black = hold("17", at="wisloujscie clockwise", tokens_of="religious", played=cards("18"))
    state = position(white, black, stock=FIELD)

    assert "is not in your hand then" in wrong(state, offer([31], ["religious"]))[0]
    assert "Glass bead string (18) is not in the hand of Black" in wrong(state, offer(["military"], [18]))[0]
    assert "'four_sites' is nothing that can be traded" in wrong(state, offer(["four_sites"], ["owidz"]))[0]


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


@pytest.mark.paragraph("trade", "possibilities")
def test_an_offer_needs_a_ship_in_the_city_where_the_turn_ends() -> None:
    trade: Json = {"with": "black", "give": ["military"], "want": ["religious"]}
    away: Json = {**SAIL, "sail": "wolin", "trade": trade}

    problems = wrong(met(), away)
    assert "the ship of black is not at Wolin, where yours ends. There you meet no other ship." in problems[0]

    state, told = do(met(), away)
    assert asked(state) == BLACK
    assert [event.to for event in told if isinstance(event, events.PartLeftOut)] == [only(WHITE)]


def test_a_game_can_be_played_without_trade() -> None:
    state = position(*met().players.values(), stock=FIELD, may_trade=False)

    assert "this game is played without trade" in wrong(state, SWAP)[0]
    assert game().choices(view_of(state, WHITE)).menus[-1].paths != ("trade.with",)


@pytest.mark.paragraph("ruling-secrets")
def test_an_offer_shows_its_cards_to_the_partner_alone_and_a_trade_shows_them_to_all() -> None:
    offered = after(met(), offer([30], ["religious"]))
    assert [view_of(offered, seat).players[WHITE].known for seat in (BLACK, ORANGE)] == [cards("30"), ()]
    assert game().view(offered, None).players[WHITE].known == ()
    assert view_of(offered, WHITE).shown == {"30": (BLACK,)}
    assert [view_of(offered, seat).trade is None for seat in (WHITE, BLACK, ORANGE)] == [False, False, True]

    declined = after(offered, {"decline": True})
    assert view_of(declined, BLACK).players[WHITE].known == cards("30")
    assert view_of(declined, ORANGE).players[WHITE].known == ()

    accepted = after(offered, {"accept": True})
    assert view_of(accepted, ORANGE).players[BLACK].known == cards("30")
    assert view_of(accepted, BLACK).shown == {"30": (WHITE, ORANGE)}


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


def test_the_forecast_of_an_offer_tells_which_counter_offers_it_accepts() -> None:
    terms: Json = {"give": ["military", 30], "want": [{"category": "coins", "score": 1}]}
    view = view_of(met(), WHITE)

    told = game().forecast(view, game().read(offer(["military"], ["religious"], [terms]))).lines

    assert (
        "A counter-offer in which you give 1 military token and Crossbow bolt (30) at most, "
        "for any coins card of 1 point or more at least, is accepted at once."
    ) in told
