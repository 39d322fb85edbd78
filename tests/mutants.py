"""Small errors put into the program, to see a test find each: `make mutants N=100`.

Each is one sign or number changed: a comparison, `and` for `or`, one more, a condition turned round. They
are drawn by hash over all of `pbem`, always the same, and each runs only tests that reach its line, for at
most a minute. A copy of the project is changed, never the project. What became of each is in
`mutants.tsv`: those of the first N that it does not hold are tried and added to it, and rows whose line is
not in the program any more go (with N=0 that is all that is done); `make mutants AGAIN=1` tries the list once
more, and tells which are not found any more.
"""

from __future__ import annotations

import argparse
import ast
import csv
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import Queue
from typing import Final

from tests.reach import FOLDER, MODULE, PROJECT, Reach, functions

LIST: Final = PROJECT / "tests" / "mutants.tsv"
TIME: Final = 60
"""Seconds for the tests of one error."""
CHOSEN: Final = 30
"""Seconds that the tests of one error took without it: an error can make them slower, but hardly twice."""
MOST: Final = 400
"""So many tests for an error at most: to list more takes too long."""
TESTS: Final = """
import resource, sys, pytest
most = 4 << 30  # bytes: with some errors tests take ever more, and never end
resource.setrlimit(resource.RLIMIT_DATA, (most, most))
sys.exit(pytest.main(sys.argv[1:]))
"""
FAILED: Final = frozenset([1, 2, 4])
"""What pytest ends with where a test fails, and where a file of tests cannot be read or has no such test."""
COMPARED: Final = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
NAMES: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
RECKONED: Final = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.FloorDiv: "*",
    ast.BitAnd: "|",
    ast.BitOr: "&",
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """An error in a file: the letters from one place to another become others.

    Attributes:
        file: The file, from the top of the project.
        line: The line, from 1.
        start: The first byte of the line that changes, from 0.
        end: The byte behind the last.
        text: What stands there instead.
    """

    file: str
    line: int
    start: int
    end: int
    text: str

    @property
    def key(self) -> tuple[str, str, str]:
        """File, function, and the line with the error: an error keeps it when lines before it come and go."""
        return self.file, _names(self.file).get(self.line, MODULE), self.changed_line().strip()

    def changed_line(self) -> str:
        """Return the line with the error."""
        line = _lines(self.file)[self.line - 1].encode()  # places in a syntax tree count bytes
        return (line[: self.start] + self.text.encode() + line[self.end :]).decode()

    def changed(self) -> str:
        """Return the file with the error."""
        lines = [*_lines(self.file)]
        lines[self.line - 1] = self.changed_line()
        return "".join(lines)


@cache
def _lines(file: str) -> tuple[str, ...]:
    return tuple((PROJECT / file).read_text(encoding="utf-8").splitlines(keepends=True))


@cache
def _functions(file: str) -> dict[str, range]:
    return functions("".join(_lines(file)))


@cache
def _names(file: str) -> dict[int, str]:
    """Return the function in which each line stands."""
    return {line: name for name, lines in _functions(file).items() for line in lines}


def mutants(files: Iterable[str]) -> list[Mutant]:
    """Return all errors for some files, drawn by hash: the same order every time."""
    found: dict[tuple[str, str, str], Mutant] = {}
    for file in files:
        tree = ast.parse("".join(_lines(file)))
        skipped = {id(part) for node in ast.walk(tree) for hint in _hints(node) for part in ast.walk(hint)}
        for node in ast.walk(tree):
            if id(node) not in skipped:
                for mutant in _errors(file, node):
                    found.setdefault(mutant.key, mutant)
    return [found[key] for key in sorted(found, key=lambda one: hashlib.sha256(repr(one).encode()).digest())]


