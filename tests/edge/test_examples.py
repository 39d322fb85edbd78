"""The example plug-ins: what the contract finds in them and what not, and what a broken copy is told."""

from __future__ import annotations

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
from pbem.core.interface import AnyRules, Ask, Choices, Draft, Step
from pbem.play.config import registry
from pbem.play.config.templates import templates_of
from pbem.play.reports.books import book_of_rules
from pbem.store.errors import WrongInput
from pbem.text.lookahead import Standing, followed, is_vain
from tests.facts import tells
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
        result = check(_subject(name, seats), games=2 if name == "marches" else 6)  # its bots look ahead

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
    assert "do: {mark: B2}" in book.text, "the order of the bot in a deal that is only an example"
    assert book.text.count("do: {mark: B2}") == 1, (
        "a square is marked once: another order is the one for later"
    )
    assert "- at: x-2                # for later" in book.text


def test_a_book_lists_what_their_text_leaves_open_with_the_option_that_changes_it(site: Path) -> None:
    path = site / "tic_tac_toe" / "paragraphs.yaml"
    reading = "- {id: end, says: Two win together., place: The end, how: [It is a draw.], option: draws}\n"
    assert "THE TEXTS LEAVE OPEN" not in book_of_rules("tic-tac-toe").text
    path.write_text(path.read_text(encoding="utf-8") + reading, encoding="utf-8")
    registry.forget()

    text = book_of_rules("tic-tac-toe").text

    assert "- The end. It is a draw. Option: `draws`." in text


@pytest.mark.parametrize("text", ["- id: moves\n", "says: x begins\n", "- says: [\n"])
def test_paragraphs_that_are_none_are_refused_with_their_place(site: Path, text: str) -> None:
    (site / "tic_tac_toe" / "paragraphs.yaml").write_text(text, encoding="utf-8")

    with pytest.raises(WrongInput, match=r"paragraphs\.yaml:\d+:\d+: "):
        book_of_rules("tic-tac-toe")


@pytest.mark.parametrize(
    "fields",
    [
        "standing: interpreted, how: It is a draw.",
        "standing: interpreted, place: The end",
        "how: [It is a draw.]",
    ],
)
def test_a_reading_without_its_place_is_told_with_file_and_paragraph(site: Path, fields: str) -> None:
    path = site / "tic_tac_toe" / "paragraphs.yaml"
    path.write_text(f"- says: All is open.\n- {{id: end, says: Two win., {fields}}}\n", encoding="utf-8")

    with pytest.raises(WrongInput):
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


class _NestForgotten(_Spoilt):
    def redeal(self, state: Any, seat: Seat | None, dice: Dice) -> Any:
        return replace(self._rules.redeal(state, seat, dice), nest=state.nest)


class _DrawnCardToAll(_Spoilt):
    def resolve(self, state: Any, moves: Mapping[Seat, Any], dice: Dice) -> Step[Any]:
        return _retold(
            self._rules.resolve(state, moves, dice), "CardDrawn", lambda event: replace(event, to=ALL)
        )


class _NextCardInDrawnCard(_Spoilt):
    def resolve(self, state: Any, moves: Mapping[Seat, Any], dice: Dice) -> Step[Any]:
        step = self._rules.resolve(state, moves, dice)
        following = 100 * sum(step.state.deck[:1])
        return _retold(step, "CardDrawn", lambda event: replace(event, card=event.card + following))


def _retold(step: Step[Any], kind: str, change: Callable[[Any], Event]) -> Step[Any]:
    told = (change(event) if type(event).__name__ == kind else event for event in step.events)
    return Step(step.state, tuple(told))


def _plain(event: Any) -> Event:
    """Return an event of the same name and fields that declares no release."""
    made: Event = _unreleasing(type(event))(event.seat, event.card, to=event.to)
    return made


_UNRELEASING: dict[str, Any] = {}


def _unreleasing(kind: Any) -> Any:
    """Return one kind of event without the declaration, always the same one."""
    made = type(kind.__name__, (kind,), {"releases": ()})
    return _UNRELEASING.setdefault(kind.__name__, made)


