"""Games are run, one or many: one that fails is set aside untouched, and the others go on."""

from __future__ import annotations

import contextlib
import datetime
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pbem.core.events import Seat
from pbem.host.notices.news import seats_with_lost_mail
from pbem.host.notices.queue import make_act, tell_of_overrides, words_to_send
from pbem.host.notices.reports import rerun_news as told_of_newest
from pbem.host.notices.reports import terms_of_remake
from pbem.host.office.watch import Uptime, clock_warnings, lost_reason, note_if_lost, vital_signs
from pbem.host.run.losses import FaultGuard, is_next_lost
from pbem.host.run.notes import collect_unmailable, note_tenures, notes_of, read_notes
from pbem.host.run.terms import terms_of_run, waits_until
from pbem.host.time.deadlines import tried_run_notes
from pbem.play.homes.home import Home
from pbem.play.homes.players import doubtful_seats, hand_change_lines, seats_changed_by_hand
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.reinstated import is_remade
from pbem.play.turn import running
from pbem.play.turn.running import RerunNews, RunOutcome
from pbem.store.errors import OUR_FAULT, GateClosedError, JournalRefused, WrongInput, fault_in_words, trace_of
from pbem.store.records import facts_of

if TYPE_CHECKING:
    from pbem.store.journal import Journal

_WAIT_SECONDS: Final = 2.0
"""So long a moderator's run waits for who holds the game, such as a worker that looks at it."""


class SkippedGame(NamedTuple):
    """A game that was not run; its reasons say so where a turn was made all the same.

    Attributes:
        game: The id of the game.
        reasons: Why, a line each.
        exit_code: 1 a damaged or wrong input, 3 the gate, 4 our fault.
        trace: The traceback of our fault, for the report of a bug; never mailed.
        overrides: Names of the reasons that the moderator may override.
        is_busy: Another program is at work on the game, or the database is gone: nobody need mend it.
        to_send: What the moderator is to send by hand, in lines, where a deadline was moved before that.
    """

    game: str
    reasons: tuple[str, ...]
    exit_code: int
    trace: str = ""
    overrides: tuple[str, ...] = ()
    is_busy: bool = False
    to_send: tuple[str, ...] = ()

    @property
    def is_held(self) -> bool:
        """Whether another program is at work on the game, which sees to it: that is no fault."""
        return self.is_busy and self.exit_code == GateClosedError.exit_code

    def override_hint(self, *, due: bool, deal: bool = False) -> str:
        """Return what runs the game all the same, and what else would do; "" if nothing can be overridden.

        Args:
            due: It is to be run as the night job runs it.
            deal: It is to be dealt without waiting for start forms.
        """
        if not self.overrides:
            return ""
        named = [f"--override {name}" for name in self.overrides]
        words = " ".join([*["--due"] * due, *["--deal"] * deal, *named])
        later = f", or give more time: pbem extend {self.game}" if "silent" in self.overrides else ""
        return f"mend that{later}, or run it all the same: pbem run {self.game} {words}"


def run_games(
    home: Home,
    games: list[str],
    *,
    now: datetime.datetime,
    due: bool,
    overrides: tuple[str, ...],
    deal: bool,
    done: Callable[[RunOutcome | SkippedGame], None],
    jobs: int = 1,
    attended: bool = True,
    named: bool = True,
    uptime: Uptime | None = None,
) -> int:
    """Run games, handing each result to `done` in the order of the games.

    Args:
        home: The home.
        games: The ids of the games.
        now: The moment of the run.
        due: Answer for silent seats where the deadline has passed.
        overrides: Names of reasons of the gate that the moderator overrides.
        deal: Deal without waiting for start forms.
        done: Told each result.
        jobs: Processes that share the games, which have nothing in common.
        attended: The moderator gave the command, and it is no night job.
        named: The moderator named the games.
        uptime: The machine's other clock, if `now` was read from the first.

    Returns:
        The worst exit code: 0, 1, 3 or 4.
    """
    worst = 0
    terms = {"due": due, "overrides": overrides, "deal": deal, "uptime": uptime}
    one = partial(_run_one, home, now=now, terms={**terms, "attended": attended, "named": named})
    for result in _run_in_processes(one, games, jobs) if jobs > 1 else map(one, games):
        worst = max(worst, result.exit_code if isinstance(result, SkippedGame) else 0)
        done(result)
    return worst