def _hints(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a node that are types or decorators."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        yield from node.decorator_list
    for name in ("annotation", "returns"):
        if isinstance(hint := getattr(node, name, None), ast.AST):
            yield hint


def _errors(file: str, node: ast.AST) -> Iterator[Mutant]:
    """Yield the errors of one node that stands in one line."""
    if not isinstance(node, ast.expr) or node.lineno != node.end_lineno or node.end_col_offset is None:
        return
    line, start, end = node.lineno, node.col_offset, node.end_col_offset
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARED:
            yield _between(file, left, right, COMPARED[type(op)])
        case ast.BoolOp(op=op, values=[left, right]):
            yield _between(file, left, right, "or" if isinstance(op, ast.And) else "and")
        case ast.BinOp(left=left, op=op, right=right) if type(op) in RECKONED:
            yield _between(file, left, right, RECKONED[type(op)])
        case ast.UnaryOp(op=ast.Not()):
            yield Mutant(file, line, start, start + len("not"), "")
        case ast.Constant(value=bool(value)):
            yield Mutant(file, line, start, end, str(not value))
        case ast.Constant(value=int(value)):
            yield Mutant(file, line, start, end, str(value + 1))
        case ast.Call(func=ast.Name(id=name)) if name in NAMES:
            yield Mutant(file, line, start, start + len(name), NAMES[name])
        case ast.IfExp(test=test) if test.end_col_offset is not None:
            yield Mutant(file, line, test.col_offset, test.col_offset, "not ")


def _between(file: str, left: ast.expr, right: ast.expr, sign: str) -> Mutant:
    """Return the error that puts another sign between two values; brackets around them stay."""
    line = _lines(file)[left.lineno - 1].encode()
    assert left.end_col_offset is not None, "it was parsed"
    between = line[left.end_col_offset : right.col_offset].decode()
    inner = between.strip(" ()")
    start = left.end_col_offset + len(between[: between.index(inner)].encode())
    return Mutant(file, left.lineno, start, start + len(inner.encode()), sign)


def chosen_tests(reach: Reach, mutant: Mutant) -> list[str]:
    """Return the tests that run for an error: those that reach its line, or else its function.

    For what stands outside of functions these are all that reach the module: it ran when they were loaded.
    """
    before = functions(reach.source(mutant.file))
    name = _names(mutant.file).get(mutant.line, MODULE)
    lines = before.get(name)
    if lines is not None and len(lines) == len(_functions(mutant.file)[name]):
        line = mutant.line - _functions(mutant.file)[name].start + lines.start
        reached = reach.tests(mutant.file, [line]) or reach.tests(mutant.file, lines)
    else:
        reached = reach.tests(mutant.file, lines)
    return reach.within(reached, [mutant.file], CHOSEN)[:MOST]


def verdict(mutant: Mutant, tests: list[str], copy: Path) -> str:
    """Return what tests say to an error: "found", "survived", or "not reached" where there are none.

    Args:
        mutant: The error.
        tests: The tests that reach it.
        copy: A copy of the project, which is as before when this returns.
    """
    if not tests:
        return "not reached"
    place = copy / mutant.file
    before = place.read_bytes()
    place.write_text(mutant.changed(), encoding="utf-8")
    try:
        return "survived" if passes(tests, copy) else "found"
    finally:
        place.write_bytes(before)


def failures(tests: set[str], copy: Path) -> set[str]:
    """Return the tests that fail in a copy of the project without an error."""
    done = run_tests(sorted(tests), copy, "-n", "2", "-rfE", timeout=3600)
    return set(re.findall(r"^(?:FAILED|ERROR) (tests/.+?)(?: - .*)?$", done.stdout.decode(), re.MULTILINE))


def unfit_tests(reach: Reach, tests: set[str], copy: Path) -> set[str]:
    """Return the tests that fail in a copy without an error; they are tried once after each `make reach`."""
    kept = FOLDER / "unfit.json"
    known: dict[str, list[str]] = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    if known.get("commit") != [reach.commit] or not tests <= {*known["tests"]}:
        known = {"commit": [reach.commit], "tests": sorted(tests), "unfit": sorted(failures(tests, copy))}
        kept.write_text(json.dumps(known), encoding="utf-8")
    return {*known["unfit"]}


def passes(tests: list[str], copy: Path) -> bool:
    """Tell whether tests pass in a copy of the project; those that do not end in time do not."""
    try:
        done = run_tests(tests, copy, "-x", timeout=TIME)
    except subprocess.TimeoutExpired:
        return False
    if done.returncode not in (0, *FAILED) and done.returncode > 0:
        raise RuntimeError(done.stdout.decode() + done.stderr.decode())
    return done.returncode == 0


def run_tests(
    tests: list[str], copy: Path, *options: str, timeout: int
) -> subprocess.CompletedProcess[bytes]:
    """Run tests in a copy of the project, by their names."""
    names = copy / "chosen"
    names.write_text("\n".join(tests), encoding="utf-8")
    environment = {**os.environ, "CI": "true", "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-c", TESTS, "-q", *options, f"@{names}"],
        cwd=copy, env=environment, capture_output=True, check=False, timeout=timeout,
    )  # fmt: skip


