"""A running game is ended by its moderator, for all of its players; or brought back."""

from __future__ import annotations

import datetime

from pbem.core.events import Seat
from pbem.host.notices.newswords import due_besides
from pbem.host.notices.telling import act_of, to_all
from pbem.host.run.acting import acting
from pbem.host.run.notes import note
from pbem.host.time.deadlines import (
    asked_now,
    deadline_after_rest,
    deadline_in_force,
    owing_seats,
    table_in_force,
)
from pbem.host.time.newdeadline import deadline_with
from pbem.host.undo.undowords import missing
from pbem.play.homes.cancelled import CANCELLED, Cancelled, name_of_end
from pbem.play.homes.home import Home
from pbem.store.errors import WrongInput
from pbem.store.interface import Change
from pbem.store.journals.kinds import facts_of
from pbem.store.journals.records import Row, iso
from pbem.text.schemas.codec import dumps_line

Moment = datetime.datetime


def cancel(home: Home, game: str, why: str, now: Moment) -> None:
    """End a running game for all: no turn is run any more, and no orders are taken.

    It is no result of the rules, and nobody wins. What is secret stays so, because the game may come back.

    Args:
        home: The home.
        game: The id of the game.
        why: What the players are told.
        now: The moment.

    Raises:
        WrongInput: It is over or was ended before, or no reason is given.
    """
    how = Cancelled(now, " ".join(why.split()).rstrip("."))
    if not how.why:
        raise WrongInput(
            "the players are told why a game is ended.", f"Say it: pbem cancel {game} --why TEXT"
        )
    text = (
        f"{how.sentence()} It is no result of the rules, and nobody has won. No turn is run any more, "
        "and no orders are taken.\n\n"
        "What was secret stays secret, because the moderator can bring the game back; you would be told."
    )
    facts = facts_of("game-cancelled")
    with acting(home, game) as act:
        rows: tuple[Row, ...] = (
            note(game, CANCELLED, how.noted()),
            act_of(now, game, "cancel", f"the game was ended ({how.why}).", public=True, facts=facts),
            *to_all(
                act.saved, now, f"cancelled {iso(now)}", "The game was ended", lambda _: text, facts=facts
            ),
        )
        files = {name_of_end(game): dumps_line(how.noted()).encode()}
        home.store.change(game, Change({"words": "ending it"}, files, rows=rows))


def bring_back(home: Home, game: str, now: Moment) -> Moment | None:
    """Bring a game back that its moderator has ended; return its new deadline, if it has any.

    The players have as much time as they had, and no less than the schedule leaves for a turn.
    A game that was paused is so still.

    Raises:
        WrongInput: It was not ended, or is over by its rules.
    """
    with acting(home, game, to_bring_back=True) as act:
        saved, notes, ended = act.saved, act.notes, act.notes.cancelled
        if ended is None:
            raise WrongInput(f"{game} was not ended by its moderator.", "`pbem status` tells how it stands.")
        moved, rests = deadline_in_force(saved, notes), notes.rest_at(now)
        if rests is not None and rests.end is None:
            moved = None
        elif moved is not None:
            moved = deadline_after_rest(table_in_force(saved, notes), notes, ended.at, now, moved)
        due, owing = due_besides(saved.table, moved), owing_seats(saved, notes)

        def words(seat: Seat) -> str:
            when = (
                f" Orders for {asked_now(saved)} are due {saved.table.spelled(moved, seat)}." if moved else ""
            )
            rest = f" It is still {rests.told(saved.table, now)}." if rests is not None else ""
            said = (
                "The game, which the moderator had ended, goes on. Orders that you had sent before it was "
                "ended count. Those that you sent later were not taken: send them again."
            )
            asked = f" {missing(asked_now(saved))}" if seat in owing and seat not in notes.held else ""
            return said + asked + when + rest

        facts = facts_of("game-brought-back", due=moved)
        rows: tuple[Row, ...] = (
            note(game, CANCELLED, None),
            *deadline_with(saved, notes, moved),
            act_of(now, game, "cancel", f"the game that was ended goes on{due}.", public=True, facts=facts),
            *to_all(saved, now, f"brought back {iso(now)}", "The game goes on", words, facts=facts),
        )
        home.store.change(game, Change({"words": "bringing it back"}, {name_of_end(game): None}, rows=rows))
    return moved
