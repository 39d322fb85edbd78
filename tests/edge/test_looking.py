"""Looking at games: `pbem show`, the table of `pbem status`, and the picture of `pbem simulate`."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.interface import Ask
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.formpages import printed_page
from pbem.play.reports.reading import filled_form, form, report
from pbem.store.errors import WrongInput
from tests.facts import tells
from tests.finished import a_finished_game
from tests.homes import NOW, a_demo, a_game, a_home, send, top

COLOUR = "\x1b["


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    made = a_home(tmp_path)
    a_game(made)
    monkeypatch.setenv("PBEM_HOME", str(top(made)))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("COLORTERM", raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    return made


def test_the_position_of_a_report_is_shown_and_nothing_else_of_it(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["show", "rose-1", "red"]) == 0
    shown = capsys.readouterr().out

    told = report(home, "rose-1", "red")
    position = told[told.index("THE BOARD") : told.index("TO WIN")].strip()
    assert tells(shown, "Rose King, rose-1", "1", "Red", "red-1", position)


def test_without_a_seat_it_is_what_everybody_knows_and_of_an_older_turn_if_asked(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    send(home, "rose-1", "red", [{"at": "red-1", "do": {"play": "N2"}}])
    run(home, "rose-1", now=NOW)

    assert run_command(["show", "rose-1"]) == 0
    assert tells(newest := capsys.readouterr().out, "2")
    assert run_command(["show", "rose-1", "--turn", "1"]) == 0
    assert tells(older := capsys.readouterr().out, "1")
    assert "[R]" in newest and "[R]" not in older


def test_seats_have_their_colours_on_a_terminal_and_nobody_who_asks_for_none_gets_any(
    home: Home, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_command(["show", "rose-1"])
    plain = capsys.readouterr().out
    monkeypatch.setenv("FORCE_COLOR", "1")
    run_command(["show", "rose-1"])
    coloured = capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    run_command(["show", "rose-1"])

    assert COLOUR not in plain
    assert re.search(r"\x1b\[97;41mRed\x1b\[0m", coloured)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    assert capsys.readouterr().out == plain


def test_what_bots_came_to_is_drawn_and_the_same_games_give_the_same_picture(tmp_path: Path) -> None:
    words = ["simulate", "rose-king", "--games", "3", "--bots", "random", "--set", "own_tokens=4", "--plot"]
    for name in ("a.svg", "b.svg"):
        assert run_command([*words, str(tmp_path / name)]) == 0

    drawn = (tmp_path / "a.svg").read_bytes()
    assert drawn == (tmp_path / "b.svg").read_bytes()
    picture = ET.fromstring(drawn)
    told = {one.text for one in picture.iter("{http://www.w3.org/2000/svg}text")}
    assert {"The Rose King", "Red", "White"} <= told
    wins = re.search(r"Red \w+ (\d), White \w+ (\d)\.", drawn.decode())
    assert wins and int(wins[1]) + int(wins[2]) <= 3


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Return a home with the sample games; only to be read."""
    return a_demo(tmp_path_factory.mktemp("looking") / "demo")


@pytest.mark.parametrize("game", ["rose-1", "powers-1"])
def test_ready_lines_that_are_filled_in_stand_in_a_form_once(game: str, demo: Home) -> None:
    ask = SavedGame(demo, game).ask
    assert isinstance(ask, Ask)
    (seat,) = ask.seats
    plain = report(demo, game, seat, name="orders.yaml")
    form = filled_form(demo, game, seat, "greedy", 1)

    told = plain[plain.index("## Ready lines") : plain.index("#- {at: ")].replace("\n## ", " ")
    example = re.search(r"^  #   do: (\{.*\})$", plain, re.MULTILINE)
    is_short = example is not None and len(example[1]) <= 48
    now = f"if you order {example[1]} now" if example and is_short else "after the EXAMPLE"
    assert told.startswith(f"## Ready lines for your next turn, {now}:")
    assert "Ready lines" not in form and "#- {at: " not in form
    assert form.endswith(plain[plain.index("#press:") :])


@pytest.mark.parametrize("game", ["rose-1", "wop-1", "cards-1", "powers-1"])
def test_lines_ahead_follow_from_the_view_alone(
    game: str, demo: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = SavedGame(demo, game).ask
    assert isinstance(ask, Ask)
    monkeypatch.setattr("pbem.play.reports.reading.Dice", None)  # the dice of the game

    (seat,) = ask.seats
    assert f"at: {ask.label}" in filled_form(demo, game, seat, "greedy", 2)


@pytest.mark.parametrize("look", [form, printed_page])
def test_who_has_nothing_to_order_is_refused_a_form_and_its_page(
    tmp_path: Path, look: Callable[[Home, str, str], str]
) -> None:
    home = a_home(tmp_path)
    over = a_finished_game(home, "rose-king")

    for seat in ("red", "spectator", "nobody"):
        with pytest.raises(WrongInput):
            look(home, over.name, seat)


def test_a_form_names_a_schema_only_where_it_is_written_beside_it(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["form", "rose-1", "red"]) == 0
    printed = capsys.readouterr().out
    assert run_command(["form", "rose-1", "red", "--write", str(tmp_path / "forms")]) == 0
    assert run_command(["report", "rose-1", "--all", str(tmp_path / "reports")]) == 0

    written = (tmp_path / "forms" / "rose-1.red.yaml").read_text("utf-8")
    named = re.findall(r"^# yaml-language-server: \$schema=(.*)$", written, re.MULTILINE)
    assert [(tmp_path / "forms" / one).is_file() for one in named] == [True]
    assert "$schema" not in printed + (tmp_path / "reports" / "red" / "orders.yaml").read_text("utf-8")
    assert "".join(line for line in written.splitlines(keepends=True) if "$schema" not in line) == printed
