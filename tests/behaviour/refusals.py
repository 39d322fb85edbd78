"""Commands and files that are refused: with which exit code, at which places, and what has changed: nothing.

Usage: python -m tests.behaviour.refusals

writes down anew what comes of each row of `refusals.yaml`.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import io
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias
from unittest import mock

from pbem.cli import run_command
from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.reports.reading import report
from tests.behaviour import corpus
from tests.behaviour.evenings import HOMES, with_keys, without_secrets
from tests.cli.homes import a_busy_home
from tests.edge.test_verify import played
from tests.homes import NOW, a_game, a_home, home_at, made_once, send, tree, worked_out_once
from tests.written import yaml_beside

FILE: Final = "refusals.yaml"
ASKED: Final = ("refusal", "shows ours", "may change", "home", "files", "written", "do", "typed")
"""The fields of a row that somebody writes; the others are what comes of it."""
SENT: Final[Sequence[Sequence[str]]] = (["check", "orders.yaml"], ["submit", "orders.yaml"])
"""What is done with orders where a row names no command: the same comes of both."""

Row: TypeAlias = Mapping[str, Any]
Came: TypeAlias = tuple[dict[str, Json], str]
"""What comes of a row: its facts, and the words that are printed."""

_PLACE: Final = re.compile(r"[\w./-]+\.\w+:\d+:\d+(?=: )|^-:\d+:\d+(?=: )", re.MULTILINE)


def rows() -> list[Row]:
    """Return the rows of the file."""
    found: list[Row] = yaml_beside(__file__, FILE)
    return found


def _dealt(path: Path, **game: Any) -> Home:
    """Return a home with one game; see `a_game`."""
    home = a_home(path)
    a_game(home, **game)
    return home


def _asked(path: Path) -> Home:
    """Return a home whose game asks white-3 with the crown on F4; white holds SE1, SE3 and NW1."""
    home = _dealt(path)
    send(home, "rose-1", "red", [{"do": {"play": "N2"}}, {"do": {"play": "E1"}}, {"do": {"play": "W3"}}])
    send(home, "rose-1", "white", [{"do": {"play": "SE2"}}, {"do": {"play": "NE1"}}])
    run(home, "rose-1", now=NOW)
    (path / "form.yaml").write_text(report(home, "rose-1", "white", name="orders.yaml"), encoding="utf-8")
    return home


_HOMES: Final[Mapping[str, Callable[..., Home]]] = {
    **HOMES,
    "dealt": _dealt,
    "asked": _asked,
    "undone": played,
    "busy": a_busy_home,
    "none": lambda path: home_at(path / "home"),
}
"""What makes each home, in a folder."""


def play(row: Row) -> Came:
    """Do what a row says, once for all processes of a test session; return what comes of it."""
    asked = hashlib.sha256(repr([row.get(name) for name in ASKED]).encode()).hexdigest()
    return worked_out_once(f"refusal-{asked}", lambda: _played(row))


def _played(row: Row) -> Came:
    """Do what a row says with a home of its own; with orders, all of `SENT`."""
    commands = (row["do"],) if "do" in row else SENT
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        folder = Path(name)
        shutil.copytree(_made(row["home"]), folder, dirs_exist_ok=True)
        home = home_at(folder / "home")
        for path, content in row.get("files", {}).items():
            _put(folder / path, content)
        if "written" in row:
            _put(folder / "orders.yaml", with_keys(row["written"], home))
        before = tree(folder)
        came = [_done(command, row.get("typed", ()), folder) for command in commands]
        after = tree(folder)
    changed = [path for path in sorted({*before, *after}) if before.get(path) != after.get(path)]
    assert len({repr(facts) for facts, _ in came}) == 1, came
    facts, words = came[0]
    return {**facts, **({"changed": [*changed]} if changed else {})}, words


def _made(home: Mapping[str, Any]) -> Path:
    """Return a folder with a home that processes share."""
    ((name, more),) = home.items()

    def make(folder: Path) -> None:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            _HOMES[name](folder, **more)

    return made_once(f"refused-{hashlib.sha256(repr(home).encode()).hexdigest()}", make)


def _put(path: Path, content: Any) -> None:
    """Write a file: a text, parts of which some are repeated, bytes, or what stands behind all that is there.

    With None it goes, or the folder.
    """
    if content is None:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        return
    if isinstance(content, list):
        content = "".join(part if isinstance(part, str) else part[0] * part[1] for part in content)
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, str):
        path.write_text(content, encoding="utf-8")
    elif "more" in content:
        path.write_bytes(path.read_bytes() + content["more"].encode())
    else:
        path.write_bytes(base64.b64decode(content["base64"]))


class _Terminal(io.StringIO):
    """Standard input of somebody at a terminal."""

    def isatty(self) -> bool:
        return True


def _done(command: Sequence[str], typed: Sequence[str], folder: Path) -> Came:
    """Give a command in a folder, with what is typed when it asks; return what comes of it."""
    lines = _Terminal("".join(f"{line}\n" for line in typed))
    with (
        mock.patch.dict(os.environ, {"PBEM_HOME": "home", "COLUMNS": "80"}),
        mock.patch("sys.stdin", lines if typed else io.TextIOWrapper(io.BytesIO())),
        contextlib.redirect_stdout(io.StringIO()) as out,
        contextlib.redirect_stderr(io.StringIO()) as err,
    ):
        code = run_command([*command])
    streams: list[Json] = [name for name, one in (("out", out), ("err", err)) if one.getvalue()]
    said = (out.getvalue() + err.getvalue()).replace(f"{folder}/", "").replace(str(folder), ".")
    places: list[Json] = [*dict.fromkeys(_PLACE.findall(said))]
    return {"exit": code, "printed": streams, **({"places": places} if places else {})}, without_secrets(said)


def main() -> int:
    """Write down anew what comes of each row."""
    asked = ({name: row[name] for name in ASKED if name in row} for row in rows())
    corpus.write(FILE, ({**row, **play(row)[0]} for row in asked))
    return 0


if __name__ == "__main__":
    sys.exit(main())
