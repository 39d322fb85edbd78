"""The verb of those who have many machines: worker."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Final

import click

from pbem.cli.shared.base import hint, home_option, talk

QUEUES: Final = ("mails", "games", "sending", "pages")
"""Those of `pbem.store.jobs`, which is not loaded for a look at the help."""


@click.command()
@click.option(
    "--queue",
    "queues",
    multiple=True,
    type=click.Choice(QUEUES),
    help="Serve this queue of jobs only; may be given several times.  [default: all]",
)
@click.option(
    "--jobs", type=click.IntRange(1, 16), default=1, show_default=True, help="So many jobs at once."
)
@click.option(
    "--pages", type=click.Path(path_type=Path, file_okay=False), help="Keep the archive in this folder, too."
)
@click.option("--until-idle", is_flag=True, help="End when no job waits.")
@home_option
def worker(queues: tuple[str, ...], jobs: int, pages: Path | None, until_idle: bool, home: str) -> None:
    """Do what is due in a home in a database, on any machine.

    It works until it is told to end; start as many as you like. Workers process mails, run games at their
    deadlines or when all orders are in, and send reports, reminders and answers. Each job is done by one
    worker. SIGTERM ends a worker after the job at hand. If a worker is killed, another one does its job again
    half a minute later. Workers take no mail in: use `pbem lmtp` or `pbem receive`.
    """
    from pbem.store.errors import WrongInput
    from pbem.store.opening import SCHEMES

    if not home.startswith(SCHEMES):
        way_out = "A folder is worked by a night job: pbem run --due. To move it: pbem home copy."
        raise WrongInput(f"{home} is no database, and only a home in a database has workers.", way_out)
    if pages is None and queues == ("pages",):
        raise click.UsageError("The queue of pages needs --pages.")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # until it does jobs, there is nothing to end
    hint("pbem works.")
    from pbem.work.worker import Worker

    Worker(home, talk, queues or QUEUES, pages, jobs, until_idle).work()
