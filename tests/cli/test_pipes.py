"""A reader who leaves stops nothing: each verb does all that it was asked, and that is no failure."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import pbem
from pbem.cli.base import print_document, print_text
from pbem.host.office.samples import newest_sample_turn, sample_names
from pbem.store.folder import FolderStore
from tests.cli.homes import NOW, a_busy_home
from tests.homes import top, tree
from tests.hosting.games import DAY, GAME, HOUR
from tests.verbs import COMMANDS
from tests.warm import warm_program

PROGRAMS = Path(sys.executable).parent
PATH = {**os.environ, "PATH": os.pathsep.join([str(PROGRAMS), os.environ["PATH"]])}


def test_a_demo_of_which_two_lines_are_read_is_made_whole(tmp_path: Path) -> None:
    ended = subprocess.run(
        ["bash", "-c", "pbem demo dd | head -2; echo ${PIPESTATUS[0]}"],
        cwd=tmp_path,
        env=PATH,
        capture_output=True,
        text=True,
        check=True,
    )

    *shown, code = ended.stdout.splitlines()
    assert (len(shown), code, ended.stderr) == (2, "0", "")
    store = FolderStore(tmp_path / "dd")
    assert store.games() == sample_names()
    assert {game: store.turns(game)[-1] for game in store.games()} == {
        game: newest_sample_turn(game) + 1 for game in sample_names()
    }
    assert {path.name for path in (tmp_path / "dd").iterdir()} == {"games", "orders", "templates"}


WORDS = {
    "acts": f"acts {GAME}",
    "announce": f"announce {GAME} Peace --now {{now}}",
    "answer": "answer 1",
    "archive": "archive site",
    "away": f"away {GAME} 1 --to 2026-11-30 --now {{now}}",
    "book": f"book {GAME}",
    "cancel": f"cancel {GAME} --why Enough --now {{now}}",
    "check": "check good.yaml bad.yaml",
    "demo": "",
    "digest": "digest",
    "doctor": "doctor --now {now}",
    "extend": f"extend {GAME} --now {{now}}",
    "form": f"form {GAME} 1",
    "help": "help run",
    "hold": f"hold {GAME} 1 --now {{now}}",
    "home": "home copy . ../other",
    "init": "",
    "lmtp": "",
    "luck": "luck elsewhere 1",
    "mailbox": "",
    "new": "new web-of-intrigue second --players players.yaml --now {now}",
    "pause": f"pause {GAME} --now {{now}}",
    "proof": "proof kept.txt",
    "receive": "receive --now {now}",
    "remind": "remind --now {soon}",
    "replace": f"replace {GAME} 1 --player Zoe --now {{now}}",
    "report": f"report {GAME} 1",
    "resume": "",
    "rules": "rules",
    "run": "run --due --now {soon}",
    "seat": f"seat {GAME} 1",
    "send": "send --now {now}",
    "service": "",
    "show": f"show {GAME}",
    "simulate": "simulate rose-king --games 1",
    "status": "status",
    "submit": "submit good.yaml",
    "undo": f"undo {GAME} --now {{now}}",
    "verify": f"verify {GAME}",
    "vote": f"vote {GAME} 1 pause --now {{now}}",
    "worker": "",
}
"""A command of each verb; "" for those that are tried elsewhere, or work until they are told to end."""

LEFT = ("announce", "archive", "home", "new", "receive", "run", "send", "submit", "undo")
"""Verbs whose readers leave: those that do several things one after the other, or write files."""


def test_a_command_of_every_verb_is_known() -> None:
    assert set(WORDS) == set(COMMANDS)


@pytest.fixture
def ended(tmp_path: Path) -> Callable[[str, str], tuple[int, list[str]]]:
    """Return what gives a command in a busy home, and tells its exit code and the files that stand then."""

    def give(words: str, into: str) -> tuple[int, list[str]]:
        home = a_busy_home(tmp_path / into)
        stated = words.format(now=NOW.isoformat(), soon=(NOW + 3 * DAY + 6 * HOUR).isoformat()).split()
        reader, writer = os.pipe()
        if into == "closed":
            os.close(reader)
        given = [str(warm_program() / "pbem"), *stated]
        done = subprocess.Popen(given, cwd=top(home), env=PATH, stdout=writer, stderr=writer)
        os.close(writer)
        if into != "closed":
            with os.fdopen(reader, "rb") as read:
                assert read.read(), "it prints nothing, and shows nothing here"
        code = done.wait()
        return code, [name for name in tree(top(home).parent) if not name.startswith("home/mail/")]

    return give


@pytest.mark.parametrize("words", [WORDS[verb] for verb in LEFT])
def test_a_verb_does_all_it_was_asked_for_a_reader_who_has_left(
    words: str, ended: Callable[[str, str], tuple[int, list[str]]]
) -> None:
    """Each is a fork of a program that is loaded already; those that start from nothing are tried below."""
    assert ended(words, "closed") == ended(words, "read")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("words", ["--help", "help status", "rules"])
def test_what_cannot_be_written_is_a_failure_and_is_told(words: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [str(PROGRAMS / "pbem"), *words.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert done.returncode == 1
    assert done.stderr.count("No space left on device") == 1
    assert "Traceback" not in done.stderr


def test_a_program_whose_output_was_closed_before_it_began_does_its_work(tmp_path: Path) -> None:
    done = subprocess.run(["sh", "-c", "pbem init made >&- 2>&-"], cwd=tmp_path, env=PATH, check=False)

    assert done.returncode == 0
    assert (tmp_path / "made" / "games").is_dir()


def test_what_is_printed_goes_through_one_module() -> None:
    """It shows control characters, which strangers' words may hold, and lets no terminal obey them."""
    package = Path(str(pbem.__file__)).parent
    calls = re.compile(r"\bclick\.s?echo\b|\bclick\.echo_via_pager\b")

    found = {path.name for path in package.rglob("*.py") if calls.search(path.read_text(encoding="utf-8"))}

    assert found == {"base.py"}


@pytest.mark.parametrize("at_terminal", [True, False])
def test_a_document_reaches_a_program_as_it_is_and_a_terminal_visibly(
    at_terminal: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: at_terminal)

    print_document("a\x07b\n")
    print_text("c\x1b[2Jd")

    assert capsys.readouterr().out == ("a\\x07b\n" if at_terminal else "a\x07b\n") + "c\\x1b[2Jd\n"
