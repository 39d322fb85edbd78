"""What a submission must pass: every test command is run, and the first failure ends it all."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
CI = PROJECT / ".ci"

_MAKEFILE = """\
.venv/dev node_modules: ; @mkdir -p .venv; touch $@
lint: ; @echo linted
test: ; @echo 3 passed in 1.00s
test-mail: ; @trap 'touch stopped' INT; echo $$$$ >begun; sleep 60 & wait
test-kills: ; @until [ -s begun ]; do sleep 0.01; done; {kills}
test-%: ; @{others}
ci-part: ; @python3 -I .ci/parts.py $(PART)
"""
"""A project of which the parts end at once, but for mail, which waits to be stopped."""

_FAILS = "echo 'FAILED tests/edge/test_kills.py::test_a_kill - assert 1 == 2'; echo 1 failed in 2.00s; exit 1"


def run(folder: Path, *words: str, makefile: str) -> subprocess.CompletedProcess[str]:
    """Run the check of a submission, or a command, in a project of these parts."""
    shutil.copytree(CI, folder / ".ci")
    (folder / ".ci" / "packages").write_text("#!/bin/sh\n", encoding="utf-8")
    (folder / "Makefile").write_text(makefile, encoding="utf-8")
    shown = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = words or (str(folder / ".ci" / "run"),)
    return subprocess.run(command, cwd=folder, env=shown, capture_output=True, text=True, check=False)


def test_every_test_command_that_is_listed_is_run_and_its_seconds_are_told(tmp_path: Path) -> None:
    quick = re.sub("(?m)^test-(mail|kills).*\n", "", _MAKEFILE).format(others="echo 7 passed in 2.00s")

    ran = run(tmp_path, makefile=quick)

    assert ran.returncode == 0, ran.stdout + ran.stderr
    told = ran.stdout.partition("===== seconds =====")[2].splitlines()
    rows = {line.split()[0]: line for line in told if line}
    named = re.findall(
        r"^\| `make (test-\w+)`", (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.M
    )
    assert {*rows} == {"lint", "test", "all", *(name.removeprefix("test-") for name in named)}
    assert all("core seconds" in row for row in rows.values())
    assert all(rows[name].endswith("passed in 2.00s") for name in rows.keys() - {"lint", "test", "all"})


def test_the_first_failure_ends_both_lanes_and_is_named_last(tmp_path: Path) -> None:
    ran = run(tmp_path, makefile=_MAKEFILE.format(kills=_FAILS, others="touch more"))

    assert ran.returncode != 0
    *_, test, part = ran.stdout.splitlines()
    assert "tests/edge/test_kills.py::test_a_kill" in test
    assert "make ci-part PART=kills" in part
    assert (tmp_path / "stopped").exists()
    assert not (tmp_path / "more").exists(), "nothing begins after it"
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "begun").read_text(encoding="ascii")), 0)


@pytest.mark.parametrize(("part", "code"), [("kills", 2), ("farm", 0), ("nonesuch", 2)])
def test_one_part_can_be_repeated(tmp_path: Path, part: str, code: int) -> None:
    (tmp_path / "begun").write_text("1", encoding="ascii")

    ran = run(
        tmp_path, "make", "ci-part", f"PART={part}", makefile=_MAKEFILE.format(kills=_FAILS, others="true")
    )

    assert ran.returncode == code
    assert (f"part {part}: " in ran.stdout) == (part != "nonesuch")
    assert ("exit code 2" in ran.stdout) == (part == "kills"), "that of make"
