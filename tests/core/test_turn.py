"""The loop: which asks a run answers, what it tells whom, and what it leaves over."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.book import OrderFired, OrderLapsed, Orders, OrderWaited, PlayingStopped, Press
from pbem.core.dice import Dice
from pbem.core.events import ALL, MODERATOR, Event, Seat, only, visible
from pbem.core.interface import Json, Label, Outcome
from pbem.core.notices import (
    BotTookOver,
    GameEnded,
    GameStopped,
    MoveForced,
    PlayerReplaced,
    PlayerReturned,
    PressSent,
    SeatSilent,
    SeedPublished,
    is_for_silent,
)
from pbem.core.opening import Begun, Opening
from pbem.core.turn import (
    STANDBY,
    Attendance,
    MissPolicy,
    Policy,
    Position,
    Run,
    Substitute,
    TakenStep,
    advance,
)
from tests.core.small_rules import ANN, BOB, CAT, PAIR, TRIO, Bids, Pile, Stones, Table, lodged

SEED = bytes(range(32))
HANDS = Position(Table({ANN: (1, 4, 7), BOB: (2, 5, 8), CAT: (3, 6, 9)}, dict.fromkeys(TRIO, 0)))
WAIT = Policy()


def stones(
    orders: Mapping[Seat, Orders], start: Position[Pile] | int = 9, policy: Policy = WAIT
) -> Run[Pile]:
    position = Position(Pile(stones=start)) if isinstance(start, int) else start
    return advance(Stones(), PAIR, position, orders, SEED, policy)


def bids(
    orders: Mapping[Seat, Orders], position: Position[Table] = HANDS, policy: Policy = WAIT
) -> Run[Table]:
    return advance(Bids(), TRIO, position, orders, SEED, policy)


def labels(run: Run[Any]) -> list[str]:
    return [step.label for step in run.steps]


def course(run: Run[Pile]) -> str:
    """Return the steps of a run in words: labels, what was done, and how many each seat took or added."""
    return ", ".join(" ".join([step.label, *_done(step.moves)]) for step in run.steps)


def _done(moves: Mapping[Seat, Any]) -> list[str]:
    verbs = sorted({verb for do in moves.values() for verb in do})
    return [*verbs, "+".join(str(n) for seat in PAIR if seat in moves for n in moves[seat].values())]


def told(run: Run[Any], *kinds: type[Event]) -> list[Event]:
    return [entry.event for entry in run.events if isinstance(entry.event, kinds)]


def left(run: Run[Any], seat: Seat) -> list[int]:
    return [line.number for line in run.orders[seat].lines]


def take(n: int, **more: Json) -> dict[str, Json]:
    return {"do": {"take": n}, **more}


def bid(n: int, **more: Json) -> dict[str, Json]:
    return {"do": {"bid": n}, **more}


DUE = Policy(due=True)
TAKES = lodged(take(1))
KEEPS = lodged(take(1, keep=True))
ADDS: dict[str, Json] = {"at": "ann-1.haggle", "do": {"add": 1}}
HAGGLES = lodged(take(2), ADDS)
WAITING = lodged(take(1), take(2))._replace(wait=True)


def silent(how: str, **more: Any) -> Policy:
    """Return a policy by which a deadline has passed, and this answers for both seats."""
    return Policy(due=True, silent=dict.fromkeys(PAIR, how), **more)


@pytest.mark.parametrize(
    ("orders", "policy", "start", "steps", "waits"),
    [
        # lines
        pytest.param(
            {ANN: lodged(take(2, at="ann-2"), take(1, at="ann-1")), BOB: TAKES}, WAIT, 9,
            "ann-1 take 1, bob-1 take 1, ann-2 take 2", {ANN}, id="a line for a later ask waits for it",
        ),
        pytest.param(
            {ANN: KEEPS, BOB: KEEPS}, WAIT, 4,
            "ann-1 take 1, bob-1 take 1, ann-2 take 1, bob-2 take 1", set(), id="standing orders",
        ),
        pytest.param(
            {ANN: lodged(take(1), take(3, when={"stones": 7}), take(2, when={"stones": 8})), BOB: TAKES},
            WAIT, 9, "ann-1 take 1, bob-1 take 1, ann-2 take 3", {BOB},
            id="a condition is looked up when its owner is asked",
        ),
        pytest.param(
            {ANN: lodged(take(2), take(1), {"do": {"add": 1}}), BOB: TAKES}, WAIT, 9,
            "ann-1 take 2, ann-1.haggle add 1, bob-1 take 1, ann-2 take 1", {BOB},
            id="a line for any ask waits for an ask of its own kind",
        ),
        # follow-ups
        pytest.param({ANN: HAGGLES}, WAIT, 9, "ann-1 take 2, ann-1.haggle add 1", {BOB}, id="alone"),
        pytest.param(
            {ANN: HAGGLES, BOB: lodged({**ADDS, "do": {"add": 2}})}, WAIT, 9,
            "ann-1 take 2, ann-1.haggle add 1+2", {BOB}, id="what others lodged is taken",
        ),
        pytest.param(
            {ANN: lodged(take(2)), BOB: lodged(ADDS)}, WAIT, 9, "ann-1 take 2", {ANN},
            id="a follow-up waits for its seats",
        ),
        pytest.param(
            {ANN: HAGGLES}, silent("hold", bots={BOB: "greedy"}, forced=True, most_steps=2), 9,
            "ann-1 take 2, ann-1.haggle add 1", set(), id="no bot and no silence for an optional seat",
        ),
        pytest.param(
            {ANN: HAGGLES, BOB: lodged(ADDS)._replace(wait=True)}, WAIT, 9,
            "ann-1 take 2, ann-1.haggle add 1+1", {BOB}, id="waiting lines of an optional seat",
        ),
        # silence
        pytest.param({ANN: lodged(take(2, if_silent=True))}, WAIT, 9, "", {ANN}, id="not silent yet"),
        pytest.param(
            {ANN: lodged(take(2, if_silent=True))}, silent("hold"), 9, "ann-1 take 2", {ANN}, id="if silent"
        ),
        pytest.param(
            {ANN: lodged(take(2, if_silent=True), take(1))}, silent("hold"), 9, "ann-1 take 1", {BOB},
            id="a line for silence comes after all others",
        ),
        pytest.param(
            {ANN: lodged(take(1, keep=True, if_silent=True)), BOB: TAKES}, DUE, 9,
            "ann-1 take 1, bob-1 take 1", {ANN}, id="only for the ask whose deadline passed",
        ),
        pytest.param({}, silent("hold"), 9, "ann-1 take 1", {BOB}, id="hold, and for the first ask only"),
        pytest.param({ANN: TAKES}, silent("hold"), 9, "ann-1 take 1", {BOB}, id="the first was answered"),
        pytest.param({ANN: lodged(take(2))}, DUE, 9, "ann-1 take 2", {ANN}, id="silence with a meaning"),
        pytest.param({}, silent("greedy"), 9, "ann-1 take 3", {BOB}, id="a stand-in"),
        pytest.param({}, silent("wait"), 9, "", {ANN}, id="wait"),
        pytest.param({}, silent("hold")._replace(due=False), 9, "", {ANN}, id="not due"),
        pytest.param({ANN: WAITING}, WAIT, 9, "", {ANN}, id="lines that wait do not count yet"),
        pytest.param({ANN: WAITING}, DUE, 9, "ann-1 take 1", {BOB}, id="lines that wait, when due"),
        # forced moves, bots, the most steps
        pytest.param({}, Policy(forced=True), 1, "ann-1 take 1", set(), id="forced"),
        pytest.param({}, WAIT, 1, "", {ANN}, id="forced, but not by the policy"),
        pytest.param({}, Policy(forced=True), 2, "", {ANN}, id="a real choice is never forced"),
        pytest.param(
            {ANN: lodged(take(2))}, silent("hold", bots={ANN: "greedy"}, forced=True, most_steps=1), 9,
            "ann-1 take 2", set(), id="lines go before all of these",
        ),
        pytest.param(
            {}, Policy(bots=dict.fromkeys(PAIR, "greedy"), most_steps=2), 99,
            "ann-1 take 3, bob-1 take 3", set(), id="a run ends after its most steps",
        ),
        # stop_if
        pytest.param(
            {ANN: lodged(take(1), take(1), stop_if={"stones": {"at_most": 9}}), BOB: TAKES}, WAIT, 9,
            "ann-1 take 1, bob-1 take 1", {ANN}, id="a stop counts for later asks",
        ),
        pytest.param(
            {ANN: lodged(take(1), stop_if={"stones": 9}, fresh=False)}, WAIT, 9, "", {ANN},
            id="a stop counts for the first ask of leftovers",
        ),
    ],
)  # fmt: skip
def test_a_run_plays_what_was_lodged_until_somebody_must_be_waited_for(
    orders: Mapping[Seat, Orders], policy: Policy, start: int, steps: str, waits: set[Seat]
) -> None:
    run = stones(orders, start, policy)

    assert (course(run), set(run.waiting)) == (steps, waits)


def test_a_skip_resolves_by_itself_and_counts() -> None:
    run = stones({ANN: lodged(take(3, at="ann-1"), take(1, at="ann-2"), take(1, at="ann-3")),
                  BOB: lodged(take(1, keep=True))}, start=20)  # fmt: skip

    assert labels(run) == ["ann-1", "bob-1", "ann-2", "bob-2", "ann-3", "bob-3"]
    assert run.steps[2] == TakenStep(Label("ann-2"), "skip", {}, {})
    assert told(run, OrderLapsed) == [OrderLapsed(ANN, 2, {"take": 1}, "ann-2 was skipped", to=only(ANN))]


def test_silence_that_the_rules_give_a_meaning_answers_at_the_deadline_whatever_the_policy() -> None:
    haggling = stones({ANN: lodged(take(2))})
    assert labels(haggling) == ["ann-1"]

    waiting = stones({}, haggling.position)
    due = stones({}, haggling.position, Policy(due=True, silent={ANN: "wait"}, most_steps=1))

    assert (labels(waiting), set(waiting.waiting)) == ([], {ANN})
    assert due.steps[0].sources == {ANN: "silence"}
    assert not any(map(is_for_silent, due.steps[0].sources.values()))
    assert told(due, SeatSilent) == [
        SeatSilent(ANN, Label("ann-1.haggle"), "silence", {"add": 0}, to=only(ANN))
    ]


def missing(
    times: int, misses: MissPolicy, start: Position[Pile] | int = 40, silent: str = "hold"
) -> tuple[Run[Pile], ...]:
    """Let deadlines pass for Ann; Bob answers at once."""
    runs: list[Run[Pile]] = []
    for _ in range(times):
        position = runs[-1].position if runs else start
        policy = Policy(due=True, silent={ANN: silent}, misses=misses, most_steps=2)
        runs.append(stones({BOB: lodged(take(1, keep=True), fresh=False)}, position, policy))
    return tuple(runs)


def test_turns_missed_in_a_row_are_counted() -> None:
    runs = missing(3, MissPolicy())

    assert [run.position.attendance.missed for run in runs] == [{ANN: 1}, {ANN: 2}, {ANN: 3}]
    assert all(told(run, BotTookOver, PlayerReplaced) == [] for run in runs)


@pytest.mark.parametrize(
    "orders",
    [
        pytest.param(lodged(take(1)), id="a-line-played"),
        pytest.param(lodged(take(1, at="ann-9")), id="orders-sent-for-later"),
        pytest.param(lodged(take(1, if_silent=True), fresh=False), id="a-line-for-silence"),
    ],
)
def test_who_sent_or_left_orders_has_not_missed_the_turns_before(orders: Orders) -> None:
    after = missing(2, MissPolicy())[-1].position

    policy = Policy(due=True, silent={ANN: "hold"}, most_steps=1)
    run = stones({ANN: orders}, after, policy)

    own = run.steps[0].sources[ANN].startswith("order")
    assert run.position.attendance.missed == ({} if own else {ANN: 1})


def test_a_step_without_a_choice_is_never_missed() -> None:
    after = missing(1, MissPolicy(), start=3)[-1].position
    assert after.game.stones == 1

    run = stones({}, after, Policy(due=True, silent={ANN: "greedy"}))

    assert run.steps[0].sources == {ANN: "forced"}
    assert run.position.attendance.missed == {ANN: 1}


def test_a_start_form_that_did_not_come_is_no_missed_turn() -> None:
    opening = Opening(Bids(), TRIO, {})
    start: Position[Begun[Table]] = Position(None)

    policy = Policy(due=True, silent=dict.fromkeys(TRIO, "hold"), most_steps=1)
    run = advance(opening, TRIO, start, {}, SEED, policy)

    assert run.position.attendance.missed == {}


def test_after_too_many_a_bot_plays_at_once_until_orders_come() -> None:
    second = missing(2, MissPolicy(2, "greedy"))[1]
    assert told(second, BotTookOver) == [BotTookOver(ANN, "greedy", 2, to=ALL)]

    misses = MissPolicy(2, "greedy")
    third = stones({}, second.position, Policy(misses=misses, most_steps=1))
    orders = {ANN: lodged(take(2)), BOB: lodged(take(1, keep=True))}
    again = stones(orders, third.position, Policy(misses=misses, most_steps=4))

    assert third.steps[0].sources == {ANN: "taken over by greedy"}
    assert told(third, SeatSilent) != []
    assert told(third, BotTookOver) == []
    assert told(again, PlayerReturned) == [PlayerReturned(ANN, to=ALL)]
    assert [step.moves for step in again.steps if ANN in step.moves] == [{ANN: {"take": 2}}]
    assert again.position.attendance == Attendance()


def test_after_too_many_a_standby_takes_the_seat() -> None:
    misses = MissPolicy(2, STANDBY, ("Dora", "Eve"), {ANN: "Ann"})

    runs = missing(4, misses)

    assert [told(run, PlayerReplaced) for run in runs] == [
        [],
        [PlayerReplaced(ANN, "Dora", 2, to=ALL)],
        [],
        [PlayerReplaced(ANN, "Eve", 2, to=ALL)],
    ]
    assert runs[1].position.attendance == Attendance({}, {ANN: Substitute("Ann", "Dora")})
    assert runs[3].position.attendance == Attendance({}, {ANN: Substitute("Ann", "Eve")})


def test_without_a_standby_left_the_seat_goes_on_as_before() -> None:
    runs = missing(3, MissPolicy(2, STANDBY, (), {ANN: "Ann"}))

    assert [step.sources for run in runs for step in run.steps if step.label.startswith("ann")] == [
        {ANN: "hold"}
    ] * 3
    assert runs[-1].position.attendance == Attendance({ANN: 3})


def test_who_is_away_with_notice_misses_no_turn() -> None:
    policy = Policy(due=True, silent={ANN: "hold", BOB: "hold"}, excused=frozenset({ANN}))

    run = stones({}, policy=policy)
    then = stones({}, run.position, policy=policy)

    assert run.steps[0].sources == {ANN: "hold"}
    assert run.position.attendance.missed == {}
    assert then.position.attendance.missed == {BOB: 1}


def test_lines_that_wait_go_on_waiting_for_the_deadline_of_a_later_ask() -> None:
    run = stones({ANN: WAITING, BOB: lodged({"do": {"take": 1}})}, policy=Policy(due=True))
    again = stones(run.orders, run.position)

    assert (labels(run), set(run.waiting)) == (["ann-1", "bob-1"], {ANN})
    assert run.orders[ANN].wait
    assert (labels(again), set(again.waiting)) == ([], {ANN})
    assert labels(stones(run.orders, run.position, policy=Policy(due=True))) == ["ann-2"]


VOTED = Outcome("the players voted for a draw", (), {}, "a vote")


def test_a_vote_ends_a_game_wherever_it_stands() -> None:
    orders = {ANN: lodged({"do": {"take": 1}}, press=(Press(frozenset({BOB}), "Farewell", False),))}

    run = stones(orders, policy=Policy(ended=VOTED))

    assert (run.steps, run.ask, run.waiting) == ((), VOTED, frozenset())
    assert (run.position.over, run.position.outcome, run.position.game) == (True, VOTED, Pile(stones=9))
    assert told(run, GameStopped, PressSent, SeedPublished) == [
        PressSent(ANN, (BOB,), "Farewell", to=only(ANN, BOB)),
        GameStopped("the players voted for a draw", "a vote", to=ALL),
        SeedPublished(SEED.hex(), to=ALL),
    ]
    assert list(run.orders.values()) == [Orders(), Orders()]


def test_a_game_that_is_over_stays_so_whatever_ended_it() -> None:
    voted, played = stones({}, policy=Policy(ended=VOTED)), stones({ANN: TAKES}, 1)

    assert (voted.ask, isinstance(played.ask, Outcome)) == (VOTED, True)
    for over in (voted, played):
        for policy in (WAIT, silent("hold"), Policy(ended=VOTED)):
            again = stones({ANN: TAKES}, over.position, policy)
            assert (again.steps, again.events, again.ask, again.position) == ((), (), over.ask, over.position)


def test_what_is_left_over_is_played_in_later_runs() -> None:
    first = stones({ANN: lodged(take(1, at="ann-1"), take(2, at="ann-2"), take(1, keep=True))})

    second = stones({**first.orders, BOB: lodged(take(1))}, first.position)

    assert left(first, ANN) == [2, 3]
    assert labels(second) == ["bob-1", "ann-2"]
    assert told(second, OrderFired)[1] == OrderFired(ANN, Label("ann-2"), 2, {"take": 2}, to=only(ANN))
    assert left(second, ANN) == [3]


def test_a_bot_answers_at_once_from_dice_of_its_own() -> None:
    run = stones({}, policy=Policy(bots={ANN: "random", BOB: "random"}))

    first = Stones().suggest(Stones().view(Pile(stones=9), ANN), Dice(SEED, 0).apart("bot", "ann"), "random")
    assert run.steps[0].moves == {ANN: first}
    assert run.steps[0].sources == {ANN: "bot random"}
    assert isinstance(run.ask, Outcome)
    assert told(run, SeatSilent, MoveForced) == []


def test_a_seat_that_cannot_hold_is_waited_for() -> None:
    late = HANDS._replace(game=dataclasses.replace(HANDS.game, turn=3))

    run = bids({}, late, Policy(due=True, silent=dict.fromkeys(TRIO, "hold")))

    assert run.waiting == set(TRIO)


def test_lines_of_answered_seats_stay_as_they_are_while_others_are_missing() -> None:
    ann = lodged(bid(99), bid(4), bid(1), bid(7, keep=True))
    everybody = {ANN: lodged(bid(1), *_lines(ann)), BOB: lodged(bid(2)), CAT: lodged(bid(3))}

    run = bids(everybody)

    assert (labels(run), set(run.waiting)) == (["turn-1"], {BOB, CAT})
    assert left(run, ANN) == [2, 3, 4, 5]
    assert told(run, OrderLapsed, OrderWaited) == []


def test_a_missing_seat_learns_at_once_that_its_line_lapsed() -> None:
    run = bids({ANN: lodged(bid(1), bid(4)), BOB: lodged(bid(2), bid(99)), CAT: lodged(bid(3))})

    assert told(run, OrderLapsed) == [
        OrderLapsed(BOB, 2, {"bid": 99}, "99 is not in your hand", to=only(BOB))
    ]


def test_answers_that_waited_are_looked_up_again_and_resolve_together() -> None:
    waiting = bids({ANN: lodged(bid(99), bid(4)), BOB: lodged(bid(2))})

    run = bids({**waiting.orders, CAT: lodged(bid(3))}, waiting.position)

    assert run.steps[0].moves == {ANN: {"bid": 4}, BOB: {"bid": 2}, CAT: {"bid": 3}}
    assert told(run, OrderLapsed) == [
        OrderLapsed(ANN, 1, {"bid": 99}, "99 is not in your hand", to=only(ANN))
    ]


def test_asks_of_simultaneous_games_count_turns() -> None:
    run = bids({}, policy=Policy(bots=dict.fromkeys(TRIO, "greedy"), most_steps=2))

    assert run.position.asked == {"turn": 2}


HELLO = (Press(frozenset({BOB}), "Hello Bob", False), Press(ALL, "Hello all", False))


def test_anonymous_press_names_no_sender_and_its_place_tells_none() -> None:
    to_all = [Press(ALL, say, True) for say in ("I am Ann", "I am Bob")]
    to_bob = Press(frozenset({BOB}), "Beware", True)

    runs = [
        bids(
            {
                ANN: lodged(bid(1), press=(first, to_bob)),
                CAT: lodged(bid(3), press=(second,)),
                BOB: lodged(bid(2)),
            }
        )
        for first, second in (to_all, reversed(to_all))
    ]

    nobody = Seat("")
    assert told(runs[0], PressSent) == [
        PressSent(nobody, (BOB,), "Beware", to=only(ANN, BOB)),
        PressSent(nobody, "all", "I am Ann", to=ALL),
        PressSent(nobody, "all", "I am Bob", to=ALL),
    ]
    assert told(runs[1], PressSent) == told(runs[0], PressSent)


def test_press_to_the_moderator_is_seen_by_its_sender_and_no_other_seat() -> None:
    run = bids(
        {
            ANN: lodged(bid(1), press=(Press(only(MODERATOR), "Help", False),)),
            BOB: lodged(bid(2)),
            CAT: lodged(bid(3)),
        }
    )

    assert told(run, PressSent) == [PressSent(ANN, (MODERATOR,), "Help", to=only(ANN))]


def test_press_is_read_by_its_readers_and_its_sender_only() -> None:
    run = bids({CAT: lodged(bid(3), press=HELLO[:1]), ANN: lodged(bid(1)), BOB: lodged(bid(2))})

    readers = {seat for seat in (*TRIO, None) if _reads_press(run, seat)}
    assert readers == {CAT, BOB}


def test_a_run_without_steps_changes_nothing() -> None:
    orders = {
        BOB: lodged(take(9), take(1, keep=True), stop_if={"stones": 9}, press=HELLO),
        ANN: lodged(take(9)),
    }

    run = stones(orders)

    assert run == Run(Position(Pile(stones=9)), (), (), orders, run.ask, frozenset({ANN}))


def test_the_end_is_told_once_and_clears_all_orders() -> None:
    orders = {ANN: lodged(take(1), take(1, keep=True), take(1, at="ann-9")), BOB: lodged(take(1, keep=True))}

    run = stones(orders, start=3)
    again = stones({ANN: lodged(take(1), press=HELLO)}, run.position)

    ended = GameEnded("no stone is left", (ANN,), {ANN: 2, BOB: 1}, "points", to=ALL)
    assert told(run, GameEnded) == [ended]
    assert [entry.event for entry in run.events[-2:]] == [ended, SeedPublished(SEED.hex(), to=ALL)]
    assert run.orders == {ANN: Orders(), BOB: Orders()}
    assert run.position.over
    assert isinstance(run.ask, Outcome)
    assert (again.steps, again.events, again.position) == ((), (), run.position)


NINE = "9 of 9 stones cannot be taken"


@pytest.mark.parametrize(
    ("run", "event"),
    [
        (stones({ANN: TAKES}), OrderFired(ANN, Label("ann-1"), 1, {"take": 1}, to=only(ANN))),
        (stones({ANN: lodged(take(9), take(1))}), OrderLapsed(ANN, 1, {"take": 9}, NINE, to=only(ANN))),
        (
            stones({ANN: lodged(take(9, keep=True), take(1))}),
            OrderWaited(ANN, Label("ann-1"), 1, {"take": 9}, NINE, to=only(ANN)),
        ),
        (
            stones({ANN: lodged(take(1), take(1), stop_if={"stones": 7}), BOB: TAKES}),
            PlayingStopped(ANN, Label("ann-2"), {"stones": 7}, (2,), to=only(ANN)),
        ),
        (
            stones({}, start=1, policy=Policy(forced=True)),
            MoveForced(ANN, Label("ann-1"), {"take": 1}, to=only(ANN)),
        ),
        (
            stones({}, policy=silent("hold")),
            SeatSilent(ANN, Label("ann-1"), "hold", {"take": 1}, to=only(ANN)),
        ),
        (
            stones({ANN: lodged(take(2), take(1, at="ann-1.haggle"))}),
            OrderLapsed(ANN, 2, {"take": 1}, "this is a haggle", to=only(ANN)),
        ),
        (
            stones({ANN: HAGGLES, BOB: lodged({**ADDS, "when": {"stones": 99}})}),
            OrderLapsed(BOB, 1, {"add": 1}, "ann-1.haggle was skipped", to=only(BOB)),
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Event) else "",
)
def test_what_becomes_of_an_order_is_told_to_its_owner_only(run: Run[Pile], event: Any) -> None:
    found: list[Any] = told(run, type(event))

    assert event in found
    assert {one.to for one in found if one.seat == event.seat} == {only(event.seat)}


SILENT_LINES: list[list[dict[str, Json]]] = [
    [take(3, when={"stones": 99})],
    [take(3, at="ann-1", when={"stones": 99}), take(1, at="ann-7"), take(2, at="ann-1", when={"me": "bob"})],
    [take(9, keep=True), take(9)],
    [take(3, when={"taken.bob": 1, "stones": 1}, keep=True)],
]


@pytest.mark.parametrize("extra", SILENT_LINES, ids=["when", "at-and-when", "illegal", "standing"])
@pytest.mark.parametrize(
    "policy", [WAIT, Policy(due=True, silent={BOB: "hold"}, forced=True)], ids=["wait", "due"]
)
def test_a_line_that_did_not_fire_is_hidden_from_all_others(
    extra: list[dict[str, Json]], policy: Policy
) -> None:
    others = {BOB: lodged(take(1))}

    plain = stones({**others, ANN: lodged(take(1))}, policy=policy)
    laden = stones({**others, ANN: lodged(*extra, take(1), stop_if={"stones": 99})}, policy=policy)

    assert plain.position == laden.position
    assert plain.waiting == laden.waiting
    for seat in (BOB, None):
        assert visible(plain.events, seat) == visible(laden.events, seat)


NUMBERS = st.integers(1, 4)


@st.composite
def stone_orders(draw: st.DrawFn, seat: Seat) -> Orders:
    count = st.integers(1, 4)
    words = st.sampled_from(["", "", ".haggle"])
    lines: list[dict[str, Json]] = draw(
        st.lists(
            st.fixed_dictionaries(
                {
                    "do": st.builds(
                        dict[str, Json], st.tuples(st.tuples(st.sampled_from(["take", "add"]), NUMBERS))
                    )
                },
                optional={
                    "at": st.builds(lambda n, word: f"{seat}-{n}{word}", count, words),
                    "when": st.builds(lambda n: {"stones": {"at_least": n}}, st.integers(1, 12)),
                    "keep": st.booleans(),
                },
            ),
            max_size=8,
        )
    )
    stops: list[dict[str, Json]] = [{}, {"stones": {"at_most": 4}}, {"haggling": True}]
    stop = draw(st.sampled_from(stops))
    press = draw(st.sampled_from([(), HELLO]))
    return lodged(*lines, stop_if=stop, press=press)


@given(stone_orders(ANN), stone_orders(BOB), st.integers(1, 12), st.booleans(), st.booleans())
@settings(max_examples=120, deadline=None)
def test_one_run_or_many_come_to_the_same_game(
    ann: Orders, bob: Orders, pile: int, forced: bool, bot: bool
) -> None:
    policy = Policy(forced=forced, bots={BOB: "random"} if bot else {}, most_steps=40)
    start = Position(Pile(stones=pile))

    whole = advance(Stones(), PAIR, start, {ANN: ann, BOB: bob}, SEED, policy)
    parts = _in_parts(start, {ANN: ann, BOB: bob}, policy._replace(most_steps=1), most=40)

    assert _last_position(parts, start) == whole.position
    assert [step for run in parts for step in run.steps] == list(whole.steps)
    assert [entry for run in parts for entry in visible(run.events, None)] == list(
        visible(whole.events, None)
    )


@pytest.mark.parametrize("seed", range(8))
def test_the_dice_of_a_step_are_the_same_in_one_run_or_many(seed: int) -> None:
    table = Table(dict.fromkeys(TRIO, (1, 2, 3)), dict.fromkeys(TRIO, 0))
    policy, dice = Policy(bots=dict.fromkeys(TRIO, "greedy")), bytes([seed]) * 32
    one_step = policy._replace(most_steps=1)

    whole = advance(Bids(), TRIO, Position(table), {}, dice, policy)
    position = Position(table)
    for _ in range(3):
        position = advance(Bids(), TRIO, position, {}, dice, one_step).position

    assert position == whole.position


def _in_parts(
    position: Position[Pile], orders: Mapping[Seat, Orders], policy: Policy, most: int
) -> list[Run[Pile]]:
    runs: list[Run[Pile]] = []
    while len(runs) < most:
        run = advance(Stones(), PAIR, position, orders, SEED, policy)
        if not run.steps:
            break
        runs.append(run)
        position, orders = run.position, run.orders
    return runs


def _last_position(runs: list[Run[Pile]], start: Position[Pile]) -> Position[Pile]:
    return runs[-1].position if runs else start


def _lines(orders: Orders) -> list[dict[str, Json]]:
    return [{"do": one.do, "at": one.at, "when": dict(one.when), "keep": one.keep} for one in orders.lines]


def _reads_press(run: Run[Table], seat: Seat | None) -> bool:
    return any(isinstance(entry.event, PressSent) for entry in visible(run.events, seat))
