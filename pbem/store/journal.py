"""The journal: what came in, what goes out, what is to be told, who did what; and figures about it."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pbem.store.connection import connect, connect_memory
from pbem.store.disk import Disk
from pbem.store.mailin import MailIn, SentMails
from pbem.store.mailout import OVERTAKEN, REPORTS
from pbem.store.records import MODERATOR, Act, AddressChange, Note, NoticeReplacement, QueuedNotice, Row, iso

PLAN: Final = "plan:"
"""Begins the keys of notes of what a mail is going to store; what is stored wakes the game by itself."""

_OVERTAKEN: Final = 2
"""Stands under `written` of what was not sent, because it was so no longer when it was to leave."""

_TOLD: Final = "name, game, turn, seat, kind, address, reader, is_theirs, title, words, at, facts"


_ACT: Final = "at, who, game, act, detail, public, facts"

COLUMNS: Final = {
    "intake": "id, key, source, received, envelope_from, recipient, sha256, message_id, raw, state, verdict, "
    "rule, game, seat, receipt",
    "outbox": "id, game, turn, seat, kind, revision, rcpt, envelope_from, message_id, raw, state, tries, "
    "next_try, created, claimed, sent, why",
    "tellings": f"id, {_TOLD}, written",
    "acts": f"id, {_ACT}",
    "game_notes": "game, key, value",
}
"""The columns of each table of the journal but of `rests`, which is of one home as it lies there."""


class Journal(MailIn, SentMails):
    """The journal of a home, open. Use it in `with`."""

    # --- what is to be told

    def tell(self, one: QueuedNotice) -> bool:
        """Note something to be told; False if it was noted before, which changes nothing.

        What was not sent because it was so no longer when it was to leave can be told again.
        """
        with self.writing():
            done = self.run(
                f"INSERT INTO tellings ({_TOLD}, written) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0) "
                "ON CONFLICT (name) DO UPDATE SET address = excluded.address, reader = excluded.reader, "
                "title = excluded.title, words = excluded.words, at = excluded.at, facts = excluded.facts, "
                "written = 0 "
                f"WHERE tellings.written = {_OVERTAKEN}",
                *(one.name, one.game, one.turn, one.seat, one.kind, one.address, one.reader),
                *(one.is_theirs, one.title, one.words, one.at, one.facts),
            )
        return done.rowcount == 1

    def untold(self, game: str | None = None) -> list[tuple[int, QueuedNotice]]:
        """Return what nobody has written to its reader yet, each with its number, in order.

        Args:
            game: About this game, or about none if it is ""; None: about all.
        """
        of_game, which = ("", ()) if game is None else ("AND game = ? ", (game,))
        sql = f"SELECT id, {_TOLD} FROM tellings WHERE written = 0 {of_game}ORDER BY id"
        return [(int(row[0]), QueuedNotice(*row[1:])) for row in self.rows(sql, *which)]

    def mark_notice_written(self, number: int) -> bool:
        """Note that something was written to its reader; its words are kept no longer.

        Returns:
            Whether it was still to be told.
        """
        with self.writing():
            sql = "UPDATE tellings SET written = 1, words = '' WHERE id = ? AND written = 0"
            done = self.run(sql, number)
        return done.rowcount == 1

    def notice_of_mail(self, message_id: str) -> QueuedNotice | None:
        """Return what a mail tells, without its words; None if it is no letter of something to be told."""
        name = message_id.removeprefix("<").partition("@")[0]
        found = self.rows(f"SELECT {_TOLD} FROM tellings WHERE name = ?", name)
        return QueuedNotice(*found[0]) if found else None

    def mark_overtaken(self, number: int, told: QueuedNotice) -> None:
        """Keep a mail back: when it was to leave, what it tells was so no longer."""
        with self.writing():
            self.run("UPDATE outbox SET state = 'muted', why = ? WHERE id = ?", OVERTAKEN, number)
            self.run("UPDATE tellings SET written = ? WHERE name = ?", _OVERTAKEN, told.name)

    def replace_notice(self, how: NoticeReplacement) -> None:
        """Note something to be told in place of something else that nobody has written to its reader yet."""
        with self.writing():
            gone = self.run("DELETE FROM tellings WHERE name = ? AND written = 0", how.before).rowcount == 1
            told = how.told if gone else how.otherwise
            if told is not None:
                self.tell(told)

    def count_unwritten_notices(self) -> int:
        """Return how much there is that nobody has written to its reader yet."""
        return int(self.rows("SELECT count(*) FROM tellings WHERE written = 0")[0][0])

    def first_sent(self, game: str, turn: int, revision: int) -> dict[str, str]:
        """Return when the mail of a turn, as often taken back as this, first went out to each seat."""
        sql = (
            "SELECT seat, min(sent) FROM outbox WHERE game = ? AND turn = ? AND revision = ? "
            f"AND {REPORTS} AND sent <> '' GROUP BY seat"
        )
        return dict(self.rows(sql, game, turn, revision))

    # --- acts and notes

    def write(self, rows: Iterable[Row]) -> None:
        """Write rows, all or none; something to be told that was noted before changes nothing."""
        with self.writing():
            for row in rows:
                match row:
                    case Act():
                        self.act(row)
                    case Note():
                        self.set_note(row.game, row.key, row.value)
                    case QueuedNotice():
                        self.tell(row)
                    case AddressChange():
                        self.readdress(row)
                    case NoticeReplacement():
                        self.replace_notice(row)

    def act(self, act: Act) -> None:
        """Write down something that was done."""
        with self.writing():
            self.run(
                f"INSERT INTO acts ({_ACT}) VALUES (?, ?, ?, ?, ?, ?, ?)",
                *(act.at, act.who, act.game, act.act, act.detail, act.public, act.facts),
            )
            self.wake(act.game)

    def acts(self, game: str, *, public: bool = False) -> list[Act]:
        """Return what was done in a game, in order; only what all its players may read, if asked."""
        sql = f"SELECT {_ACT} FROM acts WHERE game = ? AND public >= ? ORDER BY id"
        return [Act(*row) for row in self.rows(sql, game, int(public))]

    def count_acts(self, game: str, whose: Collection[str]) -> int:
        """Return how often somebody of these acted in a game; of "", in all games."""
        sql = f"SELECT count(*) FROM acts WHERE ? IN ('', game) AND who IN ({', '.join('?' for _ in whose)})"
        return int(self.rows(sql, game, *whose)[0][0])

    def acts_of_others(self, after: int) -> list[Act]:
        """Return what the host and players did after the act of this number, in all games, in order."""
        sql = f"SELECT {_ACT} FROM acts WHERE id > ? AND who <> ? ORDER BY id"
        return [Act(*row) for row in self.rows(sql, after, MODERATOR)]

    def last_act(self) -> int:
        """Return the number of the newest act; 0 if nothing was done."""
        return int(self.rows("SELECT coalesce(max(id), 0) FROM acts")[0][0])

    def public_acts(self) -> dict[str, int]:
        """Return how many acts of each game all may know."""
        return dict(self.rows("SELECT game, count(*) FROM acts WHERE public = 1 GROUP BY game"))

    def note(self, game: str, key: str) -> str | None:
        """Return what is noted for a game under a key."""
        found = self.rows("SELECT value FROM game_notes WHERE game = ? AND key = ?", game, key)
        return str(found[0][0]) if found else None

    def notes(self, game: str, prefix: str = "") -> dict[str, str]:
        """Return everything that is noted for a game under keys that begin so."""
        sql = "SELECT key, value FROM game_notes WHERE game = ? AND substr(key, 1, ?) = ? ORDER BY key"
        return dict(self.rows(sql, game, len(prefix), prefix))

    def set_note(self, game: str, key: str, value: str | None) -> None:
        """Note something for a game, or forget it; what a mail is going to store is not looked at for it."""
        with self.writing():
            if value is None:
                self.run("DELETE FROM game_notes WHERE game = ? AND key = ?", game, key)
            else:
                self.run(
                    "INSERT INTO game_notes (game, key, value) VALUES (?, ?, ?) "
                    "ON CONFLICT (game, key) DO UPDATE SET value = excluded.value",
                    *(game, key, value),
                )
            if not key.startswith(PLAN):
                self.wake(game)

    # --- which games rest

    def noted(self, game: str) -> str:
        """Return what is noted of a game and was done in it, in short."""
        done = self.rows("SELECT count(*), max(id) FROM acts WHERE game = ?", game)
        return hashlib.sha256(repr((sorted(self.notes(game).items()), done)).encode()).hexdigest()[:20]

    def resting(self, now: datetime.datetime) -> dict[str, str]:
        """Return the games whose moment has not come, each with what was seen of it."""
        return dict(self.rows("SELECT game, seen FROM rests WHERE until > ?", iso(now)))

    def let_rest(self, game: str, seen: str, until: datetime.datetime) -> None:
        """Note that nothing is to be done in a game before a moment."""
        with self.writing():
            self.wake(game)
            self.run("INSERT INTO rests (game, seen, until) VALUES (?, ?, ?)", game, seen, iso(until))

    def longest_due_moment(self, now: datetime.datetime) -> datetime.datetime | None:
        """Return the moment of the game that is due for longest, of those that rested; None if none is."""
        found = self.rows("SELECT min(until) FROM rests WHERE until <= ?", iso(now))[0][0]
        return datetime.datetime.fromisoformat(found) if found else None

    def figures(self, games: int, stirring: int, now: datetime.datetime) -> list[Figure]:
        """Return the figures of a home with so many games, of which so many do not rest."""
        return [
            *journal_figures(self, now),
            *game_figures(games, stirring, self.longest_due_moment(now), now),
        ]

    def wake(self, game: str) -> None:
        """Forget that a game rests."""
        self.run("DELETE FROM rests WHERE game = ?", game)

    def wake_all(self) -> None:
        """Forget that any game rests."""
        self.run("DELETE FROM rests")

    # --- all of it, when a home is moved

    def every_row(self) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """Yield every row of the journal with its table, in order; one at a time is in memory."""
        for table, columns in COLUMNS.items():
            keys = "game, key" if table == "game_notes" else "id"
            found = sorted(
                self.rows(f"SELECT {keys} FROM {table}")
            )  # in an order that no server has a say in
            where = " AND ".join(f"{key} = ?" for key in keys.split(", "))
            for key in found:
                yield table, self.rows(f"SELECT {columns} FROM {table} WHERE {where}", *key)[0]

    def count_rows(self) -> int:
        """Return how many rows the journal has."""
        return sum(int(self.rows(f"SELECT count(*) FROM {table}")[0][0]) for table in COLUMNS)

    def restore(self, rows: Iterable[tuple[str, tuple[Any, ...]]]) -> int:
        """Write the rows of another journal into this one, which is empty; return how many there were."""
        count = 0
        with self.writing():
            for table, row in rows:
                marks = ", ".join("?" * len(row))
                self.run(f"INSERT INTO {table} ({COLUMNS[table]}) VALUES ({marks})", *row)
                count += 1
            self.go_on()
        return count

    def go_on(self) -> None:
        """Let new rows be numbered after those that were written with their numbers."""


def open_folder_journal(disk: Disk, folder: Path) -> Journal:
    """Open the journal of a home in a folder, made if it is not there.

    Args:
        disk: The door to the disk.
        folder: The folder `mail` of the home.

    Raises:
        WrongInput: It is damaged or of a newer pbem.
    """
    return Journal(connect(disk, folder))


def open_memory_journal() -> Journal:
    """Open an empty journal that nobody keeps."""
    return Journal(connect_memory())


_REASONS: Final = {"": "new", "waits": "busy", "late": "late", "later": "flood"}
"""Why a mail that came in is not processed, by its verdict so far."""

_UNSENT: Final = ("queued", "claimed", "failed", "bounced", "muted")


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; nothing in it tells of a person, an address or a secret.

    Attributes:
        name: What it is, as `pbem status --metrics` names it behind `pbem_`.
        value: Its value.
        labels: What it is about, by the kind of thing.
    """

    name: str
    value: float
    labels: Mapping[str, str] = field(default_factory=dict)


