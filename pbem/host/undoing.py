"""A turn is taken back, written down and told to all: each once, whatever is cut or given again."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass

from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.core.labels import START
from pbem.core.wording import listed
from pbem.host.acting import refuse_cancelled
from pbem.host.ballots import ending
from pbem.host.deadlines import asked_now, deadline_in_force, is_closed, owing_seats
from pbem.host.notes import Notes, notes_of
from pbem.host.policy import way_again
from pbem.host.replacing import partings_of_undo
from pbem.host.runagain import Way
from pbem.host.standins import stood_in
from pbem.host.status import Status
from pbem.host.telling import act_of, is_mailed, to_all
from pbem.host.undoable import turn_to_take_back
from pbem.play import saves
from pbem.play.arrivals import is_another, named_in_report
from pbem.play.chain import sha256
from pbem.play.countagain import lines_again
from pbem.play.gate import lodged
from pbem.play.home import Home
from pbem.play.saved import SavedGame
from pbem.play.takenback import told_of
from pbem.play.turns import Turns
from pbem.store.errors import WrongInput
from pbem.store.interface import Change
from pbem.store.place import Place
from pbem.text.codec import fields_of

Moment = datetime.datetime


@dataclass(frozen=True, slots=True)
class Undone:
    """A turn that was taken back.

    Attributes:
        turn: The turn.
        kept: Where it lies now.
        was_begun: It was begun by an earlier command, which was cut off before all was written down.
    """

    turn: int
    kept: Place
    was_begun: bool = False


def take_back(home: Home, game: str, now: Moment, turn: int | None = None) -> Undone:
    """Take the newest turn back, and tell all players.

    Given again after a kill or an error it finishes what was begun, and takes no other turn. So that this
    holds also where nobody saw how the first one ended, a second turn in a row is taken back only by number.

    Args:
        home: The home.
        game: The id of the game.
        now: The moment.
        turn: The turn that must be the newest; None for whichever it is.

    Raises:
        WrongInput: It cannot be, as `turn_to_take_back` tells; or the moderator has ended the game.
    """
    turns = home.turns(game)
    with home.held(game) as begun:  # waiting for a run would take back the turn that it is about to make
        if begun is not None and begun.taken_back is not None and turn in (None, begun.taken_back):
            return Undone(begun.taken_back, _kept(turns, begun.taken_back), was_begun=True)
        refuse_cancelled(SavedGame(home, game))
        number = turn_to_take_back(home, turns, turn)
        home.store.change(game, _change(home, game, number, now))
        return Undone(number, _kept(turns, number))


@dataclass(frozen=True, slots=True)
class Standing:
    """Whose orders count for a turn that was taken back and is to be run again.

    Attributes:
        again: Seats whose orders it had taken, and that count again.
        newer: Seats that have sent others since: those stand.
        later: Turns after it that were taken back too, and whose orders count when their run comes.
        way: What runs it.
        passed: The deadline, if it has passed and orders are owed, in words; or "".
    """

    again: tuple[Seat, ...]
    newer: tuple[Seat, ...]
    later: tuple[int, ...]
    way: Way
    passed: str

    def told(self, status: Status) -> str:
        """Return whose orders count, who must send again, and what to do, in sentences."""
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
        if self.passed:
            silent = f"It answers for {status.named(self.way.silent)} at once: t" if self.way.silent else "T"
            more = f"To give more time, before players are told: pbem extend {status.game} --to WHEN"
            told += f"\n{silent}he deadline, {self.passed}, has passed. {more}"
        return told


def standing_again(home: Home, game: str, now: Moment) -> Standing:
    """Return whose orders count for the turn that is to be run again."""
    saved = SavedGame(home, game)
    undone = saved.again.get(saved.turn + 1)
    before = saves.submissions_of(undone.place) if undone is not None else {}
    notes = notes_of(home, game)
    stand = {seat: sha256(data) for seat, data in lodged(saved, held=notes.held).submissions.items()}
    of_all = [seat for seat in saved.start.seats if seat in stand]
    return Standing(
        tuple(seat for seat in of_all if before.get(seat) == stand[seat]),
        tuple(seat for seat in of_all if before.get(seat) != stand[seat]),
        tuple(sorted(one for one in saved.again if one > saved.turn + 1)),
        way_again(saved, notes, now),
        _passed(saved, notes, now),
    )


def _passed(saved: SavedGame, notes: Notes, now: Moment) -> str:
    """Return the deadline in force if it has passed and orders are owed, in words; or ""."""
    deadline = deadline_in_force(saved, notes)
    is_passed = deadline is not None and is_closed(saved, notes, now) and owing_seats(saved, notes)
    return saved.table.spelled(deadline) if deadline is not None and is_passed else ""


def _change(home: Home, game: str, number: int, now: Moment) -> Change:
    """Return what becomes true when a turn is taken back.

    Without a journal it is that alone, so that a kill leaves the old turn or the new one: nobody is told by
    mail, and the next report says it because the turns do.
    """
    what = {"words": f"taking turn {number} back"}
    before = SavedGame(home, game, at_turn=number - 1)
    newest = SavedGame(home, game)
    orders, back = _told_of_orders(home, newest, now), stood_in(newest)
    text = (
        f"The moderator has taken turn {number} back: its report does not count. It will be run again; "
        "you get a corrected report if anything in yours changes."
    )
    keep = (
        "Keep that report all the same. The turn is kept as one that was taken back, and so is its root: "
        "where there is an archive, the game's file there names it."
    )
    about = f"taken back {number:04d}.{before.turns.revision(number) + 1}"
    act = act_of(now, game, "undo", told_of(number), public=True)
    title = f"Turn {number} is taken back"

    def words(seat: Seat) -> str:
        again = "A standby had come to your seat in it: it is yours again." if seat in back else ""
        return f"{' '.join(filter(None, (text, again, orders(seat))))}\n\n{keep}"

    told = (*to_all(before, now, about, title, words), *partings_of_undo(newest, back, now, about))
    return Change(what, taken_back=number, rows=(act, *told) if home.has_journal else ())


def _told_of_orders(home: Home, newest: SavedGame, now: Moment) -> Callable[[Seat], str]:
    """Return what a seat is told of its orders as the newest turn is taken back, and what is asked of it."""
    turn = newest.turns.at(newest.turn)
    taken, named = saves.submissions_of(turn), named_in_report(turn, saves.SPECTATOR)
    later = [saves.submissions_of(one.place) for one in newest.again.values()]
    before = newest.before()
    ask, notes, label = before.ask, notes_of(home, newest.name), asked_now(before)
    try:
        stand, owing = lodged(newest).submissions, owing_seats(before, notes)
    except WrongInput:  # it is taken back because it is damaged
        stand, owing = {}, ()
    newer = {seat for seat, data in stand.items() if all(sha256(data) != one.get(seat) for one in later)}
    deadline, is_voted = deadline_in_force(before, notes), ending(before, notes) is not None
    seed = "That report told the seed: with it anybody can work out what is drawn and rolled from now on."
    is_seed_told = told_seed(turn)
    missing = f"You have no line that answers {label}: please send orders for it."
    if label == START:
        missing = "No start form of yours has come: please send one."
    form = " A mail with the one word `resend` brings the form."

    def other(seat: Seat) -> str:
        """Return who had sent the orders of a seat, if that is not its player now."""
        sender, sha = notes.senders.get(seat, ("", ""))
        return sender if sha == taken[seat] and sender != before.players.holder(seat) else ""

    def sent(seat: Seat) -> str:
        """Return which orders of a seat count again; those of its player before are that player's."""
        if sender := other(seat):
            return f"The orders that {sender} had sent for {seat} count again"
        if not isinstance(ask, Ask) or seat not in ask.seats:
            return "Your orders that it had taken count again"
        return f"Your {'luck words' if label == START else f'orders for {label}'} count again"

    def has_sent(seat: Seat) -> bool:
        """Tell whether the player of a seat had it in the turn; not where its report is damaged."""
        return seat in named and not is_another(before, seat, named[seat])

    def lines(seat: Seat) -> str:
        """Return which orders count again; only in a mail to the player who had sent them."""
        if other(seat) or not is_mailed(home, before.players.address(seat)) or not has_sent(seat):
            return ""
        again = lines_again(before, seat, turn, str(taken[seat]))
        return "\n".join(["\n\nThese count again until the turn is run:", *again]) if again else ""

    def rests(seat: Seat) -> str:
        pause = notes.rest_at(now)
        return pause.beside_a_deadline(before.table, seat) if pause is not None else ""

    def due(seat: Seat) -> str:
        if deadline is None or not isinstance(ask, Ask) or seat not in ask.seats:
            return ""
        spelled = before.table.spelled(deadline, seat)
        if is_closed(before, notes, now):
            return f"The deadline for {label} was {spelled}; if it is moved, you are told.{rests(seat)}"
        return f"Orders for {label} are due {spelled}.{rests(seat)}"

    def words(seat: Seat) -> str:
        said, again = [], ""
        if seat in notes.held:
            said.append(f"Orders of yours are held back: {notes.held[seat]}.")
        elif seat in newer:
            said.append("Newer orders of yours stand in place of those that it had taken.")
        elif seat in taken and seat not in owing:
            said.append(f"{sent(seat)}, unless you send others.")
            again = lines(seat)
        if is_voted:
            said.append("All votes stand: its next run ends the game again, unless one is withdrawn.")
        elif seat in owing and seat not in notes.held:
            said.append(f"{missing}{form * is_mailed(home, before.players.address(seat))}")
        return f"{' '.join(filter(None, [*said, '' if is_voted else due(seat), seed * is_seed_told]))}{again}"

    return words


def told_seed(turn: Place) -> bool:
    """Tell whether a turn ended the game, so that its reports hold the seed."""
    try:
        report = saves.read_json(turn / "reports" / "spectator" / "report.json")
    except WrongInput:  # it is damaged
        return False
    return fields_of(report.get("ask")).get("kind") == "over"


def _kept(turns: Turns, turn: int) -> Place:
    return turns.taken_back(turn)[-1].place
