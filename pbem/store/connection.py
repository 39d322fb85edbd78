"""The door to `mail/mail.db`: opened, made where it is missing, and written in durable transactions."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from pbem.store.disk import Disk
from pbem.store.errors import WHOLE, JournalDamaged, JournalRefused, WrongInput
from pbem.store.records import Job

FORMAT: Final = 7
BUSY_SECONDS: Final = 30.0

_FULL: Final = 1 << 20
"""A disk with fewer bytes free than this is full: a mail may be as long, and it is kept in two places."""

_DAMAGED: Final = 0x64616D67
"""The application id of a database in which damage was met: nothing more is written into it."""

_NO_LOCKS: Final = ("SQLITE_PROTOCOL", "SQLITE_NOLFS", "SQLITE_IOERR_LOCK", "SQLITE_IOERR_SHMLOCK")
"""What SQLite says on a file system without locks."""

Connection = sqlite3.Connection

TABLES: Final = """
CREATE TABLE intake (
  id {number}, key TEXT NOT NULL UNIQUE, source TEXT NOT NULL,
  received TEXT NOT NULL, envelope_from TEXT NOT NULL, recipient TEXT NOT NULL, sha256 TEXT NOT NULL,
  message_id TEXT NOT NULL, raw TEXT NOT NULL, state TEXT NOT NULL, verdict TEXT NOT NULL,
  rule TEXT NOT NULL, game TEXT NOT NULL, seat TEXT NOT NULL, receipt INTEGER NOT NULL
);
CREATE INDEX intake_state ON intake (state, id);
CREATE INDEX intake_seat ON intake (game, seat, received);
CREATE INDEX intake_message ON intake (message_id);
CREATE TABLE outbox (
  id {number}, game TEXT NOT NULL, turn INTEGER NOT NULL, seat TEXT NOT NULL,
  kind TEXT NOT NULL, revision INTEGER NOT NULL, rcpt TEXT NOT NULL, envelope_from TEXT NOT NULL,
  message_id TEXT NOT NULL UNIQUE, raw {bytes} NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL,
  next_try TEXT NOT NULL, created TEXT NOT NULL, claimed TEXT NOT NULL, sent TEXT NOT NULL, why TEXT NOT NULL
);
CREATE INDEX outbox_state ON outbox (state, id);
CREATE INDEX outbox_seat ON outbox (game, seat, kind, turn);
CREATE INDEX outbox_sender ON outbox (lower(envelope_from));
CREATE TABLE tellings (
  id {number}, name TEXT NOT NULL UNIQUE, game TEXT NOT NULL, turn INTEGER NOT NULL,
  seat TEXT NOT NULL, kind TEXT NOT NULL, address TEXT NOT NULL, reader TEXT NOT NULL,
  is_theirs INTEGER NOT NULL, title TEXT NOT NULL, words TEXT NOT NULL, at TEXT NOT NULL,
  written INTEGER NOT NULL
);
CREATE INDEX tellings_written ON tellings (written, id);
CREATE TABLE acts (
  id {number}, at TEXT NOT NULL, who TEXT NOT NULL, game TEXT NOT NULL,
  act TEXT NOT NULL, detail TEXT NOT NULL, public INTEGER NOT NULL
);
CREATE INDEX acts_game ON acts (game, id);
CREATE TABLE game_notes (
  game TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (game, key)
){without_number};
"""
"""The tables of a journal, in the words that SQLite and PostgreSQL have in common; `FACTS` adds to them."""

FACTS: Final = """
ALTER TABLE tellings ADD COLUMN facts TEXT NOT NULL DEFAULT '';
ALTER TABLE acts ADD COLUMN facts TEXT NOT NULL DEFAULT ''
"""

_RESTS: Final = """
CREATE TABLE rests (
  game TEXT NOT NULL PRIMARY KEY, seen TEXT NOT NULL, until TEXT NOT NULL
) WITHOUT ROWID;
"""

_AS_MADE: Final = 5
"""The format of a new database before it is brought up, as each older one is."""

_TABLES: Final = TABLES.format(
    number="INTEGER PRIMARY KEY AUTOINCREMENT", bytes="BLOB", without_number=" WITHOUT ROWID"
)


class OpenDatabase:
    """The database, open. Use it in `with`; its store closes it.

    Attributes:
        met_damage: Something in it is damaged, so whoever asks for it next is refused.
    """

    met_damage = False

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Stand at a connection."""
        self.connection = connection

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Keep the connection for the next question."""

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    def run(self, sql: str, *values: Any) -> sqlite3.Cursor:
        """Carry out one statement.

        Raises:
            JournalRefused: The disk is full or fails, or another program never lets the database go.
        """
        with self._translate_errors():
            return self.connection.execute(sql, values)

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return all rows that a statement finds.

        Raises:
            JournalRefused: As above.
        """
        with self._translate_errors():
            return self.connection.execute(sql, values).fetchall()

    def check_whole(self) -> None:
        """Read all of it.

        Raises:
            JournalRefused: Something in it is damaged, or as above.
        """
        found = self.rows("PRAGMA integrity_check(1)")
        if found != [("ok",)]:
            self._mark_damaged()
            with self._translate_errors():
                raise sqlite3.DatabaseError(" ".join(str(found[0][0]).replace("*", "").split()))

    def after(self, job: Job) -> None:
        """Let a worker do something when the transaction is committed; a home in a folder has none."""

    @contextlib.contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Tell what the database refuses: a full or failing disk, a lock that is never let go, damage."""
        try:
            yield
        except sqlite3.DatabaseError as wrong:
            if not isinstance(wrong, sqlite3.OperationalError) and type(wrong) is not sqlite3.DatabaseError:
                raise  # a statement of ours is wrong
            path = self.connection.execute("PRAGMA database_list").fetchall()[0][2]  # which reads nothing
            if getattr(wrong, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT:
                self._mark_damaged()
            raise database_refusal(wrong, Path(path)) from None

    def _mark_damaged(self) -> None:
        """Let whoever opens it next know that it is damaged: most of its pages may still take writes."""
        self.met_damage = True
        with contextlib.suppress(sqlite3.Error):
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            self.connection.execute(f"PRAGMA application_id = {_DAMAGED}")

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Make everything inside true together and durable, or nothing of it; may be nested."""
        if self.connection.in_transaction:
            yield
            return
        self.run("BEGIN IMMEDIATE")
        try:
            yield
            self.run("COMMIT")
        except BaseException:
            if self.connection.in_transaction:
                self.run("ROLLBACK")
            raise


