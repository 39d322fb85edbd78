"""What holds for the rules of every game: bots, onlookers, schemas, tables, and lines as wide as a mail."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

import jsonschema
import pytest

from pbem.archive.story import points_of
from pbem.core.dice import Dice
from pbem.core.events import ALL, Seat, only
from pbem.core.interface import Json, Outcome
from pbem.core.opening import DealtGame
from pbem.play.config.registry import OURS, find_rules
from pbem.play.turn.simulate import simulate
from pbem.store.errors import WrongInput
from pbem.text.codec import encode
from pbem.text.reports.layout import WIDTH
from pbem.text.reports.report import Report
from tests.behaviour import judged
from tests.pictures import RULES, Scene, course
from tests.rules.game_of_powers import table as powers
from tests.subjects import subject
from tests.written import yaml_beside

DICE = Dice(b"bot", 1)
SKILLS = ("random", "greedy")


def dealt(rules: str, every: int) -> list[tuple[Scene, Any]]:
    """Return some positions of a game after its deal, each with its state, and the last one."""
    scenes = [one for one in course(rules) if isinstance(one.run.position.game, DealtGame)]
    return [(one, one.run.position.game.state) for one in (*scenes[::every], scenes[-1])]  # type: ignore[union-attr]


def an_order(rules: str) -> tuple[Seat, Json]:
    """Return an order as a bot gives it in the first position, and whose it is."""
    scene, state = dealt(rules, 1)[0]
    found: Any = subject(rules).rules
    seat = scene.asked[0]
    return seat, found.suggest(found.view(state, seat), DICE, "greedy")


@pytest.mark.parametrize("rules", RULES)
def test_a_bot_orders_where_its_seat_is_asked_and_the_same_with_the_same_dice(rules: str) -> None:
    found: Any = subject(rules).rules
    for scene, state in dealt(rules, 9):
        for seat in (*scene.names, None):
            view = found.view(state, seat)
            orders = [found.suggest(view, DICE, skill) for skill in SKILLS]
            assert [order is not None for order in orders] == [seat in scene.asked] * 2
            assert orders == [found.suggest(view, DICE, skill) for skill in SKILLS]
    scene, state = dealt(rules, 1)[0]
    with pytest.raises(ValueError):
        found.suggest(found.view(state, scene.asked[0]), DICE, "deep")


@pytest.mark.parametrize(
    "row", yaml_beside(__file__, "found.yaml"), ids=lambda row: f"{row['rules']}: {row['finds']}"
)
def test_rules_find_the_order_of_a_seat_that_a_row_has(row: Mapping[str, Any]) -> None:
    load, seat, lay_out = judged.RULES[row["rules"]]
    found: Any = load()
    state = lay_out(**row["at"])
    view = found.view(state, seat or powers.asked(state))
    choices = found.choices(view)
    by_themselves: Mapping[str, Callable[[], Json]] = {
        "greedy": lambda: found.suggest(view, DICE, "greedy"),
        "held": lambda: found.hold(view),
        "only": lambda: choices.only,
    }

    for name, find in by_themselves.items():
        assert name not in row or find() == row[name], name
    for order in (row[name] for name in ("legal", "listed") if name in row):
        assert not found.check(view, found.read(order))
    assert "listed" not in row or row["listed"] in [item.order for item in choices.menus[0].items]


@pytest.mark.parametrize("rules", RULES)
def test_who_looks_on_and_who_has_ended_a_game_gives_no_orders(rules: str) -> None:
    found: Any = subject(rules).rules
    seat, order = an_order(rules)
    (_, first), *_, (scene, last) = dealt(rules, 9)
    assert isinstance(scene.ask, Outcome)
    for state, reader in ((first, None), (last, seat)):
        view = found.view(state, reader)
        (wrong,) = found.check(view, found.read(order))
        assert wrong.path == ()
        assert [item for menu in found.choices(view).menus for item in menu.items] == []


@pytest.mark.parametrize("rules", RULES)
def test_a_step_leaves_the_state_before_it_as_it_was(rules: str) -> None:
    found: Any = subject(rules).rules
    for scene, state in dealt(rules, 9):
        if isinstance(scene.ask, Outcome):
            continue
        before = deepcopy(state)
        views = {seat: found.view(state, seat) for seat in scene.asked}
        moves = {seat: found.read(found.suggest(view, DICE, "random")) for seat, view in views.items()}
        found.resolve(state, moves, DICE)
        assert state == before


PRIVATE: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "game-of-powers": {"TradeOffered": ("seat", "partner"), "PartLeftOut": ("seat",)},
    "rose-king": {},
    "web-of-power": {"CardsDrawn": ("seat",)},
    "web-of-power-cards": {"LawSeen": ("seat",), "WishMissed": ("seat",)},
}
"""Events that go to those alone whom they name; `audiences.txt` has those of Web of Intrigue."""


@pytest.mark.parametrize("rules", RULES)
def test_the_first_plot_counts_the_same_in_what_turns_keep_of_a_view(rules: str) -> None:
    plots = subject(rules).plots
    count = next(iter(plots.values()))
    for _, state in dealt(rules, 9):
        view = subject(rules).rules.view(state, None)
        assert points_of(plots, encode(view)) == dict(count(view)) != {}


@pytest.mark.parametrize("rules", PRIVATE)
def test_every_event_goes_to_all_but_those_that_are_private(rules: str) -> None:
    private, kinds, told = PRIVATE[rules], subject(rules).rules.event_kinds, set[str]()
    for event in (entry.event for scene in course(rules) for entry in scene.run.events):
        if isinstance(event, kinds):
            names = private.get(type(event).__name__)
            assert event.to == (only(*(getattr(event, name) for name in names)) if names else ALL)
            told.add(type(event).__name__)
    assert bool(told & private.keys()) == bool(private)


@pytest.mark.parametrize("rules", RULES)
def test_schemas_name_their_fields_and_take_the_shipped_data_and_options(rules: str) -> None:
    folder, installed = OURS / rules.replace("-", "_"), find_rules(rules)
    schemas = {
        name: json.loads((folder / f"{name}.schema.json").read_text(encoding="utf-8"))
        for name in ("data", "orders", "options")
    }
    for name, schema in schemas.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        for place, field in [("", schema), *schema["properties"].items()]:
            assert field["title"] and field["description"], (name, place)
    assert installed.load(installed.shipped_data()) is not None
    assert installed.system is not None
    jsonschema.validate(dict(installed.system.options), schemas["options"])


@pytest.mark.parametrize("rules", RULES)
def test_no_line_of_a_report_is_wider_than_a_mail(rules: str) -> None:
    templates = subject(rules).environment
    assert templates is not None
    for scene, _ in dealt(rules, 12):
        for reader in (*[*scene.names][:2], None):
            for detail in ("short", "full"):
                text = Report(templates, {**scene.facts(reader), "detail": detail}).text
                assert [
                    line for line in text.splitlines() if len(line) > WIDTH and "$schema" not in line
                ] == []


@pytest.mark.parametrize(
    "row", yaml_beside(__file__, "wrong_tables.yaml"), ids=lambda row: f"{row['rules']}: {row['table']}"
)
def test_tables_that_do_not_add_up_are_refused(row: Mapping[str, Any]) -> None:
    installed = find_rules(row["rules"])
    data: Any = installed.shipped_data()
    for edit in row["edits"]:
        *path, last = edit["at"]
        place = data
        for key in path:
            place = place[key]
        if "put" not in edit:
            del place[last]
        elif isinstance(place, list) and last == len(place):
            place.append(edit["put"])
        else:
            place[last] = edit["put"]
    if "says" not in row:
        with pytest.raises(WrongInput):
            installed.load(data)
        return
    load: Any = type(subject(row["rules"]).rules)

    with pytest.raises(ValueError) as told:
        load.load(data)

    assert str(told.value) == row["says"]


@pytest.mark.parametrize("row", yaml_beside(__file__, "order_shapes.yaml"), ids=lambda row: row["rules"])
def test_the_schema_of_orders_takes_what_has_the_shape_of_one(row: Mapping[str, Any]) -> None:
    schema = find_rules(row["rules"]).move_schema
    assert [order for order in row.get("fits", []) if schema.problems(order)] == []
    assert [order for order in row["misfits"] if not schema.problems(order)] == []


@pytest.mark.parametrize(
    ("rules", "seats", "options"),
    [
        ("rose-king", 2, {}),
        ("web-of-power", 3, {}),
        ("web-of-power", 5, {}),
        ("web-of-power-cards", 3, {}),
        ("web-of-power-cards", 5, {}),
        ("game-of-powers", 2, {}),
        ("game-of-powers", 5, {}),
        ("web-of-intrigue", 6, {"turns": 25}),
    ],
    ids=str,
)
def test_greedy_bots_beat_random_ones_from_any_seat(rules: str, seats: int, options: dict[str, Json]) -> None:
    table, games = subject(rules, seats, **options), 6
    skills = ("greedy", "random")
    found = simulate(table.rules, table.seats, table.options, skills, games, "bots", lambda _done: None)

    assert found.wins_by_skill["greedy"] == games
    assert found.wins_by_skill["random"] == 0
