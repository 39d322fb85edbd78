"""What was cut off between two steps is told, finished or ended, and never says what is not so."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from pbem.cli import run_command
from pbem.host.notices import reports
from pbem.host.run.night import Night
from pbem.mail.arrivals.intake import LostMailError, read_raw_mail
from tests.edge.faults import PowerCut, lay_out
from tests.homes import top
from tests.hosting.games import GAME, HOUR, MODERATOR, a_club, night, pbem, queued, stay
from tests.hosting.verbs import NOW, a_running_club
from tests.mail.host import ANN, Host

PROGRAM = Path(sys.executable).parent / "pbem"


@pytest.mark.parametrize("where", ["_note", "_remind", "_tell_digest"])
def test_the_digest_tells_of_a_turn_whose_night_job_was_killed(tmp_path: Path, where: str) -> None:
    home = lay_out(a_running_club(), tmp_path / "home")
    stay(home, "1", "2", "3", label="turn-2")
    with mock.patch.object(Night, where, side_effect=PowerCut), pytest.raises(PowerCut):
        night(home, NOW)
    assert queued(home, "digest") == []

    for later in (NOW + HOUR, NOW + 2 * HOUR):
        night(home, later)

    digests = [one for one in queued(home, "digest") if one.rcpt == MODERATOR]
    assert len(digests) == 1
    assert b"turn 3" in digests[0].raw


def test_letters_of_a_run_that_was_cut_off_behind_its_commit_come_with_the_next_run_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path)
    assert pbem(home, "undo", GAME) == 0
    with mock.patch.object(reports, "words_to_send", side_effect=RuntimeError("the power is gone")):
        assert pbem(home, "run", GAME, "--deal") == 4
    capsys.readouterr()

    for is_told in (True, False):
        assert pbem(home, "run", GAME) == 0
        assert ("Subject" in capsys.readouterr().out) is is_told


def test_luck_words_are_kept_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with mock.patch("pbem.store.disk.Disk.rename", side_effect=PowerCut), pytest.raises(PowerCut):
        run_command(["luck", "elsewhere", "1"])
    assert not (tmp_path / "elsewhere.1.luck").exists()

    assert run_command(["luck", "elsewhere", "1"]) == 0
    assert (tmp_path / "elsewhere.1.luck").stat().st_mode & 0o077 == 0


def test_a_mail_that_was_changed_where_it_is_kept_is_noticed(tmp_path: Path) -> None:
    home = lay_out(a_running_club(), tmp_path / "home")
    host = Host(home, now=NOW)
    number = host.put(host.a_mail("Whose turn is it?", ANN), host.address("1", GAME), ANN)
    assert number is not None
    intake = host.intake(number)
    read_raw_mail(home, intake)
    path = top(home) / "mail" / intake.raw
    path.write_bytes(path.read_bytes().replace(b"Whose", b"whose"))

    with pytest.raises(LostMailError):
        read_raw_mail(home, intake)
    assert [one.verdict for one in host.process()] == ["shunted"]


def _below(parent: int) -> list[int]:
    """Return the processes below one."""
    path = Path(f"/proc/{parent}/task/{parent}/children")
    return [int(one) for one in path.read_text(encoding="ascii").split()] if path.exists() else []


@pytest.fixture
def adopted() -> Iterator[None]:
    """Let processes whose parent has ended become this one's children (prctl(2), PR_SET_CHILD_SUBREAPER)."""
    if not Path("/proc/self/task").exists():
        pytest.skip("only Linux tells a process of its parent")
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    yield
    ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)


@pytest.mark.parametrize("wait", [0.0, 0.1])
@pytest.mark.usefixtures("adopted")
def test_processes_that_share_work_end_with_the_one_that_is_killed(tmp_path: Path, wait: float) -> None:
    made = subprocess.Popen([PROGRAM, "demo", "home"], cwd=tmp_path, stdout=subprocess.DEVNULL)
    while not _below(made.pid) and made.poll() is None:
        time.sleep(0.001)
    time.sleep(wait)
    children = _below(made.pid)
    made.send_signal(signal.SIGKILL)
    made.wait()

    assert children
    for one in children:
        assert os.waitstatus_to_exitcode(os.waitpid(one, 0)[1]) == 1
