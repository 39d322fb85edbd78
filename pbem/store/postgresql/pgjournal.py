"""The journal of a home in a PostgreSQL database, and its figures: what is written gives workers jobs."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Final

from pbem.store.journal import Figure, Journal, of_games, of_journal
from pbem.store.postgresql.pgconnection import PgDoor
from pbem.store.postgresql.pgfiles import Glance
from pbem.store.records import Job, to_archive, to_look_at, to_write

if TYPE_CHECKING:
    from procrastinate import App

    from pbem.store.records import Act, Telling


_WAITS: Final = "SELECT 1 FROM procrastinate_jobs WHERE queueing_lock = ? AND status = 'todo' FOR KEY SHARE"
"""Finds a job that waits, and keeps it waiting until what belongs to it is committed."""


class PgJournal(PgDoor, Journal):
    """The journal of a home in a database, open. Use it in `with`.

    Attributes:
        is_worked: There are workers, or there once were: jobs are kept for them.
        glance: What was read ahead on this connection.
    """

    is_worked = False

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.glance = Glance()

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Make everything inside true together and durable, or nothing of it; may be nested."""
        self.glance.forget()
        with super().writing():
            yield

    # --- what follows

    def after(self, job: Job) -> None:
        """Let a worker do something when the transaction is committed."""
        if not self.is_worked:
            self.is_worked = bool(self.rows("SELECT worked FROM pbem_home")[0][0])
        if self.is_worked:
            self.defer(job)

    def defer(self, job: Job) -> None:
        """Add a job on the connection of this transaction, unless one like it waits."""
        from procrastinate.exceptions import AlreadyEnqueued

        with self.writing():
            if job.at is not None and job.once:
                self._forget(job.once)
            while not (job.once and self.rows(_WAITS, job.once)):
                with contextlib.suppress(AlreadyEnqueued), self.connection.transaction():
                    _add(self, job)
                    return

    def _forget(self, once: str) -> None:
        """Take back a job that waits for another moment."""
        sql = (
            "SELECT procrastinate_cancel_job_v1(id, false, true) FROM procrastinate_jobs "
            "WHERE queueing_lock = ? AND status = 'todo' FOR UPDATE SKIP LOCKED"
        )
        self.rows(sql, once)

    def wake(self, game: str) -> None:
        """Note that something changed in a game, so that it is looked at; in the transaction that does."""
        sql = "UPDATE games SET stirred = nextval('stamps'), until = NULL WHERE game = ?"
        if self.run(sql, game).rowcount:
            self.after(to_look_at(game))

    def turn_of(self, domain: str, now: datetime.datetime, pause: datetime.timedelta) -> datetime.datetime:
        """Return when the next mail to a domain may go out, and keep that moment for it.

        Args:
            domain: The domain.
            now: The moment; nothing goes out before it.
            pause: So much lies between two mails.
        """
        sql = (
            "INSERT INTO domains (domain, free) VALUES (?, ?) ON CONFLICT (domain) "
            "DO UPDATE SET free = greatest(domains.free, ?) + ? RETURNING free"
        )
        free: datetime.datetime = self.rows(sql, domain, now + pause, now, pause)[0][0]
        return free - pause

    def begin_work(self) -> None:
        """Note that there is a worker, so that jobs are kept from now on."""
        with self.writing():
            self.run("UPDATE pbem_home SET worked = true WHERE NOT worked")
        self.is_worked = True

    def wake_for(self, name: str) -> None:
        """Note that a file changed, in the game that it belongs to, or in all."""
        parts = name.split("/")
        if parts[0] in ("games", "orders") and len(parts) > 2:
            self.wake(parts[1])
        elif name == "home.yaml":
            self.wake_all()

    # --- which games rest

    def wake_all(self) -> None:
        """Let all games be looked at; the sweep finds them."""
        self.run("UPDATE games SET stirred = nextval('stamps'), until = NULL")

    def resting(self, now: datetime.datetime) -> dict[str, str]:
        """Return the games whose moment has not come, each with what was seen of it."""
        return dict(self.rows("SELECT game, stirred::text FROM games WHERE until > ?", now))

    # --- what is written

    def tell(self, one: Telling) -> bool:
        """Note something to be told; False if it was noted before, which changes nothing."""
        with self.writing():
            is_new = super().tell(one)
            if is_new:
                self.after(to_write(one.game))
        return is_new

    def act(self, act: Act) -> None:
        """Write down something that was done; what all may know, such as a new deadline, is on pages too."""
        with self.writing():
            super().act(act)
            if act.public:
                self.after(to_archive())

    # --- a home is moved

    def go_on(self) -> None:
        """Let new rows be numbered after those that were written with their numbers."""
        for table in ("intake", "outbox", "tellings", "acts"):
            newest = int(self.rows(f"SELECT coalesce(max(id), 0) FROM {table}")[0][0])
            if newest:
                self.run("SELECT setval(pg_get_serial_sequence(?, 'id'), ?)", table, newest)


def _add(db: PgJournal, job: Job) -> None:
    _app().configure_task(
        job.task,
        queue=job.queue,
        lock=job.lock or None,
        queueing_lock=job.once or None,
        schedule_at=job.at,
        connection=db.connection,
    ).defer(**job.about)


@cache
def _app() -> App:
    """Return what adds jobs; it has no connection of its own."""
    from procrastinate import App, SyncPsycopgConnector

    return App(connector=SyncPsycopgConnector())


ALIVE_SECONDS: Final = 20.0
"""A worker of which something was heard within so long is alive."""

_JOBS: Final = """
SELECT task_name,
  CASE WHEN status <> 'todo' THEN status::text WHEN scheduled_at > now() THEN 'planned' ELSE 'waiting' END,
  count(*)
FROM procrastinate_jobs WHERE status IN ('todo', 'doing', 'failed') GROUP BY 1, 2 ORDER BY 1, 2
"""

_OLDEST: Final = """
SELECT coalesce(extract(epoch FROM now() - min(since)), 0) FROM (
  SELECT min(scheduled_at) FROM procrastinate_jobs WHERE status = 'todo' AND scheduled_at <= now()
  UNION ALL SELECT min(at) FROM procrastinate_events WHERE type = 'deferred' AND job_id = (
    SELECT min(id) FROM procrastinate_jobs WHERE status = 'todo' AND scheduled_at IS NULL)
) AS oldest (since)
"""
"""Since when the oldest job waits: one that had a moment from that on, any other since it was added."""

_WORKERS: Final = (
    "SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - make_interval(secs => ?)"
)


def figures(db: PgJournal, now: datetime.datetime) -> list[Figure]:
    """Return the figures of a home; ages of jobs and workers are by the clock of the server."""
    ((games,),) = db.rows("SELECT count(*) FROM games")
    ((changed,),) = db.rows("SELECT count(*) FROM games WHERE until IS NULL")
    due, since = db.rows("SELECT count(*), min(until) FROM games WHERE until <= ?", now)[0]
    jobs = [
        Figure("jobs", int(count), {"task": task, "state": state}) for task, state, count in db.rows(_JOBS)
    ]
    return [
        *of_journal(db, now),
        *of_games(int(games), int(changed) + int(due), since, now),
        *jobs,
        Figure("jobs_oldest_seconds", max(0.0, float(db.rows(_OLDEST)[0][0]))),
        Figure("workers", int(db.rows(_WORKERS, ALIVE_SECONDS)[0][0])),
        Figure("database_bytes", int(db.rows("SELECT pg_database_size(current_database())")[0][0])),
    ]
