"""The line of one thread to a PostgreSQL database, and its tables, made and brought up to date."""

from __future__ import annotations

import contextlib
import re
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict

from pbem.store.connection import FACTS, TABLES, OpenDatabase, seal_secrets
from pbem.store.errors import WHOLE, GateClosedError, JournalRefused, Reason, WrongInput

_PATIENT: Final = {
    "application_name": "pbem",
    "connect_timeout": "10",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
    "options": "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3",
}
"""How both sides find out within half a minute that the other is gone, so that what it held is let go.

An address may say otherwise. Seconds, but for `tcp_user_timeout`, which is in milliseconds.
"""


_POLL_SECONDS: Final = 0.02


class PgDatabase(OpenDatabase):
    """A database, and the one connection to it. Use it in `with`, as often as it is wanted.

    Attributes:
        url: Where the database is.
        holds: The names that are held on this connection.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.holds: set[str] = set()
        self._line: psycopg.Connection[tuple[Any, ...]] | None = None
        self._depth = 0

    @property
    def connection(self) -> psycopg.Connection[tuple[Any, ...]]:  # type: ignore[override]
        """The connection, opened when it is needed; one that was lost is not replaced before all is let go.

        Raises:
            WrongInput: The database cannot be reached.
        """
        if self._line is None or self._line.closed:
            if self._is_connection_pinned:
                raise JournalRefused("the connection to the database was lost.", _UNCHANGED)
            self._line = connect(self.url)
            weakref.finalize(self, self._line.close)
        return self._line

    @property
    def _is_connection_pinned(self) -> bool:
        return bool(self.holds or self._depth)

    def run(self, sql: str, *values: Any) -> psycopg.Cursor[tuple[Any, ...]]:  # type: ignore[override]
        """Carry out one statement; its values stand as question marks in it.

        Raises:
            JournalRefused: The server is gone, or refuses.
        """
        asked = sql.replace("%", "%%").replace("?", "%s").encode()
        try:
            return self.connection.execute(asked, values)
        except psycopg.errors.ReadOnlySqlTransaction as wrong:
            raise read_only_refusal(wrong) from None
        except psycopg.OperationalError as wrong:
            if self._is_connection_pinned or not self._is_lost():
                raise refused(wrong) from None
        return self._retry_query(asked, values)

    def _retry_query(self, asked: bytes, values: tuple[Any, ...]) -> psycopg.Cursor[tuple[Any, ...]]:
        """Ask again on a new connection: the server was started anew while nobody asked."""
        try:
            return self.connection.execute(asked, values)
        except psycopg.errors.ReadOnlySqlTransaction as wrong:
            raise read_only_refusal(wrong) from None
        except psycopg.OperationalError as wrong:
            raise refused(wrong) from None

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return all rows that a statement finds.

        Raises:
            JournalRefused: As above.
        """
        return self.run(sql, *values).fetchall()

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Make everything inside true together and durable, or nothing of it; may be nested."""
        if not self._is_connection_pinned and self._line is not None:
            self.run("SELECT 1")  # a connection that was lost meanwhile is replaced
        line = self.connection
        self._depth += 1
        try:
            with line.transaction():
                yield
        except psycopg.OperationalError as wrong:
            raise refused(wrong) from None
        finally:
            self._depth -= 1

    @contextlib.contextmanager
    def held(self, name: str, wait_seconds: float) -> Iterator[None]:
        """Hold a name, so that no other connection does; it is let go when the program ends.

        Raises:
            GateClosedError: Another held it all the while.
        """
        until = time.monotonic() + wait_seconds
        while name in self.holds or not self._try_lock(name):
            if time.monotonic() >= until:
                text = f"another pbem is at work on {name.rpartition('/')[2]}"
                raise GateClosedError((Reason("locked", text, can_override=False),))
            time.sleep(_POLL_SECONDS)
        self.holds.add(name)
        try:
            yield
        finally:
            with contextlib.suppress(WrongInput):  # the connection was lost, and the server has let go
                self.run("SELECT pg_advisory_unlock(hashtextextended(?, 0))", f"pbem {name}")
            self.holds.discard(name)

    def _try_lock(self, name: str) -> bool:
        sql = "SELECT pg_try_advisory_lock(hashtextextended(?, 0))"
        return bool(self.rows(sql, f"pbem {name}")[0][0])

    def _is_lost(self) -> bool:
        return self._line is None or self._line.closed


def connect(url: str) -> psycopg.Connection[tuple[Any, ...]]:
    """Open a connection to a database.

    Raises:
        WrongInput: It cannot be reached.
    """
    try:
        return psycopg.connect(**connection_options(url), autocommit=True)
    except psycopg.ProgrammingError:  # what it says repeats what stands there, which may be a password
        raise WrongInput("that is no address of a database.", _SHAPE) from None
    except psycopg.OperationalError as wrong:
        raise refused(wrong) from None


def connection_options(url: str) -> dict[str, Any]:
    """Return what a connection to a database is opened with.

    Raises:
        psycopg.ProgrammingError: That is no address of a database.
    """
    words = conninfo_to_dict(url)
    port, path = str(words.get("port") or ""), url.partition("://")[2].partition("?")[0].partition("/")[2]
    if "@" in path or not all(one.isdecimal() for one in port.split(",") if one):
        raise psycopg.ProgrammingError(
            "a password with a slash, of which a part is taken for a port or a name"
        )
    return {**_PATIENT, **words}


_SHAPE: Final = (
    "Write postgresql://USER:PASSWORD@HOST:PORT/NAME. In a password %25 stands for %, %2F for /, %40 for @, "
    "%20 for a space."
)
_UNCHANGED: Final = f"Is the server running? {WHOLE}"


def refused(wrong: Exception) -> JournalRefused:
    """Return what the moderator is told when the database is gone or refuses; no password is in it."""
    return JournalRefused(f"the database refused: {_error_line(wrong)}.", _UNCHANGED)


def read_only_refusal(wrong: Exception) -> JournalRefused:
    """Return what the moderator is told of a database that takes no changes, as after a failover."""
    hint = f"Wait, or name the server that takes changes. {WHOLE}"
    return JournalRefused(f"the database can only be read now: {_error_line(wrong)}.", hint)


def _error_line(wrong: Exception) -> str:
    return " ".join(str(wrong).split()).rstrip(".")


def hide_password(url: str) -> str:
    """Return the address of a database as people are told of it."""
    head, at, tail = url.rpartition("@")
    if not at:
        return url.partition("?")[0]
    scheme, _, user = head.partition("://")
    return f"{scheme}://{user.partition(':')[0]}@{tail.partition('?')[0]}"


FORMAT: Final = 4

_UPGRADES: Final[Mapping[int, str | Callable[[PgDatabase], None]]] = {
    1: """
