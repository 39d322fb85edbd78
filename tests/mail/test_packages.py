"""The packages that tests need are installed, or the check of a submission fails."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.mail.stack import PROGRAMS

PROJECT = Path(__file__).parents[2]
SCRIPT = PROJECT / ".ci" / "packages"

_FAKES = {
    "id": "echo $USER_ID",
    "dpkg-query": 'test -e installed && echo "ii " && echo "ii "',
    "debconf-set-selections": "cat >/dev/null",
    "apt-get": 'echo "$1" >>asked; '
    'if [ "$1" = update ]; then touch lists; exit $NO_NETWORK; fi; [ -e lists ] && touch installed',
}
"""A machine on which nothing is really installed."""


def asked(folder: Path, *, root: bool = True, network: bool = True) -> tuple[int, list[str], str]:
    """Run the script on a machine of fakes; return its exit code, what apt-get was asked, and its talk."""
    for name, does in _FAKES.items():
        file = folder / "bin" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
        file.chmod(0o755)
    ran = subprocess.run(
        [str(SCRIPT)],
        cwd=folder,
        env={
            "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "USER_ID": "0" if root else "1000",
            "NO_NETWORK": "0" if network else "100",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    log = folder / "asked"
    return ran.returncode, log.read_text(encoding="utf-8").split() if log.exists() else [], ran.stderr


def test_what_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "installed").touch()

    assert asked(tmp_path, root=False) == (0, [], "")


def test_what_is_missing_is_installed(tmp_path: Path) -> None:
    (tmp_path / "lists").touch()

    assert asked(tmp_path)[:2] == (0, ["install"])


def test_lists_that_are_missing_are_fetched_first(tmp_path: Path) -> None:
    assert asked(tmp_path)[:2] == (0, ["install", "update", "install"])


def test_what_cannot_be_installed_is_a_failure(tmp_path: Path) -> None:
    code, tried, _ = asked(tmp_path, network=False)

    assert (code != 0, tried) == (True, ["install", "update"])


def test_who_may_not_install_is_told_what(tmp_path: Path) -> None:
    code, tried, said = asked(tmp_path, root=False)

    assert (code, tried) == (1, [])
    assert "dovecot-lmtpd" in said


@pytest.mark.parametrize("place", [".ci/packages", "Makefile"])
def test_every_package_that_tests_ask_for_is_named(place: str) -> None:
    named = set(re.findall(r"[\w-]+", (PROJECT / place).read_text(encoding="utf-8")))

    assert {word for packages in PROGRAMS.values() for word in packages.split()} <= named
