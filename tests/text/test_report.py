"""Reports: every fact is said, nothing in them is run, and they fit into a mail."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest
from jinja2 import DictLoader, Environment, StrictUndefined, UndefinedError
from jinja2.exceptions import SecurityError
from jinja2.sandbox import SandboxedEnvironment

from pbem.core.book import Line, OrderFired, OrderLapsed, Orders, OrderWaited, PlayingStopped
from pbem.core.events import ALL, Recorded, Seat, only, visible
from pbem.core.interface import Label
from pbem.core.notices import GameEnded, MoveForced, PressSent, SeatSilent
from pbem.core.opening import Begun, GameDealt, Opening
from pbem.core.turn import Policy, Position, Run, advance
from pbem.play.config import registry
from pbem.play.config.templates import templates_of
from pbem.text.reports.facts import FOOT, Frame, facts
from pbem.text.reports.layout import WIDTH, truncate_line, wrap_text
from pbem.text.reports.report import Report
from pbem.text.reports.sandbox import environment
from tests.facts import tells
from tests.said import MACHINE_ONLY, Facts, Said

RED, WHITE = SEATS = (Seat("red"), Seat("white"))
SYSTEM = registry.find_rules("rose-king")
RULES = SYSTEM.load(SYSTEM.shipped_data())
TEMPLATES = templates_of(SYSTEM)
NASTY = "{{ 7*7 }} {% raw %} <script>alert(1)</script> & ]]> \"'<!-- </pre>"

HISTORY: Facts = {"turns": [1, 2], "plots": {"Points": {"red": [1, 4], "white": [0, 2]}}}

Game = Run[Begun[Any]]


@dataclass(frozen=True)
class Scene:
    """A position of The Rose King, and what its reports are made of."""

    opening: Opening[Any, Any, Any]
    run: Game
    orders: Orders = field(default_factory=Orders)
    more: tuple[Recorded, ...] = ()
    names: tuple[str, str] = ("Ann", "Bob")
    deadline: str = "Saturday 21 November 2026, 20:00 UTC"
    turn: int = 3
    game: str = "rose-1"

    def facts(self, seat: Seat | None) -> Facts:
        frame = Frame(
            self.game, "rose-king", self.turn, seat, dict(zip(SEATS, self.names, strict=True)), self.deadline,
            "ab" * 32, True, self.run.position.asked, self.orders, history=HISTORY,
        )  # fmt: skip
        view = self.opening.view(self.run.position.game, seat)
        return facts(self.opening, frame, view, self.run.ask, visible((*self.run.events, *self.more), seat))

    def report(self, seat: Seat | None) -> Report:
        return Report(TEMPLATES, self.facts(seat))


@cache
def played(steps: int, seed: int = 1, own_tokens: int = 0, skill: str = "random") -> tuple[Any, Game]:
    """Return the game after so many steps of bots, the deal counted."""
    assert SYSTEM.system is not None
    opening = Opening(RULES, SEATS, {**SYSTEM.system.options, "own_tokens": own_tokens})
    start: Position[Begun[Any]] = Position(None)
    if steps == 0:
        nobody = dict.fromkeys(SEATS, Orders())
        return opening, Run(start, (), (), nobody, opening.ask(None), frozenset(SEATS))
    policy = Policy(bots=dict.fromkeys(SEATS, skill), most_steps=steps)
    return opening, advance(opening, SEATS, start, {}, bytes([seed]) * 32, policy)


LINES = (
    Line(1, Label("red-90"), {"crown": "E5"}, False, {"play": "N1"}),
    Line(2, None, {}, True, {"play": "N2", "hero": True}),
    Line(3, Label("red-91"), {"white.heroes": {"at_most": 1}}, True, {"draw": True}),
)
OWN_EVENTS = tuple(
    Recorded("red-3", event)
    for event in (
        OrderFired(RED, Label("red-3"), 1, {"play": "N1"}, to=only(RED)),
        OrderLapsed(RED, 2, {"play": "N2"}, "red-3 was answered by order 1", to=only(RED)),
        OrderLapsed(RED, 3, {"draw": True}, "red-3 was answered by order 1", to=only(RED)),
        OrderLapsed(RED, 4, {"draw": True}, "red-2 has passed", to=only(RED)),
        OrderWaited(RED, Label("red-3"), 5, {"play": "W1"}, "W1 is not in your hand", to=only(RED)),
        PlayingStopped(RED, Label("red-4"), {"lost_token": True}, (6, 7), to=only(RED)),
        MoveForced(RED, Label("red-4"), {"draw": True}, to=only(RED)),
        SeatSilent(RED, Label("red-5"), "hold", {"draw": True}, to=only(RED)),
    )
)
PRESS = (
    Recorded("", PressSent(RED, "all", "Hello all", to=ALL)),
    Recorded("", PressSent(WHITE, (RED,), "Peace in the north?\nPlease.", to=only(RED, WHITE))),
)
SCENES = {
    "start": Scene(*played(0), turn=0),
    "dealt": Scene(*played(1)),
    "red-asked": Scene(*played(31), orders=Orders(LINES, {"lost_token": True}), more=OWN_EVENTS),
    "white-asked": Scene(*played(30), orders=Orders(LINES[:2], {"pile": 3}), more=PRESS, deadline=""),
    "own-tokens": Scene(*played(40, own_tokens=20)),
    "over": Scene(*played(1000), more=PRESS),
    "over-by-own-tokens": Scene(*played(1000, own_tokens=12, seed=3)),
}


# Every fact is said

SAID = Said(
    TEMPLATES,
    "rose-king",
    machine_only={
        **MACHINE_ONLY,
        "events.*.public": "but for what becomes of the reader's own orders, all know everything",
        "view.to_move": "`ask` is said instead",
        "view.*.asks": "labels count asks",
        "view.*.turned": "the event says it to all, and `lost_token` to the loser",
    },
    not_always=[],
    words=("white", "red", "empty"),
    alike=r"\b(\d+|[A-I][1-9])\b",
)


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
@pytest.mark.parametrize("seat", [RED, None], ids=["red", "spectator"])
def test_every_fact_of_a_report_is_said_in_its_text(scene: Scene, seat: Seat | None) -> None:
    assert SAID.unsaid(scene.facts(seat)) == []


def test_only_what_is_never_said_is_for_machines_only() -> None:
    told = [scene.facts(seat) for scene in SCENES.values() for seat in (RED, None)]

    assert SAID.needless(told) == (set(), set())
    assert all(SAID.machine_only.values())


def test_the_scenes_hold_every_kind_of_event() -> None:
    told = {type(entry.event) for scene in SCENES.values() for entry in (*scene.run.events, *scene.more)}
    engine = {OrderFired, OrderLapsed, OrderWaited, PlayingStopped, MoveForced, SeatSilent, PressSent}

    assert told >= engine | set(RULES.event_kinds) | {GameDealt, GameEnded}


# The text

LONG = "W" * 100


@pytest.mark.parametrize(("seed", "skill"), [(0, "random"), (3, "greedy")])
def test_no_line_is_wider_than_a_mail(seed: int, skill: str) -> None:
    lapsed = OrderLapsed(RED, 1, {"play": LONG}, f"{LONG}\n\u4e00", to=only(RED))
    said = PressSent(RED, SEATS, f"{LONG} and {LONG}\n{LONG}", to=ALL)
    for steps in (0, 1, 2, 9, 30, 61, 1000):
        opening, run = played(steps, seed, own_tokens=seed * 5, skill=skill)
        more = (*OWN_EVENTS, Recorded("red-1", lapsed), Recorded("", said))
        scene = Scene(
            opening,
            run,
            Orders(LINES, {"crown": ["E5"] * 30}),
            more,
            (LONG, f"Ann {LONG} Lee"),
            LONG,
            9,
            "r" * 22,
        )
        for seat in (RED, WHITE, None):
            assert max(map(len, scene.report(seat).text.splitlines())) <= WIDTH


@pytest.mark.parametrize(
    ("text", "indent", "first", "expected"),
    [
        ("short", "", "", ["short"]),
        ("", "  ", "", [""]),
        ("", "    ", "red-1     ", ["red-1"]),
        ("a\nb", "  ", "- ", ["- a", "  b"]),
        ("a\n\nb", "  ", "- ", ["- a", "", "  b"]),
        ("x" * 80, "  ", "", ["x" * 72, "  " + "x" * 8]),
        ("x " * 40, "  ", "- ", ["- " + "x " * 34 + "x", "  x x x x x"]),
        ("| " + "x " * 40, "    ", "", ["| " + "x " * 34 + "x", "    | x x x x x"]),
        ("| " + "x" * 80, "", "", ["| " + "x" * 70, "| " + "x" * 10]),
    ],
)
def test_text_is_wrapped_with_its_indent(text: str, indent: str, first: str, expected: list[str]) -> None:
    assert wrap_text(text, indent, first).split("\n") == expected


@pytest.mark.parametrize(("text", "width", "expected"), [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("", 3, "")])
def test_text_is_cut_to_a_width_with_an_ellipsis(text: str, width: int, expected: str) -> None:
    assert truncate_line(text, width) == expected


def test_press_cannot_look_like_the_report_around_it() -> None:
    forged = "Red placed its last token: the game is over. White won, decided by points."
    said = (Recorded("", PressSent(WHITE, "all", f"{'x' * 58} {forged}\n\n{forged}", to=ALL)),)

    text = replace(SCENES["dealt"], more=said).report(RED).text

    lines = text[text.index("White to all") :].splitlines()
    quoted = lines[1 : next(n for n, line in enumerate(lines) if not line)]
    assert all(line.strip().startswith("|") for line in quoted)
    assert sum("the game is" in line for line in quoted) == 2


def test_luck_words_cannot_look_like_the_report_around_them() -> None:
    dealt = GameDealt({RED: 'x".\nred-1     Red played', WHITE: "rain in may"}, to=ALL)

    text = replace(SCENES["start"], more=(Recorded("start", dealt),), turn=1).report(RED).text

    assert "\nred-1" not in text
    assert "White rain in may." in " ".join(text.split())


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
@pytest.mark.parametrize("seat", [RED, WHITE, None], ids=["red", "white", "spectator"])
def test_the_form_in_the_text_and_on_the_page_is_the_file(scene: Scene, seat: Seat | None) -> None:
    report = Report(TEMPLATES, {**scene.facts(seat), "detail": "full"})

    if seat is None or json.loads(report.json)["ask"]["kind"] == "over":
        assert (report.form, "ORDERS FORM" in report.text, "<pre" in report.html) == ("", False, False)
    else:
        assert report.form.startswith("# pbem form rose-1")
        assert tells(report.text, report.form, "---")
        assert report.form in Page(report.html).text


def test_a_report_says_what_its_json_says_and_holds_one_foot_for_the_root() -> None:
    scene = SCENES["red-asked"]
    told = scene.facts(RED)

    report = Report(TEMPLATES, told)

    assert json.loads(report.json) == told
    assert Report(TEMPLATES, json.loads(report.json)).files() == report.files()
    assert [page.count(FOOT) for page in (report.json, report.text, report.html, report.form)] == [1, 1, 1, 0]


# The page


class Page(HTMLParser):
    """The elements and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
