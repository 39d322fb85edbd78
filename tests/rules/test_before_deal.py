"""Lines for after the deal that are sent before it: names are judged, and nothing else can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.core.opening import UNDEALT, Opening, Sealed, seal_of
from pbem.play.config.registry import find_rules
from pbem.text.judging import Judge, Prospect
from pbem.text.orders import Grammar, Submission, open_envelope, read_lines
from pbem.text.strictyaml import dump
from tests.facts import tells
from tests.pictures import RULES, course
from tests.subjects import subject

Path = tuple[str | int, ...]


def judged(
    rules: str, seat: str, order: Json, *, seals: Sealed | None = None, **more: Json
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


@pytest.mark.parametrize(
    ("rules", "order"),
    [
        ("rose-king", {"draw": True}),
        ("web-of-power", {"place": {"country": "any", "pieces": [["Mainz", "cloister"], "advisor"]}}),
        ("web-of-power", {"discard": ["frankreich", "any"], "draw": [["frankreich", "match"], "pile"]}),
        ("web-of-power-cards", {"take": [["Fr3", "any"], "frankreich"], "also": "any", "pay": "Ba1"}),
        ("web-of-power-cards", {"take": "fr3", "use": "three_symbols", "claim": ["bayern"], "from": "Ka1"}),
        ("web-of-power-cards", {"skip": True}),
        ("game-of-powers", {"place": "Wolin", "facing": "haithabu"}),
        ("game-of-powers", {"sail": 2, "take_cards": [{"category": "coins"}, 46, "any"]}),
        (
            "game-of-powers",
            {"sail": 1, "trade": {"with": "purple", "give": ["military"], "want": ["any"]}},
        ),
        ("game-of-powers", {"accept": True}),
        ("game-of-powers", {"decline": True}),
        ("game-of-powers", {"counter": {"give": ["military"], "want": ["religious"]}}),
        ("web-of-intrigue", {"bid_1": {"for": "queen victoria", "points": 99}, "move": "stay"}),
        ("web-of-intrigue", {"guess": {"player": "Player 7", "house": "leo"}, "move": "D5"}),
        ("web-of-intrigue", {"special_1": {"enact": "Mischief", "squares": ["d5", "e6"], "points": 1}}),
    ],
)
def test_what_may_be_good_after_the_deal_waits_for_it(rules: str, order: Json) -> None:
    seat = subject(rules).seats[0]
    faults, prospects = judged(rules, seat, order, at=first(rules, seat))
    assert not faults
    assert len(prospects[1].lines) == 1 and tells(prospects[1].lines[0], UNDEALT)


@pytest.mark.parametrize(
    ("rules", "order", "told"),
    [
        ("web-of-power", {"place": {"country": "Bavaria", "pieces": ["Yrok"]}}, ["Bavaria", "Yrok"]),
        ("web-of-power", {"place": {"pieces": ["Maniz"]}}, ["Mainz"]),
        ("web-of-power", {"discard": "Franken_Aragn"}, ["Franken-Aragon"]),
        ("web-of-power-cards", {"take": ["Fr33"]}, ["Fr33"]),
        ("web-of-power-cards", {"take": "Fr3", "use": "three_symbls"}, ["three_symbls"]),
        ("game-of-powers", {"place": "Palangaa", "facing": "clockwise"}, ["Palanga"]),
        ("game-of-powers", {"place": "Palanga", "facing": "sideways"}, ["sideways"]),
        (
            "game-of-powers",
            {"sail": "Aarhuus", "take_tokens": ["militry", "any"], "claim": "four_seasons"},
            ["Aarhus", "military", "four_seasons"],
        ),
        ("game-of-powers", {"counter": {"give": ["militry"], "want": ["religious"]}}, ["militry"]),
        (
            "game-of-powers",
            {"sail": 1, "trade": {"with": "purpel", "give": ["military"], "want": ["any"]}},
            ["there is no other seat 'purpel'"],
        ),
        (
            "web-of-intrigue",
            {"bid_1": {"for": "Queen Victoira", "points": 5}},
            ["Queen Victoria"],
        ),
        ("web-of-intrigue", {"bid_1": {"for": "Inflation", "points": 5}}, ["Enact it: {enact: inflation"]),
        (
            "web-of-intrigue",
            {"special_1": {"enact": "Inflaton", "points": 5, "square": "z9", "row": 5}},
            ["Inflation", "there is no square 'z9'"],
        ),
        (
            "web-of-intrigue",
            {"guess": {"player": 77, "house": "Loe"}},
            ["there is no player '77'", "Loe"],
        ),
        ("web-of-intrigue", {"guess": {"player": 1, "house": "Leo"}}, ["player 1 is yourself"]),
        (
            "web-of-intrigue",
            {
                "special_1": {"enact": "Inflation", "points": 5, "row": 5},
                "special_2": {"enact": "Chaos", "points": 1},
            },
            ["Inflation takes no row", "Chaos needs squares"],
        ),
        ("web-of-intrigue", {"move": "z9"}, ["there is no square 'z9'"]),
    ],
)
def test_a_name_that_nothing_has_is_refused_before_the_deal_too(
    rules: str, order: Json, told: list[str]
) -> None:
    seat = subject(rules).seats[0]
    ways: tuple[dict[str, Any], ...] = ({"at": first(rules, seat)}, {}, {"keep": True}, {"when": {"turn": 1}})
    for line in ways:
        faults = judged(rules, seat, order, **line)[0]
        assert len(faults) == len(told)
        for fault, part in zip(faults, told, strict=True):
            assert part in fault


def test_names_are_judged_between_sealed_start_forms_and_the_deal_too() -> None:
    seat = Seat("red")
    order: Json = {"place": {"country": "Bavaria", "pieces": "advisor"}}
    seals = Sealed({seat: seal_of("g", seat, "rain")}, {}, {})

    faults, _ = judged("web-of-power", seat, order, seals=seals, at="red-1")

    assert [fault.partition(".")[0] for fault in faults] == ["there is no country 'Bavaria'"]
