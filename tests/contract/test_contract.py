"""The contract holds for every installed rule system, and it notices when it does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

import pytest

from pbem.contract import Checked, LeakyEvents, LeakyViews, Subject, check
from pbem.contract.subject import PositionViews
from pbem.contract.worlds import ENOUGH, FieldWatch
from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat
from pbem.core.interface import Ask, Choices, Forecast, Json, Label, Outcome, Step
from pbem.play.config.registry import installed_rules
from pbem.rules.rose_king.events import CardDrawn
from pbem.rules.rose_king.state import Card, State
from pbem.text.schema import Schema
from tests.contract.leaky import Leaky
from tests.facts import tells
from tests.homes import worked_out_once
from tests.rules.test_worlds import table
from tests.subjects import subject

Broken: TypeAlias = Leaky[Any, Any, Any]
"""Rules with one promise broken, as a subclass says."""

SOON: Final[Mapping[tuple[str, int], dict[str, Json]]] = {
    ("web-of-intrigue", 12): {"target": "none", "turns": 14},
    ("web-of-intrigue", 2): {"target": 120},
}
"""Options with which games end soon, by rules and seats: by the last turn, and by the target."""
SYSTEMS: Final = [
    *((one.name, one.system.seats[-1]) for one in installed_rules() if one.system is not None),
    ("web-of-intrigue", 2),
]
"""The largest table of each, and one at which orders of another seat are tried at every step."""


def a_short_game() -> Subject:
    """Return The Rose King with so few tokens that it ends soon."""
    return subject("rose-king", own_tokens=6)


@pytest.mark.parametrize(("rules", "seats"), SYSTEMS)
def test_every_installed_rule_system_keeps_the_contract(
    rules: str, seats: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Fifty games of each of the shipped ones with hidden hands are checked in `tests.rules.test_worlds`."""
    played = table(rules, seats, SOON.get((rules, seats)))
    few = 2 if seats == 2 else 1
    result = check(played, games=few, worlds=few)

    with capsys.disabled():
        print(f"\n{rules}, {seats} seats: {result}")
    assert not result.breaches, result
    assert result.worlds_kept > 60
    assert result.planted_found == 2
    assert result.forms >= 10
    if rules == "rose-king":
        assert result.events.keys() == {kind.__name__ for kind in played.rules.event_kinds}


def test_the_contract_holds_with_own_tokens() -> None:
    result = check(a_short_game(), games=1)

    assert not result.breaches, result


def test_stages_that_come_to_something_else_than_their_step_are_found() -> None:
    intrigue = subject("web-of-intrigue", 2, turns=4)

    def forgetful(*given: Any) -> Any:
        return intrigue.stages(*given)[1:]

    found = check(replace(intrigue, stages=forgetful), games=1, worlds=0)
    assert "stages-changed" in found.kinds


def test_a_part_of_a_step_that_tells_the_public_two_worlds_apart_is_found() -> None:
    intrigue = subject("web-of-intrigue", 2, turns=4)

    def marked(*given: Any) -> Any:
        *parts, end = intrigue.stages(*given)
        return *(one._replace(state=replace(one.state, turn=WITHIN)) for one in parts), end

    leaky = replace(intrigue, rules=_SquareWithinAStep(intrigue.rules), stages=marked)
    assert set(check(leaky, games=1, worlds=3).kinds) == {"leak-within"}


WITHIN = -1
"""The number of a turn that marks a state within a step."""


class _SquareWithinAStep(Broken):
    """Shows the public where a player is, but only while a step goes on."""

    def see(self, view: Any, state: Any, seat: Seat | None) -> Any:
        is_told = seat is None and state.turn == WITHIN
        return replace(view, houses=(*view.houses, state.players[Seat("1")].square)) if is_told else view


class _TopCardInView(Broken):
    def see(self, view: Any, state: State, seat: Seat | None) -> Any:
        return replace(view, discards=(*view.discards, *state.pile[:1]))


class _TopCardToSpectator(Broken):
    def see(self, view: Any, state: State, seat: Seat | None) -> Any:
        return replace(view, pile=view.pile + (state.pile[:1] == ("N1",))) if seat is None else view