@pytest.mark.parametrize(
    "spoilt",
    [
        _DeckInView,
        _NestInOrder,
        _NoReleases,
        _DeckForgotten,
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
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
    here = Standing(whole.opening, view, ask, {}, whole.seats[0])

    assert (drafted.now, drafted.then) == ({"mark": "A1"}, {"mark": "B1"})
    assert followed(here, drafted, drafted.then).then == drafted.now, "behind the other order it is the first"
    assert is_vain(here, drafted.now, drafted.now, {})


@pytest.mark.parametrize("spoilt", [_DrawnCardToAll, _NextCardInDrawnCard, _NestForgotten])
def test_the_contract_cannot_find_and_the_guide_says_so(site: Path, spoilt: type[_Spoilt]) -> None:
    assert _check(spoilt).breaches == []


class _PriceToAll(_Spoilt):
    def resolve(self, state: Any, moves: Mapping[Seat, Any], dice: Dice) -> Step[Any]:
        return _retold(
            self._rules.resolve(state, moves, dice), "PricePaid", lambda event: replace(event, to=ALL)
        )


class _PriceAnnounced(_PriceToAll):
    def resolve(self, state: Any, moves: Mapping[Seat, Any], dice: Dice) -> Step[Any]:
        return _retold(super().resolve(state, moves, dice), "PricePaid", _announced)


def _announced(event: Any) -> Event:
    made: Event = _announcing(type(event))(event.price, to=event.to)
    return made


_ANNOUNCING: dict[str, Any] = {}


def _announcing(kind: Any) -> Any:
    """Return one kind of event with the declaration, always the same one."""
    made = type(kind.__name__, (kind,), {"announces": ("price",)})
    return _ANNOUNCING.setdefault(kind.__name__, made)


@pytest.mark.parametrize("seats", [2, 5])
def test_a_hidden_bid_that_is_told_to_all_is_found_without_any_word_of_the_author(
    site: Path, seats: int
) -> None:
    honest = check(_subject("hush", seats), games=6)
    leaky = _check(_PriceToAll, "hush", seats)

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


def test_show_and_archive_say_which_template_of_a_board_fails(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = site / "marches" / "templates" / "board.svg.j2"
    home = _dealt(tmp_path)
    honest = path.read_text("utf-8")
    path.write_text(honest.replace("view.places.items()", "view.plases.items()"), "utf-8")
    capsys.readouterr()

    drawn = run_command(["show", "m-1", "--svg", str(tmp_path / "m.svg"), "--home", home])
    fault = capsys.readouterr().err
    shown = run_command(["show", "m-1", "--home", home])
    told = capsys.readouterr()
    codes = [run_command(["archive", str(tmp_path / "out"), "--home", home]) for _ in range(2)]
    capsys.readouterr()

    assert (drawn, shown, codes) == (1, 0, [1, 1])
    assert "board.svg.j2:8: " in fault
    assert "THE MAP" in told.out
    assert tells(told.err)
    path.write_text(honest, "utf-8")
    assert run_command(["archive", str(tmp_path / "out"), "--home", home]) == 0
    assert "<svg" in (tmp_path / "out" / "m-1" / "0001.html").read_text("utf-8")


def _dealt(tmp_path: Path) -> str:
    """Return a home with a game of Marches that was dealt."""
    players, home = tmp_path / "players.yaml", str(tmp_path / "home")
    players.write_text("seats:\n  red: {player: Ann}\n  blue: {player: Bob}\n", "utf-8")
    for words in (["init", home], ["new", "marches", "m-1", "--players", str(players), "--home", home]):
        assert run_command(words) == 0
    for seat in ("red", "blue"):
        orders = tmp_path / f"{seat}.yaml"
        text = f"game: m-1\nseat: {seat}\norders:\n- at: start\n  do: {{luck: {seat}}}\n"
        orders.write_text(text, "utf-8")
        assert run_command(["submit", str(orders), "--home", home]) == 0
    assert run_command(["run", "--home", home]) == 0
    return home


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
    ],
    ids=["is missing", "is no JSON", "is no object"],
)
def test_a_plug_in_is_listed_as_broken_when_a_schema(
    site: Path, capsys: pytest.CaptureFixture[str], change: Callable[[Path], object]
) -> None:
    change(site / "magpies")

    run_command(["rules"])

    told = capsys.readouterr().out
    assert tells(told, "1.0")
    assert "\ntic-tac-toe          2 seats " in told


def test_a_plug_in_that_names_no_package_is_listed_as_broken(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    init = site / "magpies" / "__init__.py"
    init.write_text(init.read_text("utf-8").replace('package="magpies"', 'package="magpie"'), "utf-8")

    run_command(["rules"])

    assert tells(capsys.readouterr().out, "1.0")


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "templates" / "words.txt.j2").unlink(),
        lambda folder: shutil.rmtree(folder / "templates"),
    ],
    ids=["the words", "all templates"],
)
def test_a_new_game_of_a_plug_in_is_refused_when_it_lacks(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Callable[[Path], object]
) -> None:
    change(site / "magpies")
    players = tmp_path / "players.yaml"
    players.write_text("seats:\n  red: {player: Ann}\n  blue: {player: Bob}\n", "utf-8")
    home = str(tmp_path / "home")
    run_command(["init", home])

    code = run_command(["new", "magpies", "nest-1", "--players", str(players), "--home", home])

    assert tells(capsys.readouterr().err, "magpies/words.txt.j2", "FILE")
    assert code == 1
    assert list((tmp_path / "home" / "games").glob("[!.]*")) == []