ALTER TABLE files ADD COLUMN packed BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE files ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE TABLE games (
  game TEXT COLLATE "C" PRIMARY KEY, stirred BIGINT NOT NULL DEFAULT nextval('stamps'), until TIMESTAMPTZ
);
CREATE INDEX games_until ON games (until NULLS FIRST, game);
INSERT INTO games (game) SELECT DISTINCT game FROM turns;
CREATE INDEX acts_public ON acts (game) WHERE public = 1;
CREATE INDEX intake_waiting ON intake (game, id) WHERE state = 'new';
CREATE INDEX outbox_waiting ON outbox (next_try, id) WHERE state IN ('queued', 'claimed');
CREATE TABLE domains (domain TEXT PRIMARY KEY, free TIMESTAMPTZ NOT NULL);
ALTER TABLE pbem_home ADD COLUMN worked BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE pbem_home ADD COLUMN jobs TEXT NOT NULL DEFAULT ''
""",
    2: FACTS,
    3: seal_secrets,
}
"""What makes a database of one format one of the next; what was released is never changed."""

_FIRST: Final = """
CREATE SEQUENCE stamps;
CREATE TABLE files (
  name TEXT COLLATE "C" PRIMARY KEY, data BYTEA NOT NULL, stamp BIGINT NOT NULL DEFAULT nextval('stamps')
);
CREATE TABLE turns (
  game TEXT NOT NULL, turn INTEGER NOT NULL, revision INTEGER NOT NULL, PRIMARY KEY (game, turn, revision)
);
CREATE TABLE pbem_home (format INTEGER NOT NULL);
""" + TABLES.format(
    number="BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY", bytes="BYTEA", without_number=""
)


def make_tables(db: PgDatabase) -> None:
    """Make the tables of a home, those of its jobs too, unless they are there."""
    with db.writing():
        _lock_tables(db)
        if not _has_tables(db):
            _carry_out(db, _FIRST)
            db.run("INSERT INTO pbem_home (format) VALUES (1)")
        _upgrade_tables(db)


def upgrade_tables(db: PgDatabase) -> tuple[int, int]:
    """Bring the tables of a home up to this program's format, whole or not at all; return both formats.

    Raises:
        WrongInput: The database holds no home, or one of a newer pbem.
    """
    with db.writing():
        _lock_tables(db)
        before = _format(db)
        _upgrade_tables(db)
    return before, FORMAT


def check_format(db: PgDatabase) -> None:
    """See whether the tables of a home are of this program's format.

    Raises:
        WrongInput: They are not, or the database holds no home.
    """
    if (found := _format(db)) < FORMAT:
        raise WrongInput("the database is of an older format.", command="pbem home upgrade")
    if found > FORMAT:
        raise WrongInput("the database is of a newer format.", "Install the pbem that wrote it.")


def _has_tables(db: PgDatabase) -> bool:
    return bool(db.rows("SELECT to_regclass('pbem_home')")[0][0])


def _format(db: PgDatabase) -> int:
    if not _has_tables(db):
        raise WrongInput("the database holds no pbem home.", "Make one: pbem init postgresql://…")
    return int(db.rows("SELECT format FROM pbem_home")[0][0])


def _lock_tables(db: PgDatabase) -> None:
    """Keep others from changing the tables at the same time."""
    db.run("SELECT pg_advisory_xact_lock(hashtextextended('pbem tables', 0))")


def _upgrade_tables(db: PgDatabase) -> None:
    for made in range(_format(db), FORMAT):
        step = _UPGRADES[made]
        if isinstance(step, str):
            _carry_out(db, step)
        else:
            step(db)
        db.run("UPDATE pbem_home SET format = ?", made + 1)
    _bring_up_jobs(db)


def _carry_out(db: PgDatabase, statements: str) -> None:
    for statement in statements.split(";\n"):
        if statement.strip():
            db.run(statement)


def _bring_up_jobs(db: PgDatabase) -> None:
    """Make the tables of the jobs, or bring them up to the version of Procrastinate that is installed."""
    from procrastinate import __version__, schema

    before = str(db.rows("SELECT jobs FROM pbem_home")[0][0])
    if not before:
        db.connection.execute(schema.SchemaManager.get_schema().encode())
    for path in sorted(Path(schema.SchemaManager.get_migrations_path()).glob("*.sql")) if before else ():
        if _version_numbers(before) < _version_of(path) <= _version_numbers(__version__):
            db.connection.execute(path.read_bytes())
    db.run("UPDATE pbem_home SET jobs = ?", __version__)


def _version_of(path: Path) -> tuple[Any, ...]:
    """Return the version that a migration belongs to: `03.04.00_50_post_….sql`."""
    return _version_numbers(path.name.partition("_")[0])


def _version_numbers(version: str) -> tuple[int, ...]:
    return tuple(int(one) for one in re.findall(r"[0-9]+", version)[:3])
