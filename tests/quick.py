"""A quick proof of a change: `make test-quick` checks it, and runs tests that reach it, in a minute.

Changed is what differs from the last commit, or from another: `make test-quick SINCE=main~3`. Which tests
reach a function is known from the last `make reach`. What there is no time for is named at the end.

python -m tests.quick --sample 30    changes a function in each of 30 modules, and prints the seconds of each
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Final

from tests.reach import MODULE, PROJECT, Reach, function_at, functions

BIN: Final = Path(sys.executable).parent
TIME: Final = 60
"""Seconds for all of it."""
START: Final = 8
"""Seconds of them in which the workers start and list their tests."""
MOST: Final = 600
"""So many tests at most: to list more takes too long."""
WORDS: Final = (["-p", "tests.scrambled"], ["-m", "wording"])
"""As `make test` runs the tests: with scrambled words those that hold none, then the others."""
NONE_COLLECTED: Final = 5
_HUNK: Final = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


def git(*words: str) -> str:
    """Return what git prints; empty where it finds nothing to print."""
    return subprocess.run(["git", *words], cwd=PROJECT, capture_output=True, text=True, check=False).stdout


def changed_files(since: str) -> list[str]:
    """Return the files that differ from a commit, and those that git does not know yet."""
    differ = git("diff", "--name-only", "--no-renames", since).splitlines()
    return sorted({*differ, *git("ls-files", "--others", "--exclude-standard").splitlines()})


def changed_functions(file: str, since: str) -> set[str]:
    """Return the names of the functions of a module in which a line differs from a commit."""
    before, path = git("show", f"{since}:{file}"), PROJECT / file
    after = path.read_text(encoding="utf-8") if path.exists() else ""
    found: set[str] = set()
    for hunk in _HUNK.finditer(git("diff", "--unified=0", "--no-renames", since, "--", file)):
        start, lines, new_start, new_lines = (int(one) if one else 1 for one in hunk.groups())
        found |= {function_at(before, line) for line in range(start, start + lines)}
        found |= {function_at(after, line) for line in range(new_start, new_start + new_lines)}
    return found or {MODULE}


def reaching(reach: Reach, file: str, since: str) -> set[str]:
    """Return the tests that reach what changed in a module; for other files, those that are near."""
    if file.startswith("pbem/") and file.endswith(".py"):
        places = functions(reach.source(file))
        names = changed_functions(file, since)
        lines = {line for name in names & places.keys() for line in places[name]}
        return reach.tests(file, lines or None)
    if file.startswith("tests/") and file.endswith(".py"):
        users = {file} if Path(file).name.startswith("test_") else importers(file)
        return {test for test in reach.seconds if test.partition("::")[0] in users}
    near = {
        part for part in Path(file).parts[:-1] if part not in ("pbem", "rules", "templates", "tests", "data")
    }
    return {test for test in reach.seconds if near & {*Path(test.partition("::")[0]).parts}}


def importers(helper: str) -> set[str]:
    """Return the files of tests that import a module of the tests."""
    name = helper.removesuffix(".py").replace("/", ".")
    return {file for file in git("grep", "-lw", name, "--", "tests").splitlines() if "/test_" in file}


def check(*command: str | Path) -> bool:
    """Run a linter, and tell whether it is content."""
    return subprocess.run([str(word) for word in command], cwd=PROJECT, check=False).returncode == 0


def is_clean(files: list[str]) -> bool:
    """Tell whether linters and types are content with what changed."""
    there = [file for file in files if (PROJECT / file).exists()]
    modules = [file for file in there if file.endswith(".py")]
    scripts = [file for file in there if file.endswith((".js", ".mjs")) and not file.endswith(".min.js")]
    passed = True
    if modules:
        passed &= check(BIN / "ruff", "check", *modules)
        passed &= check(BIN / "ruff", "format", "--check", *modules)
        passed &= check(BIN / "mypy")
        passed &= check(BIN / "lint-imports", "--no-cache", "--no-logo")
    if scripts:
        passed &= check("node_modules/.bin/tsc", "--project", "tsconfig.json")
        passed &= check("node_modules/.bin/eslint", "--no-warn-ignored", *scripts)
    return passed


def run_tests(tests: list[str]) -> bool:
    """Run tests by name as `make test` does, and tell whether they pass: most with scrambled words."""
    names = PROJECT / ".venv" / "reach" / "chosen"
    names.write_text("\n".join(tests), encoding="utf-8")
    workers = "2" if len(tests) > 20 else "0"
    pytest = [sys.executable, "-m", "pytest", "-n", workers, "--maxfail", "5", f"@{names}"]
    ran = [subprocess.run([*pytest, *words], cwd=PROJECT, check=False) for words in WORDS]
    return {one.returncode for one in ran} <= {0, NONE_COLLECTED}


def left_out(reach: Reach, reached: set[str], chosen: list[str]) -> str:
    """Return a line on what was not run: how many tests that reach the change, and where most of them are."""
    missing = Counter(test.partition("::")[0] for test in reached - {*chosen})
    if not missing:
        return "All tests that are known to reach the change ran. Left out: the parts that `make test` names."
    files = ", ".join(f"{file} ({count})" for file, count in missing.most_common(8))
    rest = f" and {len(missing) - 8} more files" if len(missing) > 8 else ""
    return (
        f"Left out, for time: {missing.total()} of {len(reached)} tests that reach it, in {files}{rest}; "
        "and the parts that `make test` names."
    )


def sample(count: int) -> None:
    """Print the seconds after a change of one function in each of so many modules, drawn by hash."""
    modules = (file for file in Reach().files if file.endswith(".py"))
    files = sorted(modules, key=lambda file: hashlib.sha256(file.encode()).digest())
    spent: list[float] = []
    for path in (PROJECT / file for file in files):
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        lines, places = text.splitlines(keepends=True), [*functions(text).values()]
        if len(spent) == count or not places:
            continue
        last = places[len(spent) % len(places)].stop - 2
        lines[last] = lines[last].rstrip("\n") + "  # changed\n"
        began = time.monotonic()
        try:
            path.write_text("".join(lines), encoding="utf-8")
            check(sys.executable, "-m", "tests.quick")
        finally:
            path.write_text(text, encoding="utf-8")
        spent.append(time.monotonic() - began)
        print(f"{spent[-1]:.0f} s  {path.relative_to(PROJECT)}", flush=True)
    print(f"median of {len(spent)}: {median(spent):.0f} s")


def main() -> None:
    """Check what changed, run the tests that reach it, and say what was left out."""
    if sys.argv[1:2] == ["--sample"]:
        sample(int(sys.argv[2]))
        return
    began = time.monotonic()
    since = sys.argv[1] if sys.argv[1:] else "HEAD"
    files = changed_files(since)
    if not files:
        sys.exit(f"Nothing differs from {since}.")
    if not is_clean(files):
        sys.exit("Not clean: see above.")
    try:
        reach = Reach()
    except FileNotFoundError:
        sys.exit("Which tests reach what is not known here yet: make reach (some minutes, once).")
    reached = {test for file in files for test in reaching(reach, file, since)}
    new = [file for file in files if Path(file).name.startswith("test_") and (PROJECT / file).exists()]
    there = {test for test in reached if (PROJECT / test.partition("::")[0]).exists()}
    there = {test for test in there if test.partition("::")[0] not in new}
    seconds = (TIME - START - (time.monotonic() - began)) * 2
    chosen = reach.within(there, files, seconds)[:MOST]
    print(
        f"{len(chosen)} of {len(there)} tests that reach the change, and {len(new)} changed files of tests."
    )
    passed = run_tests([*new, *chosen]) if chosen or new else True
    print(left_out(reach, there, chosen))
    sys.exit(not passed)


if __name__ == "__main__":
    main()
