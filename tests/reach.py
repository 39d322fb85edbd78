"""Which tests reach which lines of the package: `make reach` runs all tests under coverage, and keeps it.

The answer lies beside the environment, with the commit that was tested and the seconds of each test.
`make test-quick` and `make mutants` choose their tests by it.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

import pytest
from coverage import CoverageData

PROJECT: Final = Path(__file__).parents[1]
FOLDER: Final = PROJECT / ".venv" / "reach"
MODULE: Final = "(module)"
"""The name of what stands outside of functions."""


@dataclass(slots=True, eq=False)
class Clock:
    """A plugin of pytest that keeps the seconds of each test, set-up and end included."""

    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a phase of a test."""
        self.seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write what all workers reported."""
        if not hasattr(session.config, "workerinput"):
            (FOLDER / "seconds.json").write_text(json.dumps(self.seconds), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Keep the seconds of a run that names this module as a plugin."""
    config.pluginmanager.register(Clock())


def functions(source: str) -> dict[str, range]:
    """Return the lines of each function of a module, by its name; inner functions are part of outer ones."""
    found: dict[str, range] = {}

    def walk(body: Iterable[ast.stmt], outer: str) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                walk(node.body, f"{outer}{node.name}.")
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first = min((one.lineno for one in node.decorator_list), default=node.lineno)
                found[outer + node.name] = range(first, (node.end_lineno or first) + 1)

    walk(ast.parse(source).body, "")
    return found


def function_at(source: str, line: int) -> str:
    """Return the name of the function in which a line stands."""
    return next((name for name, lines in functions(source).items() if line in lines), MODULE)


class Reach:
    """What the last `make reach` found.

    Raises:
        FileNotFoundError: `make reach` has not run in this environment.
    """

    def __init__(self) -> None:
        self.commit = (FOLDER / "commit").read_text(encoding="utf-8").strip()
        self.seconds: dict[str, float] = json.loads((FOLDER / "seconds.json").read_text(encoding="utf-8"))
        self._data = CoverageData(str(FOLDER / "coverage"))
        self._data.read()

    @cached_property
    def files(self) -> frozenset[str]:
        """The files that some test reaches, from the top of the project."""
        return frozenset(self._data.measured_files())

    def source(self, file: str) -> str:
        """Return a file as it was when the tests ran; empty if it was not there."""
        shown = subprocess.run(
            ["git", "show", f"{self.commit}:{file}"], cwd=PROJECT, capture_output=True, text=True, check=False
        )
        return shown.stdout

    def tests(self, file: str, lines: Iterable[int] | None = None) -> set[str]:
        """Return the tests that reach one of the lines of a file; without lines, a function of it."""
        if file not in self.files:
            return set()
        by_line = self._data.contexts_by_lineno(file)
        found = {name for line in (by_line if lines is None else lines) for name in by_line.get(line, ())}
        return {test for name in found if (test := name.rpartition("|")[0]) in self.seconds}

    def within(self, tests: Iterable[str], near: Iterable[str], seconds: float) -> list[str]:
        """Choose tests that take so many seconds together, in the order in which they should run.

        Those near the files come first; each file of tests gives its quickest before any gives a second.
        """
        parts = frozenset(part for file in near for part in _parts(file))
        by_file: defaultdict[str, list[str]] = defaultdict(list)
        for test in sorted(tests, key=lambda one: (self.seconds[one], one)):
            by_file[test.partition("::")[0]].append(test)
        order = sorted(
            (-len(parts & _parts(file)), place, self.seconds[test], test)
            for file, listed in by_file.items()
            for place, test in enumerate(listed)
        )
        return list(_as_long_as(((row[3], row[2]) for row in order), seconds))


def _parts(file: str) -> frozenset[str]:
    """Return the words of a path by which a file of tests is known to be near a module."""
    words = file.removesuffix(".py").replace("/test_", "/").split("/")[1:]
    return frozenset("host" if word == "hosting" else word for word in words) - {"rules"}


def _as_long_as(tests: Iterable[tuple[str, float]], seconds: float) -> Iterator[str]:
    """Yield each test for which there is time left."""
    for test, needed in tests:
        if needed <= seconds:
            seconds -= needed
            yield test


def main() -> None:
    """Run all tests that `make test` runs, under coverage, and keep what they reach."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    watched = ["-p", "tests.reach", "--cov", "pbem", "--cov-context", "test", "--cov-report="]
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "2", *watched, *sys.argv[1:]],
        cwd=PROJECT,
        env={**os.environ, "COVERAGE_FILE": str(FOLDER / "coverage")},
        check=False,
    )
    (FOLDER / "commit").write_text(head.stdout, encoding="utf-8")
    sys.exit(ended.returncode)


if __name__ == "__main__":
    main()
