"""Placing pieces: what it costs, where they fit, and which of several plans is carried out."""

from __future__ import annotations

import pytest

from pbem.core.events import ALL, Seat
from pbem.core.interface import Json
from pbem.rules.web_of_power import events
from pbem.rules.web_of_power.board import board_of
from pbem.rules.web_of_power.placing import Obstacle, fit_pieces, payments
from pbem.rules.web_of_power.state import ADVISOR, CLOISTER, Country, State

from .table import GREEN, RED, YELLOW, board, cards, do, kinds, place, playout, position, web_of_power, why

FRANKEN = Country("franken")


@pytest.mark.paragraph("one-piece-a-card", "joker", "three-two-one")
@pytest.mark.parametrize(
    ("hand", "pieces", "possible"),
    [
        ("fa bb li", 1, ["fa"]),
        ("bb li fr", 1, []),
        ("bb bb fr", 1, ["bb bb"]),
        ("fa bb bb", 1, ["fa", "bb bb"]),
        ("fa bb bb", 2, ["fa bb bb"]),
        ("fa fa bb", 1, ["fa", "fa fa"]),
        ("fa fa bb", 2, ["fa fa"]),
        ("fa fa fa", 1, ["fa", "fa fa"]),
        ("fa fa fa", 2, ["fa fa", "fa fa fa"]),
        ("bb bb bb", 2, []),
        ("fa fa fa", 3, []),
    ],
)
def test_pieces_in_franken_cost(hand: str, pieces: int, possible: list[str]) -> None:
    found = payments(web_of_power().facts, cards(hand), FRANKEN, pieces)
    assert found == tuple(map(cards, possible))


@pytest.mark.paragraph("one-piece-a-card")
def test_a_placement_takes_the_cards_and_puts_the_pieces_on_the_map() -> None:
    state = position(hands={YELLOW: "fa fa bb"}, taken="red: bremen")
    after, told = do(state, place("franken", "mainz", "advisor", draw=["pile"]))
    assert after.cloisters == {"bremen": RED, "mainz": YELLOW}
    assert after.advisors == {"franken": {YELLOW: 1}}
    assert after.discards == {"franken_aragon": 2}
    assert told[0] == events.PiecesPlaced(
        seat=YELLOW, country=FRANKEN, pieces=("mainz", "advisor"), cards=cards("fa fa"), to=ALL
    )


def test_the_fewest_cards_are_paid_if_none_are_named() -> None:
    state = position(hands={YELLOW: "fa fa fa"}, taken="red: bremen")
    after, _ = do(state, place("franken", "mainz", "corvey"))
    assert after.discards == {"franken_aragon": 2}
    paid: Json = {"pieces": ["mainz"], "pay": ["aragon", "franken"]}
    after, _ = do(state, {"place": paid})
    assert after.discards == {"franken_aragon": 2}
    assert len(after.cloisters) == 2


@pytest.mark.paragraph("empty-country", "example-johanna")
@pytest.mark.parametrize(
    ("pieces", "problem"),
    [
        (["mainz"], ""),
        (["advisor"], "no piece stands in Franken yet, and the first must be a cloister"),
        (["mainz", "corvey"], "no piece stands in Franken yet, so a turn places 1 there, not 2"),
        (["mainz", "advisor"], "no piece stands in Franken yet, so a turn places 1 there, not 2"),
    ],
)
def test_an_empty_country_takes_one_cloister(pieces: list[Json], problem: str) -> None:
    found = why(position(hands={YELLOW: "fa fa bb"}), place("franken", *pieces))
    assert [problem in text for text in found] == ([True] if problem else [])


