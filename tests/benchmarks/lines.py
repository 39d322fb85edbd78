"""Lines of code of each game: `python -m tests.benchmarks.lines [REV]` compares them with those of a commit.

What counts are lines of Python without blank ones, comments and docstrings; forms and templates are no part
of it. Without a commit it is the last one before the kit for rules came.
"""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).parents[2]
RULES: Final = "pbem/rules"
BEFORE_THE_KIT: Final = "0ee03618"

_NO_CODE: Final = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def code_lines(text: str) -> int:
    """Return how many lines of a module are code."""
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _NO_CODE:
            found.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                found.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(found)


def now() -> Counter[str]:
    """Return the lines of each game, and of the kit, as they are."""
    found: Counter[str] = Counter()
    for path in sorted((PROJECT / RULES).glob("*/**/*.py")):
        found[path.relative_to(PROJECT / RULES).parts[0]] += code_lines(path.read_text(encoding="utf-8"))
    return found


def at(commit: str) -> Counter[str]:
    """Return the lines of each game, and of the kit, as they were at a commit."""
    found: Counter[str] = Counter()
    for name in _git("ls-tree", "-r", "--name-only", commit, RULES).splitlines():
        parts = name.removeprefix(f"{RULES}/").split("/")
        if name.endswith(".py") and len(parts) > 1:
            found[parts[0]] += code_lines(_git("show", f"{commit}:{name}"))
    return found


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=PROJECT, capture_output=True, text=True, check=True).stdout


def main() -> None:
    """Print the lines before and after, game by game."""
    before, after = at(sys.argv[1] if len(sys.argv) > 1 else BEFORE_THE_KIT), now()
    for name in sorted(after):
        change = f"{100 * (after[name] / before[name] - 1):+.1f}%" if before[name] else "new"
        print(f"{name:<20} {before[name]:>6} {after[name]:>6}  {change}")
    total = sum(before.values()), sum(after.values())
    print(f"{'together':<20} {total[0]:>6} {total[1]:>6}  {100 * (total[1] / total[0] - 1):+.1f}%")


if __name__ == "__main__":
    main()
