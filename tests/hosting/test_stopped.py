"""Verbs that change a game, killed or failed before each of their steps and given again, come to the same."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbem.play.home import Home
from tests.edge.faults import Image, committed, image_of, lay_out
from tests.homes import top
from tests.hosting.games import DAY, GAME, HOUR, MADE, a_club, pbem, stay
from tests.mail.disturbed import Shell

KILLED = -signal.SIGKILL
NOW = MADE + 2 * HOUR


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    found = Shell(tmp_path_factory.getbasetemp())
    yield found
    found.close()


@dataclass(frozen=True)
class Case:
    """A command to disturb.

    Attributes:
        words: The command.
        prepare: What is done to a game with one turn that was run and mailed.
        least: So many steps it takes at least, or the test would show nothing.
        done: How it ends when it is given again after all was done.
        every: It is stopped before every so many steps.
    """

    words: tuple[str, ...]
    prepare: Callable[[Home], object] = lambda home: None
    least: int = 4
    done: int = 1
    every: int = 1


def _paused(home: Home) -> None:
    pbem(home, "pause", GAME)


ALONE = 3
"""Of verbs that change the journal alone, in one transaction, every third step is enough."""

CASES = {
    "undo": Case(("undo", GAME), least=8),
    "extend": Case(("extend", GAME, "--to", (NOW + 9 * DAY).isoformat()), done=0, every=ALONE),
    "pause": Case(("pause", GAME), every=ALONE),
    "resume": Case(("resume", GAME), _paused, every=ALONE),
    "away": Case(("away", GAME, "1", "--to", "2026-11-30"), done=0, every=ALONE),
    "vote": Case(("vote", GAME, "1", "pause"), done=0, every=ALONE),
    "hold": Case(("hold", GAME, "1", "--why", "a quarrel"), every=ALONE),
    "announce": Case(("announce", GAME, "Welcome, all."), done=0, every=ALONE),
    "replace": Case(("replace", GAME, "1", "--player", "Zoe", "--address", "zoe@example.test")),
}  # fmt: skip


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Image:
    """Return a club whose second turn was run and mailed."""
    home = a_club(tmp_path_factory.mktemp("before"), by_mail=True)
    stay(home, "1", "2", "3")
    pbem(home, "run", GAME, now=MADE + HOUR)
    assert pbem(home, "send", now=MADE + HOUR) == 0
    return image_of(top(home))


def words(case: Case, home: Home) -> list[str]:
    given = [one.format(home=top(home)) for one in case.words]
    return [*given, "--now", NOW.isoformat(), "--home", str(top(home))]


def state_of(home: Home) -> tuple[Image, list[object]]:
    """Return all that a command can have changed: files that count, and rows but for what counts tries."""
    files = {
        name: one for name, one in committed(image_of(top(home))).items() if not name.startswith("mail/")
    }
    with home.journal() as db:
        rows: list[object] = [
            *db.rows("SELECT who, game, act, detail, public FROM acts ORDER BY id"),
            *db.rows("SELECT game, key, value FROM game_notes WHERE game != '' ORDER BY game, key"),
            *db.rows(
                "SELECT game, turn, seat, kind, rcpt, message_id, state FROM outbox ORDER BY message_id"
            ),
        ]
    return files, rows


@pytest.mark.parametrize("mode", ["kill", "fail"])
@pytest.mark.parametrize("name", CASES)
def test_a_verb_that_was_stopped_and_is_given_again_comes_to_the_same(
    name: str, mode: str, before: Image, tmp_path: Path, shell: Shell
) -> None:
    case = CASES[name]
    home = lay_out(before, tmp_path / "home")
    case.prepare(home)
    ready = image_of(top(home))
    code, steps = shell.give(words(case, home))
    assert code == 0
    assert steps >= case.least
    whole = state_of(home)

    for at in range(0, steps, case.every):
        lay_out(ready, top(home))

        code, _ = shell.give(words(case, home), at, "kill" if mode == "kill" else "fail")
        assert code == KILLED if mode == "kill" else code in (0, 1), f"step {at}"
        again, _ = shell.give(words(case, home))

        assert again in (0, case.done), f"step {at}"
        assert state_of(home) == whole, f"step {at}"