@pytest.mark.parametrize("seat", [RED, None], ids=["red", "spectator"])
def test_a_page_holds_nothing_that_runs_or_loads(scene: Scene, seat: Seat | None) -> None:
    page = replace(scene, names=(NASTY, NASTY)).report(seat).html

    elements = Page(page).elements
    attributes = [(name, value or "") for _, found in elements for name, value in found.items()]
    assert {tag for tag, _ in elements} <= ALLOWED_TAGS
    assert [name for name, _ in attributes if name.startswith("on") or name in ("src", "href")] == []
    assert [
        value for _, value in attributes if re.search(r"//|url\(|script:|@import|expression", value)
    ] == []
    assert re.findall(r"http|url\(|@import|expression\(|</style>.*</style>.*</style>", page, re.DOTALL) == []
    assert len(page.encode()) < 60_000


ALLOWED_TAGS = frozenset(
    ["html", "head", "meta", "title", "style", "body", "div", "section", "table", "tr", "td", "th", "h1",
     "h2", "dl", "dt", "dd", "p", "b", "i", "span", "br", "pre", "code"]
)  # fmt: skip

PLACES: dict[str, Callable[[str], Scene]] = {
    "name": lambda text: replace(SCENES["dealt"], names=(text, text)),
    "press": lambda text: replace(SCENES["dealt"], more=(Recorded("", PressSent(RED, "all", text, to=ALL)),)),
    "luck-word": lambda text: replace(
        SCENES["dealt"], more=(Recorded("start", GameDealt({RED: text}, to=ALL)),)
    ),
    "lapse": lambda text: replace(
        SCENES["dealt"], more=(Recorded("red-1", OrderLapsed(RED, 1, {"play": text}, text, to=only(RED))),)
    ),
    "pending-order": lambda text: replace(
        SCENES["dealt"],
        orders=Orders((Line(1, None, {"crown": text}, False, {"play": text}),), {"crown": text}),
    ),
    "deadline": lambda text: replace(SCENES["dealt"], deadline=text),
}


