"""The watch over the host: reasons of the gate that lie in its clock, its disk and its mail."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.core.wording import listed
from pbem.host.office.heartbeat import DOWN, JUMP, Beats, Uptime, down_after, gate_settings, read_beats, seen
from pbem.host.run.lostjournal import begun_anew, journal_reason
from pbem.host.run.notes import Notes
from pbem.host.time.deadlines import asked_now, deadline_in_force, last_run
from pbem.play.homes.home import Home
from pbem.play.homes.made import gone_turns
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import Reason
from pbem.store.journals.records import iso

Moment = datetime.datetime

FREE_MEGABYTES: Final = 50

NAMES: Final = (
    *("clock", "disk", "down", "free-seats", "journal"),
    *("lost", "paused", "silent", "unread", "unsent"),
)
"""The reasons of this watch, as `--override` takes them."""


class Signs(NamedTuple):
    """What the host knows of itself.

    Attributes:
        by_mail: The home plays by mail.
        beats: When the host was seen at work.
        unread: How many mails came in and were not read yet.
        lost: Turns after the newest that were mailed, or made in a home without mail, and are not here.
        unsent: Who is still to get a mail of the newest turn: it did not go out, or could not be made.
        reported: When the mail of the newest turn first went out to each seat, ISO 8601 in UTC.
        free: Free megabytes on the disk of the home.
        wanted: How many there should be.
        begun: When the journal was seen to be begun anew; None if it was never lost.
    """

    by_mail: bool
    beats: Beats
    unread: int
    lost: tuple[int, ...]
    unsent: tuple[str, ...]
    reported: Mapping[str, str]
    free: int
    wanted: int
    begun: Moment | None = None


def signs_of(saved: SavedGame, now: Moment, uptime: Uptime | None) -> Signs:
    """Return what the host knows of itself when a game is about to be run; it is at work at this moment."""
    home = saved.home
    wanted = gate_settings(home).get("disk", FREE_MEGABYTES)
    assert isinstance(wanted, int), "the schema says so"
    free = home.store.free_bytes() // 1_000_000
    by_mail, gone = "mail" in home.settings(), gone_turns(saved.turns)
    if not home.has_journal:
        begun = begun_anew(home, None, now)
        return Signs(by_mail, Beats(), _spooled(home), gone, (), {}, free, wanted, begun)
    from pbem.host.run.lostturns import lost_turns
    from pbem.host.run.reported import unqueued

    with home.journal() as db:
        new, late = db.waiting_for(saved.name)
        unsent = db.unsent_reports(saved.name, saved.turn).union(unqueued(saved, db) if by_mail else ())
        return Signs(
            by_mail,
            seen(read_beats(db), now, uptime, down_after(home)),
            new - late + _spooled(home),
            tuple(sorted({*gone, *lost_turns(saved.turns, db)})),
            tuple(sorted(unsent)),
            db.first_sent(saved.name, saved.turn, saved.revision),
            free,
            wanted,
            begun_anew(home, db, now),
        )


def _spooled(home: Home) -> int:
    spool = home.store.beside / "mail/spool/new"
    return sum(1 for _ in spool.iterdir()) if spool.is_dir() else 0


def reasons(
    saved: SavedGame, notes: Notes, signs: Signs, now: Moment, *, due: bool, silent: Collection[Seat]
) -> Iterator[Reason]:
    """Yield the reasons of the host not to make a turn now.

    Args:
        saved: The game.
        notes: What is noted of it.
        signs: What the host knows of itself.
        now: The moment of the run.
        due: The run answers for silent seats where the deadline has passed.
        silent: The seats that it would answer for.
    """
    if (pause := notes.rest_at(now)) is not None:
        yield Reason("paused", f"the game is {pause.told(saved.table, now)}")
    if saved.table.free and saved.position.game is None:
        yield Reason("free-seats", f"nobody has taken {', '.join(saved.table.free)}")
    if signs.free < signs.wanted:
        text = f"{signs.free} MB are free where the home is, {signs.wanted} MB should be"
        yield Reason("disk", text)
    if signs.lost:
        yield lost_reason(signs)
    if signs.begun is not None and last_run(saved) < signs.begun:
        yield journal_reason(saved.name)
    if signs.by_mail and signs.unread:
        mails = "1 mail was" if signs.unread == 1 else f"{signs.unread} mails were"
        yield Reason("unread", f"{mails} taken in and not read yet; see `pbem receive`")
    if due and signs.by_mail and signs.unsent:
        readers = ", ".join(signs.unsent)
        yield Reason("unsent", f"the mail of turn {saved.turn} did not go out to {readers}; see `pbem send`")
    if due:
        yield from (Reason("clock", one) for one in still_to_come(saved, now))
    if silent:
        yield from reasons_of_silence(saved, notes, signs, silent)


def still_to_come(saved: SavedGame, now: Moment) -> tuple[str, ...]:
    """Say that the newest turn lies ahead by this clock; nothing if it does not."""
    if (last := last_run(saved)) <= now:
        return ()
    return (f"turn {saved.turn} was made at {last.isoformat()}, which is still to come",)


def lost_reason(signs: Signs) -> Reason:
    """Return the reason not to make a turn that turns are lost."""
    turns, how = listed(map(str, signs.lost)), "mailed" if signs.by_mail else "made"
    told = f"turn {turns} was {how} and is not here; put it back from a copy"
    if len(signs.lost) > 1:
        told = f"turns {turns} were {how} and are not here; put them back from a copy"
    return Reason("lost", told)


def reasons_of_silence(
    saved: SavedGame, notes: Notes, signs: Signs, silent: Collection[Seat]
) -> Iterator[Reason]:
    """Yield the reasons not to answer for the silent: it may be the host that did not hear them."""
    deadline = deadline_in_force(saved, notes)
    beats, span = signs.beats, down_after(saved.home)
    grace = saved.table.schedule.grace
    gap = beats.gap_at(deadline, grace, span) if deadline is not None and beats.stretches else ""
    if deadline is not None and gap == JUMP:
        yield Reason("clock", f"the clock jumped over the deadline, {saved.table.spelled(deadline)}")
    if not signs.by_mail:
        return
    if deadline is not None and (gap == DOWN or not beats.stretches):
        text = f"the host was {_not_at_work(saved, beats, deadline)}"
        yield Reason("down", f"{text}; extend it: pbem extend {saved.name} --to WHEN")
    late = [seat for seat in silent if deadline is not None and signs.reported.get(seat, "") > iso(deadline)]
    if late:
        text = f"the mail of turn {saved.turn} went out after the deadline to {', '.join(late)}"
        yield Reason("unsent", f"{text}; extend it: pbem extend {saved.name} --to WHEN")
    ask = saved.ask
    asked = (
        [seat for seat in saved.start.seats if seat not in saved.players.bots] if isinstance(ask, Ask) else []
    )
    asked = [seat for seat in asked if isinstance(ask, Ask) and seat in ask.seats]
    missing = [seat for seat in asked if seat in silent and not (deadline and notes.is_away(seat, deadline))]
    if len(asked) > 2 and 2 * len(missing) > len(asked):
        what = f"{len(missing)} of {len(asked)} sent nothing that answers {asked_now(saved)}"
        yield Reason("silent", f"{what}: {', '.join(missing)}")


def _not_at_work(saved: SavedGame, beats: Beats, deadline: Moment) -> str:
    """Return from when to when the host was not at work around a deadline, as far as that is known."""
    spelled, last, again = saved.table.spelled, beats.last_seen(deadline), beats.seen_again(deadline)
    if last is None or again is None:
        before = f"last seen {spelled(last)}" if last else "never seen before it"
        return f"not at work at the deadline, {spelled(deadline)}, and {before}"
    return f"not at work from {spelled(last)} to {spelled(again)}, around the deadline, {spelled(deadline)}"