class _Unreleased(CardDrawn):
    """A card that is told without being released."""

    releases = ()


class _NextCardTold(Broken):
    def tell(self, step: Step[State], state: State, moves: Mapping[Seat, Any]) -> Iterator[Event]:
        yield from step.events
        yield from (_Unreleased(seat=state.to_move, card=card, pile=0, to=ALL) for card in state.pile[1:2])


class _DrawnCardToldBefore(Broken):
    """Where the drawn card, which is released, is another one, what was told before must be the same."""

    def tell(self, step: Step[State], state: State, moves: Mapping[Seat, Any]) -> Iterator[Event]:
        drawn = [event for event in step.events if isinstance(event, CardDrawn)]
        yield from (_Unreleased(seat=event.seat, card=event.card, pile=0, to=ALL) for event in drawn)
        yield from step.events


class _OrderTellsTopCard(Broken):
    def see(self, view: Any, state: State, seat: Seat | None) -> Any:
        is_reversed = state.pile[:1] > ("S1",)
        return replace(view, board=dict(sorted(view.board.items(), reverse=is_reversed)))


class _BoardAsStored(Broken):
    def see(self, view: Any, state: State, seat: Seat | None) -> Any:
        return replace(view, board={square: view.board[square] for square in (*state.tokens, *view.board)})


class _TokensAsStored(Broken):
    def tell(self, step: Step[State], state: State, moves: Mapping[Seat, Any]) -> Iterator[Event]:
        yield from step.events
        for square in state.tokens:
            yield _Unreleased(seat=state.to_move, card=Card(square), pile=0, to=ALL)


class _LabelsRepeat(Broken):
    def ask(self, state: State) -> Ask | Outcome:
        ask = self.honest.ask(state)
        return ask._replace(label=Label("red-1")) if isinstance(ask, Ask) else ask


class _LabelsGrow(Broken):
    def ask(self, state: State) -> Ask | Outcome:
        ask = self.honest.ask(state)
        return ask._replace(label=Label(f"{ask.label}.{'x' * 76}")) if isinstance(ask, Ask) else ask


class _BotErrs(Broken):
    def suggest(self, view: Any, dice: Dice, skill: str) -> Json:
        return {"play": "N1", "draw": True}


class _ChoicesLie(Broken):
    def choices(self, view: Any) -> Choices:
        found = self.honest.choices(view)
        return Choices(found.menus, {"draw": True} if len(view.side(view.me).hand) == 5 else None)


class _HidesAChoice(Broken):
    def choices(self, view: Any) -> Choices:
        found = self.honest.choices(view)
        whole = [item.order for menu in found.menus if "" in menu.paths for item in menu.items]
        return Choices(found.menus, whole[0] if len(whole) > 1 else found.only)


class _KeepsTheOnlyMoveSecret(Broken):
    def choices(self, view: Any) -> Choices:
        return Choices(self.honest.choices(view).menus)


def test_that_an_order_is_the_only_one_may_be_kept_secret() -> None:
    whole = a_short_game()
    secret = replace(whole, rules=_KeepsTheOnlyMoveSecret(whole.rules), environment=None)

    assert not check(secret, games=1, worlds=0).breaches


class _HoldsWhatItHasNot(Broken):
    def hold(self, view: Any) -> Json:
        return {"play": "N1"} if "N1" not in view.side(view.me).hand else {"draw": True}


class _ForecastsNothing(Broken):
    def forecast(self, view: Any, move: Any) -> Forecast:
        return Forecast(())


class _RedealDoesNothing(Broken):
    def redeal(self, state: State, seat: Seat | None, dice: Dice) -> State:
        return replace(state, pile=(*state.pile[1:2], *state.pile[:1], *state.pile[2:])) if seat else state

    constants: Mapping[str, str] = {"pile.*": "a lie"}


class _ForgetsKinds(Broken):
    event_kinds = (CardDrawn,)


