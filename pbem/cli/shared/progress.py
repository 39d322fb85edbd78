"""How far a long command is: a bar on standard error, at a terminal only, and not before two seconds."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Final

from pbem.cli.shared.everywhere import console, is_quiet

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
    if is_quiet() or not sys.stderr.isatty():
        yield lambda: None
        return
    from threading import Timer

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
