"""Acts of the moderator, each done and told in a sentence: the same at the command line and by mail."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from pbem.core.events import Seat
from pbem.core.interface import Outcome
from pbem.host.notices import announcing
from pbem.host.notices.byhand import with_words_to_send
from pbem.host.office.status import status_of
from pbem.host.people import naming
from pbem.host.run.notes import notes_of
from pbem.host.run.trouble import Aside
from pbem.host.time import moving, pausing
from pbem.host.time.deadlines import deadline_in_force, is_single
from pbem.host.time.whens import When
from pbem.host.undo import cancelling
from pbem.host.undo.undoing import standing_again, take_back
from pbem.host.undo.undowords import told_seed
from pbem.play.config.schedule import Span
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.gate import standing
from pbem.store.errors import JournalRefused
from pbem.store.journals.records import Note

Moment = datetime.datetime

NO_REASON = "by the moderator"
HOLDS = "the moderator looks at them"
"""Why a game is paused, and why orders are held back, if nobody says it."""


@with_words_to_send
def extend(home: Home, game: str, now: Moment, by: Span | None, to: When | None) -> str:
    """Move the deadline of the present ask; raises WrongInput as `moving.extend` does."""
    moved = moving.extend(home, game, now, by=by, to=to.due if to is not None else None)
    said = f"{game}: orders are now due {_spelled(home, game, moved)}."
    saved = SavedGame(home, game)
    if not is_single(saved, notes_of(home, game)):
        return said
    instead = ", in place of `deadline` in game.yaml" if saved.table.deadline is not None else ""
    after = "" if saved.table.schedule.days else " No deadline follows it until you set one."
    return f"{said} It counts for each turn that is made before it{instead}.{after}"


@with_words_to_send
def pause(home: Home, game: str, now: Moment, why: str, first: When | None, last: When | None) -> str:
    """Let a game rest, now or later; raises WrongInput as `pausing.pause` does."""
    start, end = first.begin if first else None, last.end if last else None
    due = pausing.pause(home, game, now, why, start=start, end=end)
    begins = f"will be paused from {_spelled(home, game, start)}" if start else "paused"
    if end is None:
        return f"{game}: {begins}. Let it go on: pbem resume {game}"
    return f"{game}: {begins} until {_spelled(home, game, end)}.{_due(home, game, due)}"


def _is_of_schedule(moved: Moment | None, before: Moment | None, paused: datetime.timedelta) -> bool:
    """Tell whether a deadline moved further than a pause was long: too little was left for the next turn."""
    most = paused + datetime.timedelta(minutes=1)
    return moved is not None and before is not None and moved - before > most


@with_words_to_send
def resume(home: Home, game: str, now: Moment, when: When | None) -> str:
    """Let a game go on, now or later; raises WrongInput as `pausing.resume` does."""
    notes = notes_of(home, home.game(game).name)
    known, before = notes.pause_at(now), deadline_in_force(SavedGame(home, game), notes)
    goes_on = when.begin if when else now
    moved = pausing.resume(home, game, now, at=when.begin if when else None)
    due = _due(home, game, moved)
    if known is not None and known.holds(now) and moved is not None and moved == before:
        due = f"{due.removesuffix('.')}, as before: the pause moved nothing."
    elif known is not None and known.holds(now) and _is_of_schedule(moved, before, goes_on - known.start):
        due += f" So little time was left that the schedule counts; else: pbem extend {game} --to MOMENT"
    if when is None and known is not None and not known.holds(now):
        return f"{game}: the pause, which had not begun, is taken back.{due}"
    return f"{game}: goes on{f' {_spelled(home, game, when.begin)}' if when else ''}.{due}"


@with_words_to_send
def away(home: Home, game: str, seat: Seat, now: Moment, first: When | None, last: When) -> str:
    """Note that a player will be away; raises Declined as `moving.announce_absence` does."""
    absence = moving.time_away(first, last, now)
    said = moving.announce_absence(home, game, seat, absence, now)
    table = SavedGame(home, game).table
    return f"{game}: {seat} is away {absence.told(table, seat)}. {said}"


def not_away(home: Home, game: str, seat: Seat, now: Moment) -> str:
    """Forget the absences of a seat's player."""
    was_away = seat in notes_of(home, game).away
    effect = moving.cancel_absences(home, game, seat, now)
    return f"{game}: {seat} is back. {effect}" if was_away else f"{game}: no absence of {seat} was noted."


