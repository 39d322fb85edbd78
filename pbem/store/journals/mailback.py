"""Mails that went out, looked up again: those that came back, answers, and mails to strangers."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Final

from pbem.store.journals.mailout import OUT, WITHOUT_RAW, MailOut, without_raw
from pbem.store.journals.outgoing import Queued
from pbem.store.journals.records import iso

_ASKING: Final = "seat = '' AND kind = 'notice' AND envelope_from = '' AND message_id LIKE '<%.join-%'"
"""Of a mail that asks a stranger whether a wish to join is theirs."""


class MailBack(MailOut):
    """The mails that go out, and those among them that are asked about later."""

    def with_message_id(self, message_id: str) -> Queued | None:
        """Return the mail of this Message-ID; None if there is none."""
        found = self.rows(f"SELECT {OUT} FROM outbox WHERE message_id = ?", message_id)
        return Queued(*found[0]) if found else None

    def answers_to(self, game: str, seat: str) -> Iterator[Queued]:
        """Yield the answers and notices of a game to a seat or to nobody's seat, one at a time, in order."""
        sql = (
            "SELECT id FROM outbox WHERE game = ? AND seat IN (?, '') AND kind IN ('receipt', 'notice') "
            "ORDER BY id"
        )
        for (number,) in self.rows(sql, game, seat):
            yield self.queued(int(number))

    def was_told(self, game: str, seat: str, begins: str, rcpt: str) -> bool:
        """Tell whether a mail whose Message-ID begins so goes or went to a seat at this address."""
        sql = (
            "SELECT 1 FROM outbox WHERE game = ? AND seat = ? AND lower(rcpt) = lower(?) "
            "AND substr(message_id, 1, ?) = ? LIMIT 1"
        )
        return bool(self.rows(sql, game, seat, rcpt, len(begins), begins))

    def with_sender(self, envelope_from: str) -> Queued | None:
        """Return the first mail that was sent with this sender of its envelope, however it is written."""
        sql = f"SELECT {WITHOUT_RAW} FROM outbox WHERE lower(envelope_from) = lower(?) ORDER BY id LIMIT 1"
        found = self.rows(sql, envelope_from)
        return without_raw(found[0]) if found else None

    def newest_to(self, game: str, seat: str, most: int = 50) -> list[Queued]:
        """Return the newest mails to a seat that were sent and could come back."""
        sql = (
            f"SELECT {WITHOUT_RAW} FROM outbox WHERE game = ? AND seat = ? AND envelope_from <> '' "
            "AND state IN ('sent', 'claimed') ORDER BY id DESC LIMIT ?"
        )
        return [without_raw(row) for row in self.rows(sql, game, seat, most)]

    def written_to(self, address: str, game: str = "", named: str = "") -> Queued | None:
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

    def games_told_to(self, address: str) -> list[str]:
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

    def asked_since(self, address: str, moment: datetime.datetime) -> int:
        """Return how many mails asked this address since a moment whether it wishes to join."""
        sql = f"SELECT count(*) FROM outbox WHERE {_ASKING} AND lower(rcpt) = lower(?) AND created > ?"
        return int(self.rows(sql, address, iso(moment))[0][0])

    def asked_in_domain(self, domain: str, moment: datetime.datetime) -> int:
        """Return how many mails asked addresses of a domain since a moment whether they wish to join."""
        sql = f"SELECT count(*) FROM outbox WHERE {_ASKING} AND lower(rcpt) LIKE lower(?) AND created > ?"
        return int(self.rows(sql, f"%@{domain}", iso(moment))[0][0])

    def asking_later(self, domain: str, moment: datetime.datetime) -> list[Queued]:
        """Return such mails to a domain that wait until after a moment; the next ones first."""
        sql = (
            f"SELECT {WITHOUT_RAW} FROM outbox WHERE {_ASKING} AND lower(rcpt) LIKE lower(?) "
            "AND state = 'queued' AND next_try > ? ORDER BY next_try"
        )
        return [without_raw(row) for row in self.rows(sql, f"%@{domain}", iso(moment))]
