"""Every regular expression of the package: those that modules hold, and how their cost grows with a text."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pbem
from tests.benchmarks.pairs import Row

Found = re.Pattern[Any]

SMALL: Final = 250
LARGE: Final = 1000
"""Letters of the two texts: about as many as any pattern is given of what a stranger wrote in a line."""

_UNITS: Final = (
    *" \n\ta0-,.:;>|\"'([{<#_*=/",
    "- ",
    "a ",
    ",\n",
    "a: ",
    "\n ",
    "\n#",
    "''",
    "a.",
    "[]",
    "0-",
    "\r\n",
)


@dataclass(frozen=True, slots=True)
class Growth:
    """How the cost of a pattern grows, with the text for which it grows most.

    Attributes:
        name: Where the pattern stands.
        unit: What is repeated in the text.
        small: Seconds for the short text.
        large: Seconds for the long one.
    """

    name: str
    unit: str
    small: float
    large: float

    @property
    def ratio(self) -> float:
        """How much more the long text costs; 4 where the cost grows as the text does."""
        return self.large / self.small


def patterns() -> dict[str, Found]:
    """Return all patterns of the package by their places: of modules, of classes, and written in a call."""
    found: dict[str, Found] = {}
    for one in pkgutil.walk_packages(pbem.__path__, "pbem."):
        if one.name.rpartition(".")[2] == "__main__":
            continue
        module = importlib.import_module(one.name)
        for name, value in vars(module).items():
            found.update((f"{one.name}.{name}{at}", pattern) for at, pattern in _within(value))
            if isinstance(value, type) and value.__module__ == one.name:
                for inner, held in vars(value).items():
                    found.update((f"{one.name}.{name}.{inner}{at}", pattern) for at, pattern in _within(held))
        held = {pattern.pattern for pattern in found.values()}
        written = (one for one in _written(module) if one[1].pattern not in held)
        found.update((f"{one.name}:{line}", pattern) for line, pattern in written)
    return found


def _written(module: ModuleType) -> Iterator[tuple[int, Found]]:
    """Yield the patterns that stand as plain text in a call of `re`, with their lines."""
    for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name("re"), attr=str()),
                args=[ast.Constant(value=str() | bytes() as text), *_],
            ):
                yield node.lineno, re.compile(text)


@cache
def _uses(place: str, name: str) -> frozenset[str]:
    """Return what is done with a pattern wherever its name stands: the methods, or "" for anything else.

    A name that begins with "_" stands in its own module only.
    """
    name = name.partition("[")[0]
    source = _sources().get(place, "") if name.startswith("_") else "\n".join(_sources().values())
    bare = re.sub(rf"import[^\n]*|(?m:^){name}\b", "", source)
    return frozenset(
        found[1] or "" for found in re.finditer(rf"(?<![\w`]){name}\b(?:\[\w+\])?(?:\.(\w+))?", bare)
    )


@cache
def _sources() -> dict[str, str]:
    folder = Path(str(pbem.__file__)).parent
    found = sorted(folder.rglob("*.py"))
    return {
        ".".join(path.relative_to(folder.parent).with_suffix("").parts): path.read_text(encoding="utf-8")
        for path in found
    }


def _within(value: object) -> Iterator[tuple[str, Found]]:
    if isinstance(value, re.Pattern):
        yield "", value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from ((f"[{key}]{at}", pattern) for at, pattern in _within(one))
    elif isinstance(value, (tuple, list)):
        for number, one in enumerate(value):
            yield from ((f"[{number}]{at}", pattern) for at, pattern in _within(one))


def growth(name: str, pattern: Found) -> Growth:
    """Return how the cost of a pattern grows for the text that is worst for it, among repeated ones."""
    words = set(re.findall(r"[a-z]{2,12}", str(pattern.pattern)))
    units = (*_UNITS, *(f"{word} " for word in sorted(words)[:8]))
    uses = _uses(*name.rpartition(".")[::2])
    is_anchored = bool(uses) and uses <= {"match", "fullmatch"}
    cost = partial(_cost, pattern, is_anchored=is_anchored)
    unit = max(units, key=lambda one: cost(one, LARGE, 1))
    return Growth(name, unit, cost(unit, SMALL, 5), cost(unit, LARGE, 5))


def _cost(pattern: Found, unit: str, size: int, times: int, *, is_anchored: bool) -> float:
    """Return the least processor seconds that a repeated unit takes: searched through, or from its start."""
    text: Any = unit * (size // len(unit)) + "!"
    text = text.encode() if isinstance(pattern.pattern, bytes) else text
    seconds = []
    for _ in range(times):
        start = time.process_time()
        for _ in () if is_anchored else pattern.finditer(text):
            pass
        pattern.match(text)
        pattern.fullmatch(text)
        seconds.append(time.process_time() - start)
    return max(min(seconds), 1e-7)


def rows() -> Iterator[Row]:
    """Yield a row: the pattern that costs most over as many letters as a stranger can give to it."""
    every = [growth(name, pattern) for name, pattern in patterns().items()]
    worst = max(every, key=lambda one: one.large)
    title = f"the costliest of {len(every)} patterns, {LARGE} letters against {SMALL} ({worst.name})"
    yield Row(title, worst.large * 1000, worst.small * 1000, worst.ratio, 20, note=f"repeated {worst.unit!r}")
