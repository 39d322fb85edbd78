"""Looking at games: `pbem show`, `pbem status`, pictures of simulations, and words that cannot be written."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.host.notices.news import UndeliveredMail
from pbem.host.office.status import status_of
from pbem.host.time.extensions import extend
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.formpages import printed_page
from pbem.play.reports.reading import filled_form, form, report
from pbem.store.errors import WrongInput
from pbem.store.mailout import OutboundMail, State
from pbem.store.records import Kind
from tests.edge.faults import lay_out
from tests.facts import tells
from tests.finished import a_finished_game
from tests.homes import a_game, a_home, home_at, top
from tests.hosting.games import FRIDAY, GAME, HOUR, MADE, a_club, stay
from tests.hosting.verbs import a_running_club

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


@pytest.mark.parametrize("game", ["rose-1", "wop-1", "cards-1", "powers-1"])
def test_lines_ahead_follow_from_the_view_alone(
    game: str, samples: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = SavedGame(samples, game).ask
    assert isinstance(ask, Ask)
    monkeypatch.setattr("pbem.play.reports.reading.Dice", None)  # the dice of the game

    (seat,) = ask.seats
    filled = filled_form(samples, game, seat, "greedy", 2)
    assert f"at: {ask.label}" in filled
    assert "Ready lines" not in filled and "#- {at: " not in filled, "they stand among the orders"


@pytest.mark.parametrize("look", [form, printed_page])
def test_of_a_game_that_is_over_there_are_no_forms(
    tmp_path: Path, look: Callable[[Home, str, str], str]
) -> None:
    home = a_home(tmp_path)
    a_finished_game(home, "rose-king")

    with pytest.raises(WrongInput):
        look(home, "rose-king", "red")


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


def post(home: Home, seat: str, state: State, why: str = "", kind: Kind = "report", turn: int = 1) -> None:
    """Put a mail to a seat into the outbox, and say what became of it."""
    with home.journal() as db:
        name = f"<{seat}{state}{kind}{turn}@pbem.test>"
        rcpts = SavedGame(home, GAME).table.addresses
        db.put(OutboundMail(GAME, turn, seat, kind, 0, rcpts[Seat(seat)], "", name, b""), MADE)
        db.mark(db.outbox("queued")[-1].id, state, MADE, why=why)


def take_in(home: Home, key: str, verdict: str = "", game: str = "") -> None:
    """Take a mail in that is not processed yet."""
    with home.journal() as db:
        db.take_in(
            key=key, source="spool", received=MADE, envelope_from="", recipient="x", sha256="", raw="x"
        )
        if verdict:
            db.postpone(db.arrived(), verdict, game)


def test_mail_that_is_unread_unsent_or_came_back_has_a_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path, by_mail=True)
    for key, verdict, game in (("1", "", ""), ("2", "late", GAME), ("3", "waits", "another")):
        take_in(home, key, verdict, game)
    post(home, "1", "sent")
    post(home, "2", "failed", "550 no such user")
    post(home, "2", "queued", kind="notice")
    post(home, "3", "bounced", "its server gave it back")
    post(home, "3", "bounced", turn=0)

    found = status_of(home, GAME)

    assert (found.unread, found.late) == (2, 1)
    assert found.came_back == (UndeliveredMail("3", "report", 1, "bounced", "its server gave it back"),)
    assert run_command(["status", "--json", "--home", str(top(home))]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["owing"], row["players"]["3"]) == (["1", "2", "3"], "Cleo")
    assert [(one["seat"], one["kind"]) for one in row["unsent"]] == [("2", "report"), ("2", "notice")]


def test_mails_that_are_not_with_their_readers_are_listed_with_what_to_type(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path, by_mail=True)
    where = ["--home", str(top(home))]
    assert run_command(["send", "--now", MADE.isoformat(), *where]) == 0
    post(home, "1", "queued", "450 try later")
    post(home, "2", "failed", "550 no such user")
    post(home, "3", "bounced", "its server gave it back")
    post(home, "1", "claimed", kind="notice")
    capsys.readouterr()

    assert run_command(["send", "--list", *where]) == 0

    told = capsys.readouterr().out
    assert tells(told, "3 --address ADDRESS", "(ann@example.test)", "450")
    assert tells(told, "(bob@example.test)", "550", "--again", "2 --address ADDRESS")


def damaged(path: Path) -> Home:
    """Return a home whose deadline was moved, and whose journal was written over after that."""
    home = a_club(path)
    extend(home, GAME, MADE, to=FRIDAY)
    (top(home) / "mail" / "mail.db").write_bytes(b"some other program wrote here" * 200)
    return home


def test_where_the_journal_is_damaged_what_the_folders_know_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = damaged(tmp_path)

    assert run_command(["status", "--home", str(top(home))]) == 1

    said = capsys.readouterr()
    assert tells(said.out, "web-of-intrigue", "1", "1, 2, 3 (turn-1)", "1 (Ann), 2 (Bob), 3")
    assert "mail.db is damaged" in said.err
    assert tells(said.out)
    assert run_command(["status", GAME, "--json", "--home", str(top(home))]) == 1
    (row,) = json.loads(capsys.readouterr().out)
    assert row["turn"] == 1


PROGRAM = Path(sys.executable).parent / "pbem"


def a_night(path: Path) -> Home:
    """Return a home of which a night job makes a turn and mails it."""
    home = lay_out(a_running_club(), path / "home")
    stay(home, "1", "2", "3", label="turn-2")
    return home


def give(home: Home, words: str) -> tuple[int, str]:
    """Give a command as a shell reads it; return its exit code and what it says on standard error."""
    now = (MADE + 3 * HOUR).isoformat()
    shell = f"{PROGRAM} run --due --now {now} {words}"
    ended = subprocess.run(
        ["bash", "-c", shell], cwd=top(home), env={**os.environ}, capture_output=True, text=True, check=False
    )
    return ended.returncode, ended.stderr


@pytest.mark.parametrize(
    ("words", "codes"),
    [(">/dev/full", {1}), ("2>/dev/full", {0}), ("<&- >&- 2>&-", {0})],
)
def test_a_night_job_whose_words_cannot_be_written_makes_and_mails_the_turn(
    words: str, codes: set[int], tmp_path: Path
) -> None:
    home = a_night(tmp_path)

    code, said = give(home, words)

    assert code in codes
    assert "Traceback" not in said
    found = home_at(top(home))
    assert SavedGame(found, GAME).turn == 3
    with found.journal() as db:
        sent = db.rows("SELECT count(*) FROM outbox WHERE turn = 3 AND kind = 'report' AND state = 'sent'")
    assert sent == [(3,)]