def _run_in_processes(
    one: Callable[[str], RunOutcome | SkippedGame], games: list[str], jobs: int
) -> Iterator[RunOutcome | SkippedGame]:
    """Share the games between processes; if one is killed, what it had not finished is set aside."""
    from concurrent.futures.process import BrokenProcessPool

    from pbem.host.office.samples import worker_pool

    packed = pickle.dumps(one)
    with worker_pool(jobs) as pool:
        for game, running in [(game, pool.submit(_run_in_process, packed, game)) for game in games]:
            try:
                yield running.result()
            except BrokenProcessPool:
                text = "a process that shared the games was killed; run this game again"
                yield SkippedGame(game, (text,), OUR_FAULT)


def _run_in_process(packed: bytes, game: str) -> RunOutcome | SkippedGame:
    """Run a game in one of the processes that share them."""
    return _unpacked(packed)(game)


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> Callable[[str], RunOutcome | SkippedGame]:
    """Return what runs a game, made once in each process: all its games share one home and its templates."""
    one: Callable[[str], RunOutcome | SkippedGame] = pickle.loads(packed)
    return one


def _run_one(
    home: Home, game: str, *, now: datetime.datetime, terms: Mapping[str, Any]
) -> RunOutcome | SkippedGame:
    with collect_unmailable(home) as found:
        result = _run_safely(home, game, now, terms)
    if not found:
        return result
    return result._replace(to_send=(*result.to_send, *words_to_send(home, game, found)))


def _run_safely(
    home: Home, game: str, now: datetime.datetime, terms: Mapping[str, Any]
) -> RunOutcome | SkippedGame:
    """Run a game; whatever is wrong with it sets it aside."""
    turn = _newest(home, game)
    try:
        return run(home, game, now=now, **terms)
    except GateClosedError as closed:
        return skipped_by_gate(game, closed)
    except WrongInput as wrong:
        is_busy = isinstance(wrong, JournalRefused)
        return SkippedGame(game, (str(wrong),), wrong.exit_code, is_busy=is_busy)
    except OSError as wrong:
        text = f"the disk refused: {wrong.strerror} ({wrong.filename}); {_state(home, game, turn)}"
        return SkippedGame(game, (text,), WrongInput.exit_code)
    except Exception as fault:  # our own fault must not stop the other games
        text = f"{fault_in_words(fault)}; {_state(home, game, turn)}"
        return SkippedGame(game, (text,), OUR_FAULT, trace_of(fault))


def skipped_by_gate(game: str, closed: GateClosedError) -> SkippedGame:
    """Return what becomes of a game that the gate keeps back."""
    names = tuple(dict.fromkeys(one.name for one in closed.reasons if one.can_override))
    is_busy = any(one.name == "locked" for one in closed.reasons)
    reasons = tuple(map(str, closed.reasons))
    return SkippedGame(game, reasons, closed.exit_code, overrides=names, is_busy=is_busy)


def _newest(home: Home, game: str) -> int | None:
    """Return the newest turn of a game that may be damaged, or None."""
    try:
        return home.turns(game).newest()
    except (OSError, WrongInput):
        return None


def _state(home: Home, game: str, turn: int | None) -> str:
    """Say what a failed run has left: it may have failed after the rename that commits."""
    now = _newest(home, game)
    return "the game was left untouched" if now == turn else f"but turn {now} was made"