@pytest.mark.parametrize("place", PLACES)
def test_what_people_write_is_shown_as_they_wrote_it_and_never_run(place: str) -> None:
    plain = PLACES[place]("plain").report(RED)
    report = PLACES[place](NASTY).report(RED)

    assert [tag for tag, _ in Page(report.html).elements] == [tag for tag, _ in Page(plain.html).elements]
    assert "<script" not in report.html
    for text in (report.text, Page(report.html).text):
        shown = " ".join(text.replace('\\"', '"').split())
        assert "{{ 7*7 }}" in shown
        assert "<script>alert(1)</script>" in shown
        assert "& ]]>" in shown
        assert "49" not in shown.replace("49.", "")


# The environment


def made(**templates: str) -> Environment:
    return environment(DictLoader({name.replace("_", "."): text for name, text in templates.items()}))


def test_an_undefined_name_fails_instead_of_leaving_a_gap() -> None:
    assert issubclass(TEMPLATES.undefined, StrictUndefined)
    with pytest.raises(UndefinedError):
        made(a_txt="{{ nothing }}").get_template("a.txt").render()
    with pytest.raises(UndefinedError):
        made(a_txt="{{ view.nothing }}").get_template("a.txt").render(view={})


@pytest.mark.parametrize(
    "source",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ view.items.__globals__ }}",
        "{{ wrapped.__init__.__globals__ }}",
        "{{ view.update({'x': 1}) }}",
        "{{ hand.append(1) }}",
        "{{ '{0.__class__}'.format(view) }}",
        "{% macro m(x) %}{{ x.__class__ }}{% endmacro %}{{ m(view) }}",
        "{% macro m(x) %}{% endmacro %}{{ m.__call__.__globals__ }}",
        "{% macro m(x) %}{{ caller(x.__class__) }}{% endmacro %}{% call(y) m(view) %}{{ y }}{% endcall %}",
    ],
)
def test_templates_run_in_a_sandbox(source: str) -> None:
    assert isinstance(TEMPLATES, SandboxedEnvironment)
    with pytest.raises((SecurityError, UndefinedError)):
        made(a_txt=source).get_template("a.txt").render(view={}, hand=[])


