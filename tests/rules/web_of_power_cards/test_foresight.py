"""Orders for later asks: those that can never be carried out are told with their reason, and no others."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.core.events import Seat
from pbem.core.foresight import Later, Outlook
from pbem.core.interface import Json, Label
from pbem.rules.web_of_power_cards.state import COLOURS, MINUS, THREE

from .table import GREEN, RED, YELLOW, position, rules

TABLE: dict[str, Any] = {
    "held": {YELLOW: "Fr1 It1", RED: "En1 Da1"},
    "stones": {"Sa1": RED},
    "own_laws": {YELLOW: [THREE], RED: [MINUS], GREEN: [THREE, MINUS]},
    "removed": {GREEN: 3},
}
ROWS = (
    "Fr2 Fr3 Fr4 Sa1 Ka1 Ba1 Un1 It3 Fn1 Sa3 Ka3 Ba3 Un3",
    "Fr5 Sa2 Ka2",
    "Ba4 Un2",
)
"""Yellow and Red have three stones each, Green none; no law card lies on the table, and nobody can have
"Different colours allowed" but from what Red and Green hold."""


def foreseen(
    order: Json,
    before: list[Json] | None = None,
    when: dict[str, Json] | None = None,
    *,
    to_move: Seat = RED,
    rows: tuple[str, ...] = ROWS,
) -> Outlook:
    """Judge an order of Yellow; in `before` None is an open ask."""
    view = rules().view(position(*rows, to_move=to_move, **TABLE), YELLOW)
    settled = tuple(None if one is None else rules().read(one) for one in before or [])
    return rules().foresee(view, Later(rules().read(order), Label("yellow-9"), settled, when or {}))


NEVER: list[tuple[Json, dict[str, Any], str]] = [
    ({"take": ["Fr1"]}, {}, "Fr1 is yours already"),
    ({"take": [["En1", "Da1"]]}, {}, "En1 was taken by Red and Da1 was taken by Red"),
    ({"take": ["Ba4", "Fr5", "Fr5"]}, {}, "Fr5 is named twice"),
    ({"take": ["Fr9"]}, {}, "there is no card or country 'Fr9'"),
    ({"take": ["england"]}, {}, "no card of England can be taken then"),
    ({"take": ["Un1"]}, {}, "Un1 cannot be at an end of its row by then: too many cards lie before it"),
    ({"take": [["Ba1", "Un1"]]}, {}, "Ba1 cannot be at an end"),
    ({"take": ["Fr5"]}, {"before": [{"take": ["Fr5"]}], "to_move": YELLOW}, "you take Fr5 before then"),
    ({"take": ["Fr5"]}, {"before": [None, {"take": ["Fr5"]}]}, "you take Fr5 before then"),
    ({"take": ["Fr5", "Ba4"], "use": ["three_symbols"]}, {}, "its colour is another than before it"),
    ({"take": ["Fr2", "Fr3", "Fr5"]}, {}, "these are 3 circle symbols in one turn"),
    ({"take": ["Fr4", "Fr3", "Fr2"], "use": ["three_symbols"]}, {}, "these are 4 circle symbols"),
    ({"skip": True}, {}, "you have a stone then"),
    ({"skip": True}, {"before": [None], "when": {"can_take": {"has": "Fr5"}}}, "its condition says that one"),
    ({"take": ["any"]}, {"when": {"ends": {"has": "Un1"}}}, "Un1 cannot come to an end of its row by then"),
    ({"take": ["any"]}, {"when": {"can_take": {"has": "En1"}}}, "En1 does not lie on the table then"),
    ({"take": ["any"]}, {"when": {"cards.En1.holder": "table"}}, "cards.En1.holder is red then"),
    ({"take": ["any"]}, {"when": {"cards.Un1.holder": "red"}}, "cards.Un1.holder is table then"),
    ({"take": ["any"]}, {"when": {"cards.Fr3.depth": {"at_least": 2}}}, "cards.Fr3.depth is 0 or 1"),
    ({"take": ["any"]}, {"when": {"left": 18}}, "left is from 1 to 17 then"),
    ({"take": ["any"]}, {"when": {"lost_claim": True}}, "lost_claim is false then"),
    ({"take": ["any"]}, {"when": {"laws": {"has": "different_colours"}}}, "laws stays as it is until then"),
    ({"take": ["any"]}, {"when": {"players.yellow.lands.bayern": 1}}, "players.yellow.lands.bayern stays"),
    ({"take": ["any"]}, {"when": {"players.red.cards": {"has": "It1"}}}, "It1 stays with yellow"),
    ({"take": ["any"]}, {"when": {"players.red.lands.england": 0}}, "players.red.lands.england is from 1"),
    ({"take": ["any"]}, {"when": {"to_move": "red"}}, "to_move is yellow then"),
    ({"take": ["any"]}, {"when": {"cards.Fr2.law": True}}, "cards.Fr2.law is false then"),
    ({"take": ["any"]}, {"when": {"players.yellow.asks": 2}}, "players.yellow.asks is 1 then"),
    ({"take": ["Fr2"]}, {"when": {"cards.Fr2.holder": "red"}}, "its condition says that Fr2 does not lie"),
    ({"take": ["Fr3"]}, {"when": {"cards.Fr3.depth": 1}}, "its condition says that Fr3 does not lie at an"),
    ({"take": ["Fr2"]}, {"when": {"cards.fr2.holder": "red"}}, "its condition says that Fr2 does not lie"),
    ({"take": ["Fr3"]}, {"when": {"cards.FR3.depth": 1}}, "its condition says that Fr3 does not lie at an"),
    ({"take": ["any"]}, {"rows": ("Fr2 Ba3",), "before": [None]}, "the game is over by then"),
    ({"take": ["any", "any"]}, {"rows": ("Fr2 Ba3",)}, "at most 1 card lies on the table then"),
]


@pytest.mark.parametrize(("order", "moment", "told"), NEVER)
def test_an_order_that_can_never_be_carried_out_is_told_with_its_reason(
    order: Json, moment: dict[str, Any], told: str
) -> None:
    found = foreseen(order, **moment)

    assert told in "; ".join(problem.text for problem in found.never)


MAYBE: list[tuple[Json, dict[str, Any]]] = [
    ({"take": ["Fr5"]}, {}),
    ({"take": ["Fr3"]}, {}),
    ({"take": ["Fr2", "Fr3"]}, {}),
    ({"take": ["Sa2"]}, {}),
    ({"take": [["En1", "Fr5"]]}, {}),
    ({"take": ["Sa1"], "pay": ["any"]}, {"before": [None]}),
    ({"take": ["Un1"]}, {"before": [None, None, None]}),
    ({"take": ["Fr2", "Fr3", "Fr5"], "use": ["three_symbols"]}, {}),
    ({"take": ["Fr3"]}, {"before": [{"take": ["Fr2"]}], "to_move": YELLOW}),
    ({"take": ["Fr5"]}, {"before": [{"take": [["Fr5", "Ba4"]]}, None], "to_move": RED}),
    ({"take": ["bayern"]}, {}),
    ({"take": ["any"], "claim": ["Ka1"]}, {}),
    ({"take": ["any"]}, {"when": {"cards.Fr2.holder": ["red", "green"]}}),
    ({"take": ["any"]}, {"when": {"lost_claim": True}, "before": [None]}),
    ({"take": ["any"]}, {"when": {"left": {"at_most": 15}}}),
    ({"take": ["any"]}, {"when": {"cards.Fr3.depth": {"not": 1}}}),
    ({"skip": True}, {"before": [None]}),
]


@pytest.mark.parametrize(("order", "moment"), MAYBE)
def test_an_order_that_may_be_carried_out_is_not_called_impossible(
    order: Json, moment: dict[str, Any]
) -> None:
    assert not foreseen(order, **moment).never


@pytest.mark.parametrize(
    ("order", "when"),
    [
        ({"take": ["any"]}, {}),
        ({"take": [["Fr2", "any"]], "also": ["frankreich"]}, {}),
        ({"take": ["Fr5"]}, {"can_take": {"has": "Fr5"}}),
        ({"take": ["any"], "use": ["three_symbols"]}, {}),
    ],
)
def test_an_order_that_is_legal_wherever_its_condition_holds_is_sure(
    order: Json, when: dict[str, Json]
) -> None:
    assert foreseen(order, when=when).is_sure


def test_what_must_be_so_is_said_in_words() -> None:
    found = foreseen({"take": ["Fr2", "Fr3"], "claim": ["Ka1"]})

    assert found.provided == ("Fr2 and Fr3 can be taken, one after the other",)
    assert found.besides == ("A stone goes on Ka1; if it cannot, the cards are taken all the same",)
    assert foreseen({"take": ["any"], "pay": ["Ka1"], "from": ["any"]}).provided == (
        "no stone has to be paid or one of yours is in reserve or on Ka1",
    )
    assert foreseen({"take": ["Fr5"]}).provided == ("Fr5 can be taken",)


def test_a_law_card_that_may_still_come_leaves_an_order_open() -> None:
    order: Json = {"take": ["Fr5", "Ba4"], "use": [COLOURS]}
    with_law = position(*ROWS, laws={"Fr5": COLOURS}, to_move=RED, **TABLE)
    later = Later(rules().read(order), Label("yellow-1"), ())

    assert foreseen(order).never
    assert not rules().foresee(rules().view(with_law, YELLOW), later).never


def test_a_law_card_must_be_held_only_where_the_cards_need_it() -> None:
    view = rules().view(position(*ROWS, laws={"Fr5": COLOURS}, to_move=RED, **TABLE), YELLOW)

    def provided(*cards: str) -> tuple[str, ...]:
        order: Json = {"take": list[Json](cards), "use": [COLOURS]}
        return rules().foresee(view, Later(rules().read(order), Label("yellow-1"), ())).provided

    assert not [one for one in provided("Fr2", "Fr3") if "law card" in one]
    assert 'you hold the law card "Different colours allowed"' in provided("Fr5", "Ba4")
