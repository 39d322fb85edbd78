"""What a submission must pass: every test command is run, and the first failure ends it all."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

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
