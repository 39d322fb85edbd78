"""Small errors put into the rules, to see a test find each: `python -m tests.mutants [FILE ...]`.

Each is one sign or number changed: a comparison, `and` for `or`, one more, a condition turned round. Some are
chosen from each file, the same every time. A copy of the project is changed, never the project. What no test
finds is listed.
"""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from typing import Final

PROJECT: Final = Path(__file__).parents[1]
RULES: Final = Path("pbem/rules")
EACH: Final = 4
"""So many errors are put into each file."""
TESTS: Final = """
import resource, sys, pytest
most = 4 << 30  # bytes: with some errors tests take ever more, and never end
resource.setrlimit(resource.RLIMIT_DATA, (most, most))
sys.exit(pytest.main(sys.argv[1:]))
"""
FILES: Final = tuple(
    RULES / name
    for name in (
        "kit/ruled.py", "kit/tables.py", "kit/words.py", "kit/later.py", "kit/nets.py", "kit/ranking.py",
        "kit/supposed.py",
        "rose_king/moves.py", "rose_king/scoring.py", "rose_king/check.py",
        "web_of_power/course.py", "web_of_power/placing.py", "web_of_power/scoring.py",
        "web_of_power_cards/turn.py", "web_of_power_cards/taking.py", "web_of_power_cards/scoring.py",
        "game_of_powers/sailing.py", "game_of_powers/trading.py", "game_of_powers/scoring.py",
        "web_of_intrigue/bidding.py", "web_of_intrigue/specials.py", "web_of_intrigue/ending.py",
        "web_of_intrigue/modifiers.py", "web_of_intrigue/check.py",
    )
)  # fmt: skip
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
        start: The first letter, from 0.
        end: The letter behind the last.
        text: What stands there instead.
    """

    file: Path
    line: int
    start: int
    end: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.changed().splitlines()[self.line - 1].strip()}"

    def changed(self) -> str:
        """Return the file with the error."""
        lines = (PROJECT / self.file).read_text(encoding="utf-8").splitlines(keepends=True)
        line = lines[self.line - 1].encode()  # places in a syntax tree count bytes
        lines[self.line - 1] = (line[: self.start] + self.text.encode() + line[self.end :]).decode()
        return "".join(lines)


def mutants(file: Path, each: int = EACH) -> list[Mutant]:
    """Return some errors for a file, spread over it, the same every time."""
    tree = ast.parse((PROJECT / file).read_text(encoding="utf-8"))
    skipped = {id(part) for node in ast.walk(tree) for hint in _hints(node) for part in ast.walk(hint)}
    nodes = (node for node in ast.walk(tree) if id(node) not in skipped)
    found = {mutant for node in nodes for mutant in _errors(file, node)}
    order = sorted(found, key=lambda one: hashlib.sha256(repr(one).encode()).digest())
    return sorted(order[:each], key=lambda one: (one.line, one.start))


def _hints(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a node that are types or decorators."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        yield from node.decorator_list
    for name in ("annotation", "returns"):
        if isinstance(hint := getattr(node, name, None), ast.AST):
            yield hint


def _errors(file: Path, node: ast.AST) -> Iterator[Mutant]:
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
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield Mutant(file, line, start, operand.col_offset, "")
        case ast.Constant(value=bool(value)):
            yield Mutant(file, line, start, end, str(not value))
        case ast.Constant(value=int(value)):
            yield Mutant(file, line, start, end, str(value + 1))
        case ast.Call(func=ast.Name(id=name)) if name in NAMES:
            yield Mutant(file, line, start, start + len(name), NAMES[name])
        case ast.IfExp(test=test) if test.end_col_offset is not None:
            yield Mutant(file, line, test.col_offset, test.col_offset, "not ")


def _between(file: Path, left: ast.expr, right: ast.expr, sign: str) -> Mutant:
    """Return the error that puts another sign between two values; brackets around them stay."""
    line = (PROJECT / file).read_text(encoding="utf-8").splitlines()[left.lineno - 1].encode()
    assert left.end_col_offset is not None, "it was parsed"
    between = line[left.end_col_offset : right.col_offset].decode()
    inner = between.strip(" ()")
    start = left.end_col_offset + len(between[: between.index(inner)].encode())
    return Mutant(file, left.lineno, start, start + len(inner.encode()), sign)


def survives(mutant: Mutant, copy: Path) -> bool:
    """Tell whether the tests of the rules stay content with an error.

    Args:
        mutant: The error.
        copy: A copy of the project, which is as before when this returns.
    """
    place = copy / mutant.file
    before = place.read_bytes()
    place.write_text(mutant.changed(), encoding="utf-8")
    try:
        return passes(mutant.file.parts[2], copy)
    finally:
        place.write_bytes(before)


def passes(rules: str, copy: Path) -> bool:
    """Tell whether the tests of rules pass; the kit's are also those of all rules, and of games that use it.

    Args:
        rules: The folder of the rules, or "kit".
        copy: A copy of the project.
    """
    tests = [f"tests/rules/{rules}"]
    if rules == "kit":
        folder = copy / "tests/rules"
        tests += [f"tests/rules/{file.name}" for file in sorted(folder.glob("test_*.py"))]
        tests += [f"tests/rules/{game}" for game in ("rose_king", "web_of_power", "web_of_power_cards")]
    command = [sys.executable, "-c", TESTS, "-q", "-x", "-m", "not worlds", *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, check=False, timeout=900
        )
    except subprocess.TimeoutExpired:
        return False  # it never ends, which nobody overlooks
    return done.returncode == 0


def main() -> None:
    """Try all, and list those that no test finds."""
    files = [Path(name) for name in sys.argv[1:]] or [*FILES]
    tried = [mutant for file in files for mutant in mutants(file)]
    with tempfile.TemporaryDirectory() as folder:
        copies: Queue[Path] = Queue()
        for number in range(2):
            copy = Path(folder) / str(number)
            shutil.copytree(
                PROJECT, copy, ignore=shutil.ignore_patterns(".git", ".venv*", "node_modules", "demo")
            )
            copies.put(copy)

        for rules in {file.parts[2] for file in files}:
            assert passes(rules, Path(folder) / "0"), (
                f"the tests of {rules} fail, or never end, without an error"
            )

        def told(mutant: Mutant) -> bool:
            copy = copies.get()
            found = not survives(mutant, copy)
            copies.put(copy)
            print(f"{'found' if found else 'NOT FOUND'}: {mutant}", flush=True)
            return found

        with ThreadPoolExecutor(2) as pool:
            found = sum(pool.map(told, tried))
    print(f"{found} of {len(tried)} found")
    sys.exit(found < len(tried))


if __name__ == "__main__":
    main()
