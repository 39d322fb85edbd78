"""The wheel and the sdist carry all they need, and can be installed, also in a bare Debian root."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.dist import dist, wheel
from tests.edge.bare import Container, make_root, missing, steps

PROJECT = Path(__file__).parents[2]
INSTALLERS = {
    "pipx": ("pipx", "install", "--python", sys.executable),
    "uv": ("uv", "tool", "install", "--python", sys.executable),
}


def ours(*folders: str) -> Iterator[str]:
    """Yield the files of folders, without what programs leave in them."""
    for folder in folders:
        for path in (PROJECT / folder).rglob("*"):
            is_left = "__pycache__" in path.parts or path.name.endswith((".pyc", ".egg-info"))
            if path.is_file() and not is_left:
                yield path.relative_to(PROJECT).as_posix()


def test_the_wheel_holds_the_package_and_the_shipped_folders_and_nothing_else() -> None:
    with zipfile.ZipFile(wheel()) as packed:
        held = {name for name in packed.namelist() if ".dist-info/" not in name}

    shipped = {f"pbem/shipped/{name}" for name in ours("templates", "games", "orders")}
    assert held == {*ours("pbem"), *shipped}


def test_the_wheel_names_its_commands_its_rules_and_its_licences() -> None:
    with zipfile.ZipFile(wheel()) as packed:
        about = {
            name.partition(".dist-info/")[2]: packed.read(name).decode()
            for name in packed.namelist()
            if ".dist-info/" in name
        }

    rules = [path.parent.name for path in (PROJECT / "pbem" / "rules").glob("*/orders.schema.json")]
    assert "pbem = pbem.cli:main" in about["entry_points.txt"]
    for name in rules:
        assert f"pbem.rules.{name}:SYSTEM" in about["entry_points.txt"]
    assert {"licenses/LICENSE", "licenses/pbem/play/fonts/LICENSE"} <= set(about)
    assert (PROJECT / "README.md").read_text(encoding="utf-8") in about["METADATA"]


def test_the_sdist_holds_all_that_tests_and_documents_need() -> None:
    (sdist,) = dist().glob("*.tar.gz")
    with tarfile.open(sdist) as packed:
        held = {name.partition("/")[2] for name in packed.getnames()}

    wanted = {*ours(".ci", "pbem", "orders", "templates", "games", "examples", "tests", "docs")}
    wanted |= {
        path.name for path in PROJECT.iterdir() if path.is_file() and path.suffix in (".md", ".toml", ".js")
    }
    wanted |= {"LICENSE", "Makefile", "Containerfile", "package.json", "package-lock.json", "tsconfig.json"}
    assert sorted(wanted - held) == []
    assert [name for name in held if "node_modules" in name or "__pycache__" in name] == []


@pytest.mark.bare
@pytest.mark.parametrize("installer", INSTALLERS)
def test_an_installer_installs_the_wheel_and_the_demo_runs(tmp_path: Path, installer: str) -> None:
    bins = tmp_path / "bin"
    places = {
        "PIPX_HOME": str(tmp_path / "tools"),
        "PIPX_BIN_DIR": str(bins),
        "UV_TOOL_DIR": str(tmp_path / "tools"),
        "UV_TOOL_BIN_DIR": str(bins),
        "UV_CACHE_DIR": str(tmp_path / "cache"),
    }
    _run([sys.executable, "-m", *INSTALLERS[installer], str(wheel())], tmp_path, places)

    assert "rose-1: turn " in _run([str(bins / "pbem"), "demo", "demo"], tmp_path)
    assert "turns intact" in _run([str(bins / "pbem"), "verify", "rose-1", "--home", "demo"], tmp_path)


PARTS = ["pbem", "orders", "templates", "games", "pyproject.toml", "README.md", "LICENSE", "Makefile"]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the project as a stranger has it: no build, no environment."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    for part in PARTS:
        source = PROJECT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / part)
    return folder


@pytest.mark.bare
def test_a_wheel_alone_in_an_empty_environment_runs_the_demo(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    pbem = _environment(tmp_path, str(wheel()))

    said = _run([str(pbem), "demo", "demo"], empty)

    assert "rose-1: turn " in said
    assert "| The Rose King, rose-1, turn " in said
    assert "rose-king" in _run([str(pbem), "rules"], empty)
    assert '"pbem status --json"' in _run([str(pbem), "help", "--schema", "status"], empty)
    assert "turns intact" in _run([str(pbem), "verify", "rose-1", "--home", "demo"], empty)
    assert (empty / "demo" / "games" / "rose-1" / "secret.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.bare
def test_make_demo_makes_an_editable_install_and_runs_the_demo(checkout: Path) -> None:
    said = _run(["make", "demo", f"PYTHON={sys.executable}"], checkout)

    assert "rose-1: turn " in said
    assert "| The Rose King, rose-1, turn " in said
    (linked,) = (checkout / ".venv").rglob("_editable_impl_pbem.pth")
    assert str(checkout) in linked.read_text(encoding="utf-8")


def _environment(folder: Path, wheel: str) -> Path:
    """Return `pbem` of a new environment that holds a wheel and what it depends on."""
    _run([sys.executable, "-m", "venv", str(folder / "venv")], folder)
    pip = [str(folder / "venv" / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    _run([*pip, wheel], folder)
    return folder / "venv" / "bin" / "pbem"


def _run(words: list[str], folder: Path, more: Mapping[str, str] | None = None) -> str:
    kept = {
        key: value for key, value in os.environ.items() if key not in ("PBEM_HOME", "PYTHONPATH", "MAKEFLAGS")
    }
    ran = subprocess.run(
        words, cwd=folder, env={**kept, **(more or {})}, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, f"{words}\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout


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


def run_parts(folder: Path, *words: str, makefile: str) -> subprocess.CompletedProcess[str]:
    """Run the check of a submission, or a command, in a project of these parts."""
    shutil.copytree(CI, folder / ".ci")
    (folder / ".ci" / "packages").write_text("#!/bin/sh\n", encoding="utf-8")
    (folder / "Makefile").write_text(makefile, encoding="utf-8")
    shown = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = words or (str(folder / ".ci" / "run"),)
    return subprocess.run(command, cwd=folder, env=shown, capture_output=True, text=True, check=False)


def test_every_test_command_that_is_listed_is_run_and_its_seconds_are_told(tmp_path: Path) -> None:
    quick = re.sub("(?m)^test-(mail|kills).*\n", "", _MAKEFILE).format(others="echo 7 passed in 2.00s")

    ran = run_parts(tmp_path, makefile=quick)

    assert ran.returncode == 0, ran.stdout + ran.stderr
    told = ran.stdout.partition("===== seconds =====")[2].splitlines()
    rows = {line.split()[0]: line for line in told if line}
    named = re.findall(
        r"^\| `make (test-\w+)`", (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.M
    )
    assert {*rows} == {"lint", "test", "all", *(name.removeprefix("test-") for name in named)}
    assert all("core seconds" in row for row in rows.values())
    assert all(rows[name].endswith("passed in 2.00s") for name in rows.keys() - {"lint", "test", "all"})


@pytest.fixture(scope="module")
def built() -> Iterator[Container]:
    """Return what the Containerfile builds; the test fails where it cannot, for it is asked for by name."""
    if lacking := missing():
        pytest.fail(lacking)
    with TemporaryDirectory(prefix="pbem-bare-", dir="/var/tmp") as root:
        make_root(Path(root))
        made = Container(Path(root))
        made.build(PROJECT)
        yield made


@pytest.mark.bare
def test_the_steps_run_the_demo_and_the_image_works_as_its_first_lines_say(built: Container) -> None:
    demo = built.printed[-1]
    assert "rose-1: turn " in demo
    assert "turns intact" in demo

    for words in (["init", "home"], ["status", "--home", "home"], ["run", "--due", "--home", "home"]):
        built.run([*built.entry, *words])
    assert (built.root / "srv" / "pbem" / "home" / "games").is_dir()


_GREETED = """
import pathlib, socket, subprocess, sys
pathlib.Path("mailed/home.yaml").write_text("mail: {address: host@pbem.example}\\n")
taking = subprocess.Popen(["pbem", "lmtp", "--home", "mailed", "--port", "2499"], stderr=subprocess.PIPE)
taking.stderr.readline()
with socket.create_connection(("127.0.0.1", 2499), timeout=20) as line:
    sys.stdout.write(line.recv(100).decode())
taking.terminate()
"""


@pytest.mark.bare
def test_mail_is_taken_in_by_the_python_of_debian(built: Container) -> None:
    built.run([*built.entry, "init", "mailed"])

    assert built.run(["/opt/pbem/bin/python", "-c", _GREETED]).startswith("220 pbem ")


def test_a_step_is_read_with_the_lines_that_belong_to_it() -> None:
    text = "# no step\nFROM debian\n\nRUN a && \\\n    b\nUSER pbem\n"

    assert list(steps(text)) == [("FROM", "debian"), ("RUN", "a &&      b"), ("USER", "pbem")]
