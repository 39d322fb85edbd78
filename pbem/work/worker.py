"""A worker: it does the jobs of a home in a database, until it is told to end (SIGTERM or SIGINT).

The engine is Procrastinate. A job that was being done by a worker that is gone is given to another; one that
finds its game held by somebody else is done a little later; one that meets a database that is gone, when the
database is back.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import logging
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import psycopg
from procrastinate import App, JobContext, PsycopgConnector
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import DeleteJobCondition, Status
from procrastinate.jobs import Job as Waiting

from pbem.mail.conversation.acts import CommandLine
from pbem.store.errors import JournalRefused, error_in_words
from pbem.store.opening import await_database
from pbem.store.postgresql.pgconnection import connection_options
from pbem.store.postgresql.pgrows import ALIVE_SECONDS
from pbem.store.postgresql.postgres import PostgresStore
from pbem.store.records import GAMES, MAILS, PAGES, QUEUES, SENDING, Job
from pbem.store.rests import read_closure, refuse_closed
from pbem.text.names import mask_tokens
from pbem.work import BusyError, JobRunner

BEAT_SECONDS: Final = 5.0
GONE_SECONDS: Final = ALIVE_SECONDS
"""A worker of which nothing was heard for so long is gone, and its jobs are given to others."""

RESCUE_SECONDS: Final = 10.0

_SWEEP: Final = "* * * * *"
_FIRST: Final = 1
"""Of jobs that do not wait behind what was there before them."""

_DIGEST: Final = "0 4 * * *"
_PERIODIC: Final = ("sweep", "digest")

_PAUSES: Final = (1.0, 2.0, 5.0, 10.0)
"""Seconds between attempts to reach a database that is gone."""

_MOST_TRIES: Final = 6
"""A job that fails as often as this is kept as failed; the sweep offers it again for as long as it takes."""

_PATIENCE: Final = 60
"""So many seconds a job that met a database that is gone waits for it."""

Talk = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker.

    Attributes:
        url: Where the database is.
        talk: Gets a line for whatever became of something.
        commands: Reads what the moderator mails.
        queues: The queues of jobs that it serves.
        pages: The folder of the archive, if it writes that.
        at_once: So many jobs are done at once; more than one helps where mail servers are slow.
        until_idle: End when no job waits.
    """

    url: str
    talk: Talk
    commands: CommandLine
    queues: Sequence[str] = QUEUES
    pages: Path | None = None
    at_once: int = 1
    until_idle: bool = False

    def work(self) -> None:
        """Do jobs until told to end, also if the database is gone for a while.

        Raises:
            WrongInput: The database holds no home, or one that is not of this program's format.
        """
        for engine in ("procrastinate", "psycopg", "psycopg.pool"):
            logging.getLogger(engine).setLevel(logging.CRITICAL + 1)  # what matters is told in our own words
        store = PostgresStore(self.url)
        await_database(partial(_begin, store), self.talk)
        asyncio.run(self._work(store))

    async def _work(self, store: PostgresStore) -> None:
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(self.at_once + 1))
        loop.set_exception_handler(lambda _loop, _context: None)  # of jobs that a lost database cut off
        ending, misses = asyncio.Event(), 0
        with _stop_on_signals(ending):
            while not ending.is_set():
                began = time.monotonic()
                try:
                    await self._serve(store, ending)
                except (ConnectorException, psycopg.Error, OSError) as wrong:
                    if time.monotonic() - began > _PATIENCE:
                        misses = 0  # it was there for a while, and is gone anew
                    if misses == 0:
                        self.talk(
                            mask_tokens(
                                f"pbem: the database is gone, and is waited for: {_error_reason(wrong)}"
                            )
                        )
                    pause = _PAUSES[min(misses, len(_PAUSES) - 1)]
                    misses += 1
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(ending.wait(), pause)
                else:
                    return

    async def _serve(self, store: PostgresStore, ending: asyncio.Event) -> None:
        """Do jobs until told to end, or until the database is gone.

        Raises:
            ConnectorException: The database is gone.
        """
        queues = [one for one in self.queues if one != PAGES or self.pages is not None]
        shift = JobRunner(store, _now, self.talk, self.commands, self.pages)
        app = _app(self.url, shift, queues)
        try:
            async with app.open_async():
                rescuing = asyncio.create_task(_keep_rescuing(app, shift))
                working = asyncio.create_task(self._do_jobs(app, queues))
                told = asyncio.create_task(ending.wait())
                await asyncio.wait((working, told), return_when=asyncio.FIRST_COMPLETED)
                told.cancel()
                if not working.done():
                    working.cancel()  # it ends when the jobs at hand are done
                with contextlib.suppress(asyncio.CancelledError):
                    await working
                rescuing.cancel()
        finally:
            shift.close()
        if not ending.is_set() and not self.until_idle:
            raise ConnectionError("the connection was lost")

    async def _do_jobs(self, app: App, queues: Sequence[str]) -> None:
        await app.run_worker_async(
            queues=queues,
            concurrency=self.at_once,
            wait=not self.until_idle,
            install_signal_handlers=False,
            listen_notify=not self.until_idle,
            fetch_job_polling_interval=5.0,
            delete_jobs=DeleteJobCondition.SUCCESSFUL,
            update_heartbeat_interval=BEAT_SECONDS,
            stalled_worker_timeout=GONE_SECONDS,
        )


