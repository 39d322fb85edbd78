"""The wheel and the sdist carry all they need, and the installers that people use can install the wheel."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dist import dist, wheel

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


def _run(words: list[str], folder: Path, more: dict[str, str] | None = None) -> str:
    kept = {key: value for key, value in os.environ.items() if key not in ("PBEM_HOME", "PYTHONPATH")}
    ran = subprocess.run(
        words, cwd=folder, env={**kept, **(more or {})}, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, f"{words}\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout
