"""Rules put together from parts: each method is the part of that name, with the facts first."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, asdict, dataclass
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat
from pbem.core.foresight import Domain, Horizon, Later, Outlook, Plan, horizon_of, outlook_of, plan_of
from pbem.core.interface import Choices, Draft, Forecast
from pbem.core.wording import Wording, wording_of
from pbem.rules.kit.ruled import (
    Ahead,
    Happened,
    Parts,
    Ruled,
    RuledAhead,
    Running,
    changed,
    first_of,
    kinds_in,
    label_after,
    next_to,
    out_of_play,
    round_from,
)
from pbem.rules.rose_king import events
from pbem.rules.rose_king.rules import RoseKing

RED, WHITE = Seat("red"), Seat("white")
PARTS: Parts[str, str, str, str] = Parts(
    facts=lambda data: f"facts of {data['name']}",
    wording=lambda facts: Wording({"here": facts}),
    view=lambda facts, state, seat: f"view: {facts}, {state}, {seat}",
    read=lambda facts, order: f"read: {facts}, {order}",
    check=lambda facts, view, move: (),
    choices=lambda facts, view: Choices((), only=f"{facts}, {view}"),
    forecast=lambda facts, view, move: Forecast((facts, view, move)),
    suggest=lambda facts, view, dice, skill: f"{facts}, {view}, {skill}",
    draft=lambda facts, view, choices: Draft(f"{facts}, {view}, {choices.only}"),
    redeal=lambda facts, state, seat, dice: f"{facts}, {state}, {seat}",
)


class Moved(Happened, announces=("seat",)):
    """A base of events."""

    seat: Seat


class CardDrawn(Moved, releases=("card",)):
    """An event with fields of its own and of its base."""

    card: str


class Plainly(Ruled[str, str, str, str]):
    """Rules that look at no later ask."""

    parts = PARTS


class Farther(RuledAhead[str, str, Any, str]):
    """Rules that do."""

    parts = PARTS
    ahead = Ahead(
        seats=(RED, WHITE),
        horizon=lambda facts, seats: Horizon({facts: "owner"}, {"to_move": Domain(seats)}),
        foresee=lambda facts, view, later: Outlook(unknown=f"{facts}, {view}, {later.move}"),
        plan=lambda facts, view, now, asks: Plan(open=f"{facts}, {view}, {now}, {asks}"),
    )


def test_each_method_is_the_part_of_that_name() -> None:
    rules, dice = Plainly.load({"name": "it"}), Dice(b"x", 0)
    facts = "facts of it"

    assert rules.facts == facts
    assert wording_of(rules).facts == {"here": facts}
    assert rules.view("s", RED) == f"view: {facts}, s, red"
    assert rules.read("o") == f"read: {facts}, o"
    assert rules.check("v", "m") == ()
    assert rules.choices("v").only == f"{facts}, v"
    assert rules.forecast("v", "m").lines == (facts, "v", "m")
    assert rules.suggest("v", dice, "greedy") == f"{facts}, v, greedy"
    assert rules.draft("v", Choices((), only="c")).now == f"{facts}, v, c"
    assert rules.redeal("s", None, dice) == f"{facts}, s, None"
    assert (rules.upgrades, dict(rules.constants)) == ((), {})


@pytest.mark.parametrize(("kind", "is_ahead"), [(Plainly, False), (Farther, True)])
def test_only_rules_that_look_ahead_are_asked_to(kind: Any, is_ahead: bool) -> None:
    rules: Any = kind.load({"name": "it"})
    later: Later[str] = Later("m", None, None)

    assert (horizon_of(rules).follow_ups == {"facts of it": "owner"}) is is_ahead
    assert (horizon_of(rules).domains == {"to_move": Domain((RED, WHITE))}) is is_ahead
    assert (outlook_of(rules, "v", later).unknown == "facts of it, v, m") is is_ahead
    assert (plan_of(rules, "v", "n", 2).open == "facts of it, v, n, 2") is is_ahead


def test_in_a_game_the_horizon_has_the_seats_that_somebody_plays() -> None:
    view = SimpleNamespace(players={WHITE: "what is known of White"})

    assert horizon_of(Farther.load({"name": "it"}), view).domains == {"to_move": Domain((WHITE,))}


def test_the_events_of_a_module_are_found_in_their_order() -> None:
    assert kinds_in(events)[:3] == (events.CardPlayed, events.TokenPlaced, events.TokenTurned)
    assert RoseKing.event_kinds == kinds_in(events)
    assert Event not in kinds_in(events)
    empty = ModuleType("empty")
    vars(empty).update(CardPlayed=events.CardPlayed, RED=RED)
    assert kinds_in(empty) == ()


def test_seats_and_labels_are_named_in_turn() -> None:
    assert first_of((RED, WHITE))(1) == (RED,)
    assert first_of((RED, WHITE))(2) == (RED, WHITE)
    assert label_after(RED, 3) == "red-4"


def test_an_event_is_a_frozen_dataclass_with_the_fields_of_its_bases() -> None:
    drawn = CardDrawn(seat=RED, card="N2", to=ALL)

    assert drawn == CardDrawn(card="N2", to=ALL, seat=RED)
    assert asdict(drawn) == {"to": ALL, "seat": RED, "card": "N2"}
    with pytest.raises(FrozenInstanceError):
        drawn.card = "N3"  # type: ignore[misc]
    with pytest.raises(TypeError, match="to"):
        CardDrawn(seat=RED, card="N2")  # type: ignore[call-arg]


def test_the_lists_of_an_event_stand_behind_its_base_and_are_passed_on() -> None:
    assert (Moved.releases, Moved.announces) == ((), ("seat",))
    assert (CardDrawn.releases, CardDrawn.announces) == (("card",), ("seat",))
    assert (Happened.releases, Event.announces) == ((), ())


@dataclass(frozen=True)
class Side:
    """What lies before one seat."""

    points: int
    cards: tuple[str, ...] = ()


def test_a_changed_side_leaves_the_others_and_the_old_ones_as_they_are() -> None:
    before = {RED: Side(1, ("N2",)), WHITE: Side(2)}

    assert changed(before, RED, points=4) == {RED: Side(4, ("N2",)), WHITE: Side(2)}
    assert before == {RED: Side(1, ("N2",)), WHITE: Side(2)}


def test_a_running_step_keeps_what_changes_and_what_happened() -> None:
    before = {RED: Side(1), WHITE: Side(2)}
    running = Running("facts", Side(7), Dice(b"", 1), before)

    running.change(RED, points=5)
    running.alter(cards=("N2",))
    running.tell(Moved(seat=RED, to=ALL))

    assert running.players == {RED: Side(5), WHITE: Side(2)}
    assert running.told == [Moved(seat=RED, to=ALL)]
    assert running.now == Side(7, ("N2",))
    assert (running.facts, running.before, before[RED]) == ("facts", Side(7), Side(1))


def test_the_seat_after_the_last_one_is_the_first() -> None:
    assert [next_to((RED, WHITE), seat) for seat in (RED, WHITE)] == [WHITE, RED]
    assert [round_from((RED, WHITE), seat) for seat in (RED, WHITE)] == [(RED, WHITE), (WHITE, RED)]


@pytest.mark.parametrize(
    ("is_over", "text"), [(True, "the game is over"), (False, "a spectator gives no orders")]
)
def test_who_is_out_of_play_is_told_why(is_over: bool, text: str) -> None:
    (problem,) = out_of_play(is_over=is_over)

    assert (problem.path, problem.text) == ((), text)
