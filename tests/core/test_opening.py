"""The opening: start forms, the luck words in the dice, the deal, and the rules after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import pytest

from pbem.core import opening
from pbem.core.dice import Dice
from pbem.core.events import ALL, Seat
from pbem.core.interface import Ask, Json, Label
from pbem.core.opening import Begun, DealtGame, GameDealt, Opening, Question, StartForm, StartView
from pbem.core.turn import Policy, Position, Run, advance
from tests.core.small_rules import ANN, BOB, CAT, TRIO, Bids, Number, Table, lodged
from tests.facts import each_tells, tells

SEED = bytes(range(32))
OPENING = Opening(Bids(), TRIO, {})
BEFORE = StartView(ANN, TRIO)
DEALT = DealtGame({ANN: "a", BOB: "b", CAT: "c"}, Table({ANN: (1,), BOB: (2,), CAT: (3,)}, {ANN: 0}))
NOT_DEALT: Position[Begun[Table]] = Position(None)
AFTER = OPENING.view(DEALT, ANN)


def deal(luck: Mapping[Seat, str], seed: bytes = SEED, policy: Policy | None = None) -> Run[Begun[Table]]:
    orders = {seat: lodged({"at": "start", "do": {"luck": word}}) for seat, word in luck.items()}
    return advance(OPENING, TRIO, NOT_DEALT, orders, seed, policy or Policy())


def hands(run: Run[Begun[Table]]) -> Mapping[Seat, tuple[int, ...]]:
    assert isinstance(run.position.game, DealtGame)
    return run.position.game.state.hands


SWORN: Json = {"luck": "rain", "house": "lion"}
LUCK = {ANN: "rain", BOB: "", CAT: "sun"}


def test_all_seats_are_asked_for_a_start_form() -> None:
    assert OPENING.ask(None) == Ask("start", Label("start"), frozenset(TRIO))
    assert OPENING.view(None, ANN) == BEFORE
    assert OPENING.view(None, None) == StartView(None, TRIO)


def test_the_deal_waits_for_every_start_form() -> None:
    run = deal({ANN: "rain", CAT: "sun"})

    assert (run.steps, set(run.waiting)) == ((), {BOB})


def test_the_start_forms_deal_the_game_and_become_public() -> None:
    run = deal(LUCK)

    assert [step.label for step in run.steps] == ["start"]
    assert [entry.event for entry in run.events if entry.event.to == ALL] == [GameDealt(LUCK, to=ALL)]
    assert hands(run) == Bids().setup(TRIO, {}, {}, Dice(SEED, 0).with_luck(LUCK)).hands
    assert isinstance(run.ask, Ask)
    assert (run.ask.label, run.position.asked) == ("turn-1", {})


@pytest.mark.parametrize(
    ("luck", "seed"),
    [
        pytest.param({**LUCK, BOB: "wind"}, SEED, id="another-luck-word"),
        pytest.param({ANN: "sun", BOB: "", CAT: "rain"}, SEED, id="the-same-words-from-others"),
        pytest.param(LUCK, bytes(32), id="another-seed"),
    ],
)
def test_neither_host_nor_seats_can_choose_the_deal_alone(luck: dict[Seat, str], seed: bytes) -> None:
    assert hands(deal(luck, seed)) != hands(deal(LUCK))


def test_silent_seats_and_bots_send_an_empty_luck_word() -> None:
    silent = deal({}, policy=Policy(due=True, silent=dict.fromkeys(TRIO, "hold")))
    bots = deal({}, policy=Policy(bots=dict.fromkeys(TRIO, "greedy"), most_steps=1))

    assert hands(silent) == hands(bots) == hands(deal(dict.fromkeys(TRIO, "")))


def test_lines_for_later_asks_outlive_the_deal() -> None:
    orders = {seat: lodged({"do": {"luck": word}}) for seat, word in LUCK.items()}
    orders[ANN] = lodged({"at": "start", "do": {"luck": "rain"}}, {"at": "turn-1", "do": {"bid": 1}})

    run = advance(OPENING, TRIO, NOT_DEALT, orders, SEED, Policy(most_steps=1))

    assert [line.number for line in run.orders[ANN].lines] == [2]


@pytest.mark.parametrize(
    ("order", "move"),
    [
        ({"luck": "rain"}, StartForm("rain", {}, {"luck": "rain"})),
        ({"luck": 7}, StartForm("7", {}, {"luck": 7})),
        (SWORN, StartForm("rain", {"house": "lion"}, SWORN)),
        ({"bid": 3}, Number("bid", 3)),
    ],
    ids=repr,
)
def test_an_order_with_a_luck_word_is_a_start_form(order: Json, move: object) -> None:
    assert OPENING.read(order) == move


@pytest.mark.parametrize(
    ("view", "order", "expected"),
    [
        pytest.param(BEFORE, {"luck": ""}, [], id="start-form-before-the-deal"),
        pytest.param(AFTER, {"bid": 1}, [], id="order-after-the-deal"),
        pytest.param(AFTER, {"bid": 2}, ["2 is not in your hand"], id="the-rules-own-problem"),
        pytest.param(BEFORE, {"bid": 1}, [opening.UNDEALT], id="order-before-the-deal"),
        pytest.param(AFTER, {"luck": "x"}, [opening.DEALT], id="start-form-after-the-deal"),
    ],
)
def test_start_forms_are_legal_before_the_deal_and_nothing_else_is(
    view: StartView, order: Json, expected: list[str]
) -> None:
    assert [problem.text for problem in OPENING.check(view, OPENING.read(order))] == expected


def test_an_answer_that_counts_as_another_is_told_with_what_counts() -> None:
    class Bounded(Bids):
        def counts(self, answers: Mapping[str, Json]) -> dict[str, Json]:
            return {"target": min(400, cast(int, answers.get("target", 250)))}

    asking = Opening(Bounded(), TRIO, {}, (Question("target", 300, "200 to 400"),))

    for said, told in {900: ("900", "400"), 300: ("300",)}.items():
        form = StartForm("rain", {"target": said}, None)
        assert tells(asking.forecast(BEFORE, form).lines[1], "target: ", "(200 to 400", *told)
    silent = asking.forecast(BEFORE, StartForm("rain", {}, None))
    assert each_tells(silent.lines[1:], ("target: ", "250"))


def test_after_the_deal_everything_is_the_rules_own() -> None:
    rules, dice, inner = Bids(), Dice(SEED, 3), Bids().view(DEALT.state, ANN)

    assert inner == AFTER
    assert OPENING.ask(DEALT) == rules.ask(DEALT.state)
    assert OPENING.choices(AFTER) == rules.choices(inner)
    assert OPENING.hold(AFTER) == rules.hold(inner)
    assert OPENING.bot_order(DEALT, ANN, dice, "random") == rules.suggest(inner, dice, "random")
    assert OPENING.forecast(AFTER, Number("bid", 1)) == rules.forecast(inner, Number("bid", 1))


def test_another_world_keeps_the_luck_words_and_the_view() -> None:
    run = deal(LUCK)
    worlds = [OPENING.redeal(run.position.game, ANN, Dice(SEED, n)) for n in range(5)]

    assert all(OPENING.view(world, ANN) == OPENING.view(run.position.game, ANN) for world in worlds)
    assert all(world is not None and world.luck == LUCK for world in worlds)
    assert any(world != run.position.game for world in worlds)
    assert OPENING.redeal(None, ANN, Dice(SEED, 0)) is None