def run(
    home: Home,
    game: str,
    *,
    now: datetime.datetime,
    due: bool = False,
    overrides: tuple[str, ...] = (),
    deal: bool = False,
    attended: bool = True,
    named: bool = True,
    uptime: Uptime | None = None,
    wait_seconds: float = 0.0,
) -> RunOutcome:
    """Resolve what can be resolved of one game, and commit it as a turn.

    Args:
        home: The home.
        game: The id of the game.
        now: The moment of the run.
        due: If the deadline has passed, answer for silent seats as the game says.
        overrides: Names of reasons of the gate that the moderator overrides.
        deal: Do not wait for start forms that have not come: take the luck words of `game.yaml`, or none.
        attended: The moderator gave the command; a night job leaves alone what is paused or was taken back,
            and does not run early where that is not allowed.
        named: The moderator named the game; a turn that was taken back is left alone otherwise.
        uptime: The machine's other clock, if `now` was read from the first.
        wait_seconds: So long another program that holds the game is waited for.

    Raises:
        GateClosedError: The gate refused: no turn was made, but a deadline that was moved for somebody away
            stays so.
        WrongInput: The game is damaged; nothing was changed, unless it was found so after the turn was made.
            What was not told of that turn then is told by the next run.
    """
    wait = wait_seconds or (_WAIT_SECONDS if attended else 0.0)
    with home.held(game, wait_seconds=wait):  # to the end: what is told of a turn is told of one that stands
        saved = SavedGame(home, game)
        saved.position  # noqa: B018  # a save that cannot be read is told as such
        before = _prepare(saved, now, due=due, attended=attended, makes_lost="lost" in overrides)
        terms = terms_of_run(saved, now, due=due, deal=deal, attended=attended, named=named, uptime=uptime)
        if before.is_next_lost:
            terms = terms_of_remake(terms, saved)
        ran = running.run(saved, terms, now=now, overrides=overrides, deal=deal)
        if "journal" in ran.overrides:
            with home.journal() as db:
                note_if_lost(home, db, now)
        if ran.turn is None and attended and "lost" not in overrides:
            _refuse_lost(SavedGame(home, game), now, uptime)
        return _follow_up(saved, before, ran, now)


class _Preparation(NamedTuple):
    """What was done and seen of a game before its run.

    Attributes:
        by_hand: What a moderator who runs it hears first, in sentences.
        news: What is still to be told of its newest turn, if that was made again.
        is_next_lost: The next turn is one that is lost, and is to be made again.
        is_next_again: The next turn was made before.
        is_wait_told: It matters until when the game waits, if no turn is made: the moderator gave the
            command, or its deadline was moved for somebody who is away.
    """

    by_hand: tuple[str, ...]
    news: RerunNews
    is_next_lost: bool
    is_next_again: bool
    is_wait_told: bool


def _prepare(
    saved: SavedGame, now: datetime.datetime, *, due: bool, attended: bool, makes_lost: bool
) -> _Preparation:
    """Note who plays, and let a deadline wait for who is away; return that and what was seen."""
    if saved.tenures.has_notes:
        note_tenures(saved)
    by_hand = tuple(_keyboard_notices(saved, now, due=due)) if attended else ()
    is_moved = due and saved.table.absent == "wait" and _extend_for_absent(saved, now)
    news, is_lost = _rerun_news(saved), makes_lost and is_next_lost(saved)
    is_again = is_lost or bool(saved.again)
    return _Preparation(by_hand, news, is_lost, is_again, is_wait_told=attended or is_moved)


def _follow_up(saved: SavedGame, before: _Preparation, ran: RunOutcome, now: datetime.datetime) -> RunOutcome:
    """Note and tell what follows from a run; return what it came to with all of that.

    Args:
        saved: The game as it was opened for the run.
        before: What was done and seen before the run.
        ran: What the run came to.
        now: The moment of the run.
    """
    home, newest = saved.home, SavedGame(saved.home, saved.name)
    if ran.missed:
        ran = ran._replace(unreached=_unreached_seats(newest, ran.missed))
    rows, lines = before.news.rows, before.news.lines
    if ran.turn is not None and before.is_next_again:
        of_new = _rerun_news(newest)
        rows, lines = (*rows, *of_new.rows), (*lines, *of_new.lines)
    if ran.turn is None and before.is_wait_told:
        ran = ran._replace(until=waits_until(newest, notes_of(home, saved.name), now))
    if rows:
        home.store.note(rows)
    failed = _overrides_that_failed(home, ran.overrides_failed, now) if ran.overrides_failed else ()
    note_tenures(newest if ran.missed else saved)
    return ran._replace(by_hand=(*before.by_hand, *failed), to_send=lines)