def _app(url: str, shift: JobRunner, queues: Sequence[str]) -> App:
    """Return the tasks of a worker, each of them one word of its shift."""
    words: dict[str, Any] = connection_options(url)
    app = App(connector=PsycopgConnector(kwargs=words, conninfo="", min_size=1, max_size=4, timeout=10.0))
    tasks: tuple[tuple[str, str, Callable[..., None], dict[str, Any]], ...] = (
        ("process", MAILS, shift.process, {}),
        ("process_later", MAILS, shift.process_later, {}),
        ("look", GAMES, shift.look, {"is_last": True}),
        ("wake", GAMES, shift.look, {"is_last": True}),
        ("report", GAMES, shift.report, {}),
        ("write", GAMES, shift.write, {}),
        ("send", SENDING, shift.send, {}),
        ("archive", PAGES, shift.archive, {}),
    )
    for name, queue, do, lastly in tasks:
        app.task(name=name, queue=queue, pass_context=True)(_retry_task(shift, do, **lastly))

    if GAMES in queues:

        @app.periodic(cron=_SWEEP)
        @app.task(name="sweep", queue=GAMES, lock="sweep", priority=_FIRST)
        def sweep(timestamp: int) -> None:
            shift.sweep()

        @app.periodic(cron=_DIGEST)
        @app.task(name="digest", queue=GAMES, lock="digest")
        def digest(timestamp: int) -> None:
            shift.digest()

    return app


def _begin(store: PostgresStore) -> None:
    refuse_closed(store)
    store.db.begin_work()


def _retry_task(shift: JobRunner, do: Callable[..., None], **lastly: Any) -> Callable[..., None]:
    """Return a task that is done again a little later if it fails, as a job of its own.

    The engine's own retries are not used: they fail where a second job of the kind waits already.

    Args:
        shift: What the worker works with.
        do: Does the job.
        lastly: What it is given, besides what it is about, when it is tried for the last time.
    """

    def done(context: JobContext, tries: int = 0, **about: Any) -> None:
        is_last = tries >= _MOST_TRIES
        try:
            if read_closure(shift.store) is not None:
                return  # the sweep offers it again when the home is open
            do(**about, **(lastly if is_last else {}))
        except Exception as wrong:
            if not isinstance(wrong, BusyError | JournalRefused):
                shift.talk(mask_tokens(f"{context.job.task_name}: {error_in_words(wrong)}"))
            if is_last and isinstance(wrong, BusyError):
                return  # the sweep offers it again
            if is_last:
                raise
            again = replace(_job_of(context.job), at=_now() + datetime.timedelta(seconds=2**tries), lock="")
            _requeue_job(shift, replace(again, about={**about, "tries": tries + 1}))

    return done


def _requeue_job(shift: JobRunner, job: Job) -> None:
    """Add a job once more, as soon as the database can be reached."""
    for _ in range(_PATIENCE):
        try:
            return shift.store.db.defer(job)
        except JournalRefused:
            time.sleep(1)
    return shift.store.db.defer(job)


async def _keep_rescuing(app: App, shift: JobRunner) -> None:
    """Give the jobs of workers that are gone to others, again and again.

    This is no job itself: one that was lost with its worker would keep all others from being rescued, and one
    that waits behind others would come late.
    """
    while True:
        with contextlib.suppress(ConnectorException, JournalRefused, psycopg.Error, OSError):
            await _rescue(app, shift)
        await asyncio.sleep(RESCUE_SECONDS)


async def _rescue(app: App, shift: JobRunner) -> None:
    """Give the jobs of workers that are gone to others; each is done again as a job of its own."""
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=GONE_SECONDS):
        if job.task_name in app.tasks and job.task_name not in _PERIODIC:
            await asyncio.to_thread(shift.store.db.defer, _job_of(job))
        with contextlib.suppress(ConnectorException):  # another worker was quicker
            await app.job_manager.finish_job(job, Status.FAILED, delete_job=True)


def _job_of(job: Waiting) -> Job:
    """Return a job of the engine as one of ours."""
    return Job(job.task_name, job.queue, job.task_kwargs, job.lock or "", job.queueing_lock or "")


@contextlib.contextmanager
def _stop_on_signals(ending: asyncio.Event) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ending.set)
    try:
        yield
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


def _error_reason(wrong: BaseException) -> str:
    return " ".join(str(wrong.__cause__ or wrong).split())
