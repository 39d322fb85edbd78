"""What verbs say of a game beside what they do: it ended, its deadline was moved; this was done before."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Iterator, Sequence
from typing import Final

from pbem.cli.base import print_hint, print_to_stderr, print_unless_quiet
from pbem.core.events import Seat
from pbem.host.run.losses import is_to_run_again, lost_turn_lines
from pbem.host.run.notes import notes_of
from pbem.host.time.deadlines import moved_since_report
from pbem.play.config.schedule import zone_of
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store import stamped
from pbem.store.errors import JournalRefused, RepeatedCommand


@contextlib.contextmanager
def done_once(
    home: Home, game: str, command: Sequence[str], now: datetime.datetime, *, again: bool
) -> Iterator[Home]:
    """Give a home in which a command acts once; if it was what was done last, that is said instead.

    Who gives a command again that was cut off does not know whether it was done. It is known by its words,
    and by nothing having been done since.

    Args:
        home: The home.
        game: The game; or "" for a command that is about the whole home.
        command: The words of the command.
        now: The moment.
        again: Do it in any case.
    """
    try:
        yield home if again else Home(stamped.repeat_guard(home.store, game, command, now))
    except RepeatedCommand as done:
        at = done.at.astimezone(zone_of(home.zone() or "UTC"))
        about = f"{game}: " if game else ""
        print_unless_quiet(
            f"{about}this was done at {at:%Y-%m-%d %H:%M:%S %Z}, and nothing since. Once more: --again"
        )


UNREAD: Final = (
    "What the folders know is told; whether a deadline was moved or the game was paused is not known."
)


def due_now(home: Home, game: str, reader: str) -> str:
    """Return when orders are due, for a reader, if that was changed after the newest report; else ""."""
    notes = notes_of(home, game) if home.has(game) else None
    if notes is None or not notes.deadlines:
        return ""
    return moved_since_report(SavedGame(home, game), notes, Seat(reader))


def home_without_damage(home: Home, game: str) -> Home:
    """Return a home to read a game of; if its journal is damaged, that is said, and the folders are read."""
    try:
        notes_of(home, game)
    except JournalRefused as wrong:
        print_to_stderr(f"pbem: {wrong} {UNREAD}")
        return home.without_journal()
    return home


def warn_of_changes(home: Home, game: str) -> None:
    """Say beside what is printed of a game that its moderator ended it, or has taken a turn back."""
    if not home.has(game):
        return
    notes = notes_of(home, game)
    if notes.cancelled is not None:
        print_hint(f"{game}: {notes.cancelled.told()}. No turn is run any more.")
    if notes.deadlines and (moved := moved_since_report(SavedGame(home, game), notes)):
        print_hint(f"{game}: the deadline was moved after this report was made. Orders are due {moved}.")
    warn_of_missing_turn(home, game)


def warn_of_missing_turn(home: Home, game: str) -> None:
    """Say beside what is printed of a game that its newest turn was taken back, or is lost."""
    if not home.has(game):
        return
    saved = SavedGame(home, game)
    warn_of_lost_turns(home, game)
    if is_to_run_again(saved):
        told = f"turn {saved.turn + 1} was taken back. Its report does not count; it will be run again."
        print_hint(f"{game}: {told}")


def warn_of_lost_turns(home: Home, game: str) -> None:
    """Say beside what is printed of a game that turns of it are lost, which is for its moderator to mend."""
    for lost in lost_turn_lines(home, game) if home.has(game) else ():
        print_to_stderr(lost)