def _keyboard_notices(saved: SavedGame, now: datetime.datetime, *, due: bool) -> Iterator[str]:
    """Yield what a moderator who runs a game hears first: seats changed by hand, and a turn still to come."""
    doubted = doubtful_seats(saved)  # the gate tells of these
    gone = {seat: who for seat, who in seats_changed_by_hand(saved).items() if seat not in doubted}
    yield from hand_change_lines(saved, gone)
    if not due:
        yield from (f"{one}; see `pbem doctor`" for one in clock_warnings(saved, now))


def results_without_held(results: Sequence[RunOutcome | SkippedGame]) -> list[RunOutcome | SkippedGame]:
    """Return what came of games, but of those that another program held: it tells of them."""
    return [one for one in results if not (isinstance(one, SkippedGame) and one.is_held)]


def note_runs(results: Sequence[RunOutcome | SkippedGame], troubles: FaultGuard) -> None:
    """Note what came of games that were run.

    Args:
        results: It.
        troubles: Keeps what fails from stopping the others.
    """
    with troubles.home.journal() as db:
        for result in results_without_held(results):
            note_run(db, troubles, result)


def note_run(db: Journal, troubles: FaultGuard, result: RunOutcome | SkippedGame) -> None:
    """Note what came of one game: what was overridden, and that a run of its deadline was tried."""
    home, now, game = troubles.home, troubles.now, result.game
    with troubles.around(f"{game}: what came of its run is not noted"):
        if not isinstance(result, SkippedGame) and result.overrides:
            facts = facts_of("gate-overridden", turn=result.turn, reasons=[*result.overrides])
            db.act(make_act(now, game, "override", public=False, facts=facts))
        with contextlib.suppress(WrongInput):  # the game is damaged, and was set aside for it
            db.write(tried_run_notes(SavedGame(home, game), read_notes(db, home, game), now))


def _extend_for_absent(saved: SavedGame, now: datetime.datetime) -> bool:
    """Let the deadline of a game wait for who is away, if it must; tell whether it was moved."""
    from pbem.host.time.extensions import waiting_deadline_rows  # few games are such ones

    rows = waiting_deadline_rows(saved, now)
    if rows:
        saved.home.store.note(rows)
    return bool(rows)


def _unreached_seats(saved: SavedGame, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Return those of some silent seats to which mail did not come."""
    try:
        return seats_with_lost_mail(saved, seats)
    except JournalRefused:  # told with the games
        return ()


def _rerun_news(saved: SavedGame) -> RerunNews:
    """Return what is still to be told of a newest turn that was taken back or lost, and made again."""
    if not saved.revision and not is_remade(saved):
        return RerunNews()
    return told_of_newest(saved)


def _overrides_that_failed(home: Home, failed: tuple[str, ...], now: datetime.datetime) -> Iterator[str]:
    """Yield what failed in the home's templates, in words; where mail goes, its moderator gets them too."""
    if home.mail_section():
        with home.journal() as db:
            tell_of_overrides(home, db, now, failed)
    for fault in failed:
        yield f"a template of this home fails, and the shipped one took its place: {fault}"


def _refuse_lost(saved: SavedGame, now: datetime.datetime, uptime: Uptime | None) -> None:
    """Refuse where a turn is lost, or the journal damaged: who runs a game by name hears of it at once."""
    signs = vital_signs(saved, now, uptime)
    if signs.lost:
        raise GateClosedError((lost_reason(signs),))
