"""A turn is taken back, or a game ended or brought back: written down, and told to all once."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.wording import sentence_list
from pbem.host.notices.queue import make_act, player_notices, render_paragraphs
from pbem.host.office.status import Status
from pbem.host.people.seatorders import seat_orders, seat_orders_facts
from pbem.host.people.seats import standby_undo_notices
from pbem.host.run.losses import lost_findings, lost_turn_advice, skip_turn_advice
from pbem.host.run.notes import hold_game, note, notes_of, refuse_cancelled, standby_replacements
from pbem.host.run.terms import rerun_trigger
from pbem.host.time.deadlines import (
    deadline_after_rest,
    deadline_in_force,
    is_closed,
    owing_seats,
    table_in_force,
)
from pbem.host.time.extensions import chosen_deadline, deadline_rows, facts_of_deadline
from pbem.play.config.schedule import Span
from pbem.play.homes import saves
from pbem.play.homes.home import Home, read_secret
from pbem.play.homes.integrity import missing_findings, turn_findings
from pbem.play.homes.saved import CANCELLED, Cancellation, SavedGame, name_of_end
from pbem.play.homes.saves import Turns
from pbem.store.errors import WrongInput
from pbem.store.interface import Change, Place
from pbem.store.records import Act, Row, facts_of, iso
from pbem.text.codec import dumps_line, fields_of


def turn_to_take_back(home: Home, turns: Turns, turn: int | None) -> int:
    """Return the number of the turn to take back.

    Args:
        home: The home.
        turns: The turns of the game.
        turn: The turn that the host named, or None for the newest.

    Raises:
        WrongInput: There is none, it is not the newest, or one was taken back just before; or a turn after it
            is lost, or one before it is missing or damaged.
    """
    if turn is None:
        _refuse_lost(home, turns.game, turns.newest())
    number = _number(turns, turn)
    _refuse_missing(turns, number, is_named=turn is not None)
    _refuse_damaged(home, turns, number, is_named=turn is not None)
    return number


def _number(turns: Turns, turn: int | None) -> int:
    """Return the turn to take back, or refuse."""
    game, newest = turns.game, turns.newest()
    if turn is None and turns.taken_back(newest + 1):
        text = f"turn {newest + 1} of {game} was taken back already, and nothing was run since."
        raise WrongInput(
            text, f"To take back turn {newest} too: pbem undo {game} --turn {newest}" if newest else ""
        )
    if turn is not None and turn != newest:
        is_back = turn > newest and turns.taken_back(turn)
        if 0 < turn < newest:
            text = f"turn {turn} of {game} is not the newest, which is {newest}."
            several = sentence_list([str(one) for one in range(newest, turn - 1, -1)])
            way = f"Take turns {several} back, the newest first: pbem undo {game} --turn {newest}"
            raise WrongInput(text, f"Nothing was changed. {way}")
        why = "was taken back already" if is_back else f"is not the newest, which is {newest}"
        raise WrongInput(f"turn {turn} of {game} {why}.", "Nothing was changed.")
    if newest == 0:
        raise WrongInput(f"{game} is at its start; there is no turn to take back.")
    return newest


def _refuse_missing(turns: Turns, number: int, *, is_named: bool) -> None:
    """Refuse to take turns back where one before them is missing: that never brings it back."""
    is_last = number - 1 not in turns.numbers()
    missing = next(missing_findings(turns), None)
    if missing is None or (is_named and not is_last):
        return
    game = turns.game
    text = f"{game}/{missing.place}: {missing.text}, so nothing was taken back."
    hint = skip_turn_advice(game).replace("p", "P", 1)
    more = "" if is_last else f". To take turn {number} back all the same: pbem undo {game} --turn {number}"
    raise WrongInput(text, f"{hint}{more}")


def _refuse_damaged(home: Home, turns: Turns, number: int, *, is_named: bool) -> None:
    """Refuse to take turns back where one before them is damaged: no run goes on from that one."""
    game, seed = turns.game, read_secret(home.game(turns.game)).seed
    last = number - 1
    for one in [last] if is_named else range(number):
        for damaged in turn_findings(turns.at(one), seed):
            if is_named and "/reports/" in damaged.place:
                continue
            text = f"{game}/{damaged.place}: {damaged.text}, so nothing was taken back."
            mend = f"Put it back first, without a backup: pbem home mend {game}"
            more = f". To take turn {number} back all the same: pbem undo {game} --turn {number}"
            raise WrongInput(text, mend if one == last else f"{mend}{more}")


def _refuse_lost(home: Home, game: str, number: int) -> None:
    """Refuse to take a turn back where a later one is gone: that one may be meant."""
    lost = next(lost_findings(home, game), None)
    if lost is not None:
        text = f"{game}/{lost.place}: {lost.text}, so nothing was taken back."
        other = f" To take turn {number} back: pbem undo {game} --turn {number}" if number else ""
        ways = lost_turn_advice(game)
        raise WrongInput(text, f"{ways[0].upper()}{ways[1:]}{other and '.'}{other}")


Moment = datetime.datetime


@dataclass(frozen=True, slots=True)
class UndoneTurn:
    """A turn that was taken back.

    Attributes:
        turn: The turn.
        kept: Where it lies now.
        was_begun: It was begun by an earlier command, which was cut off before all was written down.
        is_moved: The deadline of its orders was moved with it, by the command that began it.
    """

    turn: int
    kept: Place
    was_begun: bool = False
    is_moved: bool = False


def undo_newest_turn(
    home: Home,
    game: str,
    now: Moment,
    turn: int | None = None,
    *,
    by: Span | None = None,
    to: Moment | None = None,
) -> UndoneTurn:
    """Take the newest turn back, and tell all players; with more time for its orders, if that is said.

    Given again after a kill or an error it finishes what was begun, and takes no other turn. So that this
    holds also where nobody saw how the first one ended, a second turn in a row is taken back only by number.

    Args:
        home: The home.
        game: The id of the game.
        now: The moment.
        turn: The turn that must be the newest; None for whichever it is.
        by: Its orders are due so much later, from now on if their deadline has passed.
        to: They are due at this moment instead.

    Raises:
        WrongInput: It cannot be, as `turn_to_take_back` tells; or the moderator has ended the game, or
            nothing can be due then.
    """
    turns = home.turns(game)
    with home.held(game) as begun:  # waiting for a run would take back the turn that it is about to make
        if begun is not None and begun.taken_back is not None and turn in (None, begun.taken_back):
            is_moved = any(isinstance(row, Act) and row.act == "extend" for row in begun.rows)
            return UndoneTurn(
                begun.taken_back,
                _undone_turn_place(turns, begun.taken_back),
                was_begun=True,
                is_moved=is_moved,
            )
        refuse_cancelled(SavedGame(home, game))
        number = turn_to_take_back(home, turns, turn)
        moved = None
        if by is not None or to is not None:
            before, notes = SavedGame(home, game, at_turn=number - 1), notes_of(home, game)
            moved = chosen_deadline(before, notes, now, by, to, verb="undo")
        home.store.change(game, _change(home, game, number, now, moved))
        return UndoneTurn(number, _undone_turn_place(turns, number), is_moved=moved is not None)


def rerun_instructions(home: Home, game: str, now: Moment, stands: Status, *, is_moved: bool = False) -> str:
    """Return whose orders count for a turn that is to be run again, who must send again, and what runs it.

    Args:
        home: The home.
        game: The id of the game.
        now: The moment.
        stands: How the game stands.
        is_moved: The deadline was moved just now.
    """
    saved = SavedGame(home, game)
    notes = notes_of(home, game)
    deadline, of = deadline_in_force(saved, notes), seat_orders(saved, notes).values()
    free, way = [one for one in of if not one.held], rerun_trigger(saved, notes, now)
    is_told = deadline is not None and (is_moved or bool(owing_seats(saved, notes)))
    told: dict[str, Json] = {
        "game": game,
        "label": stands.label,
        "again": stands.seats_with_players(one.seat for one in free if one.state == "reinstated"),
        "newer": stands.seats_with_players(one.seat for one in free if one.state == "lodged"),
        "without": stands.seats_with_players(stands.seats_without_line()),
        "later": [*sorted(one for one in saved.again if one > saved.turn + 1)],
        "once": way.once,
        "command": way.command,
        "silent": stands.seats_with_players(way.silent),
        "due": saved.table.spelled(deadline) if is_told and deadline is not None else "",
        "is_passed": is_closed(saved, notes, now),
        "is_moved": is_moved,
    }
    return render_paragraphs(home, "done/undo", told).replace("\n\n", "\n")


def _change(home: Home, game: str, number: int, now: Moment, moved: Moment | None) -> Change:
    """Return what becomes true when a turn is taken back.

    Without a journal, and with no new deadline, it is that alone, so that a kill leaves the old turn or the
    new one: nobody is told by mail, and the next report says it because the turns do.
    """
    what = {"words": f"taking turn {number} back"}
    newest, notes = SavedGame(home, game), notes_of(home, game)
    before, back = newest.before(), standby_replacements(newest)
    stands, is_seed_told = seat_orders(before, notes), has_published_seed(newest.turns.at(number))
    about = f"taken back {number:04d}.{before.turns.revision(number) + 1}"
    undone = facts_of("turn-undone", turn=number)
    acts = [make_act(now, game, "undo", public=True, facts=undone)]
    if moved is not None:
        facts = facts_of_deadline(before, moved, deadline_in_force(before, notes))
        acts.append(make_act(now, game, "extend", public=True, facts=facts))

    def told(seat: Seat) -> dict[str, Json]:
        orders = seat_orders_facts(before, notes, now, stands[seat], moved)
        return {**orders, "turn": number, "is_back": seat in back, "is_seed_told": is_seed_told}

    notices = (
        *player_notices(before, now, about, undone, told),
        *standby_undo_notices(newest, back, now, about),
    )
    rows = (*acts, *deadline_rows(before, notes, moved), *notices)
    return Change(what, taken_back=number, rows=rows if home.has_journal or moved is not None else ())


def _undone_turn_place(turns: Turns, turn: int) -> Place:
    return turns.taken_back(turn)[-1].place


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
    how = Cancellation(now, " ".join(why.split()).rstrip("."))
    if not how.why:
        raise WrongInput(
            "the players are told why a game is ended.", f"Say it: pbem cancel {game} --why TEXT"
        )
    facts = facts_of("game-cancelled", why=how.why)
    with hold_game(home, game) as act:
        rows: tuple[Row, ...] = (
            note(game, CANCELLED, how.noted()),
            make_act(now, game, "cancel", public=True, facts=facts),
            *player_notices(act.saved, now, f"cancelled {iso(now)}", facts, lambda _: {"why": how.why}),
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
    with hold_game(home, game, to_bring_back=True) as act:
        saved, notes, ended = act.saved, act.notes, act.notes.cancelled
        if ended is None:
            raise WrongInput(f"{game} was not ended by its moderator.", "`pbem status` tells how it stands.")
        moved, rests = deadline_in_force(saved, notes), notes.rest_at(now)
        if rests is not None and rests.end is None:
            moved = None
        elif moved is not None:
            moved = deadline_after_rest(table_in_force(saved, notes), notes, ended.at, now, moved)
        stands = seat_orders(saved, notes)

        def told(seat: Seat) -> dict[str, Json]:
            return seat_orders_facts(saved, notes, now, stands[seat], moved)

        facts = facts_of("game-brought-back", due=moved)
        rows: tuple[Row, ...] = (
            note(game, CANCELLED, None),
            *deadline_rows(saved, notes, moved),
            make_act(now, game, "cancel", public=True, facts=facts),
            *player_notices(saved, now, f"brought back {iso(now)}", facts, told),
        )
        home.store.change(game, Change({"words": "bringing it back"}, {name_of_end(game): None}, rows=rows))
    return moved


def has_published_seed(turn: Place) -> bool:
    """Tell whether a turn ended the game, so that its reports hold the seed."""
    try:
        report = saves.read_json(turn / "reports" / "spectator" / "report.json")
    except WrongInput:  # it is damaged
        return False
    return fields_of(report.get("ask")).get("kind") == "over"
