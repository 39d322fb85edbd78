"""The line of one thread to a PostgreSQL database: everything it asks, changes and holds goes over it.

Whoever has lost the line has lost what it held, and so cannot change it any more: the server lets a game go
when its connection ends, and a change is made on the very connection that holds its game.
"""

from __future__ import annotations

import contextlib
import time
import weakref
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from pbem.store.errors import WHOLE, GateClosedError, JournalRefused, Reason, WrongInput
from pbem.store.journals.connection import Door

if TYPE_CHECKING:
    from types import TracebackType

    import psycopg

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


class PgDoor(Door):
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

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Keep the connection for the next question."""

    @property
    def connection(self) -> psycopg.Connection[tuple[Any, ...]]:  # type: ignore[override]
        """The connection, opened when it is needed; one that was lost is not replaced before all is let go.

        Raises:
            WrongInput: The database cannot be reached.
        """
        if self._line is None or self._line.closed:
            if self._is_bound:
                raise JournalRefused("the connection to the database was lost.", _UNCHANGED)
            self._line = connect(self.url)
            weakref.finalize(self, self._line.close)
        return self._line

    @property
    def _is_bound(self) -> bool:
        return bool(self.holds or self._depth)

    def run(self, sql: str, *values: Any) -> psycopg.Cursor[tuple[Any, ...]]:  # type: ignore[override]
        """Carry out one statement; its values stand as question marks in it.

        Raises:
            JournalRefused: The server is gone, or refuses.
        """
        import psycopg

        asked = sql.replace("%", "%%").replace("?", "%s").encode()
        try:
            return self.connection.execute(asked, values)
        except psycopg.errors.ReadOnlySqlTransaction as wrong:
            raise only_read(wrong) from None
        except psycopg.OperationalError as wrong:
            if self._is_bound or not self._lost():
                raise refused(wrong) from None
        return self._once_more(asked, values)

    def _once_more(self, asked: bytes, values: tuple[Any, ...]) -> psycopg.Cursor[tuple[Any, ...]]:
        """Ask again on a new connection: the server was started anew while nobody asked."""
        import psycopg

        try:
            return self.connection.execute(asked, values)
        except psycopg.errors.ReadOnlySqlTransaction as wrong:
            raise only_read(wrong) from None
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
        import psycopg

        if not self._is_bound and self._line is not None:
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
        while name in self.holds or not self._locks(name):
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

    def _locks(self, name: str) -> bool:
        sql = "SELECT pg_try_advisory_lock(hashtextextended(?, 0))"
        return bool(self.rows(sql, f"pbem {name}")[0][0])

    def _lost(self) -> bool:
        return self._line is None or self._line.closed


def connect(url: str) -> psycopg.Connection[tuple[Any, ...]]:
    """Open a connection to a database.

    Raises:
        WrongInput: It cannot be reached, or the package psycopg is missing.
    """
    try:
        import psycopg
    except ImportError:
        text = "a home in a database needs the package psycopg."
        raise WrongInput(text, command="pip install 'pbem[postgres]'") from None
    try:
        return psycopg.connect(**connection_words(url), autocommit=True)
    except psycopg.ProgrammingError:  # what it says repeats what stands there, which may be a password
        raise WrongInput("that is no address of a database.", _SHAPE) from None
    except psycopg.OperationalError as wrong:
        raise refused(wrong) from None


def connection_words(url: str) -> dict[str, Any]:
    """Return what a connection to a database is opened with.

    Raises:
        psycopg.ProgrammingError: That is no address of a database.
    """
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

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
    return JournalRefused(f"the database refused: {_line(wrong)}.", _UNCHANGED)


def only_read(wrong: Exception) -> JournalRefused:
    """Return what the moderator is told of a database that takes no changes, as after a failover."""
    hint = f"Wait, or name the server that takes changes. {WHOLE}"
    return JournalRefused(f"the database can only be read now: {_line(wrong)}.", hint)


def _line(wrong: Exception) -> str:
    return " ".join(str(wrong).split()).rstrip(".")


def without_password(url: str) -> str:
    """Return the address of a database as people are told of it."""
    head, at, tail = url.rpartition("@")
    if not at:
        return url.partition("?")[0]
    scheme, _, user = head.partition("://")
    return f"{scheme}://{user.partition(':')[0]}@{tail.partition('?')[0]}"