def connect(disk: Disk, folder: Path) -> sqlite3.Connection:
    """Open the database of a home, made if it is not there; what cannot be written can be read.

    Args:
        disk: The door to the disk.
        folder: The folder `mail` of the home.

    Raises:
        WrongInput: It is damaged or of a newer pbem.
    """
    if not os.access(folder if folder.exists() else folder.parent, os.W_OK):
        return _open_read_only(folder / "mail.db")
    disk.make_folder(folder, mode=0o700)
    path = folder / "mail.db"
    if not path.exists():
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
        disk.sync_names(folder)
        disk.sync_names(folder.parent)
    try:
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, factory=Connection)
    except sqlite3.OperationalError as wrong:
        raise _open_refusal(path, wrong) from None
    try:
        _prepare(OpenDatabase(connection), path)
    except BaseException:
        connection.close()
        raise
    return connection


def _open_read_only(path: Path) -> sqlite3.Connection:
    """Open a copy, in memory, of a database that lies where nothing can be written; it takes no changes.

    SQLite itself opens no such database with changes that stand in its log.
    """
    copy = sqlite3.connect(":memory:", isolation_level=None, factory=Connection)
    with tempfile.TemporaryDirectory(prefix="pbem-") as beside:
        for suffix in ("", "-wal"):
            if (kept := path.with_name(f"{path.name}{suffix}")).is_file():
                shutil.copyfile(kept, Path(beside, f"{path.name}{suffix}"))
        with contextlib.closing(sqlite3.connect(Path(beside, path.name))) as there:
            try:
                there.backup(copy)
                _prepare(OpenDatabase(copy), path)
            except sqlite3.DatabaseError as wrong:
                raise database_refusal(wrong, path) from None
    copy.execute("PRAGMA query_only = 1")
    return copy


def connect_memory() -> sqlite3.Connection:
    """Open a database in memory, empty and made."""
    connection = sqlite3.connect(":memory:", isolation_level=None, factory=Connection)
    _prepare(OpenDatabase(connection), Path("memory"))
    return connection


def _open_refusal(path: Path, wrong: sqlite3.OperationalError) -> JournalRefused:
    """Return what the moderator is told of a database that cannot be opened, such as one of another owner."""
    hint = f"It must be a file that you may read and write: ls -ld {path.parent} {path}"
    return JournalRefused(f"{path} cannot be opened: {wrong}.", hint)


