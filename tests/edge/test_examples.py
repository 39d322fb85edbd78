"""Plug-ins: what the contract finds in the examples and what not, and what a broken one is told."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import run_command
from pbem.contract import Checked, Subject, check
from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat
from pbem.core.interface import AnyRules, Ask, Choices, Draft, Json, Step
from pbem.play.config import registry, templates
from pbem.play.config.registry import InstalledRules
from pbem.play.config.templates import subject, templates_of
from pbem.play.homes.home import Home
from pbem.play.reports.books import book_of_rules
from pbem.store.errors import WrongInput
from pbem.text.codec import dumps
from pbem.text.lookahead import AskContext, followed, is_never_playable
from tests.facts import tells
from tests.homes import send, top
from tests.plugins import EXAMPLES, plugged_in


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with copies of the examples, as pip would install them; tests may break them."""
    with plugged_in(tmp_path / "site", EXAMPLES, monkeypatch) as folder:
        yield folder


@pytest.mark.parametrize(("name", "leaks"), [("tic-tac-toe", 0), ("magpies", 2), ("hush", 2), ("marches", 0)])
def test_an_example_keeps_the_contract_with_the_least_seats_and_the_most(
    site: Path, name: str, leaks: int
) -> None:
    system = registry.find_rules(name)
    assert system.system is not None

    for seats in {system.system.seats[0], system.system.seats[-1]}:
        result = check(_subject(name, seats), games=1 if name == "marches" else 6)  # its bots look ahead

        assert not result.breaches, result
        assert result.planted_found == leaks
        assert result.events.keys() == {kind.__name__ for kind in _subject(name, seats).rules.event_kinds}


def test_rules_without_a_book_template_have_a_book_of_their_data_and_paragraphs(site: Path) -> None:
    book = book_of_rules("tic-tac-toe")

    for said in (
        "TIC-TAC-TOE",
        "Moves. x begins",
        "Winning. Whoever",
        "A1, B1, C1",
        "An empty square",
        "x-2",
    ):
        assert said in book.text
    assert book.text.count("do: {mark: B2}") == 1, "the order of the bot; a square is marked once"
    assert "- at: x-2                # for later" in book.text


@pytest.mark.parametrize(
    "text",
    [
        "- id: moves\n",
        "- says: [\n",
        "- {id: end, says: Two win., standing: interpreted, how: It is a draw.}\n",
        "- {id: end, says: Two win., standing: interpreted, place: The end}\n",
    ],
    ids=["no words", "no YAML", "a reading without its place", "one that says not how"],
)
def test_paragraphs_that_are_none_are_refused(site: Path, text: str) -> None:
    (site / "tic_tac_toe" / "paragraphs.yaml").write_text(text, encoding="utf-8")

    with pytest.raises(WrongInput, match=r"paragraphs\.yaml"):
        book_of_rules("tic-tac-toe")


class _Spoilt:
    """Magpies with one thing done otherwise."""

    def __init__(self, rules: AnyRules) -> None:
        self._rules = rules

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)


class _DeckInView(_Spoilt):
    def view(self, state: Any, seat: Seat | None) -> Any:
        view = self._rules.view(state, seat)
        return replace(view, deck=view.deck + 100 * sum(state.deck[:1]))


class _NestInOrder(_Spoilt):
    def view(self, state: Any, seat: Seat | None) -> Any:
        return replace(self._rules.view(state, seat), to_come=state.nest)


class _NoReleases(_Spoilt):
    def resolve(self, state: Any, moves: Mapping[Seat, Any], dice: Dice) -> Step[Any]:
        return _retold(self._rules.resolve(state, moves, dice), "CardDrawn", _plain)


class _DeckForgotten(_Spoilt):
    def redeal(self, state: Any, seat: Seat | None, dice: Dice) -> Any:
        return replace(self._rules.redeal(state, seat, dice), deck=state.deck, hands=state.hands)


def _retold(step: Step[Any], kind: str, change: Callable[[Any], Event]) -> Step[Any]:
    told = (change(event) if type(event).__name__ == kind else event for event in step.events)
    return Step(step.state, tuple(told))


def _plain(event: Any) -> Event:
    """Return an event of the same name and fields that declares no release."""
    made: Event = _declaring(type(event), "releases", ())(event.seat, event.card, to=event.to)
    return made


_DECLARING: dict[str, Any] = {}


def _declaring(kind: Any, field: str, names: tuple[str, ...]) -> Any:
    """Return one kind of event with another declaration, always the same one."""
    return _DECLARING.setdefault(kind.__name__, type(kind.__name__, (kind,), {field: names}))