@pytest.mark.paragraph("cloisters", "sites")
def test_each_site_takes_one_cloister_and_a_full_country_no_more() -> None:
    state = position(hands={YELLOW: "fa es es"}, taken="red: hirsau ottobeuren st_gallen")
    assert why(state, place("schwaben", "hirsau")) == [
        "place.pieces.0: a cloister of Red stands on Hirsau. Free in Schwaben: Einsiedeln."
    ]
    assert "all sites in Schwaben are taken" in why(state, place("schwaben", "cloister", "cloister"))[0]
    after, _ = do(state, place("schwaben", "cloister"))
    assert "einsiedeln" in after.cloisters
    assert board("red: hirsau ottobeuren st_gallen").free_sites(Country("schwaben")) == ("einsiedeln",)


@pytest.mark.paragraph("advisor-limit", "example-italien")
def test_a_cloister_that_is_placed_first_makes_room_for_an_advisor() -> None:
    state = position(hands={YELLOW: "li li fa"}, taken="yellow: milano; red: genova", sent="italien: red 1")
    assert len(why(state, place("italien", "advisor", "novalesa"))) == 1
    after, _ = do(state, place("italien", "novalesa", "advisor"))
    assert after.advisors == {"italien": {RED: 1, YELLOW: 1}}


@pytest.mark.paragraph("advisors-anywhere")
def test_an_advisor_needs_no_cloister_of_its_own_seat() -> None:
    after, _ = do(position(taken="red: milano"), place("italien", "advisor"))
    assert after.advisors == {"italien": {YELLOW: 1}}


@pytest.mark.paragraph("limited-pieces")
def test_a_seat_without_pieces_can_place_nothing() -> None:
    rules = web_of_power()
    own = [site for site, country in rules.facts.home.items() if country not in ("england", "italien")][:20]
    state = position(
        taken=f"yellow: {' '.join(own)}; red: milano genova", sent="franken: yellow 7; aragon: yellow 1"
    )
    assert "you have no cloister left" in why(state, place("italien", "cloister"))[0]
    assert "you have no advisor left" in why(state, place("italien", "advisor"))[0]
    view = rules.view(state, YELLOW)
    assert (view.players[YELLOW].cloisters, view.players[YELLOW].advisors) == (0, 0)
    after, _ = do(state, {"discard": "any"})
    assert sum(after.discards.values()) == 1


