"""A command that was cut off behind its change and is given again acts once, until something else is done."""

from __future__ import annotations

import datetime
from pathlib import Path

import click
import pytest

from pbem.cli.commands import cli
from pbem.play.homes.home import Home
from pbem.store.stamped import LAST_DONE
from tests.edge.faults import lay_out
from tests.hosting.games import GAME, HOUR, pbem
from tests.hosting.verbs import BY_MAIL, CASES, NEEDS_NONE, NOW, Case, state_of

COMMANDS = {name: case for name, case in CASES.items() if case.adds}

commands = pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)


def a_home_for(command: Case, path: Path) -> Home:
    home = lay_out(command.before(), path / "home")
    command.prepare(home)
    return home


def give(home: Home, command: Case, *more: str, now: datetime.datetime = NOW) -> None:
    assert pbem(home, *command.words, *more, now=now) == 0


@commands
def test_given_again_it_says_when_it_was_done_and_does_nothing(
    command: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_home_for(command, tmp_path)
    before = state_of(home)
    give(home, command)
    done = state_of(home)
    assert done != before
    capsys.readouterr()

    give(home, command, now=NOW + HOUR)

    assert state_of(home) == done
    assert f"{NOW:%Y-%m-%d %H:%M:%S}" in capsys.readouterr().out


def test_every_verb_is_stopped_somewhere_or_needs_not_to_be() -> None:
    context = click.Context(cli)
    verbs = {verb: cli.get_command(context, verb) for verb in cli.list_commands(context)}
    groups = {verb: one.list_commands(context) for verb, one in verbs.items() if isinstance(one, click.Group)}
    all_verbs = {
        " ".join([verb, *below])
        for verb in verbs
        for below in [[one] for one in groups.get(verb, ())] or [[]]
    }
    stopped = {
        " ".join(case.words[: 2 if case.words[0] in groups else 1])
        for case in (*CASES.values(), *BY_MAIL.values())
    }

    assert stopped | NEEDS_NONE.keys() == all_verbs
    assert not stopped & NEEDS_NONE.keys()


def test_of_the_words_of_a_command_only_a_hash_is_kept(tmp_path: Path) -> None:
    home = a_home_for(COMMANDS["answer"], tmp_path)
    give(home, COMMANDS["answer"])

    with home.journal() as db:
        noted = db.note(GAME, LAST_DONE)
    assert noted is not None
    assert "Yours" not in noted