@pytest.mark.parametrize("spoilt", [_DeckInView, _NestInOrder, _NoReleases, _DeckForgotten])
def test_the_contract_finds_in_magpies(site: Path, spoilt: type[_Spoilt]) -> None:
    result = _check(spoilt)

    assert result.breaches, result


class _ForeseesNothing(_Spoilt):
    """Tic-tac-toe that judges no line for later, and has none ready."""

    def __getattr__(self, name: str) -> Any:
        if name in ("foresee", "plan"):
            raise AttributeError(name)
        return super().__getattr__(name)


class _DraftsTheSame(_ForeseesNothing):
    def draft(self, view: Any, choices: Choices) -> Draft:
        first = next(choices.whole(), None)
        return Draft(now=first, then=first)


def test_an_example_for_the_next_ask_that_is_always_refused_is_a_breach(site: Path) -> None:
    spoilt = _check(_DraftsTheSame, "tic-tac-toe")

    (refused,) = (
        told for kind, told in zip(spoilt.kinds, spoilt.breaches, strict=True) if kind == "next-refused"
    )
    assert re.search(r"\{'mark': '(..)'\} at (.)-\d \w+ \{'mark': '\1'\} at \2-\d;", refused)
    result = _check(_ForeseesNothing, "tic-tac-toe")
    assert not result.breaches, result
    assert result.next_tried > result.next_refused


def test_the_usual_draft_has_two_orders_and_foresight_leaves_out_what_cannot_follow(site: Path) -> None:
    whole = _subject("tic-tac-toe", 2)
    state = whole.rules.setup(whole.seats, {}, {}, Dice(b"", 0))
    view = whole.rules.view(state, whole.seats[0])
    drafted = whole.opening.draft(view, whole.opening.choices(view))
    ask = whole.rules.ask(state)
    assert isinstance(ask, Ask)
    here = AskContext(whole.opening, view, ask, {}, whole.seats[0])

    assert (drafted.now, drafted.then) == ({"mark": "A1"}, {"mark": "B1"})
    assert followed(here, drafted, drafted.then).then == drafted.now, "behind the other order it is the first"
    assert is_never_playable(here, drafted.now, drafted.now, {})


class _PriceToAll(_Spoilt):
    def resolve(self, state: Any, moves: Mapping[Seat, Any], dice: Dice) -> Step[Any]:
        return _retold(
            self._rules.resolve(state, moves, dice), "PricePaid", lambda event: replace(event, to=ALL)
        )


class _PriceAnnounced(_PriceToAll):
    def resolve(self, state: Any, moves: Mapping[Seat, Any], dice: Dice) -> Step[Any]:
        return _retold(super().resolve(state, moves, dice), "PricePaid", _announced)


def _announced(event: Any) -> Event:
    made: Event = _declaring(type(event), "announces", ("price",))(event.price, to=event.to)
    return made


def test_a_hidden_bid_that_is_told_to_all_is_found_without_any_word_of_the_author(site: Path) -> None:
    honest = check(_subject("hush", 5), games=6)
    leaky = _check(_PriceToAll, "hush", 5)

    assert honest.breaches == []
    assert honest.orders_told == {"LotSold.seat", "PursesOpened.purses"}
    (breach,) = leaky.breaches
    assert tells(breach, "PricePaid.price")
    assert "PricePaid.price" in str(leaky).splitlines()[1], "what is told of orders is listed"


def test_what_rules_announce_of_orders_is_no_breach(site: Path) -> None:
    announced = _check(_PriceAnnounced, "hush", 3)

    assert announced.breaches == []
    assert "PricePaid.price" in announced.orders_told


def test_a_board_that_fails_is_a_breach_with_its_file_and_line(site: Path) -> None:
    path = site / "marches" / "templates" / "board.svg.j2"
    path.write_text(path.read_text("utf-8").replace("view.places.items()", "view.plases.items()"), "utf-8")

    result = check(_subject("marches", 2), games=2)

    assert result.breaches
    assert all("board.svg.j2:8: " in breach and "plases" in breach for breach in result.breaches), result


def _check(spoilt: type[_Spoilt], name: str = "magpies", seats: int = 2) -> Checked:
    whole = _subject(name, seats)
    return check(replace(whole, rules=spoilt(whole.rules), environment=None), games=6)


def _subject(name: str, seats: int) -> Subject:
    system = registry.find_rules(name)
    assert system.system is not None
    names = system.system.seat_names(seats)
    rules = system.load(system.shipped_data())
    return Subject(rules, names, system.options({}), system.move_schema, templates_of(system))


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "orders.schema.json").unlink(),
        lambda folder: (folder / "data.schema.json").write_text("{", "utf-8"),
        lambda folder: (folder / "options.schema.json").write_text("[]", "utf-8"),
        lambda folder: (folder / "__init__.py").write_text(
            (folder / "__init__.py").read_text("utf-8").replace('package="magpies"', 'package="magpie"'),
            "utf-8",
        ),
    ],
    ids=["a schema is missing", "one is no JSON", "one is no object", "it names no package"],
)
def test_a_plug_in_is_listed_as_broken_when(
    site: Path, capsys: pytest.CaptureFixture[str], change: Callable[[Path], object]
) -> None:
    change(site / "magpies")

    run_command(["rules"])

    told = capsys.readouterr().out
    assert tells(told, "1.0")
    assert "\ntic-tac-toe          2 seats " in told


