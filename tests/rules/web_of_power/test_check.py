"""What a player is told about an order: problems, choices and the forecast."""

from __future__ import annotations

import pytest

from pbem.core.interface import Json
from pbem.rules.web_of_power.orders import read_move, write_move
from pbem.rules.web_of_power.state import State

from .table import RED, YELLOW, place, playout, position, web_of_power, why

HERE = position(hands={YELLOW: "fa bb li"}, taken="red: mainz; green: corvey", sent="franken: red 1")
YORK = place("england", "york")
PAIR = position(hands={YELLOW: "fa fa fr"}, taken="red: mainz corvey")

PROBLEMS = [
    ("a country that cannot be paid for", HERE, place("england", "york"),
     ["place: you cannot pay for 1 piece in England (a card England-Schwaben, or 2 of one type as a joker"]),
    ("two pieces that cannot be paid for", HERE, place("franken", "bremen", "bamberg"),
     ["place: you cannot pay for 2 pieces in Franken (a card Franken-Aragon, or 2 of one type as a "
      "joker, for each; "
      "3 cards at most). "]),
    ("a site that is taken", HERE, place("franken", "mainz"),
     ["place.pieces.0: a cloister of Red stands on Mainz. Free in Franken: Bremen, Magdeburg, Hersfeld, "
      "Würzburg, Bamberg."]),
    ("sites that are all taken", HERE, place("franken", ["mainz", "corvey"]),
     ["place.pieces.0: a cloister of Red stands on Mainz; a cloister of Green stands on Corvey. Free in F"]),
    ("a site of another country", HERE, place("franken", "york"),
     ["place.pieces.0: York lies in England, not in Franken. Free in Franken: "]),
    ("an advisor without room", HERE, place("franken", "advisor"),
     ["place.pieces.0: Franken has 1 advisor already, and takes no more than the most cloisters that a se"]),
    ("two advisors with room for one", PAIR, place("franken", "advisor", "advisor", "advisor"),
     ["place.pieces.2: a turn places 2 pieces at most, not 3. "]),
    ("an advisor in an empty country", HERE, place("bayern", "advisor"),
     ["place.pieces.0: no piece stands in Bayern yet, and the first must be a cloister. "]),
    ("two pieces in an empty country", HERE, place("bayern", "passau", "advisor"),
     ["place.pieces.1: no piece stands in Bayern yet, so a turn places 1 there, not 2. Leave out the othe"]),
    ("cards that are not held", PAIR, {"place": {"pieces": ["bamberg"], "pay": ["bayern", "bayern"]}},
     ["place.pay: Bayern-Burgund is not in your hand. "]),
    ("more of a card than are held", PAIR, {"place": {"pieces": ["reims"], "pay": ["frankreich"] * 2}},
     ["place.pay: you hold Frankreich once, and `pay` names it more often. "]),
    ("cards that do not pay for it", PAIR, {"place": {"pieces": ["bamberg"], "pay": ["frankreich"]}},
     ["place.pay: Frankreich cannot pay for 1 piece in Franken. "]),
    ("too many cards", PAIR, {"place": {"pieces": ["bamberg"], "pay": ["franken", "franken", "frankreich"]}},
     ["place.pay: Franken-Aragon and Franken-Aragon and Frankreich cannot pay for 1 piece in Franken. "]),
    ("a misspelt site", HERE, place("franken", "maniz"),
     ["place.pieces.0: there is no site or piece 'maniz'. Did you mean Mainz?"]),
    ("a misspelt country", HERE, place("fraken", "mainz"),
     ["place.country: there is no country 'fraken'. Did you mean Franken?"]),
    ("a misspelt card", HERE, {"discard": "franken_argon"},
     ["discard: there is no type of card 'franken_argon'. Did you mean Franken-Aragon?"]),
    ("an unknown card to draw", HERE, {"discard": "any", "draw": ["gold"]},
     ["draw: there is no type of card 'gold'. It can be Franken-Aragon, "]),
    ("an unknown card to pay with", HERE, {"place": {"pieces": ["bamberg"], "pay": ["x"]}},
     ["place.pay: there is no type of card 'x'. It can be Franken-Aragon, "]),
    ("no country and no site", HERE, {"place": {"pieces": ["cloister"]}},
     ["place: it does not say in which country. Add country: NAME, or name a site."]),
    ("no country, and a site that nobody knows", HERE, {"place": {"pieces": ["maniz"]}},
     ["place.pieces.0: there is no site or piece 'maniz'. Did you mean Mainz?"]),
    ("a card that is not held", HERE, {"discard": "frankreich"},
     ["discard: Frankreich is not in your hand (Franken-Aragon, Bayern-Burgund, "
      "Lothringen-Italien). You can order "
      "{discard: Franken-Aragon} or {discard: Bayern-Burgund} or {discard: Lothringen-Italien}."]),
    ("several cards that are not held", HERE, {"discard": ["frankreich", "england"]},
     ["discard: neither Frankreich nor England-Schwaben is in your hand "]),
    ("several plans", HERE, {"place": [YORK["place"], place("bayern", "advisor")["place"]]},
     ["place.0: you cannot pay for 1 piece in England ", "place.1.pieces.0: no piece stands in Bayern yet"]),
    ("several plans and no card", HERE, {**place("england", "york"), "discard": "frankreich"},
     ["place: you cannot pay for 1 piece in England ", "discard: Frankreich is not in your hand "]),
    ("several countries", HERE, {"place": {"country": ["england", "frankreich"], "pieces": ["cloister"]}},
     ["place: none of 2 countries is possible: you cannot pay for 1 piece in England "]),
    ("anywhere", HERE, {"place": {"country": "any", "pieces": ["advisor"]}},
     ["place: none of 9 countries is possible: no piece stands in England yet, "]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("state", "order", "texts"), [row[1:] for row in PROBLEMS], ids=[row[0] for row in PROBLEMS]
)
def test_a_problem_says_where_what_and_what_would_do(state: State, order: Json, texts: list[str]) -> None:
    found = why(state, order)
    assert len(found) == len(texts), found
    assert [text for text, start in zip(found, texts, strict=True) if not text.startswith(start)] == []


def test_a_hint_names_the_placement_that_brings_most() -> None:
    hint = " You can order {place: {country: Franken, pieces: [Bremen]}}."
    assert why(HERE, place("england", "york"))[0].endswith(hint)


def test_a_hint_for_who_can_place_nothing_names_the_cards() -> None:
    taken = "red: york st_albans canterbury winchester glastonbury hirsau ottobeuren st_gallen einsiedeln"
    stuck = position(hands={YELLOW: "es"}, taken=taken, sent="england: red 5; schwaben: green 4")
    found = why(stuck, place("franken", "mainz"))
    assert found[0].endswith(" You can place nothing. You can order {discard: England-Schwaben}.")


def test_a_name_that_nothing_has_is_wrong_for_good_and_all_else_for_now() -> None:
    rules = web_of_power()
    view = rules.view(HERE, YELLOW)
    assert [one.lasting for one in rules.check(view, rules.read(place("fraken", "maniz")))] == [True, True]
    assert [one.lasting for one in rules.check(view, rules.read(place("franken", "mainz")))] == [False]


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (place("aragon", "york"), "York lies in England, not in Aragon"),
        (place("franken", "bremen", "bremen"), "you place a cloister on Bremen already"),
    ],
    ids=str,
)
def test_what_the_map_has_no_place_for_is_wrong_for_good(order: Json, text: str) -> None:
    rules = web_of_power()
    (found,) = rules.check(rules.view(HERE, YELLOW), rules.read(order))

    assert (found.text, found.lasting) == (text, True)


