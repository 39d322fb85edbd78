"""What `make test-quick` runs: tests that reach the change, the nearest first, while there is time."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests import mutants, quick, reach

SMALL = """
import dice

SIDES = 6


def roll():
    return dice.roll(SIDES)


class Hand:
    @property
    def size(self):
        def count():
            return 1
        return count()
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project of one module under git, in which the tools look around."""
    (tmp_path / "pbem").mkdir()
    (tmp_path / "pbem" / "hand.py").write_text(SMALL, encoding="utf-8")
    git = ("git", "-c", "user.name=A", "-c", "user.email=a@example.test")
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "First")):
        subprocess.run([*git, *words], cwd=tmp_path, check=True)
    for module in (quick, reach, mutants):
        monkeypatch.setattr(module, "PROJECT", tmp_path)
    return tmp_path


def test_functions_are_named_with_their_classes_and_hold_inner_ones() -> None:
    found = reach.functions(SMALL)

    assert {name: (lines.start, lines.stop) for name, lines in found.items()} == {
        "roll": (7, 9),
        "Hand.size": (12, 17),
    }


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("dice.roll(SIDES)", "dice.roll(SIDES + 1)", {"roll"}),
        ("return 1", "return 2", {"Hand.size"}),
        ("SIDES = 6", "SIDES = 8", {reach.MODULE}),
        ("    return dice.roll(SIDES)\n", "    sides = SIDES\n    return dice.roll(sides)\n", {"roll"}),
        ("class Hand", "def cut():\n    return 0\n\n\nclass Hand", {"cut", reach.MODULE}),
    ],
)
def test_a_change_is_known_by_its_functions(project: Path, old: str, new: str, names: set[str]) -> None:
    assert quick.changed_files("HEAD") == []

    (project / "pbem" / "hand.py").write_text(SMALL.replace(old, new), encoding="utf-8")

    assert quick.changed_files("HEAD") == ["pbem/hand.py"]
    assert quick.changed_functions("pbem/hand.py", "HEAD") == names


def test_tests_that_reach_a_function_are_those_that_ran_one_of_its_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real run under coverage, of a project with two tests and two functions."""
    monkeypatch.setattr(reach, "PROJECT", tmp_path)
    monkeypatch.setattr(reach, "FOLDER", tmp_path / "reach")
    (tmp_path / "reach").mkdir()
    (tmp_path / "reach" / "commit").write_text("HEAD", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("[tool.coverage.run]\nrelative_files = true\n", encoding="utf-8")
    (tmp_path / "hand.py").write_text(
        "def deal():\n    return 1\n\n\ndef cut():\n    return 2\n", encoding="utf-8"
    )
    (tmp_path / "test_hand.py").write_text(
        "import hand\n\n\ndef test_deal():\n    assert hand.deal() == 1\n\n\n"
        "def test_cut():\n    assert hand.cut() == 2\n",
        encoding="utf-8",
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--cov",
        "hand",
        "--cov-context",
        "test",
        "--cov-report=",
    ]
    watched = {"COVERAGE_FILE": str(tmp_path / "reach" / "coverage")}
    subprocess.run(command, cwd=tmp_path, env=watched, check=True, capture_output=True)
    seconds = {"test_hand.py::test_deal": 0.25, "test_hand.py::test_cut": 0.5}
    (tmp_path / "reach" / "seconds.json").write_text(json.dumps(seconds), encoding="utf-8")

    found = reach.Reach()

    assert found.tests("hand.py", range(1, 3)) == {"test_hand.py::test_deal"}
    assert found.tests("hand.py", [6]) == {"test_hand.py::test_cut"}
    assert found.tests("hand.py") == {*seconds}
    assert found.tests("other.py") == set()


def test_the_nearest_tests_run_first_then_one_of_each_file_as_long_as_there_is_time() -> None:
    seconds = {
        "tests/mail/test_press.py::a": 1.0,
        "tests/mail/test_press.py::b": 2.0,
        "tests/hosting/test_votes.py::a": 1.5,
        "tests/hosting/test_votes.py::b": 40.0,
        "tests/hosting/test_pauses.py::a": 0.5,
    }
    found = reach.Reach.__new__(reach.Reach)
    found.seconds = seconds

    def chosen(most: float) -> list[str]:
        return [test.removeprefix("tests/") for test in found.within(seconds, ["pbem/host/votes.py"], most)]

    assert chosen(100) == [
        "hosting/test_votes.py::a",
        "hosting/test_votes.py::b",
        "hosting/test_pauses.py::a",
        "mail/test_press.py::a",
        "mail/test_press.py::b",
    ]
    assert chosen(3) == ["hosting/test_votes.py::a", "hosting/test_pauses.py::a", "mail/test_press.py::a"]


def test_errors_keep_their_names_when_lines_before_them_come_and_go(project: Path) -> None:
    def keys() -> list[tuple[str, str, str]]:
        for cached in (mutants._lines, mutants._functions, mutants._names):
            cached.cache_clear()
        return [mutant.key for mutant in mutants.mutants(["pbem/hand.py"])]

    before = keys()
    (project / "pbem" / "hand.py").write_text('"""A hand."""\n\n' + SMALL, encoding="utf-8")

    assert before == keys()
    assert {key[1:] for key in before} == {(reach.MODULE, "SIDES = 7"), ("Hand.size", "return 2")}


def test_every_part_that_make_test_leaves_out_has_a_target_and_a_place_in_ci() -> None:
    settings = tomllib.loads((reach.PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]
    names = [line.partition(":")[0] for line in settings["ini_options"]["markers"]]
    marked = {name for name in names if "(" not in name}
    left_out = re.search(r"not \(([a-z or]+)\)", settings["ini_options"]["addopts"])
    makefile = (reach.PROJECT / "Makefile").read_text(encoding="utf-8")

    assert left_out is not None
    assert {*left_out[1].split(" or ")} == marked
    assert {*re.findall(r"pytest .*-m ([a-z]+)\b", makefile)} == marked | {"wording"}  # a run of `make test`
