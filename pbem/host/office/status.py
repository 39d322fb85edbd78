"""Where games stand, for their moderator: seats, and figures for whatever watches over the home."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from pbem.core.book import Orders
from pbem.core.events import Seat
from pbem.core.interface import Json, Outcome
from pbem.host.notices.news import (
    UndeliveredMail,
    loss_in_words,
    mail_count,
    missing_seat_mails,
    status_undelivered_mails,
)
from pbem.host.notices.questions import open_question_lines
from pbem.host.people.names import former_senders
from pbem.host.run.losses import damage_lines, lost_turn_lines
from pbem.host.run.notes import VOTE_KINDS, Notes, notes_of, vote_count
from pbem.host.run.terms import why_night_job_skips, why_turn_waits
from pbem.host.time.deadlines import deadline_in_force, last_run_moment, overlooked_absence, owing_seats
from pbem.host.time.extensions import refuse_strange_seat
from pbem.play.config.gamefile import seat_with_player
from pbem.play.config.schedule import span_in_words
from pbem.play.homes.home import Home
from pbem.play.homes.players import UnfitName, hand_change_lines, seats_changed_by_hand
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.gate import BadFile, read_lodged_orders, stray_files
from pbem.play.submissions.seatkeys import missing_keys_text, seats_without_key
from pbem.play.turn.running import waiting_seats_note
from pbem.store.journal import Figure
from pbem.text.codec import encode
from pbem.text.names import mailbox_of

Moment = datetime.datetime

_MOST_NAMED: Final = 6


@dataclass(frozen=True, slots=True)
class Status:
    """Where a game stands: facts, and nothing of how they are shown but words for moments and spans.

    Attributes:
        game: The id of the game.
        rules: The name of its rules.
        turn: Its newest turn.
        label: The present ask; "" when it is over.
        asked: The seats that are asked.
        owing: Those of them that have nothing to answer it with: no line that plays now, and no bot.
        lodged: The seats with a submission that no turn has taken.
        pending: The seats without one that have lines left over from before.
        waiting: The seats whose orders are not for before the deadline.
        keyless: The seats whose orders must carry a key that was told to nobody.
        bad: Orders files that do not check, with the first mistake of each.
        damaged: What is gone or cannot be read: turns, the journal.
        deadline: When orders are due, ISO 8601, or "".
        due: The same in words, in the game's zone, with the grace; or "".
        missed: How many turns in a row each seat has missed, if any.
        stand_ins: The seats that a bot plays until their players send orders again, with its skill.
        rests: Why a night job leaves the game alone, or "".
        stands: Why no turn is made although the deadline has passed, by the names of the gate.
        pause: A pause that is to come, in words; or "".
        ended: Why the moderator ended the game, or "". If so, it asks nobody.
        held: The seats whose orders are held back, with the reason.
        away: When a seat's player is away, in words.
        votes: How many have voted for what, of how many that are needed.
        unread: How many mails wait to be processed, for this game or one that is not known yet.
        late: How many of them came after the deadline, and wait for its run.
        unsent: Mails to seats that did not go out yet.
        came_back: Mails to seats that came back, or may have ("doubted"): nothing was heard since.
        players: Who plays each seat.
        senders: Who sent the orders that stand, where that was not, or may not have been, the player of now.
        by_hand: Which seats were given to others in `game.yaml` since the newest turn, in words.
        to_answer: What players wrote to the moderator that was neither answered nor put aside, in words.
        one_address: Seats whose players have one address, whatever stands behind a + in it.
        names: Names in `game.yaml` that others take for somebody else, so that they address nobody.
    """

    game: str
    rules: str
    turn: int
    label: str
    asked: tuple[Seat, ...]
    owing: tuple[Seat, ...]
    lodged: tuple[Seat, ...]
    pending: tuple[Seat, ...]
    waiting: tuple[Seat, ...]
    keyless: tuple[Seat, ...]
    bad: tuple[BadFile, ...]
    damaged: tuple[str, ...]
    deadline: str
    due: str
    missed: Mapping[Seat, int]
    stand_ins: Mapping[Seat, str]
    rests: str
    stands: tuple[str, ...]
    pause: str
    ended: str
    held: Mapping[Seat, str]
    away: Mapping[Seat, tuple[str, ...]]
    votes: Mapping[str, tuple[int, int]]
    unread: int
    late: int
    unsent: tuple[UndeliveredMail, ...]
    came_back: tuple[UndeliveredMail, ...]
    players: Mapping[Seat, str]
    senders: Mapping[Seat, str]
    by_hand: tuple[str, ...]
    to_answer: tuple[str, ...]
    one_address: tuple[tuple[Seat, ...], ...]
    names: tuple[UnfitName, ...]

    def head(self) -> str:
        """Return the game and whom it waits for, in one line."""
        start = f"{self.game}: {self.rules}, turn {self.turn}"
        if self.ended:
            return f"{start}; the moderator ended the game"
        if not self.label:
            return f"{start}; the game is over"
        asks = f"asks {', '.join(self.asked)} ({self.label})"
        return f"{start}; {asks}; waits for {self.seats_with_players(self.owing) or 'nobody'}"

    def seats_without_line(self) -> tuple[Seat, ...]:
        """Return the seats whose orders stand and count, and hold no line for what they are asked now."""
        return tuple(seat for seat in self.owing if seat in {*self.lodged, *self.pending} - {*self.held})

    def rows(self) -> list[tuple[str, str]]:
        """Return what else there is to know: what it is, and the words; of a game that is over, its mail."""
        found = [*self._ask_rows()] if self.label else []
        found += [("ended", f"{self.ended}; bring it back: pbem cancel {self.game} --undo")] * bool(
            self.ended
        )
        found += [("by hand", one) for one in self.by_hand]
        found += [("one address", self.seats_with_players(seats)) for seats in self.one_address]
        found += [("name", self._unfit_name_text(one)) for one in self.names]
        found += [("to answer", one) for one in self.to_answer]
        found += [("unread", mail_count(self.unread - self.late))] if self.unread > self.late else []
        found += [("late", f"{mail_count(self.late)}, until the turn was run")] if self.late else []
        found += [("unsent", text) for text in self._undelivered_lines(self.unsent)]
        found += [("came back", text) for text in self._undelivered_lines(self.came_back)]
        found += [("DAMAGED", what) for what in self.damaged]
        return found + [("BAD", one.text) for one in self.bad]

    def text(self) -> str:
        """Return the status for people: a line, and one below it for each thing to know."""
        return "\n".join([self.head(), *(f"  {what + ':':<14}{words}" for what, words in self.rows())])

    def as_json(self) -> dict[str, Json]:
        """Return the status for programs."""
        value = encode(self)
        assert isinstance(value, dict), "a dataclass becomes an object"
        return value

    def _ask_rows(self) -> Iterator[tuple[str, str]]:
        if self.due:
            yield "due", self.due
        standing = (("orders", self.lodged), ("sent before", self.pending))
        yield from ((what, self._sent_text(seats)) for what, seats in standing if seats)
        if self.waiting:
            yield "not early", waiting_seats_note(self._sent_text(self.waiting))
        if without := self.seats_without_line():
            what = f"that fits {self.label} and can be played"
            yield "no line", f"{what}, in the orders that stand of {self.seats_with_players(without)}"
        if self.keyless:
            yield "keys", missing_keys_text(self.game, self.keyless)
        if self.rests:
            yield "rests", self.rests
        more = f"pbem extend {self.game}"
        hint = "" if any(more in why for why in self.stands) else f"; more time: {more}"
        for why in self.stands:
            yield "stands still", f"{why}{hint}"
            hint = ""
        if self.pause:
            yield "pause", self.pause
        yield from (
            ("held back", f"{self.seats_with_players((seat,))}: {why}") for seat, why in self.held.items()
        )
        yield from (
            ("away", f"{self.seats_with_players((seat,))} {when}")
            for seat, spans in self.away.items()
            for when in spans
        )
        if self.missed:
            missed = (f"{self.seats_with_players((seat,))} {number}" for seat, number in self.missed.items())
            yield "missed", f"{', '.join(missed)} in a row"
        for seat, skill in self.stand_ins.items():
            yield (
                "stands in",
                f"a {skill} bot for {self.seats_with_players((seat,))}, until orders come again",
            )
        for kind, (ayes, needed) in self.votes.items():
            yield "vote", f"{kind}: {ayes} of the {needed} that are needed"

    def _unfit_name_text(self, one: UnfitName) -> str:
        """Return for whom a name is taken, and what mends it."""
        way = f"pbem seat {self.game} {one.seat} --name NAME" if one.seat else "change it in game.yaml"
        return f"{one.why}, so it addresses nobody: {way}"

    def seats_with_players(self, seats: Iterable[Seat]) -> str:
        """Return seats with their players."""
        return ", ".join(seat_with_player(seat, self.players[seat]) for seat in seats)

    def _sent_text(self, seats: Iterable[Seat]) -> str:
        """Return seats whose orders stand, with who plays them and who sent the orders."""
        sent = {seat: f"; sent by {name}" for seat, name in self.senders.items()}
        return ", ".join(
            seat_with_player(seat, f"{self.players[seat]}{sent.get(seat, '')}") for seat in seats
        )

    def _undelivered_lines(self, mails: tuple[UndeliveredMail, ...]) -> Iterator[str]:
        for one in mails[:_MOST_NAMED]:
            failed = " refused" if one.state == "failed" else ""
            why = f":{failed} {loss_in_words(one.why, one.seat)}" if one.why or failed else ""
            yield f"{one.kind} of turn {one.turn} to {self.seats_with_players((Seat(one.seat),))}{why}"
        if len(mails) > _MOST_NAMED:
            yield f"and {len(mails) - _MOST_NAMED} more: pbem send --list"


_BACK: Final = ("bounced", "doubted")

_UNREAD: Final = (
    "the journal cannot be read: pauses, moved deadlines, held orders, absences, votes and mails are not "
    "known. `pbem help home salvage` tells how to mend it"
)


def status_of(home: Home, game: str, now: Moment | None = None, *, is_journal_read: bool = True) -> Status:
    """Return where a game stands.

    Args:
        home: The home.
        game: The id of the game.
        now: The moment, for pauses and absences; None for the moment of the newest turn.
        is_journal_read: The journal is there, or there is none; else it is damaged, and left out.
    """
    with home.journal() if home.has_journal else nullcontext():  # opened once for all that is asked of it
        return _status(home, game, now, is_journal_read)


def _status(home: Home, game: str, now: Moment | None, is_journal_read: bool) -> Status:
    saved, notes = SavedGame(home, game), notes_of(home, game)
    found, table, at = read_lodged_orders(saved), saved.table, now or last_run_moment(saved)
    ask = None if notes.cancelled is not None or isinstance(saved.ask, Outcome) else saved.ask
    deadline = deadline_in_force(saved, notes) if notes.cancelled is None else None
    pause = notes.pause_at(at)
    grace = f"; {span_in_words(table.schedule.grace)} of grace" if table.schedule.grace else ""
    seats = saved.start.seats
    standing = {seat for seat, one in found.orders.items() if one.lines}
    sent = {seat for seat in standing & found.submissions.keys() if seat not in found.kept}
    unread, late, posted = _mail_status(home, saved)
    by_hand = seats_changed_by_hand(saved) if ask is not None else {}
    owing = owing_seats(saved, notes, found) if ask is not None else ()
    return Status(
        game=game,
        rules=saved.start.rules,
        turn=saved.turn,
        label=ask.label if ask is not None else "",
        asked=tuple(seat for seat in seats if ask is not None and seat in ask.seats),
        owing=owing,
        lodged=tuple(seat for seat in seats if seat in sent),
        pending=tuple(seat for seat in seats if seat in standing - sent),
        waiting=tuple(seat for seat in seats if found.orders.get(seat, Orders()).wait),
        keyless=seats_without_key(saved) if ask is not None and is_journal_read else (),
        bad=(*found.bad.values(), *stray_files(saved)),
        damaged=(
            *([] if is_journal_read else [_UNREAD]),
            *damage_lines(saved),
            *lost_turn_lines(home, game),
        ),
        deadline=deadline.isoformat() if deadline else "",
        due=f"{table.spelled(deadline)}{grace}" if deadline else "",
        missed=saved.players.attendance.missed,
        stand_ins={one: bot for one, bot in saved.players.bots.items() if one not in table.bots},
        rests="" if ask is None else why_night_job_skips(saved, notes, at),
        stands=why_turn_waits(saved, notes, at, owing) if ask is not None else (),
        pause=pause.told(table, at) if ask is not None and pause is not None and not pause.holds(at) else "",
        ended=notes.cancelled.why if notes.cancelled is not None else "",
        held=notes.held,
        away=_absences_by_seat(saved, notes, at),
        votes=_votes(saved, notes),
        unread=unread,
        late=late,
        unsent=tuple(one for one in posted if one.state not in _BACK),
        came_back=tuple(one for one in posted if one.state in _BACK),
        players={seat: saved.players.holder(seat) for seat in seats},
        senders=former_senders(saved, notes, found, by_hand, standing),
        by_hand=hand_change_lines(saved, by_hand),
        to_answer=_open_questions(home, game) if is_journal_read else (),
        one_address=_seats_sharing_address(saved),
        names=saved.players.unfit_names() if ask is not None else (),
    )


def _open_questions(home: Home, game: str) -> tuple[str, ...]:
    if not home.has_journal:
        return ()
    with home.journal() as db:
        return tuple(open_question_lines(home, db, [game]))


def _seats_sharing_address(saved: SavedGame) -> tuple[tuple[Seat, ...], ...]:
    """Return the seats that share the mailbox of one person, who may read for several."""
    found: dict[str, list[Seat]] = {}
    for seat in saved.start.seats:
        if address := saved.players.address(seat):
            found.setdefault(mailbox_of(address), []).append(seat)
    return tuple(tuple(seats) for seats in found.values() if len(seats) > 1)


def _absences_by_seat(saved: SavedGame, notes: Notes, at: Moment) -> dict[Seat, tuple[str, ...]]:
    """Return the absences that are not over at a moment, in words."""
    waited = overlooked_absence(saved, notes)
    then = "; the deadline waits for that from the next `pbem run --due` on"
    return {
        seat: tuple(
            f"{one.told_to_host(saved.table, seat)}{then * (one == waited)}" for one in spans if one.end > at
        )
        for seat, spans in notes.away.items()
    }


def _votes(saved: SavedGame, notes: Notes) -> dict[str, tuple[int, int]]:
    if isinstance(saved.ask, Outcome) or notes.cancelled is not None:
        return {}
    counts = (vote_count(saved, notes, kind) for kind in VOTE_KINDS)
    return {one.kind: (len(one.ayes), one.needed) for one in counts if one.ayes}


def _mail_status(home: Home, saved: SavedGame) -> tuple[int, int, tuple[UndeliveredMail, ...]]:
    """Return how many mails wait, how many of them came late, and which mails are not with their readers."""
    if not home.has_journal:
        return 0, 0, ()
    with home.journal() as db:
        return *db.count_waiting(saved.name), status_undelivered_mails(saved, db)


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """A seat as it stands; its secret is not among it.

    Attributes:
        game: The game.
        seat: The seat.
        player: Who has it; "" for nobody.
        bot: The skill of the bot that plays it, or "".
        address: Where its mail goes, or "".
        key: Whether its orders must carry a key.
        lines: How many lines of orders wait for it.
        lodged: The orders file that was lodged for it and no turn has taken, the key masked; or "".
        wrong: Why what was lodged for it cannot be read, or "".
        held: Why its orders are held back, or "".
        sent: How many mails of it went to that address, without those that failed or came back.
        not_there: Mails that wait, failed or came back, each in words.
    """

    game: str
    seat: str
    player: str
    bot: str
    address: str
    key: bool
    lines: int
    lodged: str
    wrong: str
    held: str
    sent: int
    not_there: tuple[str, ...]

    def told(self, *, by_mail: bool = True) -> list[str]:
        """Return it in lines for people, for a home that sends mail or one that does not."""
        who = self.player or "nobody"
        bot = f", played by a {self.bot} bot" if self.bot else ""
        orders = "1 line of orders waits" if self.lines == 1 else f"{self.lines or 'no'} lines of orders wait"
        mails = (
            f"{self.sent} mails were sent, and did not come back" if self.sent else "no mail has reached it"
        )
        mails = "1 mail was sent, and did not come back" if self.sent == 1 else mails
        where = f"mail goes to {self.address}" if by_mail else f"the address is {self.address}"
        not_there = "; these are not there:" if self.not_there else ""
        kept = "" if by_mail else f", which stands in games/{self.game}/secret.json"
        key = f"; each submission must carry the key of the seat{kept}" if self.key else ""
        return [
            f"{self.game}, {self.seat}: {who}{bot}",
            f"  {where}" if self.address else "  no address is known",
            f"  {orders}{key}",
            *([f"  what was lodged cannot be read: {self.wrong}"] if self.wrong else []),
            *([f"  orders are held back: {self.held}"] if self.held else []),
            f"  {mails}{not_there}" if by_mail or self.sent else "  no mail goes out of this home",
            *(f"  {one}" for one in self.not_there),
        ]


def facts_of_seat(home: Home, game: str, seat: Seat) -> SeatFacts:
    """Return what is to be known of a seat.

    Raises:
        WrongInput: There is no such game or seat, or the game is damaged.
    """
    saved = SavedGame(home, game)
    refuse_strange_seat(saved, seat)
    found = read_lodged_orders(saved)
    orders = found.orders.get(seat)
    sent, mails = 0, tuple[str, ...]()
    if home.has_journal:
        with home.journal() as db:
            sent = db.sent_to(game, seat, saved.players.address(seat))
            mails = tuple(
                f"the {one.kind} of turn {one.turn} {_FATES[one.state]}"
                f"{f': {loss_in_words(one.why, one.seat)}' if one.why else ''}"
                for one in missing_seat_mails(saved, db)
                if one.seat == seat
            )
    return SeatFacts(
        game=game,
        seat=seat,
        player="" if seat in saved.table.free else saved.players.holder(seat),
        bot=saved.players.bots.get(seat, ""),
        address=saved.players.address(seat),
        key=saved.table.key,
        lines=len(orders.lines) if orders is not None else 0,
        lodged=found.submissions.get(seat, b"").decode(),
        wrong=found.bad[seat].text if seat in found.bad else "",
        held=notes_of(home, game).held.get(seat, ""),
        sent=sent,
        not_there=mails,
    )


_FATES = {
    "queued": "waits to be sent",
    "claimed": "is being sent",
    "failed": "failed",
    "bounced": "came back",
}


FIGURES: Final = {
    "mails_in_total": ("counter", "Mails that ever came in."),
    "mails_in_waiting": ("gauge", "Mails that came in and are not processed, by reason."),
    "mails_in_oldest_seconds": ("gauge", "Age of the oldest mail that nobody has looked at."),
    "mails_out": ("gauge", "Mails that are not with their readers, by state."),
    "mails_sent_total": ("counter", "Mails that ever went out, those that came back among them."),
    "tellings_waiting": ("gauge", "News for players and the moderator that no mail was made of."),
    "games": ("gauge", "Games."),
    "games_stirring": ("gauge", "Games to look at: something changed in them, or they are due."),
    "games_overdue_seconds": ("gauge", "Time since the first of the games that are due was due."),
    "jobs": ("gauge", "Jobs, by task and state; planned ones have a moment that has not come."),
    "jobs_oldest_seconds": ("gauge", "Time since the oldest job that waits could have been done."),
    "workers": ("gauge", "Workers that were heard of within 20 seconds."),
    "database_bytes": ("gauge", "Size of the database."),
}
"""What each figure is: its kind, and what it counts."""


def metrics(home: Home, now: datetime.datetime) -> str:
    """Return the figures of a home as Prometheus reads them: no address in them, no name, no secret."""
    found = home.store.figures(now)
    parts = (_metric_lines(name, list(some)) for name, some in groupby(found, lambda one: one.name))
    return "".join(f"{line}\n" for part in parts for line in part)


def _metric_lines(name: str, figures: Iterable[Figure]) -> Iterator[str]:
    kind, words = FIGURES[name]
    yield f"# HELP pbem_{name} {words}"
    yield f"# TYPE pbem_{name} {kind}"
    for one in figures:
        labels = ",".join(f'{label}="{_escaped(value)}"' for label, value in one.labels.items())
        yield f"pbem_{name}{f'{{{labels}}}' if labels else ''} {one.value:.12g}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