@with_words_to_send
def cancel(home: Home, game: str, now: Moment, why: str) -> str:
    """End a game for all; raises WrongInput as `cancelling.cancel` does."""
    cancelling.cancel(home, game, why, now)
    return f"{game}: ended. Its seed and orders stay secret. Bring it back: pbem cancel {game} --undo"


@with_words_to_send
def bring_back(home: Home, game: str, now: Moment) -> str:
    """Bring a game back that was ended; raises WrongInput as `cancelling.bring_back` does."""
    return f"{game}: goes on.{_due(home, game, cancelling.bring_back(home, game, now))}"


def hold(home: Home, game: str, seat: Seat, now: Moment, why: str) -> str:
    """Hold a seat's orders back; raises WrongInput as `announcing.hold` does."""
    announcing.hold(home, game, seat, why, now)
    none = (
        ""
        if standing(SavedGame(home, game), seat).lines
        else " None stand now; those that come are held too."
    )
    return f"{game}: orders of {seat} are held back.{none} Let them count: pbem hold {game} {seat} --release"


def release(home: Home, game: str, seat: Seat, now: Moment) -> str:
    """Let a seat's orders count again; raises WrongInput as `announcing.release` does."""
    announcing.release(home, game, seat, now)
    return f"{game}: orders of {seat} count again."


@with_words_to_send
def announce(home: Home, game: str, now: Moment, text: str, *more: Note) -> str:
    """Write to all players of a game; raises WrongInput as `announcing.announce` does."""
    mails = announcing.announce(home, game, text, now, *more)
    return f"{game}: it will stand in the next report{f', and {mails} mails are queued' if mails else ''}."


def announce_to_all(
    home: Home, now: Moment, text: str, aside: Aside, *, again: bool = False
) -> Iterator[str]:
    """Write to all players of all running games, to each game once, also if this was cut off before.

    Args:
        home: The home.
        now: The moment.
        text: The words.
        aside: Told of a game that cannot be written to; the others are.
        again: Write also where the same was what the moderator did last.

    Raises:
        WrongInput: The text is empty or too long.
        DoneBefore: It was done before, and nothing since.
        GateClosedError: Another program is at it.
    """
    with announcing.announcing_to_all(home, text, now, again=again) as (games, begun):
        while games:
            game = games.pop(0)
            try:
                saved = SavedGame(home, game)
                if isinstance(saved.ask, Outcome) or saved.cancelled is not None:
                    home.store.note(announcing.still_to_tell(home, text, begun, games))
                else:
                    act = announcing.announced(game, text, begun)
                    rest = announcing.still_to_tell(home, text, begun, games, act)
                    yield announce(home, game, begun, text, *rest)
            except (JournalRefused, OSError):  # it is about the disk, and so about all games
                raise
            except Exception as wrong:
                home.store.note(announcing.still_to_tell(home, text, begun, games))
                aside(game, wrong)


@with_words_to_send
def name(home: Home, game: str, seat: Seat, now: Moment, called: str) -> str:
    """Call a seat's player otherwise; raises WrongInput as `naming.rename_player` does."""
    before = naming.rename_player(home, game, seat, called, now)
    return f"{game}: the player of {seat} is {called} from now on, and was {before}. All else stays."


@with_words_to_send
def undo(
    home: Home, game: str, now: Moment, turn: int | None, by: Span | None = None, to: When | None = None
) -> str:
    """Take the newest turn back, and move its deadline if asked; raises WrongInput as `take_back` does."""
    done = take_back(home, game, now, turn, by=by, to=to.due if to is not None else None)
    begun = " (begun by an earlier command, and finished now)" if done.was_begun else ""
    is_left = (by is not None or to is not None) and not done.is_moved
    return "\n".join(
        [
            f"{game}: turn {done.turn} was taken back{begun} and is kept in {done.kept}.",
            *["Its reports told the seed: go on only with players who know that."] * told_seed(done.kept),
            after_undo(home, game, now, is_moved=done.is_moved),
            *[f"Its deadline was not moved: pbem extend {game} --to WHEN"] * is_left,
        ]
    )


def after_undo(home: Home, game: str, now: Moment, *, is_moved: bool = False) -> str:
    """Return how a game stands whose newest turn was taken back, and whose orders count again."""
    stands = status_of(home, game, now)
    return f"{stands.head()}.\n{standing_again(home, game, now).told(stands, is_moved=is_moved)}"


def _due(home: Home, game: str, moment: Moment | None) -> str:
    return f" Orders are due {_spelled(home, game, moment)}." if moment is not None else ""


def _spelled(home: Home, game: str, moment: Moment) -> str:
    return SavedGame(home, game).table.spelled(moment)
