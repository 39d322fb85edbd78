"""The scripts of form pages, bundled by esbuild and made short by terser: `make scripts`.

Terser, because each mail carries them: what esbuild makes short is 4% longer once it is packed.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from pbem.text.reports.formpage import (
    BUNDLE,
    LOADER,
    PLANNED,
    head,
    wrap_module,
)

PROJECT = Path(__file__).parents[2]
FORM = PROJECT / "templates" / "common" / "form"
TOOLS = PROJECT / "node_modules" / ".bin"
_BUNDLE = ("--bundle", "--format=iife", "--target=es2022", "--charset=utf8", "--log-level=warning")
_SHORT = (
    "--ecma",
    "2022",
    "--compress",
    "passes=3,unsafe_arrows,sequences=false",
    "--mangle",
    "--comments",
    "false",
)
_ALONE = (LOADER, "seal", *PLANNED)
"""Scripts that are no part of what all pages share."""


_ROW = 800
"""Signs in a row of the loader."""


def sources() -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yield each file that is made, with the scripts that it is made from."""
    shared = [path for path in FORM.glob("*.js") if path.stem not in _ALONE and path.name != BUNDLE]
    paths = [*sorted(shared), *(FORM / f"{name}.js" for name in (*PLANNED, LOADER))]
    yield FORM / BUNDLE, tuple(path.read_text("utf-8") for path in paths)
    for own in sorted((PROJECT / "pbem" / "rules").glob("*/templates/form.js")):
        yield own.parent / BUNDLE, (own.read_text("utf-8"),)


def main() -> None:
    """Make the bundles anew; without the tools they are left as they are."""
    if not (TOOLS / "esbuild").exists():
        sys.exit("The bundles were left as they are: esbuild is missing. Run: make node_modules")
    for path, scripts in sources():
        if path.parent == FORM:
            *planned, loader = scripts[-len(PLANNED) - 1 :]
            bundle = _run("esbuild", *_BUNDLE, str(FORM / "main.js"))
            rows = [*map(_short, [bundle, *map(wrap_module, planned)]), *_wrapped(_short(loader))]
        else:
            rows = [*map(_short, map(wrap_module, scripts))]
        path.write_text("\n".join([head(scripts), *rows]) + "\n", encoding="utf-8")


def _short(script: str) -> str:
    (line,) = _run("terser", *_SHORT, script=script).splitlines()
    return line


def _wrapped(script: str) -> list[str]:
    """Return a short script in rows that a mail takes as they are: none of its texts holds a semicolon."""
    rows = [""]
    for part in script.removesuffix(";").split(";"):
        rows[-1:] = [f"{rows[-1]}{part};"] if len(rows[-1] + part) < _ROW else [rows[-1], f"{part};"]
    return rows


def _run(tool: str, *options: str, script: str | None = None) -> str:
    return subprocess.run(
        [TOOLS / tool, *options], input=script, capture_output=True, text=True, check=True
    ).stdout


if __name__ == "__main__":
    main()
