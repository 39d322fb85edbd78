"""The scripts of form pages in few bytes, made by terser: `python -m tests.docs.make_scripts`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from pbem.text.scripts import PARTS, PLANNED, SHORT, head

PROJECT = Path(__file__).parents[2]
TEMPLATES = PROJECT / "templates"
TERSER = PROJECT / ".venv" / "npm" / "node_modules" / ".bin" / "terser"
_STRICT = '"use strict";'
FIRST = (TEMPLATES / "common" / "form" / f"{PARTS[0]}.js").read_text("utf-8")
"""The first of the scripts, which all stand in one: its `use strict` is that of the others."""

_HOW = (
    "--ecma",
    "2022",
    "--compress",
    "passes=3,unsafe_arrows,sequences=false",
    "--mangle",
    "--comments",
    "false",
)


def sources() -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yield each file that is made, with the scripts that it is made from."""
    folder = TEMPLATES / "common" / "form"
    yield (
        folder / SHORT,
        tuple((folder / f"{name}.js").read_text("utf-8") for name in (*PARTS, *PLANNED, "page")),
    )
    for own in sorted(TEMPLATES.glob("*/form.js")):
        yield own.parent / SHORT, (own.read_text("utf-8"),)


def main() -> None:
    """Make the short scripts anew; without terser they are left as they are, and pages hold the long ones."""
    if not TERSER.exists():
        sys.exit(f"The short scripts were left as they are: there is no {TERSER}. Run: make .venv/terser")
    for path, scripts in sources():
        rows = [head(scripts), *map(_short, scripts)]
        path.write_text("\n".join(rows) + "\n", encoding="utf-8")


def _short(script: str) -> str:
    made = subprocess.run([TERSER, *_HOW], input=script, capture_output=True, text=True, check=True).stdout
    (line,) = made.splitlines()
    return line if script.startswith(FIRST) else line.removeprefix(_STRICT)


if __name__ == "__main__":
    main()