BROKEN: Final[tuple[tuple[type[Broken], str, tuple[str, ...]], ...]] = (
    (_TopCardInView, "leak-view", ("red", "discards")),
    (_TopCardToSpectator, "leak-view", ("spectator",)),
    (_NextCardTold, "leak-event", ("red", "_Unreleased")),
    (_DrawnCardToldBefore, "leak-event", ("_Unreleased",)),
    (_OrderTellsTopCard, "leak-view", ("board (",)),
    (_BoardAsStored, "view-changed", ("white", "board")),
    (_TokensAsStored, "step-changed", ("_Unreleased.card",)),
    (_LabelsRepeat, "label-twice", ()),
    (_LabelsGrow, "label-long", ("80",)),
    (_BotErrs, "bot-refused", ()),
    (_ChoicesLie, "only-refused", ("{'draw': True}",)),
    (_HidesAChoice, "only-of-many", ()),
    (_HoldsWhatItHasNot, "hold-refused", ()),
    (_ForecastsNothing, "forecast-empty", ()),
    (_RedealDoesNothing, "field-redealt", ("pile",)),
    (_ForgetsKinds, "event-unlisted", ()),
)


def breaches(broken: type[Broken]) -> list[tuple[str, str]]:
    """Return the kinds and words of what is found in rules that break a promise, once in a test session."""

    def work() -> list[tuple[str, str]]:
        whole = a_short_game()
        result = check(replace(whole, rules=broken(whole.rules), environment=None), games=1, worlds=2)
        return [*zip(result.kinds, result.breaches, strict=True)]

    return worked_out_once(f"breaches-{broken.__name__}", work)


@pytest.mark.parametrize(
    ("broken", "kind", "facts"), BROKEN, ids=lambda value: getattr(value, "__name__", None)
)
def test_a_broken_promise_is_found(broken: type[Broken], kind: str, facts: tuple[str, ...]) -> None:
    found = breaches(broken)

    assert any(tells(text, *facts) for one, text in found if one == kind), found


class _NeverRedeals(Broken):
    def redeal(self, state: State, seat: Seat | None, dice: Dice) -> State:
        return state


def test_a_field_that_nobody_sees_and_no_redeal_changes_is_found() -> None:
    whole = subject("rose-king")
    result = check(replace(whole, rules=_NeverRedeals(whole.rules), environment=None), games=1)

    assert "field-never-redealt" in result.kinds, result


@pytest.mark.parametrize(("redeals", "found"), [(ENOUGH - 1, 0), (ENOUGH, 1)])
def test_a_field_is_not_called_constant_before_it_was_redealt_often_enough(redeals: int, found: int) -> None:
    whole, dice, result = subject("rose-king"), Dice(b"fields", 1), Checked()
    state = whole.rules.setup(whole.seats, whole.options, {seat: {} for seat in whole.seats}, dice)
    fields = FieldWatch(whole)

    fields.watch(PositionViews(whole.rules, state), dice)
    for _ in range(redeals):
        fields.compare(state, state)
    fields.report(result)

    told = [breach for breach in result.breaches if "pile.*" in breach]
    assert len(told) == found


def test_a_field_of_the_schema_without_a_description_is_found() -> None:
    whole = a_short_game()
    bare = Schema({**whole.moves.schema, "properties": {"play": {"title": "Play", "enum": ["N1"]}}})

    result = check(replace(whole, moves=bare, environment=None), games=1)

    assert "schema-incomplete" in result.kinds and tells(result.breaches, "do.play")


@pytest.mark.parametrize("leaky", [LeakyViews, LeakyEvents])
def test_a_planted_leak_is_found_in_the_report_of_breaches(leaky: type[Any]) -> None:
    whole = a_short_game()
    spoilt = Subject(leaky(whole.rules), whole.seats, whole.options, whole.moves, None)

    result = check(spoilt, games=1)

    assert any(kind.startswith("leak-") for kind in result.kinds), result


def test_a_comparison_that_is_blind_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.contract.worlds._compare_views", lambda *_args: None)
    monkeypatch.setattr("pbem.contract.worlds._compare_steps", lambda *_args: None)

    assert "leak-not-found" in check(replace(a_short_game(), environment=None), games=1).kinds