def test_a_new_game_of_a_plug_in_is_refused_when_it_lacks_all_templates(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(site / "magpies" / "templates")
    players = tmp_path / "players.yaml"
    players.write_text("seats:\n  red: {player: Ann}\n  blue: {player: Bob}\n", "utf-8")
    home = str(tmp_path / "home")
    run_command(["init", home])

    code = run_command(["new", "magpies", "nest-1", "--players", str(players), "--home", home])

    assert tells(capsys.readouterr().err, "magpies/words.txt.j2", "FILE")
    assert code == 1
    assert list((tmp_path / "home" / "games").glob("[!.]*")) == []


BROKEN = {
    "raises when it is imported": "raise RuntimeError('no board in the box')",
    "imports what is not there": "import nowhere",
    "ends the program": "import sys\nsys.exit('good bye')",
    "has no such name": "system = 1",
    "is a class and no System": "from pbem.core.interface import System as SYSTEM",
    "has another name": "from pbem.rules.rose_king import SYSTEM",
}

GOOD = """
from pbem.rules.rose_king import SYSTEM
SYSTEM = SYSTEM._replace(name="plug")
"""


@pytest.fixture(autouse=True)
def _fresh_list() -> Iterator[None]:
    """Look the plug-ins up anew in each test, and after it."""
    registry.clear_rules_cache()
    yield
    registry.clear_rules_cache()


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    """Install a distribution with one plug-in, as pip would leave it behind."""
    info = folder / "a_sixth_game-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: a-sixth-game\nVersion: 1.2\n", encoding="utf-8"
    )
    (info / "entry_points.txt").write_text("[pbem.rules]\nplug = plug:SYSTEM\n", encoding="utf-8")
    (folder / "plug.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(__import__("sys").modules, "plug", raising=False)


@pytest.mark.parametrize("source", BROKEN.values(), ids=BROKEN)
def test_a_broken_plug_in_is_listed_and_the_rest_run(
    home: Home,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    source: str,
) -> None:
    send(home, "rose-1", "red", [{"do": {"play": "N2"}}])
    (tmp_path / "site").mkdir()
    registry.clear_rules_cache()
    install(tmp_path / "site", monkeypatch, source)

    listed = run_command(["rules"])
    told = capsys.readouterr().out.splitlines()
    ran = run_command(["run", "--home", str(top(home))])

    (broken,) = [line for line in told if line.startswith("plug ")]
    assert broken.endswith(" (a-sixth-game 1.2)")
    assert [line for line in told if line.startswith("rose-king  ") and " version " in line]
    assert (listed, ran) == (0, 0)
    assert "rose-1: turn 2" in capsys.readouterr().out


def test_rules_are_checked_with_their_data_as_games_keep_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules that begin with the first of a table would else be checked with another than games have."""
    loaded: list[str] = []
    whole = registry.find_rules("rose-king")
    system = whole.system
    assert system is not None

    def load(data: Mapping[str, Json]) -> AnyRules:
        loaded.append(json.dumps(data))
        return system.load(data)

    unsorted = dict(sorted(whole.shipped_data().items(), reverse=True))
    monkeypatch.setattr(InstalledRules, "shipped_data", lambda _self: unsorted)
    monkeypatch.setattr(
        templates, "find_rules", lambda _name: replace(whole, system=system._replace(load=load))
    )

    subject("rose-king")

    assert loaded == [json.dumps(json.loads(dumps(unsorted)))] != [json.dumps(unsorted)]


def test_a_plug_in_is_found_like_the_built_in_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, GOOD)

    found = registry.find_rules("plug")

    assert (found.name, found.origin, found.problem) == ("plug", "a-sixth-game 1.2", "")
    assert found.load(found.shipped_data()).name == "rose-king"


def test_rules_of_another_version_than_their_system_are_no_subject_of_the_contract(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = registry.find_rules("rose-king")
    assert found.system is not None
    later = registry.InstalledRules(found.name, found.origin, found.system._replace(version=2))
    monkeypatch.setattr("pbem.play.config.templates.find_rules", lambda name: later)

    with pytest.raises(WrongInput, match=r"(?s)System.*2.*1"):
        subject("rose-king")
