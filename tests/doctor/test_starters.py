"""Where nothing starts the night job by itself the doctor says so, though it was typed by hand just now."""

from __future__ import annotations

import datetime
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.doctor import machine as checks
from pbem.host.office.watch import BEATS, NIGHTS
from tests.doctor.ward import Found, Ward, a_ward
from tests.facts import tells
from tests.homes import NOW, top
from tests.hosting.games import MADE, a_club

LINE = "*/5 * * * * pbem /opt/pbem/bin/pbem run --due --home /srv/pbem/home >>/srv/pbem/pbem.log\n"


class Machine:
    """A machine that was made up: its tables of cron, its units, its processes."""

    def __init__(self, folder: Path) -> None:
        self.tables, self.units, self.processes = (
            folder / "cron.d",
            folder / "config/systemd/user",
            folder / "proc",
        )
        for made in (self.tables, self.units, self.processes, folder / "bin"):
            made.mkdir(parents=True)
        self.crontab = folder / "bin/crontab"
        self.runs("init")

    def runs(self, program: str) -> None:
        place = self.processes / str(len(list(self.processes.iterdir())) + 1)
        place.mkdir()
        (place / "comm").write_text(f"{program}\n", encoding="utf-8")

    def has_crontab(self, table: str) -> None:
        """Have a program `crontab` that prints a table."""
        self.crontab.write_text(f"#!/bin/sh\ncat <<'END'\n{table}END\n", encoding="utf-8")
        self.crontab.chmod(0o755)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    found = Machine(tmp_path / "machine")
    monkeypatch.setattr(checks, "TABLES", (found.tables, tmp_path / "no-crontab"))
    monkeypatch.setattr(checks, "PROCESSES", found.processes)
    monkeypatch.setattr(checks, "SYSTEM", tmp_path / "no-units")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "machine/config"))
    monkeypatch.setenv("PATH", f"{found.crontab.parent}:/usr/bin:/bin")
    return found


@pytest.fixture
def ward(tmp_path: Path, machine: Machine) -> Iterator[Ward]:
    """Give a home whose moderator has typed `pbem run --due` once."""
    with a_ward(tmp_path) as found:
        with found.home.journal() as db:
            db.set_note("", BEATS, None)
            db.set_note("", NIGHTS, None)
        assert found.typed("run --due")[0] == 0
        yield found


def found(ward: Ward) -> list[Found]:
    return [one for one in ward.found() if one.part == "night job"]


def test_without_cron_and_timer_what_was_typed_by_hand_is_told_as_that(ward: Ward) -> None:
    (one,) = found(ward)

    assert tells(one.mend, "--user")


def test_a_home_without_mail_needs_a_night_job_where_a_game_has_deadlines(
    tmp_path: Path, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    home = str(top(a_club(tmp_path)))
    words = ["doctor", "--home", home, "--now", MADE.isoformat()]

    assert run_command(words) == 1
    assert tells(capsys.readouterr().out)
    machine.has_crontab(LINE)
    machine.runs("cron")
    run_command(words)
    assert "typed by hand" not in capsys.readouterr().out


@pytest.mark.parametrize("place", ["cron.d", "crontab"])
def test_a_line_of_cron_is_enough_where_cron_runs(ward: Ward, machine: Machine, place: str) -> None:
    if place == "cron.d":
        (machine.tables / "pbem").write_text(f"MAILTO=mary@example.org\n{LINE}", encoding="utf-8")
    else:
        machine.has_crontab(LINE)

    (one,) = found(ward)
    assert tells(one.mend, "--now")
    machine.runs("cron")
    assert found(ward) == []


@pytest.mark.parametrize(
    "line", [f"# {LINE}", "0 3 * * * root apt-get update\n", LINE.replace("run --due", "digest")]
)
def test_other_lines_of_cron_are_none(ward: Ward, machine: Machine, line: str) -> None:
    machine.has_crontab(line)
    machine.runs("cron")

    assert len(found(ward)) == 1


def test_a_timer_is_enough_when_it_is_started(ward: Ward, machine: Machine) -> None:
    assert run_command(["service", "install", "--user", "--yes", "--home", str(ward.top)]) == 0
    assert (machine.units / "pbem.timer").is_file()

    (one,) = found(ward)
    assert tells(one.text, "pbem.timer")
    assert one.mend == "systemctl --user daemon-reload && systemctl --user enable --now pbem.timer"
    assert subprocess.run(["sh", "-n", "-c", one.mend], check=False).returncode == 0

    (machine.units / "timers.target.wants").mkdir()  # which is what systemctl enable does
    (machine.units / "timers.target.wants/pbem.timer").symlink_to(machine.units / "pbem.timer")
    assert found(ward) == []


def test_what_was_done_for_hours_again_and_again_is_done_by_something(ward: Ward) -> None:
    for hours in range(1, 7):
        ward.now = NOW + datetime.timedelta(hours=hours)
        assert len(found(ward)) == 1
        assert ward.typed("run --due")[0] == 0

    assert found(ward) == []


def test_mail_that_is_watched_is_no_night_job(ward: Ward) -> None:
    for hours in range(1, 8):
        ward.now = NOW + datetime.timedelta(hours=hours)
        assert ward.typed("receive")[0] == 0

    assert len(found(ward)) == 1


def test_a_home_by_files_may_be_worked_by_hand(ward: Ward) -> None:
    ward.file("home.yaml").unlink()

    assert found(ward) == []
