"""Drawing: preferences, one card after the other, and what the others learn of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.core.events import ALL, only
from pbem.core.interface import Json
from pbem.rules.kit.ranking import without
from pbem.rules.web_of_power import events
from pbem.rules.web_of_power.drawing import fill_hand
from pbem.rules.web_of_power.orders import read_move, renew
from pbem.rules.web_of_power.state import Card

from .table import RED, SHORT, YELLOW, cards, do, kinds, place, position, web_of_power


def row(text: str) -> tuple[Card, ...]:
    """Return cards in the order written."""
    return tuple(Card(SHORT[name]) for name in text.split())


def _named(wanted: Json) -> Json:
    if isinstance(wanted, list):
        return [_named(entry) for entry in wanted]
    return SHORT.get(str(wanted), wanted)


@pytest.mark.paragraph("draw")
@pytest.mark.parametrize(
    ("hand", "pile", "face_up", "wanted", "hand_after", "drawn"),
    [
        ("fa", "bb li", "fr es", [], "fa bb li", "bb li"),
        ("fa", "bb li", "fr es", ["es", "pile"], "fa es bb", "bb"),
        ("fa", "bb li", "fr es", ["es", "fr"], "fa es fr", ""),
        ("fa", "bb li", "fr es", ["es", "es", "pile"], "fa es bb", "bb"),
        ("", "li bb", "fr fr", ["fr", "pile"], "fr li bb", "li bb"),
        ("", "li bb", "fr fr", ["fr", "fr", "pile"], "fr fr li", "li"),
        ("", "li bb", "fr fr", ["pile", "fr"], "li fr fr", "li"),
        ("fa", "li bb", "fa fa", ["match", "pile"], "fa fa li", "li"),
        ("fa", "li bb", "fa fa", ["pile", "match"], "fa li fa", "li"),
        ("fa", "bb li", "fr es", [["match", "pile"]], "fa bb li", "bb li"),
        ("fa", "es li", "fr es", ["pile", ["match", "pile"]], "fa es es", "es"),
        ("fa", "bb li", "fr es", ["li", ["li", "es"]], "fa bb es", "bb"),
        ("fa", "bb li", "fr fa", ["es"], "fa fa bb", "bb"),
        ("fa", "bb li", "fr fa", ["match", "fr"], "fa fa fr", ""),
        ("fa li", "bb", "li li", ["match"], "fa li li", ""),
        ("fa", "bb", "fr es", ["pile"], "fa bb fr", "bb"),
        ("", "bb li es fr", "fa fa", ["fa", "pile"], "fa bb li", "bb li"),
        ("", "bb", "fr", ["li"], "bb fr", "bb"),
        ("fa", "", "", ["pile"], "fa", ""),
        ("fa bb li", "bb", "fr es", ["pile"], "fa bb li", ""),
    ],
)
def test_a_hand_is_filled(
    hand: str, pile: str, face_up: str, wanted: list[Json], hand_after: str, drawn: str
) -> None:
    facts = web_of_power().facts
    order: Json = {"discard": "any", "draw": _named(wanted)}
    taken, from_pile = fill_hand(facts, row(hand), row(pile), row(face_up), read_move(facts, order).draw)
    assert (taken, from_pile) == (without(without(row(hand_after), row(hand)), row(drawn)), row(drawn))
    assert without(taken, row(face_up)) == ()


@pytest.mark.paragraph("draw")
def test_open_cards_are_replaced_only_when_the_hand_is_full() -> None:
    state = position(hands={YELLOW: "fa fa bb"}, taken="red: mainz", face_up="fr es", pile="fr fr li li")
    order: dict[str, Json] = {**place("franken", "corvey", "bamberg"), "draw": ["frankreich", "pile"]}
    after, told = do(state, order)
    assert after.players[YELLOW].hand == cards("bb fr fr")
    assert (after.face_up, after.pile) == (row("es fr"), row("li li"))
    assert kinds(told) == ["PiecesPlaced", "CardsDrawn", "HandFilled", "CardsTurnedUp"]
    assert told[-1] == events.CardsTurnedUp(cards=row("fr"), pile=2, to=ALL)


def test_as_many_cards_are_turned_up_as_there_are() -> None:
    state = position(taken="red: mainz", face_up="", pile="fr li", half=2)
    after, told = do(state, place("franken", "corvey"))
    assert (after.face_up, after.pile) == (row("li"), ())
    assert events.CardsTurnedUp(cards=row("li"), pile=0, to=ALL) in told


def test_what_comes_from_the_pile_is_told_to_its_seat_alone() -> None:
    state = position(hands={YELLOW: "fa fa bb"}, taken="red: mainz", face_up="fr es", pile="li fr fr")
    _, told = do(state, place("franken", "corvey", "bamberg", draw=["england", "pile"]))
    assert told[1] == events.CardsDrawn(seat=YELLOW, cards=row("li"), to=only(YELLOW))
    assert told[2] == events.HandFilled(seat=YELLOW, taken=row("es"), from_pile=1, to=ALL)


def test_open_cards_that_a_seat_took_stay_known_until_they_are_spent() -> None:
    state = position(hands={YELLOW: "fa fa fr"}, taken="red: mainz", face_up="fr es")
    after, _ = do(state, place("franken", "corvey", "bamberg", draw=["frankreich", "england"]))
    assert after.players[YELLOW].known == cards("es fr")
    rules = web_of_power()
    seen = rules.view(after, RED)
    assert (seen.players[YELLOW].known, seen.players[YELLOW].cards) == (cards("es fr"), 3)
    state = position(hands={YELLOW: "es fr fr"}, taken="red: mainz tours")
    player = replace(state.players[YELLOW], known=cards("es fr"))
    state = replace(state, players={**state.players, YELLOW: player})
    spent, _ = do(state, place("frankreich", "reims", draw=["pile"]))
    assert spent.players[YELLOW].known == cards("es"), "a known card is taken to go first"


@pytest.mark.parametrize(
    ("known", "spent", "left"),
    [("fr fr es", "fr", "es fr"), ("fr", "fr fr", ""), ("", "fr", ""), ("es", "fr", "es")],
)
def test_what_all_know_of_a_hand_that_spent_cards(known: str, spent: str, left: str) -> None:
    assert without(cards(known), cards(spent)) == cards(left)


def test_what_is_not_said_of_drawing_is_match_and_then_the_pile() -> None:
    state = position(hands={YELLOW: "fa fr li"}, taken="red: mainz", face_up="fr es", pile="bb bb")
    after, _ = do(state, place("franken", "corvey"))
    assert after.players[YELLOW].hand == cards("li fr fr")


@pytest.mark.paragraph("draw")
def test_a_hand_that_is_short_when_the_pile_runs_out_goes_on_with_the_next_entry() -> None:
    """One card is left for two that are missing, and none lies open; the other comes from the new pile."""
    state = position(
        hands={YELLOW: "fa fa bb"}, taken="red: mainz", pile="li", face_up="", discards="fr fr fr es es es"
    )
    after, told = do(state, place("franken", "corvey", "bamberg", draw=["match", "pile"]))
    assert kinds(told).count("HandFilled") == 2
    assert (after.half, len(after.players[YELLOW].hand)) == (2, 3)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (["match", "pile"], [["match", "pile"]]),
        (["frankreich", "match", "pile"], [["frankreich", "match", "pile"]]),
        (["frankreich", "bayern"], [["frankreich", "bayern", "pile"]]),
        ("frankreich", [["frankreich", "pile"]]),
        ("pile", "pile"),
        (["pile"], ["pile"]),
        ([["match", "pile"]], [["match", "pile"]]),
        (["pile", ["match", "frankreich"]], ["pile", ["match", "frankreich"]]),
    ],
    ids=str,
)
def test_what_was_ordered_under_version_1_still_means_the_same(old: Json, new: Json) -> None:
    assert renew({"discard": "any", "draw": old}, 1) == {"discard": "any", "draw": new}
    assert renew({"discard": "any", "draw": old}, 2) == {"discard": "any", "draw": old}
    assert renew({"discard": "any"}, 1) == {"discard": "any"}
