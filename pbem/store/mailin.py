"""The mails that came in, each once, in the order of arrival; and those that came back, looked up again."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import Final

from pbem.store.connection import OpenDatabase
from pbem.store.errors import WrongInput
from pbem.store.mailout import OUT, WITHOUT_RAW, MailOut, QueuedMail, mail_without_raw
from pbem.store.records import PROVEN, Intake, iso, process_job


class MailIn(OpenDatabase):
    """The mails that came in."""

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
        game: str = "",
    ) -> int | None:
        """Note a mail that came in, and return its number; None if it was known already."""
        with self.writing():
            if self.knows(key):
                return None
            found = self.rows(  # on several machines it may come in at the same moment
                "INSERT INTO intake (key, source, received, envelope_from, recipient, sha256, raw, "
                "message_id, state, verdict, rule, game, seat, receipt) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, '', 'new', '', '', ?, '', 0) "
                "ON CONFLICT (key) DO NOTHING RETURNING id",
                *(key, source, iso(received), envelope_from, recipient, sha256, raw, game),
            )
            if found:
                self.after(process_job(int(found[0][0]), recipient, envelope_from))
        return int(found[0][0]) if found else None

    def knows(self, key: str) -> bool:
        """Tell whether a mail came in before."""
        return bool(self.rows("SELECT 1 FROM intake WHERE key = ?", key))

    def arrived(self) -> int:
        """Return how many mails ever came in."""
        return int(self.rows("SELECT coalesce(max(id), 0) FROM intake")[0][0])

    def unread(self) -> int:
        """Return how many mails came in and were not processed yet."""
        return int(self.rows("SELECT count(*) FROM intake WHERE state = 'new'")[0][0])

    def count_unprocessed_by_verdict(self) -> dict[str, int]:
        """Return how many mails are not processed, by the verdict they have so far."""
        return dict(self.rows("SELECT verdict, count(*) FROM intake WHERE state = 'new' GROUP BY verdict"))

    def oldest_new(self) -> datetime.datetime | None:
        """Return when the first of those mails came in that nobody has looked at; None if there is none."""
        sql = "SELECT received FROM intake WHERE state = 'new' AND verdict = '' ORDER BY id LIMIT 1"
        found = self.rows(sql)
        return datetime.datetime.fromisoformat(found[0][0]) if found else None

    def unprocessed_mails(self) -> Iterator[Intake]:
        """Yield the mails that were not processed yet in order of arrival; one at a time is in memory."""
        last = 0
        while found := self.rows(
            "SELECT * FROM intake WHERE state = 'new' AND id > ? ORDER BY id LIMIT 1", last
        ):
            intake = Intake(*found[0])
            yield intake
            last = intake.id

    def postponed_mails(self, verdict: str, game: str) -> list[Intake]:
        """Return the mails for a game that are not processed yet for this reason, in order of arrival."""
        sql = "SELECT * FROM intake WHERE state = 'new' AND game = ? AND verdict = ? ORDER BY id"
        return [Intake(*row) for row in self.rows(sql, game, verdict)]

    def mails_without_verdict(self, most: int) -> list[Intake]:
        """Return the first mails that nobody has processed or put off."""
        sql = "SELECT * FROM intake WHERE state = 'new' AND verdict IN ('', 'waits') ORDER BY id LIMIT ?"
        return [Intake(*row) for row in self.rows(sql, most)]

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
        self,
        number: int,
        *,
        verdict: str,
        rule: str,
        game: str = "",
        seat: str = "",
        message_id: str = "",
    ) -> None:
        """Note what became of a mail; it is processed with that.

        Args:
            number: Its number.
            verdict: What became of it, in a word.
            rule: The rule of the screening that decided.
            game: The game it is about.
            seat: The seat it came from.
            message_id: Its Message-ID.
        """
        with self.writing():
            self.run(
                "UPDATE intake SET state = 'done', verdict = ?, rule = ?, game = ?, seat = ?, message_id = ? "
                "WHERE id = ?",
                *(verdict, rule, game, seat, message_id, number),
            )

    def reopen(self, number: int, verdict: str) -> None:
        """Let a mail be processed again that ended in this verdict.

        Raises:
            WrongInput: There is no such mail, or it did not.
        """
        found = self.rows("SELECT verdict, rule, recipient, envelope_from FROM intake WHERE id = ?", number)
        if not found:
            raise WrongInput(f"there is no mail {number}.", "`pbem digest` names the mails set aside.")
        if found[0][0] != verdict:
            what = f"{found[0][0]} ({found[0][1]})" if found[0][1] else "not processed yet"
            raise WrongInput(f"mail {number} was not set aside: {what}.", "Others are processed once.")
        with self.writing():
            self.run("UPDATE intake SET state = 'new', verdict = '', rule = '' WHERE id = ?", number)
            self.after(process_job(number, found[0][2], found[0][3]))

    def mails_to_acts(self) -> list[Intake]:
        """Return the mails that came to an address for acts, in order."""
        sql = "SELECT * FROM intake WHERE lower(recipient) LIKE ? ESCAPE '#' ORDER BY id"
        return [Intake(*row) for row in self.rows(sql, "%+m#_%")]

    def kept_mails(self) -> set[str]:
        """Return the SHA-256 of all mails that ever came in, which names the files that keep them."""
        return {str(row[0]) for row in self.rows("SELECT sha256 FROM intake")}

    def last_processed(self) -> int:
        """Return the number of the newest mail that was processed; 0 if none was."""
        return int(self.rows("SELECT coalesce(max(id), 0) FROM intake WHERE state = 'done'")[0][0])

    def mails_with_verdict(self, verdicts: Sequence[str], after: int) -> list[Intake]:
        """Return the mails after this number that ended in one of these verdicts, in order."""
        marks = ", ".join("?" * len(verdicts))
        sql = f"SELECT * FROM intake WHERE id > ? AND verdict IN ({marks}) ORDER BY id"
        return [Intake(*row) for row in self.rows(sql, after, *verdicts)]

    def doubted(self, game: str) -> list[Intake]:
        """Return the notices that claim, without a proof, that a mail of a game came back; in order."""
        sql = "SELECT * FROM intake WHERE game = ? AND verdict = 'doubted' ORDER BY id"
        return [Intake(*row) for row in self.rows(sql, game)]

    def has_written_after(self, number: int, game: str, seat: str) -> bool:
        """Tell whether the player of a seat wrote after this mail, as is proven."""
        marks = ", ".join("?" * len(PROVEN))
        sql = f"SELECT 1 FROM intake WHERE game = ? AND seat = ? AND id > ? AND rule IN ({marks}) LIMIT 1"
        return bool(self.rows(sql, game, seat, number, *PROVEN))

    def count_waiting(self, game: str) -> tuple[int, int]:
        """Return how many mails that may be for a game are not processed, and how many of them came late.

        Which game a mail is for was taken from its address, where the name of a game called `x-press` looks
        like the press address of the game `x`.
        """
        sql = (
            "SELECT count(*), count(*) FILTER (WHERE verdict = 'late') FROM intake "
            "WHERE state = 'new' AND game IN ('', ?, ?)"
        )
        ((new, late),) = self.rows(sql, game, game.removesuffix("-press").removesuffix("-join"))
        return int(new), int(late)

    def orders_since(self, game: str, seat: str, moment: datetime.datetime) -> int:
        """Return how many mails with orders of a seat came since a moment."""
        sql = "SELECT count(*) FROM intake WHERE game = ? AND seat = ? AND received > ? AND rule = 'orders'"
        return int(self.rows(sql, game, seat, iso(moment))[0][0])

    def is_repeated_mail(self, message_id: str, game: str, seat: str, number: int) -> bool:
        """Tell whether another mail of this Message-ID from a seat was processed, and not thrown away."""
        sql = (
            "SELECT 1 FROM intake WHERE message_id = ? AND game = ? AND seat = ? AND id <> ? "
            "AND state = 'done' AND verdict NOT IN ('dropped', 'warned') LIMIT 1"
        )
        return bool(self.rows(sql, message_id, game, seat, number))

    def has_lodged_after(self, number: int, game: str, seat: str) -> bool:
        """Tell whether orders of a seat were lodged, or withdrawn, by a mail that came after this one."""
        sql = (
            "SELECT 1 FROM intake WHERE game = ? AND seat = ? AND id > ? "
            "AND verdict IN ('lodged', 'withdrawn') LIMIT 1"
        )
        return bool(self.rows(sql, game, seat, number))


_ASKING: Final = "seat = '' AND kind = 'notice' AND envelope_from = '' AND message_id LIKE '<%.join-%'"
"""Of a mail that asks a stranger whether a wish to join is theirs."""


class SentMails(MailOut):
    """The mails that go out, and those among them that are asked about later."""

    def find_by_message_id(self, message_id: str) -> QueuedMail | None:
        """Return the mail of this Message-ID; None if there is none."""
        found = self.rows(f"SELECT {OUT} FROM outbox WHERE message_id = ?", message_id)
        return QueuedMail(*found[0]) if found else None

    def answers_to(self, game: str, seat: str) -> Iterator[QueuedMail]:
        """Yield the answers and notices of a game to a seat or to nobody's seat, one at a time, in order."""
        sql = (
            "SELECT id FROM outbox WHERE game = ? AND seat IN (?, '') AND kind IN ('receipt', 'notice') "
            "ORDER BY id"
        )
        for (number,) in self.rows(sql, game, seat):
            yield self.queued(int(number))

    def has_mail_with_id_prefix(self, game: str, seat: str, begins: str, rcpt: str) -> bool:
        """Tell whether a mail whose Message-ID begins so goes or went to a seat at this address."""
        sql = (
            "SELECT 1 FROM outbox WHERE game = ? AND seat = ? AND lower(rcpt) = lower(?) "
            "AND substr(message_id, 1, ?) = ? LIMIT 1"
        )
        return bool(self.rows(sql, game, seat, rcpt, len(begins), begins))

    def find_by_envelope_sender(self, envelope_from: str) -> QueuedMail | None:
        """Return the first mail that was sent with this sender of its envelope, however it is written."""
        sql = f"SELECT {WITHOUT_RAW} FROM outbox WHERE lower(envelope_from) = lower(?) ORDER BY id LIMIT 1"
        found = self.rows(sql, envelope_from)
        return mail_without_raw(found[0]) if found else None

    def newest_returnable_mails(self, game: str, seat: str, most: int = 50) -> list[QueuedMail]:
        """Return the newest mails to a seat that were sent and could come back."""
        sql = (
            f"SELECT {WITHOUT_RAW} FROM outbox WHERE game = ? AND seat = ? AND envelope_from <> '' "
            "AND state IN ('sent', 'claimed') ORDER BY id DESC LIMIT ?"
        )
        return [mail_without_raw(row) for row in self.rows(sql, game, seat, most)]

    def find_by_recipient(self, address: str, game: str = "", named: str = "") -> QueuedMail | None:
        """Return the newest mail that was sent to a player at this address; None if there is none.

        Args:
            address: The address.
            game: The game that it must be about; "" for any.
            named: The seat that mails to others stand back for.
        """
        sql = (
            f"SELECT id FROM outbox WHERE {'game = ? AND ' if game else ''}lower(rcpt) = lower(?) "
            "AND seat <> '' AND state = 'sent' ORDER BY CASE seat WHEN ? THEN 0 ELSE 1 END, id DESC LIMIT 1"
        )
        found = self.rows(sql, *([game] if game else []), address, named)
        return self.queued(int(found[0][0])) if found else None

    def games_mailed_to(self, address: str) -> list[str]:
        """Return the games that mails to a player at this address were about, by name."""
        sql = "SELECT DISTINCT game FROM outbox WHERE lower(rcpt) = lower(?) AND seat <> '' ORDER BY game"
        return [str(game) for (game,) in self.rows(sql, address)]

    def is_uninvited(self, game: str, seat: str, rcpt: str) -> bool:
        """Tell whether no mail that invites a seat's player got to an address, and one was to go there."""
        sql = (
            "SELECT state FROM outbox WHERE game = ? AND seat = ? AND lower(rcpt) = lower(?) AND ("
            "kind = 'invitation' OR message_id LIKE '%.report-again-for-%' OR kind = 'report' AND turn = 1 "
            "AND NOT EXISTS (SELECT 1 FROM outbox AS first WHERE first.game = outbox.game "
            "AND first.kind = 'invitation'))"
        )
        states = {str(row[0]) for row in self.rows(sql, game, seat, rcpt)}
        return bool(states) and states.isdisjoint(("sent", "claimed"))

    def is_wrong(self, game: str, seat: str, rcpt: str) -> bool:
        """Tell whether mail to a seat at an address came back or was refused, and none came from there."""
        lost = "SELECT 1 FROM outbox WHERE game = ? AND seat = ? AND lower(rcpt) = lower(?) AND "
        lost += "state IN ('bounced', 'failed') LIMIT 1"
        came = "SELECT 1 FROM intake WHERE lower(envelope_from) = lower(?) LIMIT 1"
        return bool(self.rows(lost, game, seat, rcpt)) and not self.rows(came, rcpt)

    def set_bounced(self, envelope_from: str, why: str, notice: bytes = b"") -> bool:
        """Note that mails with this sender came back; False if none of them is thought to have arrived.

        If the notice that tells it shows which of them came back, or from where, it is these alone.
        """
        sql = (
            "SELECT id, message_id, rcpt FROM outbox "
            "WHERE lower(envelope_from) = lower(?) AND state IN ('sent', 'claimed')"
        )
        with self.writing():
            sent, told = self.rows(sql, envelope_from), notice.lower()
            shown = [row for row in sent if row[1].lower().encode() in told]
            there = shown or [row for row in sent if row[2].lower().encode() in told] or sent
            for row in there:
                self.run("UPDATE outbox SET state = 'bounced', why = ? WHERE id = ?", why, row[0])
            return bool(there)

    def count_join_mails(self, address: str, moment: datetime.datetime) -> int:
        """Return how many mails asked this address since a moment whether it wishes to join."""
        sql = f"SELECT count(*) FROM outbox WHERE {_ASKING} AND lower(rcpt) = lower(?) AND created > ?"
        return int(self.rows(sql, address, iso(moment))[0][0])

    def count_domain_join_mails(self, domain: str, moment: datetime.datetime) -> int:
        """Return how many mails asked addresses of a domain since a moment whether they wish to join."""
        sql = f"SELECT count(*) FROM outbox WHERE {_ASKING} AND lower(rcpt) LIKE lower(?) AND created > ?"
        return int(self.rows(sql, f"%@{domain}", iso(moment))[0][0])

    def later_join_mails(self, domain: str, moment: datetime.datetime) -> list[QueuedMail]:
        """Return such mails to a domain that wait until after a moment; the next ones first."""
        sql = (
            f"SELECT {WITHOUT_RAW} FROM outbox WHERE {_ASKING} AND lower(rcpt) LIKE lower(?) "
            "AND state = 'queued' AND next_try > ? ORDER BY next_try"
        )
        return [mail_without_raw(row) for row in self.rows(sql, f"%@{domain}", iso(moment))]