@pytest.mark.parametrize(("seat", "text"), [(None, "a spectator gives no orders")])
def test_who_gives_no_orders(seat: None, text: str) -> None:
    rules = web_of_power()
    (problem,) = rules.check(rules.view(HERE, seat), rules.read({"discard": "any"}))
    assert str(problem) == text


def test_a_game_that_is_over_takes_no_orders() -> None:
    rules = web_of_power()
    *_, (state, _, _) = playout("over", ("random",), 3)
    (problem,) = rules.check(rules.view(state, YELLOW), rules.read({"discard": "any"}))
    assert str(problem) == "the game is over"


@pytest.mark.parametrize(
    "order",
    [
        {"place": {"country": "franken", "pieces": ["mainz", "advisor"]}, "draw": ["pile"]},
        {"place": {"country": "any", "pieces": [["advisor", "cloister"]], "pay": ["frankreich"]}},
        {
            "place": [
                {"country": ["franken", "any"], "pieces": ["cloister"]},
                {"country": "aragon", "pieces": ["ripoll"]},
            ],
            "discard": "any",
        },
        {"discard": ["frankreich", "any"], "draw": ["bayern_burgund", ["match", "pile"]]},
    ],
    ids=str,
)
def test_reading_and_writing_a_move_are_inverse(order: Json) -> None:
    assert write_move(read_move(web_of_power().facts, order)) == order


@pytest.mark.parametrize("skill", ["random", "greedy"])
@pytest.mark.parametrize("seats", [3, 5])
def test_whatever_is_listed_is_legal_and_every_choice_is_told(skill: str, seats: int) -> None:
    rules = web_of_power()
    for state, _, _ in playout(f"choices {skill}", (skill,), seats):
        for seat in (*state.seats, None):
            view = rules.view(state, seat)
            menus = rules.choices(view).menus
            if seat != view.to_move or seat is None:
                assert menus == ()
                continue
            whole = menus[0].items
            assert len(whole) >= 2 or rules.choices(view).only is not None
            for item in whole:
                move = rules.read(item.order)
                assert rules.check(view, move) == (), item
                assert len(rules.forecast(view, move).lines) >= 2
            assert [menu.paths for menu in menus[1:]] in (
                [("place.pieces",), ("draw",)], [("draw",)], [("place.pieces",)], [],
            )  # fmt: skip
            for menu in menus[1:]:
                for item in menu.items:
                    order: Json = {"place": {"pieces": [item.order]}}
                    if menu.paths == ("draw",):
                        order = {"discard": "any", "draw": [item.order]}
                    assert rules.check(view, rules.read(order)) == (), item


