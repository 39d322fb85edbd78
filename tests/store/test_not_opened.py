"""A home that cannot be locked, opened or changed is named as that, and ends no command with a traceback."""

from __future__ import annotations

import errno
import fcntl
from pathlib import Path

import pytest
from jinja2 import FileSystemBytecodeCache

from pbem.cli import run_command
from pbem.play.config import overrides, templates
from pbem.store.disk import hold_folder_lock
from pbem.store.errors import JournalRefused, WrongInput
from pbem.store.postgresql.postgres import PostgresStore
from pbem.store.records import MODERATOR, Act, iso
from tests.edge.faults import differences, image_of, lay_out
from tests.facts import tells
from tests.homes import top
from tests.hosting.games import GAME, HOUR, MADE, a_club, pbem
from tests.hosting.verbs import NOW, a_running_club

VERBS = (
    *("status", f"status {GAME}", f"acts {GAME}", "digest", f"run {GAME}", "run --due", f"extend {GAME}"),
    *(f"announce {GAME} Hello.", f"seat {GAME} 1", "send", "receive", f"report {GAME} 1", f"show {GAME}"),
)


@pytest.mark.parametrize("words", VERBS)
def test_a_mail_database_that_cannot_be_opened_is_told_and_ends_no_verb_as_a_fault(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path, by_mail=True)
    for path in (top(home) / "mail").glob("mail.db*"):
        path.unlink()
    (top(home) / "mail").mkdir(exist_ok=True)
    (top(home) / "mail/mail.db").mkdir()

    verb, *more = words.split()
    at = ["--now", MADE.isoformat()] if verb not in ("report", "show", "acts") else []
    code = run_command([verb, *more, *at, "--home", str(top(home))])

    said = capsys.readouterr().err
    assert code in (0, 1, 3)
    assert "Traceback" not in said
    assert tells(said, "mail.db")


def test_a_file_system_without_locks_is_named_as_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(_handle: int, _how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(WrongInput), hold_folder_lock(tmp_path):
        pass


def test_templates_that_cannot_be_kept_compiled_stop_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(FileSystemBytecodeCache, "dump_bytecode", full)
    overrides.folder_templates.cache_clear()
    try:
        assert templates.mail_templates().get_template("mail/lost.txt.j2")
    finally:
        overrides.folder_templates.cache_clear()


def test_a_home_that_can_only_be_read_can_be_looked_at_copied_and_archived(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = lay_out(a_running_club(), tmp_path / "home")
    with home.journal() as db:
        db.act(Act(iso(NOW), MODERATOR, GAME, "hold", "noted in the log of the database alone", 0))
        assert (top(home) / "mail/mail.db-wal").stat().st_size  # as a program leaves it that was killed
        kept = image_of(top(home))
    lay_out(kept, top(home))
    monkeypatch.setattr("pbem.store.connection.os.access", lambda *_: False)

    for words in (
        ("status",),
        ("acts", GAME),
        ("digest",),
        ("seat", GAME, "1"),
        ("send", "--list"),
        ("archive", str(tmp_path / "site")),
    ):
        assert run_command([*words, "--home", str(top(home))]) == 0, words
    assert "noted in the log of the database alone" in capsys.readouterr().out
    for changing in (("extend", GAME, "--to", "in 9 days"), ("announce", GAME, "Hello."), ("pause", GAME)):
        assert pbem(home, *changing, now=NOW) == 1, changing
        assert tells(capsys.readouterr().err)
    assert differences(image_of(top(home)), kept) == []

    monkeypatch.undo()
    assert run_command(["home", "copy", str(top(home)), str(tmp_path / "copy")]) == 0


@pytest.mark.postgres
def test_a_database_that_can_only_be_read_is_told_as_that(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.store.pgserver import server

    url = server().database()
    home = a_club(tmp_path)
    assert run_command(["home", "copy", str(top(home)), url]) == 0
    only_read = f"{url}?options=-c%20default_transaction_read_only%3Don"

    for words in (("extend", GAME, "--to", "in 3 days"), ("announce", GAME, "Hello."), ("pause", GAME)):
        capsys.readouterr()
        code = run_command([*words, "--home", only_read, "--now", (MADE + HOUR).isoformat()])
        said = capsys.readouterr().err
        assert code == 1
        assert "can only be read now" in said
    assert run_command(["status", "--home", only_read]) == 0
    with pytest.raises(JournalRefused, match="can only be read now"):
        PostgresStore(only_read).db.begin_work()
