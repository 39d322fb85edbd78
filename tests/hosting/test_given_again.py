"""A command that was cut off behind its change and is given again acts once, until something else is done."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.host.voting import vote
from pbem.play.home import Home
from pbem.store.stamped import LAST_DONE
from tests.edge.faults import lay_out
from tests.homes import a_game
from tests.hosting.games import DAY, GAME, HOUR, MINUTE, a_club, in_force, pbem, stay
from tests.hosting.verbs import NOW, a_running_club, state_of
from tests.mail.homes import TWO_BY_MAIL
from tests.mail.host import ANN, Host


@dataclass(frozen=True)
class Command:
    """A command that adds to what was done before.

    Attributes:
        words: It.
        prepare: What is done in the home before it.
    """

    words: tuple[str, ...]
    prepare: Callable[[Home], object] = lambda home: None


def _asked(home: Home) -> None:
    host = Host(home, now=NOW)
    assert (
        host.gets(host.a_mail("Whose turn is it?", ANN), host.address("1", GAME), ANN).verdict == "question"
    )


def _more_games(home: Home) -> None:
    for name in ("rose-1", "rose-2"):
        a_game(home, name, table=TWO_BY_MAIL)


COMMANDS = {
    "extend": Command(("extend", GAME, "--by", "1d")),
    "extend by a day": Command(("extend", GAME)),
    "announce": Command(("announce", GAME, "Welcome, all.")),
    "announce --all": Command(("announce", "--all", "Welcome, all."), _more_games),
    "new secret": Command(("seat", GAME, "1", "--new-secret")),
    "resend": Command(("seat", GAME, "1", "--resend")),
    "answer": Command(("answer", "1", "--text", "Yours."), _asked),
    "home secret": Command(("home", "secret")),
}

commands = pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)


def everything(home: Home) -> tuple[object, ...]:
    """Return all that a command can have changed, and what is to be told."""
    with home.journal() as db:
        noted = db.rows("SELECT game, key, value FROM game_notes ORDER BY game, key")
        told = db.rows("SELECT name, words FROM tellings ORDER BY id")
        acts = db.rows("SELECT at, who, game, act, detail FROM acts ORDER BY id")
    return state_of(home), noted, told, acts


def a_home_for(command: Command, path: Path) -> Home:
    home = lay_out(a_running_club(), path / "home")
    command.prepare(home)
    return home


def give(home: Home, command: Command, *more: str, now: datetime.datetime = NOW) -> None:
    assert pbem(home, *command.words, *more, now=now) == 0


@commands
def test_given_again_it_says_when_it_was_done_and_does_nothing(
    command: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_home_for(command, tmp_path)
    before = everything(home)
    give(home, command)
    done = everything(home)
    assert done != before
    capsys.readouterr()

    give(home, command, now=NOW + HOUR)

    assert everything(home) == done
    assert f"{NOW:%Y-%m-%d %H:%M:%S}" in capsys.readouterr().out


@commands
def test_given_with_again_it_is_done_once_more(command: Command, tmp_path: Path) -> None:
    home = a_home_for(command, tmp_path)
    give(home, command)
    once = count_acts(home)

    give(home, command, "--again", now=NOW + HOUR)

    assert count_acts(home) > once


@commands
def test_after_any_other_act_it_is_done_anew(command: Command, tmp_path: Path) -> None:
    home = a_home_for(command, tmp_path)
    give(home, command)
    assert pbem(home, "hold", GAME, "2", now=NOW + MINUTE) == 0
    once = count_acts(home)

    give(home, command, now=NOW + HOUR)

    assert count_acts(home) > once


@commands
def test_a_day_later_it_is_done_anew(command: Command, tmp_path: Path) -> None:
    home = a_home_for(command, tmp_path)
    give(home, command)
    once = count_acts(home)

    give(home, command, now=NOW + DAY)

    assert count_acts(home) > once


def count_acts(home: Home) -> int:
    with home.journal() as db:
        return int(db.rows("SELECT count(*) FROM acts")[0][0])


@pytest.mark.parametrize("other", [("extend", GAME, "--by", "2d"), ("extend", GAME, "--by", "1h")])
def test_other_words_are_another_command(tmp_path: Path, other: tuple[str, ...]) -> None:
    home = a_home_for(COMMANDS["extend"], tmp_path)
    give(home, COMMANDS["extend"])
    once = in_force(home)

    give(home, Command(other))

    assert once is not None and (moved := in_force(home)) is not None
    assert moved > once


def test_in_the_next_turn_it_is_another_command(tmp_path: Path) -> None:
    home = a_home_for(COMMANDS["announce"], tmp_path)
    give(home, COMMANDS["announce"])
    once = count_acts(home)
    stay(home, "1", "2", "3", label="turn-2")
    assert pbem(home, "run", GAME, now=NOW + MINUTE) == 0

    give(home, COMMANDS["announce"], now=NOW + HOUR)

    assert count_acts(home) == once + 1


def test_after_a_vote_that_moved_the_deadline_it_moves_it_anew(tmp_path: Path) -> None:
    home = a_home_for(COMMANDS["extend"], tmp_path)
    give(home, COMMANDS["extend"])
    for seat in ("1", "2"):
        vote(home, GAME, Seat(seat), "extension", NOW + MINUTE)
    voted = in_force(home)

    give(home, COMMANDS["extend"], now=NOW + HOUR)

    assert voted is not None and (moved := in_force(home)) is not None
    assert moved > voted


def test_of_the_words_of_a_command_only_a_hash_is_kept(tmp_path: Path) -> None:
    home = a_home_for(COMMANDS["answer"], tmp_path)
    give(home, COMMANDS["answer"])

    with home.journal() as db:
        noted = db.note(GAME, LAST_DONE)
    assert noted is not None
    assert "Yours" not in noted


def test_a_key_that_was_made_is_told_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = a_club(tmp_path, key=True)
    told = []
    for _ in range(2):
        assert pbem(home, "seat", GAME, "1", "--new-key", now=NOW) == 0
        told += [line for line in capsys.readouterr().out.splitlines() if line.startswith("Key of 1: ")]

    assert len(told) == 2
    assert told[0] == told[1]
