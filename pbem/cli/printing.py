"""How far a long command is, at a terminal; and files that verbs write beside a home."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Timer
from typing import Final

from pbem.cli.base import console, is_quiet
from pbem.cli.bymail import mailed
from pbem.store.disk import Disk

PATIENCE: Final = 2.0
"""Seconds in which nothing is shown."""


@contextlib.contextmanager
def progress(what: str, total: int | None = None, patience: float = PATIENCE) -> Iterator[Callable[[], None]]:
    """Show a bar while something takes its time, if somebody looks; with `--quiet` nobody does.

    Args:
        what: What is done, in a word or two.
        total: Of how many steps, if that is known; each call of what is yielded is one.
        patience: So many seconds nothing is shown.
    """
    if is_quiet() or mailed() or not sys.stderr.isatty():
        yield lambda: None
        return

    from rich.progress import Progress

    aside = sys.stdout.isatty()  # what is printed meanwhile stands above the bar, but not what goes elsewhere
    bar = Progress(console=console(err=True), transient=True, redirect_stdout=aside)
    task = bar.add_task(what, total=total)
    waiting = Timer(patience, bar.start)
    waiting.start()
    try:
        yield lambda: bar.advance(task)
    finally:
        waiting.cancel()
        waiting.join()
        bar.stop()


def write_file(path: Path, text: str) -> None:
    """Write a file into a folder that others may write into too; a link of its name is replaced.

    Raises:
        OSError: It cannot be written; what was there is as it was.
    """
    import secrets

    disk, beside = Disk(), path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    disk.write(beside, text.encode(), fresh=True)
    disk.rename(beside, path)
