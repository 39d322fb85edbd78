"""The watch over the host: when it was seen at work, a lost journal, and reasons of the gate."""

from __future__ import annotations

import datetime
import json
import time
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.core.wording import sentence_list
from pbem.host.run.losses import lost_turns, seats_without_queued_report
from pbem.host.run.notes import Notes
from pbem.host.time.deadlines import deadline_in_force, last_run_moment, present_label
from pbem.play.config.schedule import Span, span_of
from pbem.play.homes.home import Home
from pbem.play.homes.integrity import missing_turns
from pbem.play.homes.players import doubtful_seats, hand_change_lines
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import Reason
from pbem.store.records import iso

if TYPE_CHECKING:
    from pbem.store.journal import Journal


Moment = datetime.datetime

BEATS: Final = "beats"
NIGHTS: Final = "nights"
"""The keys under which it is noted when the host was at work, and when it did all that was due."""

DOWN: Final = "down"
JUMP: Final = "jump"

DOWN_AFTER: Final = Span(hours=2)
_NONE: Final = Span()
_FAR: Final = Span(days=30)
_BACK: Final = Span(minutes=-2)
_DRIFT: Final = Span(minutes=10)
_AROUND: Final = Span(minutes=15)
"""So near to a deadline, and to the end of its grace, timers are allowed to be."""

_KEPT: Final = 50


class Uptime(NamedTuple):
    """How long a machine has been running: a clock that nobody can set.

    Attributes:
        boot: What tells one start of the machine from another.
        seconds: Since then.
    """

    boot: str
    seconds: float


class UptimeSpan(NamedTuple):
    """A stretch of time in which the host was seen at work again and again.

    Attributes:
        start: The first time.
        end: The last time.
        after: What was before it: "down" (nobody saw the host), "jump" (the clock was set), or "".
    """

    start: Moment
    end: Moment
    after: str = ""


class Beats(NamedTuple):
    """All that is known of when the host was at work.

    Attributes:
        stretches: The oldest first.
        uptime: The other clock at the last heartbeat; None if it could not be read.
    """

    stretches: tuple[UptimeSpan, ...] = ()
    uptime: Uptime | None = None

    def gap_at(self, moment: Moment, grace: Span = _NONE, down_after: Span = DOWN_AFTER) -> str:
        """Return why the host was not at work at a moment: "down", "jump", or "" if it was.

        Args:
            moment: The moment.
            grace: So long after it the host may come back, and has heard all. If it comes back later, mail
                that was written in the grace may have come too late: then that time counts as well.
            down_after: So long unseen, and the host was down.
        """
        before = None
        for stretch in self.stretches:
            if moment <= stretch.start:  # who came at that very moment does not know what was before
                if before is not None and stretch.after == DOWN:
                    later = stretch.start - moment
                    spared = later if later <= grace else min(grace, _AROUND)  # else the grace was lost
                    return "" if stretch.start - before - spared <= down_after else DOWN
                return stretch.after or DOWN
            if moment <= stretch.end:
                return ""
            before = stretch.end
        return DOWN

    def last_beat_before(self, moment: Moment) -> Moment | None:
        """Return when the host was last at work before a moment at which it was not; None if never."""
        return max((one.end for one in self.stretches if one.end < moment), default=None)

    def first_beat_after(self, moment: Moment) -> Moment | None:
        """Return when the host was first at work after a moment at which it was not; None if not yet."""
        return min((one.start for one in self.stretches if one.start >= moment), default=None)


def down_after(home: Home) -> Span:
    """Return how long a host may be unseen before it counts as down."""
    text = gate_settings(home).get("down")
    return span_of(text) if isinstance(text, str) else DOWN_AFTER


def gate_settings(home: Home) -> dict[str, object]:
    """Return what `home.yaml` says of the watch over the host."""
    section = home.settings().get("gate")
    return {**section} if isinstance(section, dict) else {}


def seen(beats: Beats, now: Moment, uptime: Uptime | None, down_after: Span = DOWN_AFTER) -> Beats:
    """Return the heartbeats with one more.

    Args:
        beats: Those before.
        now: The moment of this one.
        uptime: The other clock; None if it cannot be read.
        down_after: So long unseen, and the host was down.
    """
    if not beats.stretches:
        return Beats((UptimeSpan(now, now),), uptime)
    last = beats.stretches[-1]
    gap = now - last.end
    if _has_clock_jumped(beats.uptime, uptime, gap):
        known = tuple(one._replace(end=min(one.end, now)) for one in beats.stretches if one.start <= now)
        return Beats((*known, UptimeSpan(now, now, JUMP))[-_KEPT:], uptime)
    if gap > down_after:
        return Beats((*beats.stretches, UptimeSpan(now, now, DOWN))[-_KEPT:], uptime)
    return Beats((*beats.stretches[:-1], last._replace(end=max(last.end, now))), uptime)


