"""The moderator writes to all players of a game or of all games, and holds orders back."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from pbem.core.events import Seat
from pbem.host.notices.queue import make_act, notices_to_all
from pbem.host.run.notes import HELD, hold_game
from pbem.host.time.extensions import refuse_strange_seat
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.store.interface import WAIT_SECONDS
from pbem.store.records import Act, Note, Row, facts_of, iso
from pbem.store.stamped import refuse_repeated, stamp_of

Moment = datetime.datetime

LONGEST = 4000

TO_ALL: Final = "announcing"
"""The key of the note of an announcement to all games: its words, its moment, and which games lack it."""

_A_DAY: Final = datetime.timedelta(days=1)
"""So long an announcement to all games that was cut off is finished by the same words."""


def announce(home: Home, game: str, text: str, now: Moment, *more: Note) -> int:
    """Write to all players of a game, at once and in the next report; return how many mails that makes.

    Args:
        home: The home.
        game: The game.
        text: The words.
        now: The moment.
        more: What becomes true with it.

    Raises:
        WrongInput: The text is empty or too long.
    """
    words = _checked_text(text)
    quoted = "\n".join(f"| {line}" for line in words.splitlines())
    text = f"The moderator writes to all:\n\n{quoted}"
    with hold_game(home, game) as act:
        facts = facts_of("announcement")
        about = f"announced {iso(now)} {words}"
        told = notices_to_all(act.saved, now, about, "From the moderator", lambda _: text, facts=facts)
        home.store.note((announcement_act(game, words, now), *told, *more))
        return len(told)


def announcement_act(game: str, text: str, now: Moment) -> Act:
    """Return the act of an announcement, as it is written down."""
    facts = facts_of("announcement")
    return make_act(now, game, "announce", public=True, facts=facts, detail=text.strip())


@contextmanager
def begin_announcement_to_all(
    home: Home, text: str, now: Moment, *, again: bool = False
) -> Iterator[tuple[list[str], Moment]]:
    """Begin an announcement to all running games, or go on with one that was cut off.

    Args:
        home: The home.
        text: The words.
        now: The moment.
        again: Begin it also where the same was what the moderator did last.

    Yields:
        The games that lack it, and the moment at which it was begun.

    Raises:
        WrongInput: The text is empty or too long.
        RepeatedCommand: It was made before, and nothing was done since.
        GateClosedError: Another program is at it.
    """
    words = _checked_text(text)
    with home.store.held("mail/announcing", wait_seconds=WAIT_SECONDS):
        with home.journal() as db:
            said, at, left = json.loads(db.note("", TO_ALL) or '["", "", []]')
        if said == words and now - Moment.fromisoformat(at) < _A_DAY:
            games, begun = [game for game in left if home.has(game)], Moment.fromisoformat(at)
        else:
            if not again:
                refuse_repeated(home.store, "", _announce_command(words), now)
            games, begun = home.games(), now
            home.store.note(announcement_note(home, words, begun, games))
        yield games, begun


def announcement_note(
    home: Home, text: str, begun: Moment, games: Sequence[str], *acts: Act
) -> tuple[Note, ...]:
    """Return the note of the games that lack an announcement to all; of none, that it is made.

    Args:
        home: The home.
        text: The words.
        begun: When it was begun.
        games: The games that lack it.
        acts: What is done together with it.
    """
    words = text.strip()
    if games:
        return (Note("", TO_ALL, json.dumps([words, iso(begun), [*games]])),)
    return Note("", TO_ALL, None), stamp_of(home.store, "", _announce_command(words), begun, acts)


def _announce_command(words: str) -> tuple[str, ...]:
    return "announce", "--all", words


def _checked_text(text: str) -> str:
    words = text.strip()
    if not words or len(words) > LONGEST:
        raise WrongInput(f"an announcement has 1 to {LONGEST} characters.")
    return words


def hold(home: Home, game: str, seat: Seat, why: str, now: Moment) -> None:
    """Hold a seat's orders back: no run looks at them, as if none had come; new ones neither.

    Raises:
        WrongInput: They are held back already.
    """
    with hold_game(home, game) as act:
        refuse_strange_seat(act.saved, seat)
        if seat in act.notes.held:
            raise WrongInput(f"orders of {seat} are held back already.", "Release them: pbem hold --release")
        why = " ".join(why.split())
        held = Note(game, f"{HELD}{seat}", why)
        facts = facts_of("orders-held", seat=seat, player=act.saved.players.holder(seat), why=why)
        home.store.note((held, make_act(now, game, "hold", public=True, facts=facts)))


def release(home: Home, game: str, seat: Seat, now: Moment) -> None:
    """Let a seat's orders count again.

    Raises:
        WrongInput: They are not held back.
    """
    with hold_game(home, game) as act:
        refuse_strange_seat(act.saved, seat)
        if seat not in act.notes.held:
            raise WrongInput(f"orders of {seat} are not held back.")
        home.store.note(release_rows(act.saved, seat, now))


def release_rows(saved: SavedGame, seat: Seat, now: Moment) -> tuple[Row, ...]:
    """Return what is written down when a seat's orders are held back no longer."""
    free = Note(saved.name, f"{HELD}{seat}", None)
    facts = facts_of("orders-released", seat=seat, player=saved.players.holder(seat))
    return free, make_act(now, saved.name, "release", public=True, facts=facts)
