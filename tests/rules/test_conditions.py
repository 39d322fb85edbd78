"""Conditions of all games: what can never be is refused where it stands; forms show what is open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pbem.core.conditions import is_reserved, is_term_met
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.foresight import horizon_of, plan_of
from pbem.core.opening import StartView
from pbem.core.predicates import Predicate, Statement, read_statement, restate_in_predicates, term_of
from pbem.core.statements import Flaw, Reader, is_met, shown, state_condition
from pbem.core.wording import wording_of
from pbem.text.codec import encode
from pbem.text.mending.conditions import restate_condition
from pbem.text.reports.report import Report
from tests.pictures import RULES, Scene, course
from tests.subjects import subject

Place = tuple[str | int, ...]


def reader_of(scene: Scene, seat: Seat | None = None) -> Reader:
    """Return what reads the conditions of a seat; of one that is asked where none is named."""
    seat = seat or scene.asked[0]
    view = scene.opening.view(scene.run.position.game, seat)
    rules = scene.opening.rules
    return Reader(wording_of(rules), view, horizon_of(rules, view), seat, {})


def rules_of(scene: Scene) -> Any:
    """Return the rules of a scene, with what only some rules have."""
    return scene.opening.rules


def dealt(rules: str) -> list[Scene]:
    """Return the positions of a game in which somebody is asked."""
    found = [scene for scene in course(rules) if scene.asked]
    return [
        one
        for one in found
        if not isinstance(one.opening.view(one.run.position.game, one.asked[0]), StartView)
    ]


def right(predicate: Predicate, dice: Dice) -> dict[str, Any]:
    """Return a predicate with drawn arguments, as it may be written."""
    told: dict[str, Any] = {one.name: dice.pick([*one.values], one.name) for one in predicate.arguments}
    if predicate.number is not None:
        told["at_least"] = (predicate.number.least or 0) + 1
    return told


def spoilt(predicate: Predicate, dice: Dice) -> Iterator[tuple[dict[str, Any], Place, str]]:
    """Yield conditions that nothing can come of, each with the place of what is wrong and its kind."""
    name, told = predicate.name, right(predicate, dice)
    yield {f"{name[:-1]}{name[-1] * 3}": told}, (f"{name[:-1]}{name[-1] * 3}",), "unknown"
    yield {"any": [{name: {**told, "whim": 1}}]}, ("any", 0, name, "whim"), "value"
    for argument in predicate.arguments:
        wrong = {**told, argument.name: f"{dice.pick([*argument.values], argument.name)}zz"}
        yield {name: wrong}, (name, argument.name), "value"
        yield {name: {**told, argument.name: ""}}, (name, argument.name), "empty"
    for argument in predicate.asked:
        yield (
            {"not": {name: {one: told[one] for one in told if one != argument.name}}},
            ("not", name),
            "value",
        )
    if predicate.number is not None:
        yield {name: {**told, "at_least": "many"}}, (name, "at_least"), "never"
        if predicate.number.least is not None:
            always = {**told, "at_least": predicate.number.least}
            yield {name: always}, (name, "at_least"), "always"
        if predicate.number.most is not None:
            yield {name: {**told, "at_least": predicate.number.most + 1}}, (name, "at_least"), "never"
    elif not predicate.arguments:
        yield {name: "sometimes"}, (name,), "value"


@pytest.mark.parametrize("rules", RULES)
def test_what_can_never_be_is_refused_at_its_place(rules: str) -> None:
    reader = reader_of(dealt(rules)[0])
    tried = 0
    for predicate in reader.wording.predicates.values():
        for condition, place, kind in spoilt(predicate, Dice(rules.encode(), 1)):
            found = [one for one in reader.read(condition) if isinstance(one, Flaw)]

            assert [(one.place, one.kind) for one in found] == [(place, kind)], condition
            assert found[0].text
            tried += 1
    assert tried >= 40


@pytest.mark.parametrize("rules", RULES)
def test_forms_show_conditions_that_are_open_now(rules: str) -> None:
    scenes = dealt(rules)
    told = set[str]()
    for scene in scenes[:: max(1, len(scenes) // 25)]:
        reader = reader_of(scene)
        found = shown(scene.opening.rules, reader.view, reader.seat)
        assert len(found) <= 10
        for one_of_all in map(reader_of, [scene, scene], (scene.asked[0], [*scene.names][-1])):
            for wanted in rules_of(scene).conditions(one_of_all.view):
                flaws = [one for one in one_of_all.read(wanted) if isinstance(one, Flaw)]
                assert {one.kind for one in flaws} <= {"always"}, wanted
        for one in found:
            assert isinstance(one, dict)
            condition = one["when"]
            assert isinstance(condition, dict) and one["if"]
            told.update(condition)
            assert not [*reader.read(condition)]
            assert not is_term_met(term_of(condition, reader.wording.predicates, reader.seat), reader.view)
    assert len(told) >= 5


@pytest.mark.parametrize("rules", RULES)
def test_what_predicates_test_is_in_the_views(rules: str) -> None:
    """A path that is nowhere would never hold: each entry of a term begins with a field of the view."""
    reader = reader_of(dealt(rules)[0])
    seen = encode(reader.view)
    assert isinstance(seen, dict)
    for number, predicate in enumerate(reader.wording.predicates.values()):
        for again in range(5):
            written = right(predicate, Dice(rules.encode(), number * 10 + again))
            found = read_statement(predicate, written or True)
            assert isinstance(found, Statement), (predicate.name, found)
            term = found.term(reader.seat)
            for path in term:
                assert is_reserved(path) or path.split(".")[0] in seen
            if not any(map(is_reserved, term)):
                said = restate_in_predicates(term, {predicate.name: predicate}, reader.seat)
                assert term_of(said, reader.wording.predicates, reader.seat) == term


def otherwise(predicate: Predicate, told: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a condition as people write it who know its name alone: all beside it, or a name of their own."""
    first = next(iter(predicate.arguments), None)
    if first is not None and len(told) > 1:
        beside = {name: one for name, one in told.items() if name != first.name}
        yield {predicate.name: told[first.name], **beside}
        yield {predicate.name: {}, **told}
    for argument in predicate.arguments:
        own = {("whom" if name == argument.name else name): one for name, one in told.items()}
        rest = [one for one in predicate.arguments if one.name not in own]
        if len(rest) == 1:
            yield {predicate.name: own}


