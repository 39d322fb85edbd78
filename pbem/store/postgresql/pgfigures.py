"""Figures of a home in a PostgreSQL database: those of every home, its jobs, its workers, its size."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Final

from pbem.store.journals.figures import Figure, of_games, of_journal

if TYPE_CHECKING:
    from pbem.store.postgresql.pgjournal import PgJournal

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
