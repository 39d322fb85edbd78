"""Heartbeats: when the host was seen at work, and whether its clock jumped meanwhile."""

from __future__ import annotations

import datetime
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pbem.play.config.schedule import Span, span_of
from pbem.store.journals.records import iso

if TYPE_CHECKING:
    from pbem.play.homes.home import Home
    from pbem.store.journals.journal import Journal

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


class Stretch(NamedTuple):
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

    stretches: tuple[Stretch, ...] = ()
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

    def last_seen(self, moment: Moment) -> Moment | None:
        """Return when the host was last at work before a moment at which it was not; None if never."""
        return max((one.end for one in self.stretches if one.end < moment), default=None)

    def seen_again(self, moment: Moment) -> Moment | None:
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
        return Beats((Stretch(now, now),), uptime)
    last = beats.stretches[-1]
    gap = now - last.end
    if _jumped(beats.uptime, uptime, gap):
        known = tuple(one._replace(end=min(one.end, now)) for one in beats.stretches if one.start <= now)
        return Beats((*known, Stretch(now, now, JUMP))[-_KEPT:], uptime)
    if gap > down_after:
        return Beats((*beats.stretches, Stretch(now, now, DOWN))[-_KEPT:], uptime)
    return Beats((*beats.stretches[:-1], last._replace(end=max(last.end, now))), uptime)


def _jumped(before: Uptime | None, now: Uptime | None, gap: Span) -> bool:
    """Tell whether the clock was set between two heartbeats; after a restart only a wide jump shows."""
    if before is not None and now is not None and before.boot == now.boot:
        return abs(gap - Span(seconds=now.seconds - before.seconds)) > _DRIFT
    return gap < _BACK or gap > _FAR


def has_jumped(beats: Beats, now: Moment) -> bool:
    """Tell whether it was at this heartbeat, the last one, that the clock had been set."""
    return beats.stretches[-1] == Stretch(now, now, JUMP)


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
        stretches = tuple(Stretch(_moment(start), _moment(end), after) for start, end, after in found["seen"])
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
        db.set_note("", BEATS, _noted(beats))
        if is_night:
            db.set_note("", NIGHTS, _noted(seen(read_beats(db, NIGHTS), now, uptime, down_after)))
        if has_jumped(beats, now):
            db.wake_all()
    return beats


def _noted(beats: Beats) -> str:
    written = {
        "seen": [[iso(one.start), iso(one.end), one.after] for one in beats.stretches],
        "uptime": [beats.uptime.boot, beats.uptime.seconds] if beats.uptime else None,
    }
    return json.dumps(written)


def _moment(text: Any) -> Moment:
    return Moment.fromisoformat(str(text))