@pytest.mark.parametrize("rules", RULES)
def test_what_stands_beside_a_condition_or_under_a_name_of_its_own_is_told_to_it(rules: str) -> None:
    known, dice, tried = wording_of(rules_of(dealt(rules)[0])).predicates, Dice(bytes(32), 0), 0
    for name, predicate in known.items():
        for number in range(12):
            told = right(predicate, dice.apart("otherwise", name, str(number)))
            for written in otherwise(predicate, told):
                meant = restate_condition(written, known)
                assert meant.keys() == {name}
                assert read_statement(predicate, meant[name]) == read_statement(predicate, told), written
                tried += 1
            assert restate_condition({name: told}, known) == {name: told}
    assert tried > 100


@pytest.mark.parametrize("rules", RULES)
def test_every_condition_of_a_game_is_named_in_every_form(rules: str) -> None:
    templates = subject(rules).environment
    assert templates is not None
    for scene in dealt(rules)[::6]:
        told = scene.facts(scene.asked[0])
        for detail in ("short", "full"):
            form = Report(templates, {**told, "detail": detail}).text.partition("# CONDITIONS")[2]
            named = {name for name in wording_of(rules_of(scene)).predicates if f"{{{name}:" in form}
            assert named == {*wording_of(rules_of(scene)).predicates}


@pytest.mark.parametrize("rules", [one for one in RULES if one != "web-of-intrigue"])
def test_ready_lines_are_said_in_conditions_of_the_game(rules: str) -> None:
    scenes, said = dealt(rules)[::4], 0
    for scene in scenes:
        seat, found = scene.asked[0], rules_of(scene)
        views = [scene.opening.view(one.run.position.game, seat) for one in scenes]
        for line in plan_of(found, reader_of(scene).view, None, 2).lines:
            told = state_condition(found, line.when, seat)
            assert told.keys() <= {"all", *wording_of(found).predicates}, told
            assert all(is_met(found, told, view, seat) == is_term_met(line.when, view) for view in views), (
                told
            )
            said += bool(told)
    assert said
