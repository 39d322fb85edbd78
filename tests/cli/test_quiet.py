"""Quiet, colours, and a bar that tells how far a long command is."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.cli.base import NAMES, global_options
from tests.cli.homes import NOW, a_busy_home
from tests.cli.test_pipes import WORDS
from tests.homes import a_game, a_home, top
from tests.hosting.games import DAY, HOUR

PROGRAM = str(Path(sys.executable).parent / "pbem")

TELLS = {"acts", "answer", "book", "digest", "doctor", "form", "help", "luck", "proof",
         "report", "rules", "seat", "show", "simulate", "status"}  # fmt: skip
"""Verbs that print what was asked for; the others only say what they have done."""

SAYS_WHAT_IS_WRONG = {"check": "mvoe"}
"""Verbs whose command has something to complain of."""


def _give(words: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.chdir(home)
    soon = (NOW + 3 * DAY + 6 * HOUR).isoformat()
    return run_command(words.format(now=NOW.isoformat(), soon=soon).split())


@pytest.mark.parametrize("verb", [verb for verb, words in WORDS.items() if words])
def test_quiet_prints_errors_and_what_was_asked_for_only(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = top(a_busy_home(tmp_path))
    for path in (home, *home.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)  # `check` complains of what others can read
    capsys.readouterr()

    code = _give(f"{WORDS[verb]} --quiet", home, monkeypatch)

    said = capsys.readouterr()
    if wrong := SAYS_WHAT_IS_WRONG.get(verb):
        assert (code, wrong in said.out) == (1, True)
    else:
        assert (bool(said.out), said.err) == (verb in TELLS, ""), said


ESCAPE = "\x1b["


@pytest.mark.parametrize(
    ("more", "no_color", "coloured"),
    [([], "", True), ([], "1", False), (["--color", "never"], "", False), (["--no-color"], "", False)],
)
def test_colours_at_a_terminal_can_be_switched_off(
    more: list[str], no_color: str, coloured: bool, tmp_path: Path
) -> None:
    home = a_home(tmp_path)
    a_game(home)
    shown = _at_a_terminal(["status", *more, "--home", str(top(home))], NO_COLOR=no_color)
    assert (ESCAPE in shown) is coloured, shown


def _at_a_terminal(words: list[str], **surroundings: str) -> str:
    """Return what a command shows at a terminal."""
    ours, theirs = pty.openpty()
    known = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8", **surroundings}
    done = subprocess.Popen([PROGRAM, *words], stdout=theirs, stderr=theirs, env=known)
    os.close(theirs)
    shown = b""
    while True:
        try:
            read = os.read(ours, 1 << 16)
        except OSError:  # the other end was closed
            break
        if not read:
            break
        shown += read
    os.close(ours)
    assert done.wait() == 0, shown
    return shown.decode()


def test_the_options_that_stand_everywhere_are_known_by_name() -> None:
    assert {one.name for one in global_options()} == NAMES
