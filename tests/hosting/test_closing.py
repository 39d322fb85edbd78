"""A home that was moved is closed: nothing is changed in it any more, until it is reopened."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.mail.arrivals import spool
from pbem.play.homes.home import Home
from pbem.play.homes.upkeep import close_home, differences
from pbem.play.homes.verify import verify
from pbem.store.rests import HomeClosed
from tests.edge.faults import lay_out
from tests.facts import tells
from tests.homes import home_at, top, tree
from tests.hosting.games import GAME, pbem, stay
from tests.hosting.verbs import BY_MAIL, CASES, NOW, a_running_club, words

OTHERS = {"init", "reopen"}
VERBS = {**CASES, **BY_MAIL}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a home with a game whose turn can be run, closed."""
    made = lay_out(a_running_club(), tmp_path / "home")
    stay(made, "1", "2", "3", label="turn-2")
    assert pbem_home(made, "close", "--why", "it is on new.example now", "--now", NOW.isoformat()) == 0
    return made


def pbem_home(home: Home, *more: str) -> int:
    return run_command(["home", *more, "--home", str(top(home))])


@pytest.mark.parametrize("name", sorted({*VERBS} - OTHERS))
def test_every_verb_that_changes_something_is_refused_and_changes_nothing(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = VERBS[name]
    home = lay_out(case.before(), tmp_path / "home")
    case.prepare(home)
    close_home(home, "it is on new.example now", NOW)
    before = tree(top(home))
    capsys.readouterr()

    assert run_command(words(case, home)) == 1

    told = capsys.readouterr().err
    assert tells(told, "Friday 20 November 2026, 14:00 UTC", "new.example")
    assert tells(told, "--reopen --home")
    assert tree(top(home)) == before


@pytest.mark.parametrize(
    "verb",
    [("run", "--due"), ("lmtp", "--port", "0"), ("mailbox", "watch")],
    ids=" ".join,
)
def test_what_a_forgotten_job_or_service_does_is_refused_too(
    home: Home, capsys: pytest.CaptureFixture[str], verb: tuple[str, ...]
) -> None:
    before = tree(top(home))

    assert run_command([*verb, "--home", str(top(home))]) == 1

    assert tells(capsys.readouterr().err)
    assert tree(top(home)) == before


def test_a_program_that_was_at_work_already_changes_no_game(home: Home) -> None:
    with pytest.raises(HomeClosed), home.held(GAME):
        pass


def test_the_mail_server_of_the_old_machine_keeps_its_mail(home: Home) -> None:
    with pytest.raises(ValueError):
        spool.keep(str(top(home)), "ann@example.test", "x", io.BytesIO(b"x").read, 1)


def test_a_copy_is_open_and_the_games_go_on_there(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert run_command(["home", "copy", str(top(home)), str(tmp_path / "new")]) == 0
    assert run_command(["home", "check", str(top(home)), str(tmp_path / "new")]) == 0
    assert "was closed" not in capsys.readouterr().err

    moved = home_at(tmp_path / "new")
    assert differences(home, moved) == []
    assert pbem(moved, "run", GAME, now=NOW) == 0
    assert verify(moved, GAME).turns == 4


def test_a_home_that_is_opened_again_goes_on(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    assert pbem_home(home, "close") == 1
    assert pbem_home(home, "close", "--reopen") == 0
    assert tells(capsys.readouterr().out)
    assert pbem_home(home, "close", "--reopen") == 1
    assert tells(capsys.readouterr().err)

    assert pbem(home, "run", GAME, now=NOW) == 0
