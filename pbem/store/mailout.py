"""The mails that go out, as the journal keeps them: each once, by its Message-ID."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from pbem.store.connection import OpenDatabase
from pbem.store.records import PROVEN, AddressChange, Kind, beginning, iso, send_job

OVERTAKEN: Final = "what it tells was so no longer when it was to leave"
"""Why a mail was kept back; it can be queued again."""

OR_AGAIN: Final = (
    "ON CONFLICT (message_id) DO UPDATE SET rcpt = excluded.rcpt, raw = excluded.raw, "
    "envelope_from = excluded.envelope_from, state = 'queued', tries = 0, "
    "next_try = excluded.next_try, created = excluded.created, why = '' "
    f"WHERE outbox.state = 'muted' AND outbox.why = '{OVERTAKEN}' RETURNING id"
)
"""Ends the statement that queues a mail: one that is there stays as it is, unless it was kept back so."""

State: TypeAlias = Literal["queued", "claimed", "sent", "failed", "bounced", "muted"]
"""Of a mail that goes out."""


@dataclass(frozen=True, slots=True)
class OutboundMail:
    """A mail to be put into the outbox.

    Attributes:
        game: The game it is about, or "".
        turn: The turn it is about.
        seat: The seat it goes to; "" for the moderator or nobody at the table.
        kind: What it is.
        revision: How often the turn had been taken back.
        rcpt: Where it goes.
        envelope_from: Where bounces go; "" for a mail that must not bounce.
        message_id: Its Message-ID: the same again is the same mail, and changes nothing.
        raw: Its bytes.
    """

    game: str
    turn: int
    seat: str
    kind: Kind
    revision: int
    rcpt: str
    envelope_from: str
    message_id: str
    raw: bytes


class MissingMail(NamedTuple):
    """A mail to a seat that is not with its reader.

    Attributes:
        seat: The seat.
        kind: What it is.
        turn: The turn it is about.
        state: queued, claimed, failed or bounced.
        why: What the server said, or "".
        rcpt: Where it went, or goes.
    """

    seat: str
    kind: Kind
    turn: int
    state: State
    why: str
    rcpt: str


@dataclass(frozen=True, slots=True)
class QueuedMail(OutboundMail):
    """A mail of the outbox.

    Attributes:
        id: Its number.
        state: queued, claimed (being sent, or its sender was killed), sent, failed, bounced or muted.
        tries: How often it was claimed.
        next_try: Not before this moment; "" for at once.
        created: When it was put in.
        claimed: When it was claimed last, or "".
        sent: When it was sent, or "".
        why: What the server said, if it failed or waits.
    """

    id: int
    state: State
    tries: int
    next_try: str
    created: str
    claimed: str
    sent: str
    why: str


OUT: Final = (
    "game, turn, seat, kind, revision, rcpt, envelope_from, message_id, raw, "
    "id, state, tries, next_try, created, claimed, sent, why"
)


WITHOUT_RAW: Final = OUT.replace(" raw,", "")
"""For many mails at once: their bytes stay where they are."""

REPORTS: Final = "kind IN ('report', 'invitation')"

_AGAIN: Final = "(later.message_id LIKE '%.report-again-%' OR later.message_id LIKE '%.invitation-again-%')"
"""Of a mail with the newest report once more."""

_RESENT: Final = (
    "EXISTS (SELECT 1 FROM outbox AS later WHERE later.id > outbox.id AND later.game = outbox.game "
    "AND later.seat = outbox.seat AND lower(later.rcpt) = lower(outbox.rcpt) AND later.state = 'sent' "
    f"AND {_AGAIN})"
)
"""That the newest report was sent once more after a mail, and is not known to have come back."""

_WROTE: Final = ", ".join(f"'{one}'" for one in PROVEN)

_HEARD: Final = (
    "EXISTS (SELECT 1 FROM intake AS heard WHERE heard.game = outbox.game AND heard.seat = outbox.seat "
    f"AND heard.received > outbox.created AND heard.rule IN ({_WROTE}) "
    "AND heard.id > (SELECT coalesce(max(told.id), 0) FROM intake AS told WHERE told.game = outbox.game "
    "AND told.seat = outbox.seat AND told.verdict = 'bounced'))"
)
"""That the player of a seat wrote after a mail to it, and after the newest notice that one came back."""

_NEWER: Final = (
    "EXISTS (SELECT 1 FROM outbox AS newer WHERE newer.game = outbox.game AND newer.seat = outbox.seat "
    "AND newer.turn > outbox.turn AND lower(newer.rcpt) = lower(outbox.rcpt) AND newer.state = 'bounced')"
)
"""That a mail of a later turn came back too, which tells the same."""

_OPEN: Final = f"state = 'bounced' AND NOT {_RESENT} AND NOT {_HEARD} AND NOT {_NEWER}"
"""That a mail came back, and nothing says that its reader is reached since; a mail that went out does not."""


class MailOut(OpenDatabase):
    """The mails that go out."""

    def put(
        self, mail: OutboundMail, now: datetime.datetime, *, not_before: datetime.datetime | None = None
    ) -> bool:
        """Queue a mail; False if one of its Message-ID is there, and not kept back when it was to leave."""
        with self.writing():
            done = self.rows(
                f"INSERT INTO outbox ({OUT.replace('id, state', 'state', 1)}) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', 0, ?, ?, '', '', '') "
                f"{OR_AGAIN}",
                *(mail.game, mail.turn, mail.seat, mail.kind, mail.revision, mail.rcpt, mail.envelope_from),
                *(mail.message_id, mail.raw, iso(not_before) if not_before else "", iso(now)),
            )
            if done:
                self.after(send_job(int(done[0][0]), mail.rcpt, not_before))
        return bool(done)

    def next_due(self, now: datetime.datetime, after: int = -1) -> int | None:
        """Return the number of the next mail that is due, after this one; None if there is none."""
        sql = "SELECT id FROM outbox WHERE state = 'queued' AND next_try <= ? AND id > ? ORDER BY id LIMIT 1"
        found = self.rows(sql, iso(now), after)
        return int(found[0][0]) if found else None

    def claim(self, number: int, now: datetime.datetime) -> QueuedMail | None:
        """Take a mail that is due; from here on only its fate counts, not this program's.

        Returns:
            The mail; None if it is not due any more.
        """
        with self.writing():
            taken = self.run(
                "UPDATE outbox SET state = 'claimed', claimed = ?, tries = tries + 1 "
                "WHERE id = ? AND state = 'queued' AND next_try <= ?",
                *(iso(now), number, iso(now)),
            )
        return self.queued(number) if taken.rowcount else None

    def due(self, now: datetime.datetime, most: int) -> list[tuple[int, str]]:
        """Return the numbers of the first mails that are due, or were claimed, each with where it goes."""
        sql = (
            "SELECT id, rcpt FROM outbox WHERE state IN ('queued', 'claimed') AND next_try <= ? "
            "ORDER BY next_try, id LIMIT ?"
        )
        return [(int(number), str(rcpt)) for number, rcpt in self.rows(sql, iso(now), most)]

    def queued(self, number: int) -> QueuedMail:
        """Return a mail of the outbox, by its number."""
        return QueuedMail(*self.rows(f"SELECT {OUT} FROM outbox WHERE id = ?", number)[0])

    def outbox(self, state: State) -> list[QueuedMail]:
        """Return the mails of the outbox that are in a state, in order; for states of a few."""
        return [
            QueuedMail(*row)
            for row in self.rows(f"SELECT {OUT} FROM outbox WHERE state = ? ORDER BY id", state)
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
                "UPDATE outbox SET state = ?, sent = CASE WHEN sent > ? THEN sent ELSE ? END, "
                "why = ?, next_try = ? WHERE id = ?",
                *(state, sent, sent, why, iso(next_try) if next_try else "", number),
            )
            if state == "queued":
                self.after(send_job(number, self._rcpt(number), next_try))

    def requeue_failed(self) -> None:
        """Queue again what had failed."""
        with self.writing():
            failed = self.rows("SELECT id, rcpt FROM outbox WHERE state = 'failed' ORDER BY id")
            self.run("UPDATE outbox SET state = 'queued', next_try = '', tries = 0 WHERE state = 'failed'")
            for number, rcpt in failed:
                self.after(send_job(number, rcpt))

    def readdress(self, how: AddressChange) -> None:
        """Let what did not get to a seat go elsewhere; its reports are kept back, for the newest comes anew.

        What had failed or come back is tried again where the address is another one.
        """
        states = "('queued', 'failed', 'bounced')" if how.before != how.address else "('queued')"
        to_seat = f"game = ? AND seat = ? AND rcpt = ? AND state IN {states}"
        of = (how.game, how.seat, how.before)
        with self.writing():
            self.run(
                "UPDATE outbox SET state = 'muted', why = 'the seat has a new address or secret' "
                f"WHERE {to_seat} AND {REPORTS}",
                *of,
            )
            for number, raw in self.rows(f"SELECT id, raw FROM outbox WHERE {to_seat} ORDER BY id", *of):
                self.run(
                    "UPDATE outbox SET rcpt = ?, raw = ?, state = 'queued', next_try = '', tries = 0, "
                    "why = '' WHERE id = ?",
                    *(how.address, _readdress(bytes(raw), how), number),
                )
                self.after(send_job(int(number), how.address))

    def supersede(self, mail: OutboundMail, kind: str) -> None:
        """Keep back what did not get to a seat, of mails of this kind, for a newer one says the same."""
        start = beginning(kind)
        with self.writing():
            self.run(
                "UPDATE outbox SET state = 'muted', why = 'a newer mail says the same' "
                "WHERE game = ? AND seat = ? AND message_id <> ? "
                "AND state IN ('queued', 'failed', 'bounced') AND EXISTS ("
                "SELECT 1 FROM tellings WHERE tellings.game = outbox.game AND tellings.seat = outbox.seat "
                "AND substr(tellings.facts, 1, ?) = ? "
                "AND substr(outbox.message_id, 2, length(tellings.name) + 1) = tellings.name || '@')",
                *(mail.game, mail.seat, mail.message_id, len(start), start),
            )

    def sent_to(self, game: str, seat: str, address: str) -> int:
        """Return how many mails of a seat went to an address and are not known to have come back."""
        sql = (
            "SELECT count(*) FROM outbox "
            "WHERE game = ? AND seat = ? AND lower(rcpt) = lower(?) AND state = 'sent'"
        )
        return int(self.rows(sql, game, seat, address)[0][0])

    def waiting(self) -> int:
        """Return how many mails are not sent yet."""
        return int(self.rows("SELECT count(*) FROM outbox WHERE state IN ('queued', 'claimed')")[0][0])

    def outbox_by_state(self) -> dict[str, int]:
        """Return how many mails are in each state."""
        return dict(self.rows("SELECT state, count(*) FROM outbox GROUP BY state"))

    def missing_mails(self, game: str) -> list[MissingMail]:
        """Return the mails to seats of a game that did not go out, and those that came back.

        Of these, the ones of the newest turn of which one came back, to each seat: until its player is heard,
        or the newest report was sent once more to the same address.
        """
        sql = (
            "SELECT seat, kind, turn, state, why, rcpt FROM outbox WHERE game = ? AND seat != '' AND "
            f"(state IN ('queued', 'claimed', 'failed') OR {_OPEN}) "
            "ORDER BY id"
        )
        return [MissingMail(*row) for row in self.rows(sql, game)]

    def resent_since(self, game: str, seat: str, moment: str) -> bool:
        """Tell whether a seat's newest report was sent once more after a moment, as the journal writes it."""
        sql = (
            "SELECT 1 FROM outbox AS later WHERE game = ? AND seat = ? AND created > ? "
            f"AND state IN ('sent', 'claimed') AND {_AGAIN} LIMIT 1"
        )
        return bool(self.rows(sql, game, seat, moment))

    def came_back(self, most: int = 1000, *, is_open: bool = False) -> list[QueuedMail]:
        """Return the newest mails that came back or were refused, the oldest first, without their bytes.

        Args:
            most: At most so many.
            is_open: Leave out what came back as `missing_mails` does.
        """
        is_lost = _OPEN if is_open else "state = 'bounced'"
        sql = (
            f"SELECT {WITHOUT_RAW} FROM outbox WHERE ({is_lost}) OR state = 'failed' ORDER BY id DESC LIMIT ?"
        )
        return [mail_without_raw(row) for row in reversed(self.rows(sql, most))]

    def answers_since(self, game: str, seat: str, moment: datetime.datetime, turn: int) -> int:
        """Return how many answers to its mails a seat got since a moment and in a turn or later ones."""
        sql = (
            "SELECT count(*) FROM outbox "
            "WHERE game = ? AND seat = ? AND created > ? AND turn >= ? AND kind = 'receipt'"
        )
        return int(self.rows(sql, game, seat, iso(moment), turn)[0][0])

    # --- reports

    def unsent_reports(self, game: str, turn: int) -> set[str]:
        """Return the seats whose mail of a turn did not go out."""
        sql = (
            f"SELECT DISTINCT seat FROM outbox WHERE game = ? AND turn = ? AND {REPORTS} "
            "AND state IN ('queued', 'claimed', 'failed')"
        )
        return {str(row[0]) for row in self.rows(sql, game, turn)}

    def queued_reports(self, game: str, turn: int, revision: int) -> set[str]:
        """Return the seats whose mail of a turn, as often taken back as this, was ever queued."""
        sql = f"SELECT DISTINCT seat FROM outbox WHERE game = ? AND turn = ? AND revision = ? AND {REPORTS}"
        return {str(row[0]) for row in self.rows(sql, game, turn, revision)}

    def sent_revision(self, game: str, seat: str, turn: int, *, rcpt: str, before: int) -> int | None:
        """Return as of which taking back, before one, an address was sent a turn last; None for never."""
        sql = (
            f"SELECT revision FROM outbox WHERE game = ? AND seat = ? AND {REPORTS} AND turn = ? "
            "AND lower(rcpt) = lower(?) AND revision < ? AND state IN ('claimed', 'sent', 'bounced') "
            "ORDER BY revision DESC LIMIT 1"
        )
        found = self.rows(sql, game, seat, turn, rcpt, before)
        return int(found[0][0]) if found else None

    def last_report(self, game: str, seat: str) -> str:
        """Return the Message-ID of the newest report that a seat was sent, or ""."""
        sql = (
            f"SELECT message_id FROM outbox WHERE game = ? AND seat = ? AND {REPORTS} "
            "AND state <> 'muted' ORDER BY id DESC LIMIT 1"
        )
        found = self.rows(sql, game, seat)
        return str(found[0][0]) if found else ""

    def waiting_reports(self, game: str) -> list[tuple[int, int]]:
        """Return the turns of which reports wait to be sent, each with how often it had been taken back."""
        sql = f"SELECT DISTINCT turn, revision FROM outbox WHERE state = 'queued' AND game = ? AND {REPORTS}"
        return [(int(turn), int(revision)) for turn, revision in self.rows(sql, game)]

    def withdraw_reports(self, game: str, turn: int, revision: int) -> None:
        """Keep back the reports of a turn that was taken back, as far as they wait to be sent."""
        with self.writing():
            self.run(
                "UPDATE outbox SET state = 'muted', why = 'the turn was taken back' WHERE state = 'queued' "
                f"AND game = ? AND turn = ? AND revision = ? AND {REPORTS}",
                *(game, turn, revision),
            )

    def postpone_mail(self, number: int, until: datetime.datetime) -> None:
        """Let a mail wait until a moment."""
        with self.writing():
            self.run("UPDATE outbox SET next_try = ? WHERE id = ?", iso(until), number)
            self.after(send_job(number, self._rcpt(number), until))

    def _rcpt(self, number: int) -> str:
        return str(self.rows("SELECT rcpt FROM outbox WHERE id = ?", number)[0][0])


def _readdress(raw: bytes, how: AddressChange) -> bytes:
    """Return a mail with another address in its head, and another token wherever it stands."""
    head, blank, body = raw.partition(b"\r\n\r\n")
    head = head.replace(f"<{how.before}>".encode(), f"<{how.address}>".encode())
    return (head + blank + body).replace(how.old.encode(), how.new.encode())


def mail_without_raw(row: tuple[Any, ...]) -> QueuedMail:
    """Return a mail of the outbox from a row that leaves its bytes out."""
    return QueuedMail(*(*row[:8], b"", *row[8:]))
