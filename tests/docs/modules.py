"""All modules with what each is for, and the ways of a run and a mail: `python -m tests.docs.modules`."""

from __future__ import annotations

import ast
import contextlib
import io
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from pbem.cli import run_command
from tests.core.test_layers import MODULES, PACKAGE, parsed
from tests.homes import NOW, orders_text, top
from tests.mail.host import Host, a_host

PAGE = (PACKAGE.parent / "docs" / "structure.md").read_text(encoding="utf-8")


def entered(act: Callable[[], object]) -> list[str]:
    """Return the module of each function that a call enters, when it enters it first, but for rules.

    It is the order in which somebody meets them who reads each function once. Names are without `pbem.`.
    """
    found: list[str] = []
    known: set[CodeType] = set()

    def look(frame: FrameType, event: str, _value: Any) -> None:
        code = frame.f_code
        if event == "call" and code not in known and code.co_name != "<module>":
            known.add(code)
            found.append(str(frame.f_globals.get("__name__", "")))

    sys.setprofile(look)
    try:
        act()
    finally:
        sys.setprofile(None)
    names = (name.removeprefix("pbem.") for name in found if name.startswith("pbem."))
    return [name for name in names if not name.startswith("rules")]


def returns(way: Sequence[str]) -> int:
    """Count how often whoever reads along a way comes back to a module that they had left."""
    moved = [name for place, name in enumerate(way) if place == 0 or way[place - 1] != name]
    return len(moved) - len({*moved})


def a_host_with_mail(folder: Path) -> Host:
    """Return a host to whom orders were mailed."""
    found = a_host(folder)
    found.put(
        found.a_mail(orders_text("rose-1", "red", [{"do": {"play": "N2"}}])),
        found.address(),
        "ann@example.test",
    )
    return found


def ways(folder: Path) -> tuple[list[str], list[str]]:
    """Return what a mail enters on its way to its receipt, and then what a run enters.

    A program that has processed a mail before does so: what is done once is left out.
    """
    a_host_with_mail(folder / "before").process()
    host = a_host_with_mail(folder / "now")
    mail = entered(host.process)
    words = ["run", "rose-1", "--now", NOW.isoformat(), "--home", str(top(host.home))]
    return mail, entered(lambda: run_command(words))


def named(heading: str) -> set[str]:
    """Return the modules that a section of the page on the structure names."""
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    there = (name.removeprefix("pbem.") for name in MODULES)
    return {*there} & {*re.findall(r"`([a-z_]+\.[a-z_.]+)`", section)}


def lines(mail: Sequence[str], run: Sequence[str]) -> Iterator[str]:
    """Yield a line for each module; then the counts, and what the page names that was not entered."""
    for module in MODULES:
        name = module.removeprefix("pbem.")
        first = (ast.get_docstring(parsed(module)) or "").partition("\n")[0]
        yield f"{'run' if name in run else '':4}{'mail' if name in mail else '':5}{name}: {first}"
    yield f"{len(MODULES)} modules."
    for way, found in (("run", run), ("mail", mail)):
        yield f"A {way} enters {len({*found})} besides the rules; a reader comes back {returns(found)} times."
    for way, heading, found in (("run", "One run", run), ("mail", "One mail", mail)):
        others = sorted(named(f"{heading}, in a straight line") - {*found})
        yield f"Named in docs/structure.md and not entered by this {way}: {', '.join(others) or 'none'}."


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        with contextlib.redirect_stdout(io.StringIO()):
            both = ways(Path(temporary))
        print("\n".join(lines(*both)))
