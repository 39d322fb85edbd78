"""What only a database knows of a home: jobs, workers, size."""

from __future__ import annotations

import datetime

import pytest

from pbem.store.postgresql.pgrows import ALIVE_SECONDS
from pbem.store.postgresql.postgres import PostgresStore
from pbem.store.records import look_job, wake_job
from tests.homes import NOW
from tests.store.pgserver import server

pytestmark = pytest.mark.postgres


def figured(store: PostgresStore) -> dict[str, float]:
    """Return the figures of a home, by name and labels."""
    return {" ".join([one.name, *one.labels.values()]): one.value for one in store.figures(NOW)}


@pytest.fixture
def store() -> PostgresStore:
    found = PostgresStore.make(server().database())
    found.db.begin_work()
    return found


def test_the_age_of_the_oldest_job_is_of_one_that_could_be_done(store: PostgresStore) -> None:
    assert figured(store)["jobs_oldest_seconds"] == 0
    store.db.after(wake_job("d", datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=1)))
    assert figured(store)["jobs_oldest_seconds"] == 0

    store.db.after(look_job("a"))
    store.db.run("UPDATE procrastinate_events SET at = now() - interval '1 hour'")
    assert 3600 <= figured(store)["jobs_oldest_seconds"] < 7200

    store.db.after(wake_job("e", datetime.datetime.now(datetime.UTC) - datetime.timedelta(hours=3)))
    assert 10800 <= figured(store)["jobs_oldest_seconds"] < 14400


def test_workers_are_those_of_which_something_was_heard(store: PostgresStore) -> None:
    from pbem.work.worker import GONE_SECONDS

    assert ALIVE_SECONDS == GONE_SECONDS
    store.db.run(
        "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now()), (now() - interval '1 minute')"
    )

    assert figured(store)["workers"] == 1


def test_figures_are_answered_from_indexes_where_a_table_grows_with_the_games(store: PostgresStore) -> None:
    asked = [
        "SELECT state, count(*) FROM outbox GROUP BY state",
        "SELECT verdict, count(*) FROM intake WHERE state = 'new' GROUP BY verdict",
        "SELECT count(*) FROM tellings WHERE written = 0",
        "SELECT count(*), min(until) FROM games WHERE until <= now()",
        "SELECT count(*) FROM games WHERE until IS NULL",
    ]
    store.db.run("SET enable_seqscan = off")
    store.db.run("SET enable_bitmapscan = off")

    for sql in asked:
        plan = "\n".join(row[0] for row in store.db.rows(f"EXPLAIN {sql}"))
        assert "Index" in plan, plan
        assert "Seq Scan" not in plan, plan