PLANS: list[tuple[str, State, Json, tuple[str, ...]]] = [
    (
        "the first plan that is possible",
        position(hands={YELLOW: "fa bb li"}, taken="red: bremen"),
        {"place": [place("england", "york")["place"], place("franken", "bremen")["place"],
                   place("bayern", "passau")["place"]]},
        ("bayern", "passau"),
    ),
    (
        "the first country that is possible",
        position(hands={YELLOW: "fa bb li"}),
        {"place": {"country": ["england", "schwaben", "burgund", "bayern"], "pieces": ["cloister"]}},
        ("burgund", "citeaux"),
    ),
    (
        "any country, in scoring order",
        position(hands={YELLOW: "bb li fr"}),
        {"place": {"country": "any", "pieces": ["cloister"]}},
        ("bayern", "regensburg"),
    ),
    (
        "the first site that is free",
        position(taken="red: mainz; green: corvey"),
        place("franken", ["mainz", "corvey", "bamberg"]),
        ("franken", "bamberg"),
    ),
    (
        "an advisor, or a cloister if there is no room",
        position(hands={YELLOW: "fa fa li"}, taken="red: mainz", sent="franken: red 1"),
        place("franken", ["advisor", "cloister"]),
        ("franken", "bremen"),
    ),
    (
        "any free site is where own cloisters hang together",
        position(taken="yellow: hirsau; red: bremen"),
        place("franken", "cloister"),
        ("franken", "mainz"),
    ),
    (
        "the country of the first site named",
        position(taken="red: bremen"),
        {"place": {"pieces": ["Mainz"]}},
        ("franken", "mainz"),
    ),
    (
        "two free sites, one after the other",
        position(hands={YELLOW: "fa fa li"}, taken="red: bremen; yellow: hirsau"),
        place("franken", "cloister", "cloister"),
        ("franken", "mainz", "hersfeld"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("state", "order", "placed"), [row[1:] for row in PLANS], ids=[row[0] for row in PLANS]
)
def test_preferences_come_to(state: State, order: Json, placed: tuple[str, ...]) -> None:
    _, told = do(state, order)
    assert isinstance(told[0], events.PiecesPlaced)
    assert (told[0].country, *told[0].pieces) == placed


@pytest.mark.paragraph("discard", "change")
@pytest.mark.parametrize(
    ("hand", "wanted", "gone"),
    [
        ("fa bb li", "bb", "bb"),
        ("fa fa li", "any", "li"),
        ("fa bb li", "any", "fa"),
        ("fa bb li", ["fr", "li", "any"], "li"),
        ("fa bb li", ["fr", "any"], "fa"),
    ],
)
def test_who_places_nothing_throws_one_card_away(hand: str, wanted: Json, gone: str) -> None:
    words = [wanted] if isinstance(wanted, str) else wanted
    assert isinstance(words, list)
    named: list[Json] = [cards(str(one))[0] if one != "any" else one for one in words]
    state = position(hands={YELLOW: hand}, taken="red: mainz")
    after, told = do(state, {"discard": named, "draw": ["pile"]})
    assert told[0] == events.CardDiscarded(seat=YELLOW, card=cards(gone)[0], to=ALL)
    assert kinds(told)[1:] == ["CardsDrawn", "HandFilled"]
    assert len(after.players[YELLOW].hand) == 3
    assert after.cloisters == state.cloisters


def test_a_card_is_thrown_away_if_no_plan_is_possible() -> None:
    _, told = do(position(), {**place("england", "york"), "discard": "any"})
    assert kinds(told)[0] == "CardDiscarded"


@pytest.mark.paragraph("clockwise")
def test_turns_go_round_and_each_seat_counts_its_own() -> None:
    state, labels = position(), []
    for _ in range(4):
        labels.append(web_of_power().ask(state).label)  # type: ignore[union-attr]
        state, _ = do(state, {"discard": "any", "draw": ["pile"]})
    assert labels == ["yellow-1", "red-1", "green-1", "yellow-2"]


def test_the_others_learn_where_pieces_came_since_their_turn() -> None:
    rules = web_of_power()
    state, _ = do(position(taken="red: mainz"), place("franken", "corvey"))
    state, _ = do(state, place("bayern", "passau"))
    assert rules.view(state, GREEN).news == ("franken", "bayern")
    assert rules.view(state, YELLOW).news == ("bayern",)
    assert rules.view(state, None).news == ()
    assert rules.view(state, Seat("red")).news == ()


def test_a_lost_lead_shows_until_the_next_turn_is_over() -> None:
    rules = web_of_power()
    state, _ = do(position(hands={RED: "fa fa bb"}, taken="red: mainz"), place("franken", "corvey"))
    assert state.players[YELLOW].led == ("franken",)
    state, _ = do(state, place("franken", "bamberg"))
    assert rules.view(state, YELLOW).lost == ("franken",)
    assert rules.view(state, YELLOW).lost_lead
    assert not rules.view(state, RED).lost_lead
    state, _ = do(state, {"discard": "any"})
    state, _ = do(state, {"discard": "any"})
    assert rules.view(state, YELLOW).lost == ()
    assert not rules.view(state, YELLOW).lost_lead


@pytest.mark.parametrize("seats", [3, 5])
def test_a_country_takes_cloisters_and_advisors_if_the_pieces_fit_one_by_one(seats: int) -> None:
    facts, found = web_of_power().facts, set[tuple[int, int, bool]]()
    for state, _, _ in playout("takes", ("greedy", "random"), seats):
        seen = board_of(facts, state)
        for country in facts.lands:
            for built, sent in ((1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (2, 1)):
                pieces = ((CLOISTER,),) * built + ((ADVISOR,),) * sent
                fits = not isinstance(fit_pieces(seen, state.to_move, country, pieces), Obstacle)
                assert seen.takes(state.to_move, country, built, sent) == fits
                found.add((built, sent, fits))
    assert len(found) == 11, "each is possible here and impossible there, but for three pieces"
