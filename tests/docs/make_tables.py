"""Tables of figures in the guides, counted in games between bots: `python -m tests.docs.make_tables`.

A table stands between `<!-- counted: NAME of STAMP -->` and `<!-- end -->`. The stamp is of the rules that
they were counted with; only where these changed are the games played again, which takes a minute or two.
"""

from __future__ import annotations

import ast
import hashlib
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from tests.benchmarks import counted

PROJECT: Final = Path(__file__).parents[2]
RULES: Final = PROJECT / "pbem" / "rules"


@dataclass(frozen=True, slots=True)
class Counted:
    """A table of figures.

    Attributes:
        page: The page that has the table, from `docs`.
        rules: The names of the rules that were played.
        rows: Plays the games and yields the lines of the table.
        also: Modules on which it depends besides.
    """

    page: str
    rules: tuple[str, ...]
    rows: Callable[[], Iterator[str]]
    also: tuple[Path, ...] = ()

    @property
    def guide(self) -> Path:
        """The page that has the table."""
        return PROJECT / "docs" / self.page

    @property
    def stamp(self) -> str:
        """What changes with the code and the data of the rules, and of what all rules share."""
        found = hashlib.sha256()
        for folder in (*(RULES / one.replace("-", "_") for one in self.rules), RULES / "kit"):
            for path in sorted([*folder.rglob("*.py"), *folder.glob("data/*.yaml")]):
                found.update(path.name.encode() + _what_acts(path))
        for path in self.also:
            found.update(_what_acts(path))
        return found.hexdigest()[:12]


def _what_acts(path: Path) -> bytes:
    """Return a file without what changes no figure: where names are imported from, comments and layout."""
    if path.suffix != ".py":
        return path.read_bytes()
    tree = ast.parse(path.read_bytes())
    tree.body = [one for one in tree.body if not isinstance(one, ast.Import | ast.ImportFrom)]
    return ast.unparse(tree).encode()


def _of_guide(rules: str, rows: Callable[[], Iterator[str]]) -> Counted:
    return Counted(f"{rules}/guide.md", (rules,), rows)


TABLES: Final[Mapping[str, Counted]] = MappingProxyType(
    {
        "what decides": _of_guide("web-of-intrigue", counted.what_decides),
        "houses left": _of_guide("web-of-intrigue", counted.houses_left),
        "who begins": _of_guide("web-of-power", counted.who_begins),
        "places": _of_guide("game-of-powers", counted.places),
        "players": _of_guide("game-of-powers", counted.players),
        "habits": _of_guide("game-of-powers", counted.habits),
        "bots": Counted(
            "author.md", tuple(counted.CONTESTS), counted.bots, also=(PROJECT / "pbem" / "core" / "bots.py",)
        ),
    }
)


def pattern(name: str) -> re.Pattern[str]:
    """Return what finds a table in a guide: its stamp, then its lines."""
    return re.compile(rf"<!-- counted: {re.escape(name)} of (\w+) -->\n\n(.*?)\n\n<!-- end -->", re.DOTALL)


def main() -> None:
    """Count anew what was counted with other rules."""
    for name, table in TABLES.items():
        text = table.guide.read_text(encoding="utf-8")
        now = table.stamp
        found = pattern(name).search(text)
        if found is None:
            sys.exit(f"{table.guide.relative_to(PROJECT)} has no place for the table {name!r}")
        if found[1] != now:
            new = "\n".join(table.rows())
            made = f"<!-- counted: {name} of {now} -->\n\n{new}\n\n<!-- end -->"
            table.guide.write_text(text.replace(found[0], made), encoding="utf-8")


if __name__ == "__main__":
    main()
