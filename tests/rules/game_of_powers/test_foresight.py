"""Orders for later asks: what can never be carried out is told with its reason, and nothing else is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.core.domains import never_holds
from pbem.core.foresight import Later, Outlook
from pbem.core.interface import Json, Label
from pbem.core.remedies import Advice, Meant, Possible
from pbem.rules.game_of_powers.carried import carry
from pbem.rules.game_of_powers.state import Card, Player, State

from .table import BLACK, WHITE, game, hold, position, schema, tokens, view_of

LOT = {"give": ["military"], "want": ["commercial"]}


def table(**more: Any) -> State:
    """Return a game of three, white on turn at Wolin; card 1 was played by black, card 2 is out."""
    white = hold("14 15 40", at="wolin clockwise", tokens_of="military military commercial", asks=1)
    black = hold("16 17", at="aarhus clockwise", tokens_of="military", played=(Card("1"),), open=("16",))
    orange = hold("18 19", at="owidz anticlockwise")
    return position(white, black, orange, **{"box": ("2",), **more})


def look(
    do: Json,
    at: str | None = "white-3",
    when: dict[str, Json] | None = None,
    now: Json = None,
    state: State | None = None,
    *,
    open_turns: int = 0,
) -> Outlook:
    """Look at an order of white for a later ask; `now` is its present turn, open if it is None."""
    found = state or table()
    assert not schema().problems(do), schema().problems(do)
    before: tuple[Any, ...] = (game().read(now) if now is not None else None,) + (None,) * open_turns
    is_own = at is not None and at.startswith("white")
    later = Later(game().read(do), Label(at) if at else None, before if is_own else None, when or {})
    return game().foresee(view_of(found, WHITE), later)


TO_UPPAKRA: Json = {"sail": "aarhus", "take_tokens": ["military", "military"]}
AT_AARHUS: dict[str, Json] = {"players.white.city": "aarhus", "players.white.direction": "clockwise"}

BAD: list[tuple[str, dict[str, Any]]] = [
    ("Black has played", {"do": {"sail": "uppakra", "play_cards": [1]}}),
    ("is out of the game", {"do": {"sail": 1, "take_cards": [2]}}),
    ("no card can be played at Haithabu", {"do": {"sail": "haithabu", "play_cards": [14]}}),
    ("comes from", {"do": {"sail": "owidz", "play_cards": [14]}}),
    ("cannot stay there", {"do": {"sail": "aarhus", "take_tokens": "any"}, "now": TO_UPPAKRA}),
    (
        "4 spaces ahead",
        {"do": {"sail": "owidz", "take_tokens": "any"}, "now": TO_UPPAKRA},
    ),
    (
        "1 ahead then, and 2 spaces need no card",
        {"do": {"sail": "uppakra", "extra": 14, "take_tokens": "any"}, "when": AT_AARHUS},
    ),
    ("6 spaces ahead", {"do": {"sail": "wolin", "take_cards": "any"}, "when": AT_AARHUS}),
    (
        "you return",
        {
            "do": {"sail": 1, "reverse": 14, "take_cards": "any"},
            "now": {"sail": "wisloujscie", "reverse": 14, "take_tokens": "any"},
        },
    ),
    ("you are asked for a turn", {"do": {"accept": True}}),
    ("this order sails a ship", {"do": {"sail": 1, "take_tokens": "any"}, "at": "black-2.trade"}),
    ("your ship is placed", {"do": {"place": "wolin", "facing": "clockwise"}}),
    ("never countered", {"do": {"counter": LOT}, "at": "white-2.counter"}),
    ("black is asked there", {"do": {"decline": True}, "at": "black-2.counter"}),
    ("nobody can give it", {"do": {"accept": {"give": ["military"], "want": [1]}}, "at": "black-2.trade"}),
    ("you cannot give it", {"do": {"counter": {"give": [1], "want": ["military"]}}, "at": "black-2.trade"}),
    ("nobody holds 11 tokens", {"do": {"accept": {"give": [], "want": ["military"] * 11}}, "at": None}),
    (
        "offers no trade",
        {"do": {"decline": True}, "at": "white-2.counter", "now": TO_UPPAKRA},
    ),
    ("pile holds", {"do": {"sail": 1, "take_cards": "any"}, "when": {"pile": {"at_least": 50}}}),
    (
        "never fewer",
        {"do": {"sail": 1, "take_tokens": "any"}, "when": {"players.black.points": {"at_most": -1}}},
    ),
    ("to_move is white", {"do": {"sail": 1, "take_tokens": "any"}, "when": {"to_move": "black"}}),
    ("cannot be at owidz", {"do": {"sail": 1}, "when": {"players.white.city": "owidz"}, "now": TO_UPPAKRA}),
    ("Black has played", {"do": {"sail": 1}, "when": {"hand": {"has": 1}}}),
    (
        "tokens.military is 4 then",
        {"do": {"sail": 1}, "when": {"traded": False, "tokens.military": 9}, "now": TO_UPPAKRA},
    ),
]

FAIR: list[dict[str, Any]] = [
    {"do": {"sail": 1, "take_tokens": "any"}},
    {"do": {"sail": "uppakra", "take_tokens": "any"}, "now": TO_UPPAKRA},
    {"do": {"sail": "sorte_muld", "take_cards": "any"}, "now": TO_UPPAKRA},
    {"do": {"sail": "owidz", "extra": 14, "take_cards": "any"}},
    {"do": {"sail": "haithabu", "reverse": 15, "take_cards": "any"}, "now": TO_UPPAKRA},
    {"do": {"sail": "sorte_muld", "play_cards": [14]}, "now": TO_UPPAKRA},
    {"do": {"sail": "sorte_muld", "play_cards": [16]}},
    {"do": {"sail": "sorte_muld", "play_cards": [1, 14]}, "now": TO_UPPAKRA},
    {"do": {"sail": "uppakra", "take_tokens": ["religious"]}, "when": AT_AARHUS},
    {"do": {"sail": 2, "take_cards": [2, "any"]}},
    {"do": {"sail": 1, "take_tokens": "any", "claim": "four_sites"}},
    {"do": {"sail": 1, "take_tokens": "any", "trade": {"with": "black", **LOT}}},
    {"do": {"accept": LOT}, "at": "black-2.trade"},
    {"do": {"accept": True}, "at": "black-2.trade"},
    {"do": {"counter": LOT}, "at": "orange-2.trade"},
    {"do": {"decline": True}, "at": None},
    {"do": {"sail": 1, "take_tokens": "any"}, "at": None},
    {"do": {"sail": 1}, "when": {"hand": {"has": 16}}},
    {"do": {"sail": 1, "take_cards": "any"}, "when": {"pile": {"at_least": 3}}},
]


@pytest.mark.parametrize(("reason", "line"), BAD, ids=[reason for reason, _ in BAD])
def test_what_can_never_be_carried_out_is_told_with_its_reason(reason: str, line: dict[str, Any]) -> None:
    state = table(box=("2",))
    found = look(**{"state": _beaten(state) if "fewer" in reason else state, **line})

    assert found.never, found
    assert reason in found.never[0].text


def _rich(state: State) -> Player:
    return replace(state.players[WHITE], tokens=tokens("diplomatic"))


def _beaten(state: State) -> State:
    return replace(
        state, players={**state.players, BLACK: replace(state.players[BLACK], played=(Card("1"),))}
    )


@pytest.mark.parametrize("line", FAIR, ids=[str(line["do"]) for line in FAIR])
def test_what_may_be_carried_out_is_not_refused(line: dict[str, Any]) -> None:
    assert look(**line).never == ()


NONE = "Nothing can be claimed: "
CLAIMS = [
    (
        {"open_turns": 0},
        "A token for four sites brings 6 points, or 3 if another seat takes one before",
        "The token for five from Owidz brings 4 points, if no other seat takes it before",
    ),
    (
        {"now": TO_UPPAKRA},
        f"{NONE}for four sites you must have played 4 more cards by the end of your action",
        f"{NONE}for five from Owidz you must have played 5 more cards by the end of your action",
    ),
]


@pytest.mark.parametrize(("line", "four", "five"), CLAIMS, ids=["an open turn before", "a known turn before"])
def test_what_a_claim_brings_then_is_told_and_that_it_falls(
    line: dict[str, Any], four: str, five: str
) -> None:
    found = look({"sail": 1, "take_tokens": "any", "claim": ["four_sites", "five_owidz"]}, **line)

    assert found.besides == (four, five)


def test_without_trade_the_hand_is_known() -> None:
    state = table(may_trade=False)

    found = look({"sail": "sorte_muld", "play_cards": [16]}, now=TO_UPPAKRA, state=state)
    assert "cannot come to it" in found.never[0].text
    dear = look({"sail": "sorte_muld", "play_cards": [14]}, now=TO_UPPAKRA, state=state)
    assert "you have none then" in dear.never[0].text
    state = replace(state, players={**state.players, WHITE: _rich(state)})
    assert not look({"sail": "sorte_muld", "play_cards": [15]}, now=TO_UPPAKRA, state=state).never


def test_an_answer_that_declines_is_sure() -> None:
    assert look({"decline": True}, at="black-2.trade").is_sure
    assert not look({"accept": True}, at="black-2.trade").is_sure


def test_values_that_no_view_has_are_known() -> None:
    view, horizon = view_of(table(), WHITE), game().horizon

    assert never_holds(view, "players.black.city", "lund", horizon)
    assert never_holds(view, "hand", {"has": 99}, horizon)
    assert never_holds(view, "cities.lund.tokens", {"has": "military"}, horizon)
    assert never_holds(view, "players.black.city", ["owidz", "lund"], horizon)
    assert not never_holds(view, "players.black.city", ["owidz", "wolin"], horizon)


def test_what_no_view_has_is_told_in_the_names_and_words_of_reports() -> None:
    view, horizon, wording = view_of(table(), WHITE), game().horizon, game().wording

    assert never_holds(view, "players.black.city", "uppakr", horizon, wording) == (
        "the city of Black is never uppakr",
        Advice("Did you mean Uppåkra?", (Meant("Uppåkra"),)),
    )
    assert never_holds(view, "cities.owidz.ships", {"has": "blue"}, horizon, wording) == (
        "blue is never among the ships at Owidz",
        Advice("It can be White, Black, Orange, Purple, Brown.", (Possible("White"),)),
    )


@pytest.mark.parametrize("at", ["white-3", None])
def test_wherever_the_ship_may_be_elsewhere_the_words_say_that_it_must_be_able_to_sail_there(
    at: str | None,
) -> None:
    found = look({"sail": "owidz", "take_tokens": "any"}, at)

    assert found.provided == ("your ship can sail there", "the tokens lie there and you have room")


def test_a_ship_whose_place_is_certain_needs_no_such_words() -> None:
    found = look({"sail": "uppakra", "take_tokens": "any"}, "white-2", now=TO_UPPAKRA)

    assert found.provided == ("the tokens lie there and you have room",)


def test_a_claim_that_cannot_be_had_is_no_condition_of_the_turn() -> None:
    found = look({"sail": "uppakra", "take_tokens": "any", "claim": "four_sites"}, "white-2", now=TO_UPPAKRA)

    assert found.provided == ("the tokens lie there and you have room",)


def test_a_seat_that_is_not_asked_may_be_traded_with_before_its_turn() -> None:
    facts, mine, blacks = game().facts, view_of(table(), WHITE), view_of(table(to_move=BLACK), WHITE)
    assert carry(facts, mine, (), untraded=False).is_known
    assert not carry(facts, blacks, (), untraded=False).is_known
