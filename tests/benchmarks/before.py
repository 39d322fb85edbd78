"""`make bench-before REV=… [PART=…]`: this program against an older revision of it, command by command.

The older one stands in a checkout and an environment of its own, below `.before/`. Both are driven by the
command line, each with the sample games of its own revision, in turn: now, before, before, now, and so on.
What is compared is the processor time of the commands and of all that they start, or, where a row says so,
the time that passes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from rich.console import Console
from rich.table import Table

from tests.benchmarks.pairs import in_turn

ROOT: Final = Path(__file__).parents[2]
OLD: Final = ROOT / ".before"
ROUNDS: Final = 9
NOW: Final = ("--now", "2026-11-21T20:00:00+00:00")
WEB: Final = "web-1"
AT_ONCE: Final = 12
SETTINGS: Final = "mail: {address: host@pbem.example, sendmail: /bin/true}\n"


@dataclass(frozen=True, slots=True)
class Row:
    """What is compared.

    Attributes:
        part: What `PART` names.
        title: What is done.
        commands: The words of each command of `pbem`, one after the other; `--home` is added.
        games: The sample of each game of the home, by name.
        mail: The home plays by mail.
        passes: The time that passes is compared, not the processor's.
    """

    part: str
    title: str
    commands: tuple[tuple[str, ...], ...]
    games: tuple[tuple[str, str], ...] = ()
    mail: bool = False
    passes: bool = False


class Took(NamedTuple):
    """What a row came to once: seconds, and bytes that the home has more."""

    seconds: float
    grown: int


def table_of_rows() -> tuple[Row, ...]:
    """Return all rows."""
    names = sorted(path.name for path in (ROOT / "games").iterdir())
    runs = [
        Row("run", f"a cold pbem run of {name}", (("run", name, *NOW),), ((name, name),)) for name in names
    ]
    rose = (("rose-1", "rose-1"),)
    many = tuple((f"game-{number:02d}", names[number % len(names)]) for number in range(AT_ONCE))
    jobs = [
        Row("jobs", f"{AT_ONCE} games with --jobs {n}", (("run", "--jobs", n, *NOW),), many, passes=True)
        for n in ("1", "2")
    ]
    return (
        Row("help", "pbem --help", (("--help",),)),
        *runs,
        Row("check", "pbem check of one file", (("check", "orders/rose-1/red.yaml"),), rose),
        Row("check", "pbem submit of one file", (("submit", "orders/rose-1/red.yaml"),), rose),
        Row("look", "pbem status", (("status",),), rose),
        Row("look", "pbem verify", (("verify", "rose-1"),), rose),
        Row("look", "pbem show", (("show", "rose-1"),), rose),
        Row(
            "mails",
            "from orders to twelve mails that are handed on",
            (("run", WEB, *NOW), ("send", *NOW)),
            ((WEB, WEB),),
            mail=True,
        ),
        *jobs,
    )


class Side:
    """One of the two programs, with a home for each row."""

    def __init__(self, tree: Path, folder: Path) -> None:
        """Take the program of a checkout.

        Args:
            tree: The checkout, with its environment in `.venv`.
            folder: Where homes are made.
        """
        self.tree, self.folder = tree, folder
        folder.mkdir()
        demo = [str(tree / ".venv/bin/pbem"), "demo", str(folder / "demo")]
        subprocess.run(demo, check=True, capture_output=True)

    def does(self, row: Row) -> Callable[[], Took]:
        """Return what does a row once, in a fresh home each time."""
        kept, home = self.folder / "kept", self.folder / "home"
        shutil.rmtree(kept, ignore_errors=True)
        self._make(row, kept)

        def work() -> Took:
            shutil.rmtree(home, ignore_errors=True)
            shutil.copytree(kept, home)
            before, spent = size_of(home), 0.0
            for words in row.commands:
                spent += self._run(words, home, passes=row.passes)
            return Took(spent, size_of(home) - before)

        return work

    def _make(self, row: Row, home: Path) -> None:
        """Make a home with copies of this revision's own samples, each before the turn that the demo runs."""
        for name, sample in row.games:
            shutil.copytree(self.folder / "demo" / "games" / sample, home / "games" / name)
            shutil.rmtree(max((home / "games" / name / "turns").glob("[0-9]*")))
            (home / "games" / name / "newest.json").unlink(missing_ok=True)  # else a turn is missed
            (home / "orders" / name).mkdir(parents=True)
            for path in (self.tree / "orders" / sample).iterdir():
                text = path.read_text(encoding="utf-8").replace(f"game: {sample}\n", f"game: {name}\n")
                (home / "orders" / name / path.name).write_text(text, encoding="utf-8")
            if name != sample:
                secret = home / "games" / name / "secret.json"
                text = secret.read_text(encoding="utf-8").replace(f'"{sample}"', f'"{name}"')
                secret.write_text(text, encoding="utf-8")
        (home / "templates").mkdir(parents=True)
        if row.mail:
            (home / "home.yaml").write_text(SETTINGS, encoding="utf-8")

    def _run(self, words: tuple[str, ...], home: Path, *, passes: bool) -> float:
        """Run one command, and return how long it took."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        with (self.folder / "said").open("wb") as said:
            start = time.perf_counter()
            process = subprocess.Popen(
                [self.tree / ".venv/bin/pbem", *words],
                env={**kept, "PBEM_HOME": str(home)},
                cwd=home,
                stdout=said,
                stderr=said,
            )
            _, status, used = os.wait4(process.pid, 0)
            spent = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            told = (self.folder / "said").read_text(encoding="utf-8", errors="replace")
            raise SystemExit(f"{self.tree}: pbem {' '.join(words)} ended with {process.returncode}:\n{told}")
        return spent if passes else used.ru_utime + used.ru_stime


def size_of(folder: Path) -> int:
    """Return the bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def older(revision: str) -> Path:
    """Return the checkout of a revision with an environment of its own, made if it is not there.

    Raises:
        SystemExit: There is no such revision.
    """
    asked = ["git", "-C", str(ROOT), "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"]
    found = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    if not found:
        raise SystemExit(f"bench-before: there is no revision {revision!r} here.")
    tree = OLD / found[:12]
    if not (tree / ".venv/bin/pbem").exists():
        if not tree.exists():
            subprocess.run(["git", "-C", str(ROOT), "worktree", "prune"], check=True)
            add = ["git", "-C", str(ROOT), "worktree", "add", "--quiet", "--detach", str(tree), found]
            subprocess.run(add, check=True)
        subprocess.run([sys.executable, "-m", "venv", str(tree / ".venv")], check=True)
        install = [str(tree / ".venv/bin/pip"), "install", "--quiet", "--editable", ".[png]"]
        subprocess.run(install, cwd=tree, check=True)
    return tree


