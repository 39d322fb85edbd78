"""Lines for after the deal that are sent before it: names are judged, and nothing else can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.core.opening import UNDEALT, Opening, SealedGame, seal_of
from pbem.play.config.registry import find_rules
from pbem.text.judging import Judge, Prospect
from pbem.text.orders import Grammar, Submission, open_envelope, read_lines
from pbem.text.strictyaml import dump
from tests.facts import tells
from tests.pictures import RULES, course
from tests.subjects import subject
from tests.written import yaml_beside

Path = tuple[str | int, ...]


def judged(
    rules: str, seat: str, order: Json, *, seals: SealedGame | None = None, **more: Json
) -> tuple[list[str], list[Prospect]]:
    """Return what is wrong with a start form and a line for later, and what becomes of them."""
    found, installed = subject(rules), find_rules(rules)
    lines: list[Json] = [{"at": "open" if seals else "start", "do": {"luck": "rain"}}, {**more, "do": order}]
    envelope = open_envelope(dump({"game": "g", "seat": seat, "orders": lines}).encode())
    assert not isinstance(envelope, list)
    sent = read_lines(envelope, Grammar(found.seats, installed.move_schema, installed.start_schema))
    if not isinstance(sent, Submission):
        return [fault.text for fault in sent], []
    opening: Opening[Any, Any, Any] = Opening(
        found.rules, found.seats, found.options, sealed_for="g" if seals else ""
    )
    verdict = Judge(opening, seals, {}, Seat(seat)).verdict(sent)
    return [f"{fault.text}. {fault.hint}" for fault in verdict.faults], list(verdict.prospects)


def first(rules: str, seat: str) -> str:
    """Return the label of a seat's first ask after the deal."""
    return "turn-1" if rules == "web-of-intrigue" else f"{seat}-1"


def legal_orders(rules: str) -> Mapping[str, tuple[Seat, Json]]:
    """Return what bots order in a game, each once, and the seat that does."""
    found = dict[str, tuple[Seat, Json]]()
    for number, scene in enumerate(course(rules)[::2]):
        for seat in scene.ask.seats if isinstance(scene.ask, Ask) else ():
            skill, dice = ("greedy", "random")[number % 2], Dice(bytes(32), number)
            order = scene.opening.bot_order(scene.run.position.game, seat, dice, skill)
            found[str(order)] = seat, order
    return found


def names_in(value: Json, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Yield the place of each text in an order, and the text."""
    if isinstance(value, str):
        yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield from names_in(part, (*path, key))


def misspelt(value: Json, path: Path) -> Json:
    """Return an order with the text at a place misspelt."""
    if not path:
        return f"{value}zz"
    first, *rest = path
    if isinstance(value, dict):
        return {key: misspelt(part, tuple(rest)) if key == first else part for key, part in value.items()}
    assert isinstance(value, list)
    return [misspelt(part, tuple(rest)) if key == first else part for key, part in enumerate(value)]


@pytest.mark.parametrize("rules", RULES)
def test_names_of_legal_orders_are_taken_before_the_deal_and_misspelt_they_are_refused(rules: str) -> None:
    tried = set[tuple[str, Json]]()
    for seat, order in legal_orders(rules).values():
        faults, prospects = judged(rules, seat, order, at=first(rules, seat))
        assert not faults, order
        assert [one.standing for one in prospects] == ["plays", "later"]
        for path, name in names_in(order):
            where = str(path[0]), name
            if where not in tried:
                tried.add(where)
                wrong = misspelt(order, path)
                assert judged(rules, seat, wrong, at=first(rules, seat))[0], wrong
    assert tried


ROWS = yaml_beside(__file__, "before_deal.yaml")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['rules']} {row['do']}")
def test_a_name_that_nothing_has_is_refused_before_the_deal_and_all_else_waits_for_it(
    row: Mapping[str, Any],
) -> None:
    rules, order = row["rules"], row["do"]
    seat = subject(rules).seats[0]
    ways: tuple[dict[str, Any], ...] = ({"at": first(rules, seat)}, {}, {"keep": True}, {"when": {"turn": 1}})
    for line in ways if "told" in row else ways[:1]:
        faults, prospects = judged(rules, seat, order, **line)
        assert len(faults) == len(row.get("told", []))
        assert all(part in fault for fault, part in zip(faults, row.get("told", []), strict=True))
        assert faults or (len(prospects[1].lines) == 1 and tells(prospects[1].lines[0], UNDEALT))


def test_names_are_judged_between_sealed_start_forms_and_the_deal_too() -> None:
    seat = Seat("red")
    order: Json = {"place": {"country": "Bavaria", "pieces": "advisor"}}
    seals = SealedGame({seat: seal_of("g", seat, "rain")}, {}, {})

    faults, _ = judged("web-of-power", seat, order, seals=seals, at="red-1")

    assert [fault.partition(".")[0] for fault in faults] == ["there is no country 'Bavaria'"]