def read_list() -> dict[tuple[str, str, str], str]:
    """Return what became of each error of the list, by its key."""
    with LIST.open(encoding="utf-8", newline="") as file:
        return {(row[1], row[2], row[3]): row[0] for row in csv.reader(file, delimiter="\t")}


def write_list(verdicts: dict[tuple[str, str, str], str]) -> None:
    """Write the list, by file."""
    with LIST.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter="\t", lineterminator="\n")
        table.writerows([said, *key] for key, said in sorted(verdicts.items()))


def still_there(
    listed: dict[tuple[str, str, str], str], every: list[Mutant]
) -> dict[tuple[str, str, str], str]:
    """Return the rows of the list whose line is still in the program, as far as its modules were read.

    Args:
        listed: The list.
        every: All errors of the modules that were read.
    """
    keys, read = {one.key for one in every}, {one.file for one in every}
    return {
        key: said
        for key, said in listed.items()
        if key in keys or (key[0] not in read and (PROJECT / key[0]).exists())
    }


def main() -> None:
    """Try errors, print what becomes of each, and keep the list."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument(
        "files", nargs="*", help="modules, from the top of the project; all of pbem if none"
    )
    arguments.add_argument("--most", type=int, default=400, help="so many errors")
    arguments.add_argument("--again", action="store_true", help="those of the list, once more")
    asked = arguments.parse_args()
    files = asked.files or [
        str(path.relative_to(PROJECT)) for path in sorted((PROJECT / "pbem").rglob("*.py"))
    ]
    every = mutants(files)
    before = still_there(read_list() if LIST.exists() else {}, every)
    write_list(before)
    listed = [one for one in every if one.key in before]
    tried = listed if asked.again else [one for one in every[: asked.most] if one.key not in before]
    verdicts: dict[tuple[str, str, str], str] = {}
    for key, said in tried_in_copies(tried) if tried else ():
        verdicts[key] = said
        if not asked.again:
            write_list({**before, **verdicts})  # each time: who stops it has what was found so far
    for said in ("found", "survived", "not reached"):
        print(f"{said}: {sum(one == said for one in verdicts.values())} of {len(tried)}")
    lost = [key for key, said in verdicts.items() if said != "found" and before.get(key) == "found"]
    for key in lost:
        print("FOUND BEFORE, NOT NOW:", *key, sep="  ")
    sys.exit(bool(lost))


def tried_in_copies(tried: list[Mutant]) -> Iterator[tuple[tuple[str, str, str], str]]:
    """Try errors in two copies of the project, print what becomes of each, and yield it with their keys."""
    reach = Reach()
    chosen = {mutant: chosen_tests(reach, mutant) for mutant in tried}
    with tempfile.TemporaryDirectory() as folder:
        copies: Queue[Path] = Queue()
        for number in range(2):
            copy = Path(folder) / str(number)
            shutil.copytree(
                PROJECT, copy, ignore=shutil.ignore_patterns(".git", ".venv*", "node_modules", "demo")
            )
            copies.put(copy)
        unfit = unfit_tests(reach, {test for tests in chosen.values() for test in tests}, Path(folder) / "0")
        print(f"{len(unfit)} tests fail in a copy without an error, and are left out.", flush=True)

        def try_one(mutant: Mutant) -> tuple[tuple[str, str, str], str]:
            copy = copies.get()
            try:
                said = verdict(mutant, [test for test in chosen[mutant] if test not in unfit], copy)
            finally:
                copies.put(copy)
            print(f"{said}: {mutant.file}:{mutant.line}: {mutant.key[2]}", flush=True)
            return mutant.key, said

        with ThreadPoolExecutor(2) as pool:
            yield from pool.map(try_one, tried)


if __name__ == "__main__":
    main()
