"""Plug-ins: found by entry point; a broken one is listed as broken and the rest run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.interface import AnyRules, Json
from pbem.play.config import registry, templates
from pbem.play.config.registry import InstalledRules
from pbem.play.config.templates import subject
from pbem.play.homes.home import Home
from pbem.store.errors import WrongInput
from pbem.text.codec import dumps
from tests.homes import send, top

BROKEN = {
    "raises when it is imported": "raise RuntimeError('no board in the box')",
    "imports what is not there": "import nowhere",
    "ends the program": "import sys\nsys.exit('good bye')",
    "has no such name": "system = 1",
    "is a class and no System": "from pbem.core.interface import System as SYSTEM",
    "has another name": "from pbem.rules.rose_king import SYSTEM",
}

GOOD = """
from pbem.rules.rose_king import SYSTEM
SYSTEM = SYSTEM._replace(name="plug")
"""


@pytest.fixture(autouse=True)
def _fresh_list() -> Iterator[None]:
    """Look the plug-ins up anew in each test, and after it."""
    registry.forget()
    yield
    registry.forget()


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    """Install a distribution with one plug-in, as pip would leave it behind."""
    info = folder / "a_sixth_game-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: a-sixth-game\nVersion: 1.2\n", encoding="utf-8"
    )
    (info / "entry_points.txt").write_text("[pbem.rules]\nplug = plug:SYSTEM\n", encoding="utf-8")
    (folder / "plug.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(__import__("sys").modules, "plug", raising=False)


@pytest.mark.parametrize("source", BROKEN.values(), ids=BROKEN)
def test_a_broken_plug_in_is_listed_and_the_rest_run(
    home: Home,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    source: str,
) -> None:
    send(home, "rose-1", "red", [{"do": {"play": "N2"}}])
    (tmp_path / "site").mkdir()
    registry.forget()
    install(tmp_path / "site", monkeypatch, source)

    listed = run_command(["rules"])
    told = capsys.readouterr().out.splitlines()
    ran = run_command(["run", "--home", str(top(home))])

    (broken,) = [line for line in told if line.startswith("plug ")]
    assert broken.endswith(" (a-sixth-game 1.2)")
    assert [line for line in told if line.startswith("rose-king  ") and " version " in line]
    assert (listed, ran) == (0, 0)
    assert "rose-1: turn 2" in capsys.readouterr().out


def test_rules_are_checked_with_their_data_as_games_keep_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules that begin with the first of a table would else be checked with another than games have."""
    loaded: list[str] = []
    whole = registry.find_rules("rose-king")
    system = whole.system
    assert system is not None

    def load(data: Mapping[str, Json]) -> AnyRules:
        loaded.append(json.dumps(data))
        return system.load(data)

    unsorted = dict(sorted(whole.shipped_data().items(), reverse=True))
    monkeypatch.setattr(InstalledRules, "shipped_data", lambda _self: unsorted)
    monkeypatch.setattr(
        templates, "find_rules", lambda _name: replace(whole, system=system._replace(load=load))
    )

    subject("rose-king")

    assert loaded == [json.dumps(json.loads(dumps(unsorted)))] != [json.dumps(unsorted)]


def test_a_broken_plug_in_is_given_as_data_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(tmp_path, monkeypatch, "SYSTEM = 7")

    run_command(["rules", "--json"])

    found = {one["name"]: one for one in json.loads(capsys.readouterr().out)}
    problem = "expected a System at plug:SYSTEM, got int"
    told = {"name": "plug", "seats": [], "version": 0, "origin": "a-sixth-game 1.2", "problem": problem}
    assert found["plug"] == told
    assert (found["rose-king"]["seats"], found["rose-king"]["problem"]) == ([2], "")


def test_a_plug_in_is_found_like_the_built_in_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, GOOD)

    found = registry.find_rules("plug")

    assert (found.name, found.origin, found.problem) == ("plug", "a-sixth-game 1.2", "")
    assert found.load(found.shipped_data()).name == "rose-king"


def test_rules_of_another_version_than_their_system_are_no_subject_of_the_contract(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = registry.find_rules("rose-king")
    assert found.system is not None
    later = registry.InstalledRules(found.name, found.origin, found.system._replace(version=2))
    monkeypatch.setattr("pbem.play.config.templates.find_rules", lambda name: later)

    with pytest.raises(WrongInput, match=r"(?s)System.*2.*1"):
        subject("rose-king")
