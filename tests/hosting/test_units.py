"""Units of systemd are written as shown, hold any home, and are taken away again; none is started."""

from __future__ import annotations

import configparser
import os
import pwd
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.host.office import units
from pbem.host.office.units import UnitOptions, quote_word, unit_texts
from pbem.play.homes.home import Home
from pbem.store.folder import FolderStore
from tests.facts import tells
from tests.homes import a_home, top, tree
from tests.mail.homes import a_mailbox_home, write_settings

NAMES = [("home", ""), ('a "home" with 100% of $PATH', "mail"), ("ä b\\c", "")]


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where units of the user stand in a test."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "systemd" / "user"


def words_of(unit: str) -> list[str]:
    """Return what systemd starts, word by word."""
    found = re.search(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    assert found
    assert not re.search(r"(?<!%)(?:%%)*%(?!%)|(?<!\$)(?:\$\$)*\$(?!\$)", found[1]), "% and $ stand twice"
    return [word.replace("%%", "%").replace("$$", "$") for word in shlex.split(found[1])]


@pytest.mark.parametrize(("name", "user"), NAMES)
def test_units_hold_any_home_and_start_what_is_due_in_it(tmp_path: Path, name: str, user: str) -> None:
    home = FolderStore.make(tmp_path / name).path

    made = unit_texts(UnitOptions("games", home, (sys.executable, "-m", "pbem"), 10, True, True, user))

    assert [*made] == ["games.service", "games.timer", "games-lmtp.service", "games-watch.service"]
    program = [sys.executable, "-m", "pbem"]
    assert words_of(made["games.service"]) == [*program, "run", "--due", "--home", str(home)]
    assert words_of(made["games-lmtp.service"]) == [*program, "lmtp", "--answer", "--home", str(home)]
    assert words_of(made["games-watch.service"]) == [*program, "mailbox", "watch", "--home", str(home)]
    ran = subprocess.run(words_of(made["games.service"]), capture_output=True, check=False, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    parsed = {unit: _parsed(text) for unit, text in made.items()}
    assert parsed["games.timer"]["Timer"]["OnCalendar"] == "*:0/10"
    assert all(parsed[one]["Service"].get("User", "") == user for one in made if one.endswith(".service"))


def _parsed(unit: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string(unit)
    return parser


@pytest.mark.parametrize(("name", "user"), NAMES)
@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd-analyze here")
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path, name: str, user: str) -> None:
    home = FolderStore.make(tmp_path / name).path
    made = unit_texts(UnitOptions("games", home, (sys.executable, "-m", "pbem"), 5, True, True, user))
    for unit, text in made.items():
        (tmp_path / unit).write_text(text, encoding="utf-8")

    ran = subprocess.run(
        ["systemd-analyze", "verify", *(str(tmp_path / unit) for unit in made)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
    )

    told = [line for line in ran.stderr.splitlines() if str(tmp_path) in line or "games" in line]
    assert (ran.returncode, told) == (0, [])


def test_units_are_shown_and_written_as_they_were_shown(
    tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = top(a_home(tmp_path))
    words = ["service", "install", "--user", "--lmtp", "--every", "15", "--home", str(home)]
    assert run_command(words) == 2
    told, said = capsys.readouterr()
    assert tells(said, "--yes")
    assert not config.exists()

    assert run_command([*words, "--yes"]) == 0

    shown = capsys.readouterr().out
    assert shown.startswith(told)
    for path in config.iterdir():
        indented = "".join(f"    {line}\n" for line in path.read_text(encoding="utf-8").splitlines())
        assert f"{path}:\n{indented}" in shown
    assert "    systemctl --user enable --now pbem.timer pbem-lmtp.service\n" in shown
    assert run_command([*words, "--yes"]) == 0, "given again it comes to the same"


@pytest.mark.parametrize("name", ["ca.pem", "a 50% $CA.pem"])
def test_units_see_the_certificates_that_the_shell_names(
    tmp_path: Path,
    config: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    home = str(top(a_home(tmp_path)))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / name))
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)

    assert run_command(["service", "install", "--user", "--lmtp", "--yes", "--home", home]) == 0

    shown = capsys.readouterr().out
    for unit in ("pbem.service", "pbem-lmtp.service"):
        (line,) = re.findall("^Environment=.*$", (config / unit).read_text(encoding="utf-8"), re.MULTILINE)
        assert shlex.split(line[12:]) == [f"SSL_CERT_FILE={tmp_path / name.replace('%', '%%')}"]
        assert f"    {line}\n" in shown
    assert "SSL_CERT_DIR" not in shown


def test_units_are_taken_away_with_the_links_by_which_they_start(
    tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config.mkdir(parents=True)
    (config / "other.service").write_text("[Service]\nExecStart=/bin/true\n", encoding="utf-8")
    (config / "timers.target.wants").mkdir()
    before = tree(config)
    home = str(top(a_home(tmp_path)))
    assert run_command(["service", "install", "--user", "--lmtp", "--yes", "--home", home]) == 0
    (config / "timers.target.wants" / "pbem.timer").symlink_to(config / "pbem.timer")
    capsys.readouterr()
    assert run_command(["service", "remove", "--user"]) == 2
    assert (config / "pbem.timer").exists()

    assert run_command(["service", "remove", "--user", "--yes"]) == 0

    assert tree(config) == before
    assert "    systemctl --user stop pbem.timer pbem-lmtp.service\n" in capsys.readouterr().out
    assert run_command(["service", "remove", "--user", "--yes"]) == 1
    assert tells(capsys.readouterr().err)


def test_what_others_wrote_and_units_of_another_home_stay(
    tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config.mkdir(parents=True)
    (config / "pbem.timer").write_text("[Timer]\n", encoding="utf-8")
    homes = [str(FolderStore.make(tmp_path / name).path) for name in ("one", "two")]

    assert run_command(["service", "install", "--user", "--yes", "--home", homes[0]]) == 1
    assert tells(capsys.readouterr().err, "pbem.timer")
    assert run_command(["service", "install", "--user", "--yes", "--name", "x", "--home", homes[0]]) == 0
    assert run_command(["service", "install", "--user", "--yes", "--name", "x", "--home", homes[1]]) == 1

    assert tells(capsys.readouterr().err, "x.service")
    assert run_command(["service", "remove", "--user", "--yes"]) == 1
    assert sorted(path.name for path in config.iterdir()) == ["pbem.timer", "x.service", "x.timer"]


def test_units_of_the_machine_run_as_who_owns_the_home(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(units, "SYSTEM", tmp_path / "etc")
    home = top(a_home(tmp_path))

    assert run_command(["service", "install", "--yes", "--home", str(home)]) == 0

    assert f"User={pwd.getpwuid(os.geteuid()).pw_name}\n" in (tmp_path / "etc" / "pbem.service").read_text()
    assert "    systemctl enable --now pbem.timer\n" in capsys.readouterr().out


def test_a_word_without_signs_is_written_as_it_is() -> None:
    assert quote_word("/usr/bin/python3") == "/usr/bin/python3"
    assert quote_word("a b") == '"a b"'


def test_a_unit_that_watches_a_mailbox_is_written_where_there_is_one(
    tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, without = (top(one) for one in (a_mailbox_home(tmp_path / "a"), a_home(tmp_path / "b")))
    write_settings(Home(FolderStore(without)), sendmail="/bin/true")
    words = ["service", "install", "--user", "--watch", "--yes", "--home"]

    assert run_command([*words, str(without)]) == 1
    assert tells(capsys.readouterr().err, "(mail.imap)")
    assert run_command([*words, str(home)]) == 0

    told = capsys.readouterr()
    assert "    systemctl --user enable --now pbem.timer pbem-watch.service\n" in told.out
    assert tells(told.err)
    assert run_command(["service", "remove", "--user", "--yes"]) == 0
    assert not [*config.iterdir()]