def _has_clock_jumped(before: Uptime | None, now: Uptime | None, gap: Span) -> bool:
    """Tell whether the clock was set between two heartbeats; after a restart only a wide jump shows."""
    if before is not None and now is not None and before.boot == now.boot:
        return abs(gap - Span(seconds=now.seconds - before.seconds)) > _DRIFT
    return gap < _BACK or gap > _FAR


def has_jumped(beats: Beats, now: Moment) -> bool:
    """Tell whether it was at this heartbeat, the last one, that the clock had been set."""
    return beats.stretches[-1] == UptimeSpan(now, now, JUMP)


def uptime() -> Uptime | None:
    """Return the machine's other clock (Linux), or None."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return Uptime(boot, time.clock_gettime(time.CLOCK_BOOTTIME))
    except (OSError, AttributeError):
        return None


def read_beats(db: Journal, key: str = BEATS) -> Beats:
    """Return the heartbeats of a home; none if what is noted of them cannot be read.

    Args:
        db: Its journal.
        key: Which: `BEATS`, or `NIGHTS` for those of the night job alone.
    """
    text = db.note("", key)
    if text is None:
        return Beats()
    try:
        found = json.loads(text)
        stretches = tuple(
            UptimeSpan(_moment(start), _moment(end), after) for start, end, after in found["seen"]
        )
        return Beats(stretches, Uptime(*found["uptime"]) if found["uptime"] else None)
    except (ValueError, TypeError, KeyError):  # as if the host had never been seen: no game must rely on it
        return Beats()


def beat(
    db: Journal, now: Moment, uptime: Uptime | None, down_after: Span = DOWN_AFTER, *, is_night: bool = False
) -> Beats:
    """Note that the host is at work; return all heartbeats.

    Args:
        db: The journal of its home.
        now: The moment.
        uptime: The other clock; None if it cannot be read.
        down_after: So long unseen, and the host was down.
        is_night: It is going to do all that is due.

    When the clock was set, no game rests any more: nobody knows when the moments are that they rest until.
    """
    with db.writing():
        beats = seen(read_beats(db), now, uptime, down_after)
        db.set_note("", BEATS, _beats_text(beats))
        if is_night:
            db.set_note("", NIGHTS, _beats_text(seen(read_beats(db, NIGHTS), now, uptime, down_after)))
        if has_jumped(beats, now):
            db.wake_all()
    return beats


def _beats_text(beats: Beats) -> str:
    written = {
        "seen": [[iso(one.start), iso(one.end), one.after] for one in beats.stretches],
        "uptime": [beats.uptime.boot, beats.uptime.seconds] if beats.uptime else None,
    }
    return json.dumps(written)


def _moment(text: Any) -> Moment:
    return Moment.fromisoformat(str(text))


BEGUN: Final = "journal begun anew"
"""The key of the note that says when a night job, or a run in spite of it, met a journal begun anew."""

_PASS: Final = 2
"""So many mails may be kept that no row knows: a kill may come between a mail and its row."""


def journal_restart(home: Home, db: Journal | None, now: Moment) -> Moment | None:
    """Return when the journal of a home was seen to be begun anew; None if it never was lost.

    A journal in which no night job was noted, and that does not know several of the mails that lie beside it,
    has followed one that is gone. In a database it is never so.

    Args:
        home: The home.
        db: Its journal; None if there is none.
        now: The moment: if it is seen for the first time, that is when.
    """
    if not home.store.is_folder:
        return None
    if db is None:
        return now if len(_kept_mails(home)) > _PASS else None
    if (noted := db.note("", BEGUN)) is not None:
        return Moment.fromisoformat(noted)
    if db.note("", NIGHTS) is not None:
        return None
    return now if len(_kept_mails(home) - db.kept_mails()) > _PASS else None


def note_if_lost(home: Home, db: Journal, now: Moment) -> None:
    """Note that the journal was begun anew, if it was: turns that are made from then on are younger.

    Turns know their moment in whole seconds, and so does the note.
    """
    if (begun := journal_restart(home, db, now)) is not None and db.note("", BEGUN) is None:
        db.set_note("", BEGUN, iso(begun.replace(microsecond=0)))


def journal_reason(game: str) -> Reason:
    """Return the reason not to make a turn of a game that is older than the journal."""
    text = (
        f"the journal was lost: whether {game} was paused, whether its deadline was moved, and whose orders "
        "were held back is not known; give that again first (`pbem help home salvage` tells more)"
    )
    return Reason("journal", text)


def _kept_mails(home: Home) -> set[str]:
    """Return the hashes of the mails that came in and are kept as files."""
    raw = home.store.beside / "mail/raw"
    return {one.stem for one in raw.glob("*.eml")}


FREE_MEGABYTES: Final = 50

NAMES: Final = (
    *("clock", "disk", "down", "free-seats", "journal"),
    *("lost", "paused", "seats", "silent", "unread", "unsent"),
)
"""The reasons of this watch, as `--override` takes them."""


class VitalSigns(NamedTuple):
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


def vital_signs(saved: SavedGame, now: Moment, uptime: Uptime | None) -> VitalSigns:
    """Return what the host knows of itself when a game is about to be run; it is at work at this moment."""
    home = saved.home
    wanted = gate_settings(home).get("disk", FREE_MEGABYTES)
    assert isinstance(wanted, int), "the schema says so"
    free = home.store.free_bytes() // 1_000_000
    by_mail, gone = "mail" in home.settings(), missing_turns(saved.turns)
    if not home.has_journal:
        begun = journal_restart(home, None, now)
        return VitalSigns(by_mail, Beats(), _spool_count(home), gone, (), {}, free, wanted, begun)
    with home.journal() as db:
        new, late = db.count_waiting(saved.name)
        unsent = db.unsent_reports(saved.name, saved.turn).union(
            seats_without_queued_report(saved, db) if by_mail else ()
        )
        return VitalSigns(
            by_mail,
            seen(read_beats(db), now, uptime, down_after(home)),
            new - late + _spool_count(home),
            tuple(sorted({*gone, *lost_turns(saved.turns, db)})),
            tuple(sorted(unsent)),
            db.first_sent(saved.name, saved.turn, saved.revision),
            free,
            wanted,
            journal_restart(home, db, now),
        )


def _spool_count(home: Home) -> int:
    spool = home.store.beside / "mail/spool/new"
    return sum(1 for _ in spool.iterdir()) if spool.is_dir() else 0


def host_gate_reasons(
    saved: SavedGame, notes: Notes, signs: VitalSigns, now: Moment, *, due: bool, silent: Collection[Seat]
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
    yield from (Reason("seats", one) for one in hand_change_lines(saved, doubtful_seats(saved)))
    if signs.free < signs.wanted:
        text = f"{signs.free} MB are free where the home is, {signs.wanted} MB should be"
        yield Reason("disk", text)
    if signs.lost:
        yield lost_reason(signs)
    if signs.begun is not None and last_run_moment(saved) < signs.begun:
        yield journal_reason(saved.name)
    if signs.by_mail and signs.unread:
        mails = "1 mail was" if signs.unread == 1 else f"{signs.unread} mails were"
        yield Reason("unread", f"{mails} taken in and not read yet; see `pbem receive`")
    if due and signs.by_mail and signs.unsent:
        readers = ", ".join(signs.unsent)
        yield Reason("unsent", f"the mail of turn {saved.turn} did not go out to {readers}; see `pbem send`")
    if due:
        yield from (Reason("clock", one) for one in clock_warnings(saved, now))
    if silent:
        yield from reasons_of_silence(saved, notes, signs, silent)


def clock_warnings(saved: SavedGame, now: Moment) -> tuple[str, ...]:
    """Say that the newest turn lies ahead by this clock; nothing if it does not."""
    if (last := last_run_moment(saved)) <= now:
        return ()
    return (f"turn {saved.turn} was made at {last.isoformat()}, which is still to come",)


def lost_reason(signs: VitalSigns) -> Reason:
    """Return the reason not to make a turn that turns are lost."""
    turns, how = sentence_list(map(str, signs.lost)), "mailed" if signs.by_mail else "made"
    told = f"turn {turns} was {how} and is not here; put it back from a copy"
    if len(signs.lost) > 1:
        told = f"turns {turns} were {how} and are not here; put them back from a copy"
    return Reason("lost", told)


def reasons_of_silence(
    saved: SavedGame, notes: Notes, signs: VitalSigns, silent: Collection[Seat]
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
        text = f"the host was {_downtime_text(saved, beats, deadline)}"
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
        what = f"{len(missing)} of {len(asked)} sent nothing that answers {present_label(saved)}"
        yield Reason("silent", f"{what}: {', '.join(missing)}")


def _downtime_text(saved: SavedGame, beats: Beats, deadline: Moment) -> str:
    """Return from when to when the host was not at work around a deadline, as far as that is known."""
    spelled, last, again = (
        saved.table.spelled,
        beats.last_beat_before(deadline),
        beats.first_beat_after(deadline),
    )
    if last is None or again is None:
        before = f"last seen {spelled(last)}" if last else "never seen before it"
        return f"not at work at the deadline, {spelled(deadline)}, and {before}"
    return f"not at work from {spelled(last)} to {spelled(again)}, around the deadline, {spelled(deadline)}"