def main() -> None:
    """Compare the rows of the parts that are named, or all."""
    revision, parts = (sys.argv[1] if len(sys.argv) > 1 else ""), sys.argv[2:]
    rows = [row for row in table_of_rows() if not parts or row.part in parts]
    if not revision or not rows:
        known = ", ".join(dict.fromkeys(row.part for row in table_of_rows()))
        raise SystemExit(f"make bench-before REV=REVISION [PART=PART]; parts are {known}.")
    tree = older(revision)
    table = Table("row", "now, ms", f"{revision}, ms", "ratio", "bytes", f"{revision}", "ratio", "of")
    with tempfile.TemporaryDirectory() as folder:
        now, before = Side(ROOT, Path(folder) / "now"), Side(tree, Path(folder) / "before")
        for row in rows:
            own, other = zip(*in_turn(now.does(row), before.does(row), ROUNDS), strict=True)
            table.add_row(*_cells(row, own, other))
    Console(width=140).print(table)


def _cells(row: Row, own: Sequence[Took], other: Sequence[Took]) -> Iterator[str]:
    """Yield what stands in a row of the table, and say it at once."""
    ratio = median(a.seconds / b.seconds for a, b in zip(own, other, strict=True))
    Console(stderr=True).print(f"{row.title}: {ratio:.2f}")
    yield row.title
    yield from (f"{median(one.seconds for one in side) * 1000:.0f}" for side in (own, other))
    yield f"{ratio:.2f}"
    grown, was = (int(median(one.grown for one in side)) for side in (own, other))
    yield from ((f"{grown:,}", f"{was:,}", f"{grown / was:.2f}") if was else ("", "", ""))
    yield "time that passes" if row.passes else "processor time"


if __name__ == "__main__":
    main()