def journal_figures(db: Journal, now: datetime.datetime) -> list[Figure]:
    """Return the figures of the journal: mails, and what is to be told."""
    waiting = dict.fromkeys(_REASONS.values(), 0)
    for verdict, count in db.count_unprocessed_by_verdict().items():
        waiting[_REASONS.get(verdict, verdict)] = count
    out = dict.fromkeys(_UNSENT, 0) | db.outbox_by_state()
    return [
        Figure("mails_in_total", db.arrived()),
        *(Figure("mails_in_waiting", count, {"reason": reason}) for reason, count in waiting.items()),
        Figure("mails_in_oldest_seconds", seconds_since(db.oldest_new(), now)),
        *(Figure("mails_out", out[state], {"state": state}) for state in _UNSENT),
        Figure("mails_sent_total", out.get("sent", 0) + out["bounced"]),
        Figure("tellings_waiting", db.count_unwritten_notices()),
    ]


def game_figures(
    games: int, stirring: int, due: datetime.datetime | None, now: datetime.datetime
) -> list[Figure]:
    """Return the figures of the games.

    Args:
        games: How many there are.
        stirring: How many of them are to be looked at.
        due: Since when the first of those is due whose moment has come; None if there is none.
        now: The moment.
    """
    return [
        Figure("games", games),
        Figure("games_stirring", stirring),
        Figure("games_overdue_seconds", seconds_since(due, now)),
    ]


def seconds_since(since: datetime.datetime | None, now: datetime.datetime) -> float:
    """Return how many seconds ago something was, never fewer than none; 0 if it never was."""
    return max(0.0, (now - since).total_seconds()) if since else 0.0