FORECASTS: list[tuple[str, State, Json, list[str]]] = [
    (
        "a cloister that joins a chain",
        position(taken="yellow: hirsau ottobeuren st_gallen; red: corvey", face_up="fr es"),
        place("franken", "mainz", draw=["frankreich", "pile"]),
        [
            "You pay Franken-Aragon for a cloister on Mainz in Franken.",
            "Cloisters in Franken are then: Yellow 1, Red 1; it takes 1 more advisor.".replace(
                "Yellow", "you"
            ),
            "Cloisters, if scored right then: you +2, Red +1.",
            "Your chain there is then 4 long, and brings 4 points.",
            "You share the lead there; one more cloister of a rival takes it.",
            "You keep Bayern-Burgund and Lothringen-Italien, and draw 1 card: Frankreich.",
        ],
    ),
    (
        "an advisor that makes an alliance",
        position(hands={YELLOW: "fa fa fr"}, taken="red: mainz koeln", sent="lothringen: yellow 1"),
        place("franken", "corvey", "advisor"),
        [
            "You pay Franken-Aragon and Franken-Aragon for a cloister on Corvey and an advisor in Franken.",
            "Cloisters in Franken are then: you 1, Red 1; it takes no more advisors.",
            "Cloisters, if scored right then: you +2, Red +1.",
            "Alliances, if scored right then: you +2.",
            "You share the lead there; one more cloister of a rival takes it.",
            "You keep Frankreich, and draw 2 cards: Frankreich, then the pile.",
        ],
    ),
    (
        "a first cloister",
        position(),
        place("bayern", "cloister"),
        [
            "You pay Bayern-Burgund for a cloister on Regensburg in Bayern.",
            "Cloisters in Bayern are then: you 1; it takes 1 more advisor.",
            "Cloisters, if scored right then: you +1.",
            "Others can send advisors to Bayern then: there is room for 1.",
            "You keep Franken-Aragon and Lothringen-Italien, and draw 1 card: the pile.",
        ],
    ),
    (
        "a card thrown away at the end",
        position(closing=True, half=2),
        {**place("england", "york"), "discard": "any"},
        [
            "None of the placements is possible as things stand.",
            "You place no piece and throw Franken-Aragon away.",
            "You keep Bayern-Burgund and Lothringen-Italien; nobody draws any more.",
        ],
    ),
    (
        "a preference, and the last card of the pile",
        position(pile="fr", discards="fa"),
        {"place": {"country": "any", "pieces": ["cloister"]}, "draw": ["pile"]},
        [
            "As things stand, the first placement that is possible is this:",
            "You pay Franken-Aragon for a cloister on Bremen in Franken.",
            "Cloisters in Franken are then: you 1; it takes 1 more advisor.",
            "Cloisters, if scored right then: you +1.",
            "Others can send advisors to Franken then: there is room for 1.",
            "You keep Bayern-Burgund and Lothringen-Italien, and draw 1 card: the pile; the pile "
            "runs out with it, and the first scoring comes then.",
        ],
    ),
]


@pytest.mark.parametrize(
    ("state", "order", "lines"), [row[1:] for row in FORECASTS], ids=[row[0] for row in FORECASTS]
)
def test_the_forecast_says(state: State, order: Json, lines: list[str]) -> None:
    rules = web_of_power()
    view, move = rules.view(state, YELLOW), rules.read(order)
    assert rules.check(view, move) == ()
    assert list(rules.forecast(view, move).lines) == lines


def test_a_placement_that_changes_no_points_is_forecast_as_such() -> None:
    rules = web_of_power()
    state = position(taken="red: mainz corvey")
    lines = rules.forecast(rules.view(state, YELLOW), rules.read(place("franken", "advisor"))).lines
    assert "No points change by it, if scored right then." in lines
    assert rules.forecast(rules.view(state, None), rules.read(place("franken", "advisor"))).lines == ()
    assert rules.forecast(rules.view(state, RED), rules.read(place("england", "york"))).lines == ()


def test_the_only_card_to_throw_away_in_the_last_turn_is_no_choice() -> None:
    rules = web_of_power()
    state = position(hands={YELLOW: "es"}, taken="red: york", closing=True, half=2)
    assert rules.choices(rules.view(state, YELLOW)).only is None, "a cloister is possible"
    taken = "red: york st_albans canterbury winchester glastonbury hirsau ottobeuren st_gallen einsiedeln"
    full = position(
        hands={YELLOW: "es"}, taken=taken, sent="england: red 5; schwaben: green 4", closing=True, half=2
    )
    assert rules.choices(rules.view(full, YELLOW)).only == {"discard": "england_schwaben"}
    drawn = position(hands={YELLOW: "es"}, taken=taken, sent="england: red 5; schwaben: green 4")
    found = rules.choices(rules.view(drawn, YELLOW))
    assert found.only is None
    assert [item.order for item in found.menus[0].items] == [
        {"discard": "england_schwaben", "draw": [source]}
        for source in ("frankreich", "england_schwaben", "pile")
    ]
