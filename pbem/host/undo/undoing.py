"""A turn is taken back, written down and told to all: each once, whatever is cut or given again."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from pbem.core.events import Seat
from pbem.core.wording import listed
from pbem.host.notices.newswords import now_due
from pbem.host.notices.telling import act_of, to_all
from pbem.host.office.status import Status
from pbem.host.people.replacing import partings_of_undo
from pbem.host.people.standins import stood_in
from pbem.host.run.acting import refuse_cancelled
from pbem.host.run.notes import notes_of
from pbem.host.run.policy import way_again
from pbem.host.run.runagain import Way
from pbem.host.time.deadlines import asked_now, deadline_in_force, is_closed, owing_seats
from pbem.host.time.newdeadline import chosen_deadline, deadline_with, facts_of_deadline
from pbem.host.undo.undoable import turn_to_take_back
from pbem.host.undo.undowords import title_of_undo, told_of_orders
from pbem.play.config.schedule import Span
from pbem.play.homes import saves
from pbem.play.homes.chain import sha256
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.turns import Turns
from pbem.play.submissions.gate import lodged
from pbem.play.submissions.takenback import told_of
from pbem.store.interface import Change
from pbem.store.journals.kinds import facts_of
from pbem.store.journals.records import Act
from pbem.store.place import Place

Moment = datetime.datetime


@dataclass(frozen=True, slots=True)
class Undone:
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


def take_back(
    home: Home,
    game: str,
    now: Moment,
    turn: int | None = None,
    *,
    by: Span | None = None,
    to: Moment | None = None,
) -> Undone:
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
            return Undone(begun.taken_back, _kept(turns, begun.taken_back), was_begun=True, is_moved=is_moved)
        refuse_cancelled(SavedGame(home, game))
        number = turn_to_take_back(home, turns, turn)
        moved = None
        if by is not None or to is not None:
            before, notes = SavedGame(home, game, at_turn=number - 1), notes_of(home, game)
            moved = chosen_deadline(before, notes, now, by, to, verb="undo")
        home.store.change(game, _change(home, game, number, now, moved))
        return Undone(number, _kept(turns, number), is_moved=moved is not None)


@dataclass(frozen=True, slots=True)
class Standing:
    """Whose orders count for a turn that was taken back and is to be run again.

    Attributes:
        again: Seats whose orders it had taken, and that count again.
        newer: Seats that have sent others since: those stand.
        later: Turns after it that were taken back too, and whose orders count when their run comes.
        way: What runs it.
        due: The deadline in words; or "".
        is_owed: Orders are owed.
        is_passed: The deadline has passed.
    """

    again: tuple[Seat, ...]
    newer: tuple[Seat, ...]
    later: tuple[int, ...]
    way: Way
    due: str
    is_owed: bool
    is_passed: bool

    def told(self, status: Status, *, is_moved: bool = False) -> str:
        """Return whose orders count, who must send again, and what to do, in sentences.

        Args:
            status: How the game stands.
            is_moved: The deadline was moved just now.
        """
        said = []
        if self.again:
            said.append(f"Orders that it had taken count again: of {status.named(self.again)}.")
        if self.newer:
            said.append(f"Newer orders stand in their place: of {status.named(self.newer)}.")
        if without := status.without_a_line():
            what = f"No line of {status.named(without)} fits {status.label} and can be played"
            said.append(f"{what}: send again, or let the moderator lodge it (pbem submit).")
        if self.later:
            turns = listed(map(str, self.later))
            several = f"Turns {turns} need one run each after that, with the orders that they had."
            one = f"Turn {turns} takes a run of its own after that, with the orders that it had."
            said.append(several if len(self.later) > 1 else one)
        once = f", and{self.way.once}" if self.way.once else ""
        told = " ".join([*said, f"When what was wrong is mended{once}, run it by name: {self.way.command}"])
        more = f"To give more time, before players are told: pbem extend {status.game} --to WHEN"
        if is_moved and not self.is_passed:
            return f"{told}\nOrders are due {self.due}, as all players are told."
        if not self.due or not self.is_owed:
            return told
        if self.is_passed:
            silent = f"It answers for {status.named(self.way.silent)} at once: t" if self.way.silent else "T"
            return f"{told}\n{silent}he deadline, {self.due}, has passed. {more}"
        return f"{told}\nOrders are due {self.due}. {more}"


def standing_again(home: Home, game: str, now: Moment) -> Standing:
    """Return whose orders count for the turn that is to be run again."""
    saved = SavedGame(home, game)
    undone = saved.again.get(saved.turn + 1)
    before = saves.submissions_of(undone.place) if undone is not None else {}
    notes = notes_of(home, game)
    stand = {seat: sha256(data) for seat, data in lodged(saved, held=notes.held).submissions.items()}
    deadline = deadline_in_force(saved, notes)
    of_all = [seat for seat in saved.start.seats if seat in stand]
    return Standing(
        tuple(seat for seat in of_all if before.get(seat) == stand[seat]),
        tuple(seat for seat in of_all if before.get(seat) != stand[seat]),
        tuple(sorted(one for one in saved.again if one > saved.turn + 1)),
        way_again(saved, notes, now),
        saved.table.spelled(deadline) if deadline is not None else "",
        bool(owing_seats(saved, notes)),
        is_closed(saved, notes, now),
    )


def _change(home: Home, game: str, number: int, now: Moment, moved: Moment | None) -> Change:
    """Return what becomes true when a turn is taken back.

    Without a journal, and with no new deadline, it is that alone, so that a kill leaves the old turn or the
    new one: nobody is told by mail, and the next report says it because the turns do.
    """
    what = {"words": f"taking turn {number} back"}
    before = SavedGame(home, game, at_turn=number - 1)
    newest, notes = SavedGame(home, game), notes_of(home, game)
    orders, back = told_of_orders(home, newest, now, moved), stood_in(newest)
    text = (
        f"The moderator has taken turn {number} back: its report does not count. It will be run again; "
        "you get a corrected report if anything in yours changes."
    )
    keep = (
        "Keep that report all the same. The turn is kept as one that was taken back, and so is its root: "
        "where there is an archive, the game's file there names it."
    )
    about = f"taken back {number:04d}.{before.turns.revision(number) + 1}"
    undone = facts_of("turn-undone", turn=number)
    acts = [act_of(now, game, "undo", told_of(number), public=True, facts=undone)]
    if moved is not None:
        news = f"{now_due(asked_now(before))} {before.table.spelled_to_all(moved)}."
        facts = facts_of_deadline(before, moved, deadline_in_force(before, notes))
        acts.append(act_of(now, game, "extend", news, public=True, facts=facts))
    title = title_of_undo(before, number)

    def words(seat: Seat) -> str:
        again = "A standby had come to your seat in it: it is yours again." if seat in back else ""
        return f"{' '.join(filter(None, (text, again, orders(seat))))}\n\n{keep}"

    told = (
        *to_all(before, now, about, title, words, facts=undone),
        *partings_of_undo(newest, back, now, about),
    )
    rows = (*acts, *deadline_with(before, notes, moved), *told)
    return Change(what, taken_back=number, rows=rows if home.has_journal or moved is not None else ())


def _kept(turns: Turns, turn: int) -> Place:
    return turns.taken_back(turn)[-1].place