def database_refusal(wrong: sqlite3.DatabaseError, path: Path) -> JournalRefused:
    """Return what the moderator is told of damage, a full or failing disk, or a lock that is never let go."""
    if not isinstance(wrong, sqlite3.OperationalError):
        raw = "; the raw mails are in mail/raw" if path.with_name("raw").is_dir() else ""
        all_steps = "`pbem help home salvage` has all steps, also without a backup."
        hint = f"Restore mail.db from your backup{raw}. {all_steps}"
        return JournalDamaged(f"{path} is damaged: {wrong}.", hint)
    name = str(getattr(wrong, "sqlite_errorname", ""))
    if name == "SQLITE_CANTOPEN":
        return _open_refusal(path, wrong)
    hint = WHOLE
    if name.startswith("SQLITE_READONLY"):
        return JournalRefused("the home lies where nothing can be written: it can only be looked at.", hint)
    if name in _NO_LOCKS:
        where = f"the file system that holds {path.parent} has no locks ({name})"
        return JournalRefused(f"{where}.", f"Keep the home on a disk of this machine. {hint}")
    free = shutil.disk_usage(path.parent).free
    if free >= _FULL or "locked" in str(wrong):
        return JournalRefused(f"the mail database refused: {wrong}.", hint)
    full = f"the disk that holds {path.parent.parent} is full ({free // 1024} kB free)"
    return JournalRefused(f"the mail database refused ({wrong}): {full}.", f"Make room on it. {hint}")


def seal_secrets(db: OpenDatabase) -> None:
    """Keep hashes in place of the secrets for acts in the addresses that mails came to."""
    from pbem.store.stamped import seal_address  # few journals are as old

    found = db.rows("SELECT id, recipient FROM intake WHERE lower(recipient) LIKE ? ESCAPE '#'", "%+m#_%")
    for number, recipient in found:
        db.run("UPDATE intake SET recipient = ? WHERE id = ?", seal_address(recipient), number)


_UPGRADES: Final[Mapping[int, str | Callable[[OpenDatabase], None]]] = {
    1: "CREATE INDEX outbox_sender ON outbox (lower(envelope_from))",
    2: _TABLES[_TABLES.index("CREATE TABLE tellings") : _TABLES.index(";\nCREATE TABLE acts")],
    3: "DROP INDEX IF EXISTS outbox_sender;\nCREATE INDEX outbox_sender ON outbox (lower(envelope_from))",
    4: _RESTS.rstrip(";\n"),
    5: FACTS,
    6: seal_secrets,
}
"""What makes a database of one format one of the next."""


def _prepare(db: OpenDatabase, path: Path) -> None:
    db.run("PRAGMA journal_mode = WAL")
    db.run("PRAGMA synchronous = FULL")
    if db.rows("PRAGMA application_id") == [(_DAMAGED,)]:
        raise database_refusal(
            sqlite3.DatabaseError("damage was met in it, so nothing more is written into it"), path
        )
    made = int(db.rows("PRAGMA user_version")[0][0])
    if made > FORMAT:
        raise WrongInput(f"{path} is of a newer format.", "Install the pbem that wrote it.")
    if made == 0:
        with db.writing():
            if int(db.rows("PRAGMA user_version")[0][0]) == 0:
                for statement in f"{_TABLES}{_RESTS}".split(";\n"):
                    if statement.strip():
                        db.run(statement)
                db.run(f"PRAGMA user_version = {_AS_MADE}")
    if made < FORMAT:
        _upgrade(db)


def _upgrade(db: OpenDatabase) -> None:
    """Bring a database of an older format up to this one's, whole or not at all."""
    db.run("PRAGMA secure_delete = ON")
    with db.writing():
        for made in range(int(db.rows("PRAGMA user_version")[0][0]), FORMAT):  # another may have been first
            step = _UPGRADES[made]
            if isinstance(step, str):
                for statement in step.split(";\n"):
                    db.run(statement)
            else:
                step(db)
            db.run(f"PRAGMA user_version = {made + 1}")
    if db.rows("SELECT 1 FROM intake WHERE recipient LIKE '%+m#_%' ESCAPE '#' LIMIT 1"):
        with contextlib.suppress(JournalRefused):  # all of it is right anyway
            db.run("VACUUM")  # bytes of rows as they were may lie in pages that are free
            db.run("PRAGMA wal_checkpoint(TRUNCATE)")