@pytest.mark.parametrize(
    ("name", "escaped"),
    [
        ("a.html.j2", True),
        ("a.html", True),
        ("a.txt.j2", False),
        ("a.yaml.j2", False),
        ("html.txt.j2", False),
    ],
)
def test_pages_are_escaped_and_texts_are_not(name: str, escaped: bool) -> None:
    template = environment(DictLoader({name: "{{ x }}"})).get_template(name)

    assert template.render(x="<&>") == ("&lt;&amp;&gt;" if escaped else "<&>")


def test_macros_take_names_defaults_and_blocks_in_loops_as_in_any_template() -> None:
    source = (
        "{% macro say(x, y='b') %}{{ x }}{{ y }}{% endmacro %}"
        "{% macro box() %}[{{ caller() }}]{% endmacro %}"
        "{% for one in hand %}{{ say(one, y=one) }}{{ say(one) }}"
        "{% call box() %}{{ one }}{{ loop.index }}{% endcall %}{% endfor %}"
        "{% for key, value in view.items() %}{{ key }}{{ value }}{% endfor %}{{ view.get('k') }}"
    )

    assert made(a_txt=source).get_template("a.txt").render(hand=["a", "c"], view={"k": 1}) == (
        "aaab[a1]cccb[c2]k11"
    )


def test_templates_of_the_rules_go_before_the_common_ones() -> None:
    pages = dict.fromkeys(("common/report.txt.j2", "common/report.html.j2"), "COMMON")
    both = {"x/report.txt.j2": "OWN", **pages, "common/board.svg.j2": "{# none #}\n"}

    report = Report(environment(DictLoader(both)), {"rules": "x", "seat": None})

    assert (report.text, report.html, report.form, report.board) == ("OWN", "COMMON", "", "")
    assert sorted(report.kept()) == ["report.json", "report.txt"]
    assert sorted(report.files()) == ["report.html", "report.json", "report.txt"]
