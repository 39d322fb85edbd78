"""The database of play by mail: what came in, what goes out, who did what.

Every change is one short transaction, durable when it returns.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Final

from pbem.store.connection import Door, connect
from pbem.store.disk import Disk
from pbem.store.folder import Folder
from pbem.store.records import Act, Intake, Outbound, Queued, State, Telling, iso

_OUT: Final = (
    "game, turn, seat, kind, revision, rcpt, envelope_from, message_id, raw, "
    "id, state, tries, next_try, created, claimed, sent, why"
)


class MailDb(Door):
    """The database, open. Use it in `with`."""

    # --- what came in

    def take_in(
        self,
        *,
        key: str,
        source: str,
        received: datetime.datetime,
        envelope_from: str,
        recipient: str,
        sha256: str,
        raw: str,
    ) -> int | None:
        """Note a mail that came in, and return its number; None if it was known already."""
        with self.writing():
            if self.knows(key):
                return None
            done = self.run(
                "INSERT INTO intake (key, source, received, envelope_from, recipient, sha256, raw, "
                "message_id, state, verdict, rule, game, seat, receipt) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, '', 'new', '', '', '', '', 0)",
                *(key, source, iso(received), envelope_from, recipient, sha256, raw),
            )
        return done.lastrowid

    def knows(self, key: str) -> bool:
        """Tell whether a mail came in before."""
        return bool(self.rows("SELECT 1 FROM intake WHERE key = ?", key))

    def arrived(self) -> int:
        """Return how many mails ever came in."""
        return int(self.rows("SELECT coalesce(max(id), 0) FROM intake")[0][0])

    def unread(self) -> int:
        """Return how many mails came in and were not processed yet."""
        return int(self.rows("SELECT count(*) FROM intake WHERE state = 'new'")[0][0])

    def new(self) -> Iterator[Intake]:
        """Yield the mails that were not processed yet in order of arrival; one at a time is in memory."""
        last = 0
        while found := self.rows(
            "SELECT * FROM intake WHERE state = 'new' AND id > ? ORDER BY id LIMIT 1", last
        ):
            intake = Intake(*found[0])
            yield intake
            last = intake.id

    def intake(self, number: int) -> Intake:
        """Return a mail that came in, by its number."""
        return Intake(*self.rows("SELECT * FROM intake WHERE id = ?", number)[0])

    def note_receipt(self, number: int, game: str, seat: str, receipt: int) -> None:
        """Note the receipt that a mail's orders will get, before they are lodged."""
        with self.writing():
            self.run(
                "UPDATE intake SET game = ?, seat = ?, receipt = ? WHERE id = ?", game, seat, receipt, number
            )

    def postpone(self, number: int, verdict: str, game: str) -> None:
        """Note why a mail is not processed yet; it stays new."""
        with self.writing():
            self.run("UPDATE intake SET verdict = ?, game = ? WHERE id = ?", verdict, game, number)

    def finish(
        self, number: int, *, verdict: str, rule: str, game: str = "", seat: str = "", message_id: str = ""
    ) -> None:
        """Note what became of a mail; it is processed with that."""
        with self.writing():
            self.run(
                "UPDATE intake SET state = 'done', verdict = ?, rule = ?, game = ?, seat = ?, message_id = ? "
                "WHERE id = ?",
                *(verdict, rule, game, seat, message_id, number),
            )

    # --- what goes out

    def put(
        self, mail: Outbound, now: datetime.datetime, *, not_before: datetime.datetime | None = None
    ) -> bool:
        """Queue a mail; False if one of its Message-ID is there already, which changes nothing."""
        with self.writing():
            done = self.run(
                f"INSERT OR IGNORE INTO outbox ({_OUT.replace('id, state', 'state', 1)}) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', 0, ?, ?, '', '', '')",
                *(mail.game, mail.turn, mail.seat, mail.kind, mail.revision, mail.rcpt, mail.envelope_from),
                *(mail.message_id, mail.raw, iso(not_before) if not_before else "", iso(now)),
            )
        return done.rowcount == 1

    def claim(self, now: datetime.datetime) -> Queued | None:
        """Take the next mail that is due; from here on only its fate counts, not this program's."""
        with self.writing():
            found = self.rows(
                "SELECT id FROM outbox WHERE state = 'queued' AND next_try <= ? ORDER BY id LIMIT 1", iso(now)
            )
            if not found:
                return None
            self.run(
                "UPDATE outbox SET state = 'claimed', claimed = ?, tries = tries + 1 WHERE id = ?",
                *(iso(now), found[0][0]),
            )
        return self.queued(found[0][0])

    def queued(self, number: int) -> Queued:
        """Return a mail of the outbox, by its number."""
        return Queued(*self.rows(f"SELECT {_OUT} FROM outbox WHERE id = ?", number)[0])

    def outbox(self, state: State) -> list[Queued]:
        """Return the mails of the outbox that are in a state, in order; for states of a few."""
        return [
            Queued(*row) for row in self.rows(f"SELECT {_OUT} FROM outbox WHERE state = ? ORDER BY id", state)
        ]

    def mark(
        self,
        number: int,
        state: State,
        now: datetime.datetime,
        *,
        why: str = "",
        next_try: datetime.datetime | None = None,
    ) -> None:
        """Say what became of a mail of the outbox."""
        sent = iso(now) if state == "sent" else ""
        with self.writing():
            self.run(
                "UPDATE outbox SET state = ?, sent = max(sent, ?), why = ?, next_try = ? WHERE id = ?",
                *(state, sent, why, iso(next_try) if next_try else "", number),
            )

    # --- what is to be told

    def tell(self, one: Telling) -> bool:
        """Note something to be told; False if it was noted before, which changes nothing."""
        with self.writing():
            done = self.run(
                "INSERT OR IGNORE INTO tellings VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
                *(one.name, one.game, one.turn, one.seat, one.kind, one.address, one.reader),
                *(one.is_theirs, one.title, one.words, one.at),
            )
        return done.rowcount == 1

    def untold(self) -> list[tuple[int, Telling]]:
        """Return what nobody has written to its reader yet, each with its number, in order."""
        columns = "name, game, turn, seat, kind, address, reader, is_theirs, title, words, at"
        found = self.rows(f"SELECT id, {columns} FROM tellings WHERE written = 0 ORDER BY id")
        return [(int(row[0]), Telling(*row[1:])) for row in found]

    def set_told(self, number: int) -> None:
        """Note that something was written to its reader; its words are kept no longer."""
        with self.writing():
            self.run("UPDATE tellings SET written = 1, words = '' WHERE id = ?", number)

    # --- acts and notes

    def act(self, act: Act) -> None:
        """Write down something that was done."""
        with self.writing():
            self.run(
                "INSERT INTO acts (at, who, game, act, detail, public) VALUES (?, ?, ?, ?, ?, ?)",
                *(act.at, act.who, act.game, act.act, act.detail, act.public),
            )

    def acts(self, game: str, *, public: bool = False) -> list[Act]:
        """Return what was done in a game, in order; only what all its players may read, if asked."""
        sql = "SELECT at, who, game, act, detail, public FROM acts WHERE game = ? AND public >= ? ORDER BY id"
        return [Act(*row) for row in self.rows(sql, game, int(public))]

    def note(self, game: str, key: str) -> str | None:
        """Return what is noted for a game under a key."""
        found = self.rows("SELECT value FROM game_notes WHERE game = ? AND key = ?", game, key)
        return str(found[0][0]) if found else None

    def notes(self, game: str, prefix: str = "") -> dict[str, str]:
        """Return everything that is noted for a game under keys that begin so."""
        sql = "SELECT key, value FROM game_notes WHERE game = ? AND substr(key, 1, ?) = ? ORDER BY key"
        return dict(self.rows(sql, game, len(prefix), prefix))

    def set_note(self, game: str, key: str, value: str | None) -> None:
        """Note something for a game, or forget it."""
        with self.writing():
            if value is None:
                self.run("DELETE FROM game_notes WHERE game = ? AND key = ?", game, key)
            else:
                self.run("INSERT OR REPLACE INTO game_notes VALUES (?, ?, ?)", game, key, value)


def public_acts(home: Folder, game: str) -> list[Act]:
    """Return what was done to a game, as all may know; a home in which nothing was noted stays as it is."""
    if not home.has_journal:
        return []
    with open_mail(Disk(), home) as db:
        return db.acts(game, public=True)


def open_mail(disk: Disk, home: Folder) -> MailDb:
    """Open the database of a home, made if it is not there.

    Raises:
        WrongInput: It is damaged or of a newer pbem.
    """
    return MailDb(connect(disk, home))
