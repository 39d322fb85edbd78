"""What a player is told about an order: problems, choices and the forecast."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.rules.kit.words import spelled
from pbem.rules.web_of_power_cards.state import (
    COLOURS,
    MINUS,
    RETURN,
    SEATS,
    THREE,
    Card,
    Law,
    State,
    Take,
    write_take,
)

from .table import GREEN, RED, YELLOW, do, is_legal, playout, position, problems, rules

LINES = ("Fr1 Ba1 Sa1", "It1 Fr2", "Fr8")

PROBLEMS: list[tuple[str, State, Json, tuple[str | int, ...], str]] = [
    (
        "a card that somebody has",
        position(*LINES),
        {"take": ["En1"]},
        ("take", 0),
        "En1 was taken by Green. You can take Fr1, Sa1, It1, Fr2 or Fr8 first.",
    ),
    (
        "a card that there is not",
        position(*LINES),
        {"take": ["fr9"]},
        ("take", 0),
        "there is no card or country 'fr9'. Did you mean Fr8?",
    ),
    (
        "a country that there is not",
        position(*LINES),
        {"take": ["Fr1"], "claim": ["Bayren"]},
        ("claim",),
        "there is no card or country 'Bayren'. Did you mean Bayern?",
    ),
    (
        "any card, and none can be taken",
        position("Fr1 Ba1 Sa1", "It1"),
        {"take": ["Fr1", "any"]},
        ("take", 1),
        "no card can be taken then. You can take nothing more after Fr1.",
    ),
    (
        "a country, and none of its cards can be taken",
        position(*LINES),
        {"take": ["Fr1", ["bayern", "italien"]]},
        ("take", 1),
        "no card of Bayern and no card of Italien can be taken then. You can take Fr8 after Fr1.",
    ),
    (
        "only cards that are gone",
        position(*LINES, held={YELLOW: "En2"}),
        {"take": [["En1", "En2"]]},
        ("take", 0),
        "En1 was taken by Green and En2 is yours already. You can take Fr1, Sa1, It1, Fr2 or Fr8 first.",
    ),
    (
        "a card inside a row",
        position(*LINES),
        {"take": ["Ba1"]},
        ("take", 0),
        "Ba1 does not lie at an end of its row: it has 1 to its left and 1 to its right. "
        "You can take Fr1, Sa1, It1, Fr2 or Fr8 first.",
    ),
    (
        "another country",
        position(*LINES),
        {"take": ["Fr2", "It1"]},
        ("take", 1),
        "It1 is of Italien, and what you took before is of Frankreich. You can take Fr8 after Fr2.",
    ),
    (
        "a symbol too many",
        position(*LINES),
        {"take": ["Fr1", "Fr2"]},
        ("take", 1),
        "with Fr2 you would take 3 circle symbols, and 2 are allowed. You can take Fr8 after Fr1.",
    ),
    (
        "a card twice",
        position(*LINES),
        {"take": ["Fr1", "Fr1"]},
        ("take", 1),
        "Fr1 is named twice. Leave it out.",
    ),
    (
        "none of the alternatives",
        position(*LINES),
        {"take": [["Ba1", "En1"]]},
        ("take", 0),
        "Ba1 does not lie at an end of its row: it has 1 to its left and 1 to its right. "
        "You can take Fr1, Sa1, It1, Fr2 or Fr8 first.",
    ),
    (
        "what only a law card that may turn up would allow",
        position(*LINES, laws={"Fr1": MINUS}),
        {"take": ["Fr1", "Fr2"], "use": [THREE]},
        ("take", 1),
        "with Fr2 you would take 3 circle symbols, and 2 are allowed. "
        'If a law card that you take may turn out to be "3 symbols allowed", write also: [Fr2].',
    ),
    (
        "a law card that is not held",
        position(*LINES, own_laws={YELLOW: [COLOURS, MINUS]}),
        {"take": ["Fr1"], "use": [COLOURS, THREE]},
        ("use", 1),
        'you hold no law card "3 symbols allowed" (you hold "Different colours allowed" and '
        '"-2 victory points"), and take none in this turn. Leave it out.',
    ),
    (
        "a law card that nobody plays",
        position(*LINES, own_laws={YELLOW: [MINUS]}),
        {"take": ["Fr1"], "use": [MINUS]},
        ("use", 0),
        'the law card "-2 victory points" is never played: it costs its owner points at the end. '
        "Leave it out.",
    ),
    (
        "a law card that is none",
        position(*LINES),
        {"take": ["Fr1"], "use": ["3 symbols allowed", "four aces"]},
        ("use", 1),
        "there is no law card 'four aces'. "
        "It can be Take back a claiming stone, 3 symbols allowed or Different colours allowed.",
    ),
    (
        "a stone to pay that is not there",
        position(*LINES, stones={"Sa1": YELLOW}),
        {"take": ["Fr1"], "pay": ["It1"]},
        ("pay",),
        "no stone of yours lies on It1. Yours lie on Sa1.",
    ),
    (
        "a stone to pay that is there, after one that is not",
        position(*LINES, stones={"Fr1": RED, "Sa1": YELLOW, "Ba1": YELLOW}, reserve={YELLOW: 0}),
        {"take": ["Fr1"], "pay": ["It1", "Sa1"]},
        ("pay",),
        "no stone of yours lies on It1. Yours lie on Ba1 and Sa1.",
    ),
    (
        "a stone to pay where nothing is paid",
        position(*LINES, stones={"Sa1": YELLOW}),
        {"take": ["Fr1"], "pay": ["Sa1"]},
        ("pay",),
        "you pay nothing for these cards, so your stone on Sa1 is not needed. Leave pay out.",
    ),
    (
        "a stone to pay where one in reserve pays",
        position(*LINES, stones={"Fr1": RED, "Sa1": YELLOW}),
        {"take": ["Fr1"], "pay": ["Sa1"]},
        ("pay",),
        "a stone of your reserve pays first, so your stone on Sa1 is not needed. Leave pay out.",
    ),
    (
        "a stone to pay that comes back with its card",
        position("Fr3 Ba1", stones={"Fr3": YELLOW, "Ba1": YELLOW}, reserve={YELLOW: 1}),
        {"take": ["Fr3"], "pay": ["Fr3"]},
        ("pay",),
        "you pay nothing for these cards, so your stone on Fr3 is not needed. Leave pay out.",
    ),
    (
        "a stone to move that is not there",
        position(*LINES),
        {"take": ["Fr1"], "claim": ["Ba1"], "from": ["It1"]},
        ("from",),
        "no stone of yours lies on It1. None of yours lies on a card.",
    ),
    (
        "a claim on a card with a stone",
        position(*LINES, stones={"Sa1": RED}),
        {"take": ["Fr1"], "claim": ["Sa1"]},
        ("claim",),
        "a stone of red lies on Sa1. Free are Ba1, It1, Fr2, Fr8.",
    ),
    (
        "a claim without a stone",
        position(*LINES, removed={YELLOW: 3}),
        {"take": ["Fr1"], "claim": ["Sa1"]},
        ("claim",),
        "you have no claiming stone left. Free are Ba1, Sa1, It1, Fr2, Fr8.",
    ),
    (
        "a claim where no card is left",
        position("Fr1"),
        {"take": ["Fr1"], "claim": ["any"]},
        ("claim",),
        "Fr1 does not lie on the table then; Fr4 does not lie on the table then; "
        "Sa1 does not lie on the table then, and so on for 53 more. Leave it out: no card is free.",
    ),
    (
        "a card where nothing can be taken",
        position(
            "Fr1 Ba1 Fr2", stones={"Fr1": RED, "Fr2": GREEN}, removed={YELLOW: 3}, own_laws={YELLOW: [MINUS]}
        ),
        {"take": ["Fr1"]},
        ("take", 0),
        "a stone of red lies on Fr1, and you have none to pay. Nothing can be taken: write skip: true.",
    ),
    ("a game that is over", position(), {"take": ["Fr1"]}, (), "the game is over"),
]


@pytest.mark.parametrize(
    ("state", "order", "path", "text"), [row[1:] for row in PROBLEMS], ids=[row[0] for row in PROBLEMS]
)
def test_a_problem_says_where_what_and_what_would_do(
    state: State, order: Json, path: tuple[str | int, ...], text: str
) -> None:
    (problem,) = rules().check(rules().view(state, YELLOW), rules().read(order))
    assert str(problem) == text
    assert problem.path == path
    assert problem.bearable == (path[:1] not in ((), ("take",)))
    assert problem.lasting == any(
        one in text for one in (" taken by ", " named twice", "there is no ", " is never played")
    )


def test_a_spectator_gives_no_orders() -> None:
    (problem,) = rules().check(rules().view(position(*LINES), None), rules().read({"take": ["Fr1"]}))
    assert str(problem) == "a spectator gives no orders"


@pytest.mark.parametrize(
    "order",
    [
        {"take": ["Fr1"], "claim": ["Sa1"]},
        {"take": ["Fr1"], "use": [THREE]},
        {"take": ["Fr1"], "pay": ["It1"]},
    ],
    ids=str,
)
def test_an_older_line_is_played_without_what_came_to_nothing(order: Json) -> None:
    state = position(*LINES, stones={"Sa1": RED})
    assert not is_legal(state, order)
    assert do(state, order)[0].players[YELLOW].cards == ("Fr1",)


@pytest.mark.parametrize("seed", ["one", "two"])
@pytest.mark.parametrize("players", [3, 5])
def test_choices_are_legal_and_hold_everything_that_can_be_taken(seed: str, players: int) -> None:
    for state, ask, _ in playout(seed, players, ("random", "greedy")):
        for seat in (*SEATS[:players], None):
            view = rules().view(state, seat)
            choices = rules().choices(view)
            if not (isinstance(ask, Ask) and seat in ask.seats):
                assert choices.menus == ()
                continue
            menus = {menu.paths[0]: [item.order for item in menu.items] for menu in choices.menus}
            assert all(rules().check(view, rules().read(order)) == () for order in menus[""])
            assert len({spelled(order) for order in menus[""]}) == len(menus[""])
            assert choices.only is None or menus[""] == [choices.only]
            assert menus["take"] == list(view.ends) or not view.ends
            pay = view.players[state.to_move].stones
            ways = {card: (write_take([card]), write_take([card], pay=pay)) for card in view.ends}
            can = [card for card, orders in ways.items() if any(is_legal(state, one) for one in orders)]
            assert view.can_take == tuple(can)
            for card in menus.get("claim", []):
                assert view.cards[Card(str(card))].stone is None
            assert all(item.note for menu in choices.menus for item in menu.items)
            assert rules().check(view, rules().read(rules().hold(view))) == (), "a silent seat"


def test_a_turn_without_a_choice_is_known() -> None:
    alone = position("Fr1", removed={YELLOW: 3})
    assert rules().choices(rules().view(alone, YELLOW)).only == {"take": ["Fr1"]}
    free = position("Fr1 Ba1", removed={YELLOW: 3})
    assert rules().choices(rules().view(free, YELLOW)).only is None
    stuck = position("Fr1", stones={"Fr1": RED}, removed={YELLOW: 3}, own_laws={YELLOW: [MINUS]})
    assert rules().choices(rules().view(stuck, YELLOW)).only is None, "whether a law card helps is secret"
    claims = position("Fr1 Ba1")
    assert rules().choices(rules().view(claims, YELLOW)).only is None


def test_a_card_that_is_named_twice_is_refused_in_a_line_for_later_too() -> None:
    view = rules().view(position(*LINES), RED)
    (twice,) = rules().check(view, rules().read({"take": ["Fr1", "Fr1"]}))

    assert (twice.path, str(twice), twice.lasting) == (("take", 1), "Fr1 is named twice. Leave it out.", True)
    assert not any(one.lasting for one in rules().check(view, rules().read({"take": ["any", "any"]})))


@pytest.mark.parametrize("law", [MINUS, THREE, COLOURS, RETURN])
@pytest.mark.parametrize("stone", [{}, {"Fr1": RED}], ids=["free", "covered"])
def test_whether_there_is_a_choice_does_not_tell_which_law_card_is_held(
    law: Law, stone: dict[str, Seat]
) -> None:
    state = position("Fr1", stones=stone, removed={YELLOW: 3}, own_laws={YELLOW: [law]})

    assert rules().choices(rules().view(state, YELLOW)).only is None


MAY_BE_NEEDED: list[tuple[str, dict[str, Json], str]] = [
    ("any card", {"take": ["any"], "pay": ["Sa1"]}, "Your stone on Sa1 stays: you pay nothing"),
    ("alternatives", {"take": [["Ba1", "Fr1"]], "pay": ["Sa1"]}, "Your stone on Sa1 stays: you pay nothing"),
    ("any stone", {"take": ["Ba1"], "pay": ["any"]}, "`pay` is not used: you pay nothing"),
    (
        "a law card that may turn up",
        {"take": ["Fr1"], "also": ["It1"], "use": [COLOURS], "pay": ["Sa1"]},
        "Your stone on Sa1 stays: you pay nothing",
    ),
]


@pytest.mark.parametrize(
    ("order", "text"), [row[1:] for row in MAY_BE_NEEDED], ids=[row[0] for row in MAY_BE_NEEDED]
)
def test_a_stone_that_only_may_be_needed_to_pay_is_no_mistake_and_the_forecast_says_why_it_stays(
    order: Json, text: str
) -> None:
    stones = {"It1": RED, "Sa1": YELLOW, "Fr2": YELLOW}
    state = position(
        "Fr1 Sa1", "Ba1 It1", "It2 Fr2 Da1", stones=stones, laws={"Fr1": COLOURS}, reserve={YELLOW: 0}
    )
    view = rules().view(state, YELLOW)
    move = rules().read(order)

    assert rules().check(view, move) == ()
    assert [line for line in rules().forecast(view, move).lines if line.startswith(text)] != []


CHOICES: list[tuple[str, State, dict[str, Json]]] = [
    (
        "a stone after a card that is paid for",
        position("Fr1 Sa1 Un1", stones={"Fr1": RED, "Un1": YELLOW}, reserve={YELLOW: 2}),
        {"take": ["Fr1"], "claim": ["Sa1"]},
    ),
    (
        "the stone that pays",
        position(
            "Fr1 Sa1 Un1 It1",
            stones={"Fr1": RED, "Sa1": YELLOW, "Un1": YELLOW, "It1": YELLOW},
            reserve={YELLOW: 0},
        ),
        {"take": ["Fr1"], "pay": ["Un1"]},
    ),
    (
        "a law card for the last card",
        position("Fr1", removed={YELLOW: 1}, own_laws={YELLOW: [RETURN]}),
        {"take": ["Fr1"], "use": [RETURN]},
    ),
    (
        "a law card that may turn up",
        position("Fr1", removed={YELLOW: 3}, laws={"Fr1": RETURN}),
        {"take": ["Fr1"], "use": [RETURN]},
    ),
]


@pytest.mark.parametrize(("state", "order"), [row[1:] for row in CHOICES], ids=[row[0] for row in CHOICES])
def test_a_turn_with_a_choice_is_not_made_at_once(state: State, order: dict[str, Json]) -> None:
    assert is_legal(state, order)
    assert rules().choices(rules().view(state, YELLOW)).only is None


def test_a_stone_after_a_paid_card_and_a_law_card_that_is_held_are_among_the_whole_turns() -> None:
    for _, state, order in (CHOICES[0], CHOICES[2]):
        menu = rules().choices(rules().view(state, YELLOW)).menus[0]
        assert order in [item.order for item in menu.items]


@pytest.mark.parametrize(
    "order",
    [
        {"take": ["Fr3"]},
        {"take": ["Fr3", "Fr5"], "claim": ["Ba1"]},
        {"take": ["Fr3"], "also": ["Fr4"], "use": [THREE], "pay": ["It1"], "claim": ["Ba1"], "from": ["It2"]},
    ],
    ids=str,
)
def test_reading_and_writing_a_turn_are_inverse(order: dict[str, Json]) -> None:
    move = rules().read(order)
    assert isinstance(move, Take)
    take = [Card(name) for names in move.take for name in names]
    also = [Card(name) for name in move.also]
    written = write_take(take, also=also, use=move.use, pay=move.pay, claim=move.claim, lift=move.lift)
    assert written == order


def test_an_order_is_spelt_as_players_write_it() -> None:
    assert spelled({"take": [["Fr1", "any"], "Ba1"], "use": [THREE]}) == (
        "{take: [[Fr1, any], Ba1], use: [three_symbols]}"
    )
    assert spelled({"skip": True}) == "{skip: true}"


FORECASTS: list[tuple[str, State, dict[str, Any], tuple[str, ...]]] = [
    (
        "cards and a stone",
        position("Fr2 Ba1 Sa1", "Fr8", held={RED: "Fr1"}, players=4),
        {"take": ["Fr2", "Fr8"], "claim": ["Sa1"]},
        (
            "You take Fr2 (Frankreich, 1 cross, ship) from the left of row 1.",
            "You take Fr8 (Frankreich, no symbol, carriage) from the left of row 2.",
            "You put a stone on Sa1 (2 eagles); 2 in reserve.",
            "It opens to the others: Ba1 (2 eagles).",
        ),
    ),
    (
        "a claim that is broken, a stone that is moved",
        position("Fr1 Ba1 Sa1", stones={"Fr1": RED, "Sa1": YELLOW}, removed={YELLOW: 1}),
        {"take": ["Fr1"], "claim": ["Ba1"], "from": ["Sa1"]},
        (
            "You take Fr1 (Frankreich, 2 crosses) from the left of row 1.",
            "For Fr1 you give up your stone from your reserve; Red has its own back. 1 stone is left to you.",
            "You move your stone from Sa1 to Ba1 (2 eagles).",
            "It opens to the others: Ba1 (2 eagles).",
            "Nobody has a stone on Sa1 then.",
        ),
    ),
    (
        "a stone on a card that can be taken next",
        position("Fr2 Ba1 Sa1"),
        {"take": ["Fr2"], "claim": ["Sa1"]},
        (
            "Mind that Sa1 lies at an end of its row then: under your own stone you can take it only if you "
            "could take no other card next.",
        ),
    ),
    (
        "a stone moved to where one was given up",
        position("Fr1 Ba1 Sa1", stones={"Fr1": RED, "Sa1": YELLOW, "Ba1": YELLOW}, removed={YELLOW: 1}),
        {"take": ["Fr1"], "pay": ["Sa1"], "claim": ["Sa1"], "from": ["Ba1"]},
        (
            "Mind that Sa1 lies at an end of its row then: under your own stone you can take it only if you "
            "could take no other card next.",
        ),
    ),
    (
        "a stone on a card is given up",
        position("Fr1 Ba1 Sa1", stones={"Fr1": RED, "Sa1": YELLOW, "Ba1": YELLOW}, removed={YELLOW: 1}),
        {"take": ["Fr1"], "pay": ["Sa1"]},
        ("For Fr1 you give up your stone on Sa1; Red has its own back. 1 stone is left to you.",),
    ),
    (
        "an own stone comes back",
        position("Fr2 Fr3 Ba1 Fr1", stones={"Fr3": YELLOW}),
        {"take": ["Fr2", "Fr3"]},
        ("Your stone on Fr3 comes back to your reserve.",),
    ),
    (
        "law cards that may turn up",
        position(
            "Fr1 Fr2 It1", laws={"Fr1": MINUS, "It1": RETURN}, own_laws={RED: [THREE]}, removed={YELLOW: 1}
        ),
        {"take": ["Fr1"], "also": ["Fr2"], "use": [THREE, COLOURS, RETURN]},
        (
            'The law card on Fr1 is yours; not seen yet: "Take back a claiming stone" (2), '
            '"3 symbols allowed" (2), '
            '"Different colours allowed" (2) and "-2 victory points" (2).',
            'If it is "3 symbols allowed", you play it at once and take Fr2 too.',
            'If it is "Different colours allowed", it would not help, and you keep it.',
            'If it is "Take back a claiming stone", you play it at once.',
            "Otherwise you cannot take Fr2 too.",
        ),
    ),
    (
        "law cards that are held",
        position("Fr1 Fr2 Ba1", own_laws={YELLOW: [THREE, COLOURS]}),
        {"take": ["Fr1", "Fr2"], "use": [COLOURS, THREE]},
        (
            'You play "3 symbols allowed": up to 3 circle symbols in this turn.',
            '"Different colours allowed" would not help, and you keep it.',
        ),
    ),
    ("the last card", position("Fr1"), {"take": ["Fr1"]}, ("It is the last card, and the game ends.",)),
    (
        "nothing opened",
        position("Fr1 Ba1"),
        {"take": ["Fr1"]},
        ("It opens no further card to the others.",),
    ),
    (
        "a penalty that is known",
        position("Fr1 Ba1", own_laws={YELLOW: [MINUS]}),
        {"take": ["Fr1"]},
        ("Points if the game ended then: you -2 to 5, 2 for law cards taken off; Red 0, Green 107 to 108.",),
    ),
]


@pytest.mark.parametrize(
    ("state", "order", "lines"), [row[1:] for row in FORECASTS], ids=[row[0] for row in FORECASTS]
)
def test_a_forecast_says_what_the_order_will_do(
    state: State, order: dict[str, Any], lines: tuple[str, ...]
) -> None:
    assert problems(state, order) == []
    said = rules().forecast(rules().view(state, YELLOW), rules().read(order)).lines
    assert [line for line in lines if line not in said] == [], said


@pytest.mark.parametrize(
    ("claim", "own_claim_free"), [("Sa1", False), ("It1", True)], ids=["inside a row", "by the option"]
)
def test_a_stone_that_keeps_its_owner_from_nothing_is_told_without_a_warning(
    claim: str, own_claim_free: bool
) -> None:
    state = position("Fr2 Ba1 Sa1 It1", own_claim_free=own_claim_free)
    said = rules().forecast(rules().view(state, YELLOW), rules().read({"take": ["Fr2"], "claim": [claim]}))

    assert f"You put a stone on {claim}" in str(said.lines)
    assert "Mind" not in str(said.lines)


def test_the_whole_turn_with_a_stone_does_not_put_it_where_it_locks_a_card_if_another_is_free() -> None:
    inside, ends = position("Fr2 Ba1 Sa1 It1"), position("Fr2 Ba1 It1")
    claims = [
        [item.order["claim"] for item in rules().choices(rules().view(state, YELLOW)).menus[0].items
         if isinstance(item.order, dict) and "claim" in item.order]
        for state in (inside, ends)
    ]  # fmt: skip

    assert claims == [[["Sa1"]], [["Ba1"]]]


def test_a_forecast_of_a_skip_says_so() -> None:
    stuck = position("Fr1", stones={"Fr1": RED}, removed={YELLOW: 3}, own_laws={YELLOW: [RETURN]})
    view = rules().view(stuck, YELLOW)
    assert rules().forecast(view, rules().read({"skip": True})).lines == (
        "You take nothing, and your turn is skipped.",
    )
    assert rules().forecast(rules().view(stuck, None), rules().read({"skip": True})).lines == ()


def test_the_points_of_a_forecast_are_those_of_the_next_view() -> None:
    for state, ask, _ in playout("points", 3, ("greedy",)):
        seat = state.to_move
        view = rules().view(state, seat)
        if not isinstance(ask, Ask) or not view.can_take:
            continue
        order: Json = {"take": ["any"]} if not view.players[seat].stones else rules().hold(view)
        said = " ".join(rules().forecast(view, rules().read(order)).lines)
        after = rules().view(do(state, order)[0], RED if seat != RED else GREEN)
        for one, side in after.players.items():
            if one != seat and not after.laws and not state.players[one].laws:
                was = view.players[one].points
                moved = f"{one.capitalize()} {was}" + (f" to {side.points}" if side.points != was else "")
                assert moved in said, said
