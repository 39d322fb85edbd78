"""Files and journal of a home as rows of a PostgreSQL database; what is written gives workers jobs."""

from __future__ import annotations

import contextlib
import datetime
import re
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

from pbem.store.interface import UNDONE, Kind, turn_name, undone_name
from pbem.store.journal import Figure, Journal, game_figures, journal_figures
from pbem.store.postgresql.pgconnection import PgDatabase
from pbem.store.records import Job, archive_job, letters_job, look_job

if TYPE_CHECKING:
    from procrastinate import App

    from pbem.store.records import Act, QueuedNotice


_AHEAD: Final = re.compile(r"games/[^/]+/turns/[0-9]+(/|$)|orders/[^/]+$")
"""Folders whose files are read with their listing."""

_SETTINGS: Final = "home.yaml"

_KNOWN_SECONDS: Final = 1.0

_SMALL: Final = 200
"""Files of fewer bytes are not packed."""


class Glance:
    """What was read ahead on one connection, so that a run need not ask for each file by itself.

    The files of a turn, and the orders of a game, are read with their listing, and each is given once. The
    names of the moderator's templates, of which a run asks for dozens that are not there, are read together.
    Both are known for a second, and not beyond a change or the moment in which something is held. While
    something is held, `home.yaml` is read once: a run keeps to what stood in it at its beginning.
    """

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}
        self._templates: list[str] | None = None
        self._settings: tuple[bytes | None] | None = None
        self._until = 0.0
        self._holds = 0

    def _drop_stale(self) -> None:
        """Forget what was known for too long."""
        if time.monotonic() >= self._until:
            self.forget()
            self._until = time.monotonic() + _KNOWN_SECONDS

    def below(self, db: PgDatabase, name: str) -> list[str]:
        """Return the names of all files below a folder, in order."""
        if name == "templates":
            return self._templates_of(db)
        if not _AHEAD.match(name):
            found = db.rows(f"SELECT name FROM files WHERE {BELOW} ORDER BY name", *below(name))
            return [str(row[0]) for row in found]
        rows = db.rows(f"SELECT name, data, packed FROM files WHERE {BELOW} ORDER BY name", *below(name))
        self._drop_stale()
        self._files = {str(one): decompress_file(data, is_packed) for one, data, is_packed in rows}
        return list(self._files)

    def read(self, db: PgDatabase, name: str) -> bytes | None:
        """Return the content of a file, None if there is none; one read ahead is read anew the next time."""
        self._drop_stale()
        if name == _SETTINGS and self._holds:
            if self._settings is None:
                self._settings = (read(db, name),)
            return self._settings[0]
        found = self._files.pop(name, None)
        return read(db, name) if found is None else found

    def kind(self, db: PgDatabase, name: str) -> Kind:
        """Tell what lies under a name."""
        self._drop_stale()
        if name == _SETTINGS and self._holds:
            return "" if self.read(db, name) is None else "file"
        if name.startswith("templates/") and not any(one.startswith(name) for one in self._templates_of(db)):
            return ""
        return "file" if name in self._files else kind(db, name)

    def _templates_of(self, db: PgDatabase) -> list[str]:
        """Return the names of the moderator's own templates, in order."""
        self._drop_stale()
        if self._templates is None:
            found = db.rows(f"SELECT name FROM files WHERE {BELOW} ORDER BY name", *below("templates"))
            self._templates = [str(row[0]) for row in found]
        return self._templates

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Keep to what stands in the home while something is held; nothing of it is known before or after."""
        self.forget()
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            self.forget()

    def forget(self) -> None:
        """Read everything anew: something was changed."""
        self._files, self._templates, self._settings, self._until = {}, None, None, 0.0


def turns_in_files(files: Iterable[str]) -> set[tuple[int, int]]:
    """Return the turns that these files of a game belong to, each with how often it was taken back."""
    found = set()
    for name in files:
        parts = name.split("/")
        if parts[0] == "turns" and len(parts) > 2:
            undone = UNDONE.fullmatch(parts[2]) if parts[1] == "undone" else None
            found.add((int(undone[1]), int(undone[2])) if undone else (int(parts[1]), 0))
    return found


BELOW: Final = "name >= ? AND name < ?"


def below(name: str) -> tuple[str, str]:
    """Return between which names all lie that are below a folder; "0" follows "/" in the order of bytes."""
    return (f"{name}/", f"{name}0") if name else ("", "\U0010ffff")


def read(db: PgDatabase, name: str) -> bytes | None:
    """Return the content of a file; None if there is none."""
    found = db.rows("SELECT data, packed FROM files WHERE name = ?", name) if "\0" not in name else []
    return decompress_file(*found[0]) if found else None


def kind(db: PgDatabase, name: str) -> Kind:
    """Tell what lies under a name."""
    if "\0" in name:
        return ""
    sql = f"SELECT EXISTS (SELECT 1 FROM files WHERE name = ?), EXISTS (SELECT 1 FROM files WHERE {BELOW})"
    is_file, is_folder = db.rows(sql, name, *below(name))[0]
    return "file" if is_file else "folder" if is_folder or not name else ""


NAMED_BY_HASH: Final = "mail/raw/"
"""Files below are named by the hash of their bytes: one that is there is the same, and stays."""

_INSERT: Final = (
    "INSERT INTO files (name, data, packed) SELECT * FROM unnest(?::text[], ?::bytea[], ?::bool[]) "
    "ON CONFLICT "
)
_REPLACE: Final = (
    "(name) DO UPDATE SET data = excluded.data, packed = excluded.packed, stamp = nextval('stamps')"
)


def put(db: PgDatabase, files: Mapping[str, bytes]) -> None:
    """Keep files in place of what was there.

    Who keeps a mail needs no right to read mails, nor to replace them.
    """
    for how, is_hash in ((_REPLACE, False), ("DO NOTHING", True)):
        names = [name for name in files if name.startswith(NAMED_BY_HASH) is is_hash]
        packed = [_packed(files[name]) for name in names]
        if packed:
            values = [data for data, _ in packed], [is_packed for _, is_packed in packed]
            db.run(f"{_INSERT}{how}", names, *values)


def _packed(data: bytes) -> tuple[bytes, bool]:
    """Return the bytes of a file as they are kept, and whether they are packed."""
    if len(data) < _SMALL or len(packed := zlib.compress(data)) >= len(data):
        return data, False
    return packed, True


def decompress_file(data: bytes, is_packed: bool) -> bytes:
    """Return the bytes of a file as they were given."""
    return zlib.decompress(data) if is_packed else bytes(data)


def take_back(db: PgDatabase, game: str, turn: int) -> None:
    """Move a turn to those taken back."""
    sql = "SELECT coalesce(max(revision), 0) + 1 FROM turns WHERE game = ? AND turn = ?"
    revision = int(db.rows(sql, game, turn)[0][0])
    old, new = turn_name(game, turn), undone_name(game, turn, revision)
    db.run("UPDATE turns SET revision = ? WHERE game = ? AND turn = ? AND revision = 0", revision, game, turn)
    db.run(f"UPDATE files SET name = ? || substr(name, ?) WHERE {BELOW}", new, len(old) + 1, *below(old))


_WAITS: Final = "SELECT 1 FROM procrastinate_jobs WHERE queueing_lock = ? AND status = 'todo' FOR KEY SHARE"
"""Finds a job that waits, and keeps it waiting until what belongs to it is committed."""


class PgJournal(PgDatabase, Journal):
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
                self._cancel_job(job.once)
            while not (job.once and self.rows(_WAITS, job.once)):
                with contextlib.suppress(AlreadyEnqueued), self.connection.transaction():
                    _enqueue_job(self, job)
                    return

    def _cancel_job(self, once: str) -> None:
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
            self.after(look_job(game))

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

    def mark_file_changed(self, name: str) -> None:
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

    def tell(self, one: QueuedNotice) -> bool:
        """Note something to be told; False if it was noted before, which changes nothing."""
        with self.writing():
            is_new = super().tell(one)
            if is_new:
                self.after(letters_job(one.game))
        return is_new

    def act(self, act: Act) -> None:
        """Write down something that was done; what all may know, such as a new deadline, is on pages too."""
        with self.writing():
            super().act(act)
            if act.public:
                self.after(archive_job())

    # --- a home is moved

    def go_on(self) -> None:
        """Let new rows be numbered after those that were written with their numbers."""
        for table in ("intake", "outbox", "tellings", "acts"):
            newest = int(self.rows(f"SELECT coalesce(max(id), 0) FROM {table}")[0][0])
            if newest:
                self.run("SELECT setval(pg_get_serial_sequence(?, 'id'), ?)", table, newest)


def _enqueue_job(db: PgJournal, job: Job) -> None:
    _job_app().configure_task(
        job.task,
        queue=job.queue,
        lock=job.lock or None,
        queueing_lock=job.once or None,
        schedule_at=job.at,
        connection=db.connection,
    ).defer(**job.about)


@cache
def _job_app() -> App:
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
        *journal_figures(db, now),
        *game_figures(int(games), int(changed) + int(due), since, now),
        *jobs,
        Figure("jobs_oldest_seconds", max(0.0, float(db.rows(_OLDEST)[0][0]))),
        Figure("workers", int(db.rows(_WORKERS, ALIVE_SECONDS)[0][0])),
        Figure("database_bytes", int(db.rows("SELECT pg_database_size(current_database())")[0][0])),
    ]
