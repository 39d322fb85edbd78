"""What each player is told of their orders when a turn is taken back, and what is asked of them."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pbem.core.book import Orders
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.core.labels import BEFORE_DEAL, START
from pbem.core.wording import listed
from pbem.host.notices.publicacts import ending
from pbem.host.notices.queue import is_mailed
from pbem.host.run.notes import Notes, notes_of
from pbem.host.time.deadlines import asked_now, deadline_in_force, is_closed, owing_seats
from pbem.play.homes import saves
from pbem.play.homes.home import Home
from pbem.play.homes.players import is_another, named_in_report
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import sha256
from pbem.play.submissions.gate import lodged
from pbem.play.submissions.receipts import lines_again, lodged_sha
from pbem.store.errors import WrongInput
from pbem.store.interface import Place
from pbem.text.codec import fields_of

Moment = datetime.datetime


def told_of_orders(home: Home, newest: SavedGame, now: Moment, moved: Moment | None) -> Callable[[Seat], str]:
    """Return what a seat is told of its orders as the newest turn is taken back, and what is asked of it.

    Where the deadline is moved with it, that is the one that each is told.
    """
    turn = newest.turns.at(newest.turn)
    taken, named = saves.submissions_of(turn), named_in_report(turn, saves.SPECTATOR)
    before = newest.before()
    ask, notes, label = before.ask, notes_of(home, newest.name), asked_now(before)
    try:
        found, owing = lodged(newest), owing_seats(before, notes)
        stand, then = found.submissions, _then(newest, before, notes, owing_seats(newest, notes, found))
        carried = _carried_out(newest, before)
    except WrongInput:  # it is taken back because it is damaged
        stand, owing, then = {}, (), _Then(newest, before, notes, {}, {})
        carried = frozenset()
    newer = {seat for seat, data in stand.items() if not then.had(seat, sha256(data))}
    is_voted = ending(before, notes) is not None
    seed = "That report told the seed: with it anybody can work out what is drawn and rolled from now on."
    is_seed_told = told_seed(turn)
    form = " A mail with the one word `resend` brings the form."

    def sent(seat: Seat) -> str:
        """Return which orders of a seat count again; those of its player before are that player's."""
        if sender := _other(before, notes, seat, str(taken[seat])):
            return f"The orders that {sender} had sent for {seat} count again"
        if not isinstance(ask, Ask) or seat not in ask.seats:
            return "Your orders that it had taken count again"
        return f"Your {'luck words' if label == START else f'orders for {label}'} count again"

    def has_sent(seat: Seat) -> bool:
        """Tell whether the player of a seat had it in the turn; not where its report is damaged."""
        return seat in named and not is_another(before, seat, named[seat])

    def lines(seat: Seat) -> str:
        """Return which orders count again; only in a mail to the player who had sent them."""
        is_others = _other(before, notes, seat, str(taken[seat]))
        if is_others or not is_mailed(home, before.players.address(seat)) or not has_sent(seat):
            return ""
        told = lines_again(before, seat, turn, str(taken[seat]))
        return "\n".join(["\n\nThese count again until the turn is run:", *told]) if told else ""

    def due(seat: Seat) -> str:
        is_asked = seat in _asked(before)
        return _due(before, notes, now, seat, moved) if is_asked or moved is not None else ""

    def words(seat: Seat) -> str:
        said, quoted = [] if is_voted else [_asked_in_words(before, seat, is_more=seat in then.asked)], ""
        if seat in notes.held:
            said.append(f"Orders of yours are held back: {notes.held[seat]}.")
        elif seat in newer and (seat in taken or seat not in then.asked):
            place = " in place of those that it had taken" if seat in taken else ""
            said.append(f"Newer orders of yours stand{place}.")
        elif seat in taken and seat not in owing:
            said.append(f"{sent(seat)}, unless you send others.")
            quoted = lines(seat)
        elif seat in carried - newer - taken.keys():
            said.append("Orders for your seat that came before it, and that it carried out, count again.")
        if is_voted:
            said.append("All votes stand: its next run ends the game again, unless one is withdrawn.")
        elif seat in owing and seat not in notes.held:
            said.append(f"{missing(label)}{form * is_mailed(home, before.players.address(seat))}")
        said += then.told(seat)
        until = "" if is_voted and moved is None else due(seat)
        return f"{' '.join(filter(None, [*said, until, seed * is_seed_told]))}{quoted}"

    return words


def _other(before: SavedGame, notes: Notes, seat: Seat, sha: str) -> str:
    """Return who had sent orders of a seat, if that is not its player now."""
    sender, orders = notes.senders.get(seat, ("", ""))
    return sender if sha == orders and sender != before.players.holder(seat) else ""


@dataclass(frozen=True, slots=True)
class _Then:
    """What comes after a turn that is taken back.

    Attributes:
        newest: The game with that turn.
        before: The game without it.
        notes: What is noted of it.
        again: The hashes of the orders that later turns, taken back before, had of each seat.
        asked: Who was asked after the turn and is not asked now, and whether they have sent orders for it.
    """

    newest: SavedGame
    before: SavedGame
    notes: Notes
    again: Mapping[int, Mapping[str, Json]]
    asked: Mapping[Seat, bool]

    def had(self, seat: Seat, sha: str) -> bool:
        """Tell whether one of the later turns had these orders of a seat."""
        return any(one.get(seat) == sha for one in self.again.values())

    def told(self, seat: Seat) -> Iterator[str]:
        """Yield what becomes of what a seat was asked, and of its orders for later turns."""
        sha = lodged_sha(self.newest, seat) if self.again or seat in self.asked else ""
        sender = _other(self.before, self.notes, seat, sha) if sha else ""
        whose = f"the orders that {sender} had sent" if sender else "your orders"
        is_kept = self.asked.get(seat, False)
        if seat in self.asked:
            kept = f"; {whose} for it wait" if is_kept else ""
            yield f"You are not asked for {asked_now(self.newest)} now{kept}."
        waits = [turn for turn, had in self.again.items() if seat in had and self.had(seat, sha)]
        if waits := [turn for turn in waits if turn != self.newest.turn + 1 or not is_kept]:
            them, they = ("turns", "they are") if len(waits) > 1 else ("turn", "it is")
            named = f"{whose[0].upper()}{whose[1:]} for {them} {listed(map(str, waits))}"
            yield f"{named} wait, and count when {they} run again."


def _then(newest: SavedGame, before: SavedGame, notes: Notes, owing: Sequence[Seat]) -> _Then:
    """Return what comes after the newest turn; `owing` are those who have sent nothing for it."""
    again = {turn: saves.submissions_of(one.place) for turn, one in sorted(newest.again.items())}
    asked = {seat: seat not in owing for seat in _asked(newest) - _asked(before)}
    return _Then(newest, before, notes, again, asked)


def _carried_out(newest: SavedGame, before: SavedGame) -> frozenset[Seat]:
    """Return whose orders that were left over from before the newest turn it left over no more."""
    left = newest.pending
    return frozenset(
        seat
        for seat, orders in before.pending.items()
        if any(line not in left.get(seat, Orders()).lines for line in orders.lines)
    )


def _asked(saved: SavedGame) -> frozenset[Seat]:
    ask = saved.ask
    return frozenset(ask.seats) if isinstance(ask, Ask) else frozenset()


def _asked_in_words(saved: SavedGame, seat: Seat, *, is_more: bool) -> str:
    """Say who is asked now, and for what; "" of a game that is over.

    Args:
        saved: The game.
        seat: The seat that is told.
        is_more: It is told besides what it is not asked for.
    """
    asked, label = [one for one in saved.start.seats if one in _asked(saved)], asked_now(saved)
    others, what = [one for one in asked if one != seat], "a start form" if label == START else label
    if not asked:
        return ""
    if len(asked) == len(saved.start.seats):
        return f"Now all are asked for {what}."
    if seat in asked:
        return f"Now you are asked for {what}{f', and so are {listed(others)}' if others else ''}."
    verb = "are" if len(others) > 1 else "is"
    return f"Now {listed(others)} {verb} asked for {what}{'' if is_more else '; you are not'}."


def title_of_undo(before: SavedGame, number: int) -> str:
    """Return the subject of what all are told of a turn that is taken back: it names what is asked again."""
    label, title = asked_now(before), f"Turn {number} is taken back"
    what = "the start" if label in BEFORE_DEAL else label
    return f"{title}; {what} is asked again" if what else title


def missing(label: str) -> str:
    """Return what a player is told who has nothing to answer the present ask with."""
    if label == START:
        return "No start form of yours has come: please send one."
    return f"You have no line that answers {label}: please send orders for it."


def _due(before: SavedGame, notes: Notes, now: Moment, seat: Seat, moved: Moment | None) -> str:
    """Return when the orders for a turn that is taken back are due, as one player is told; "" for no time."""
    former, label = deadline_in_force(before, notes), asked_now(before)
    pause = notes.rest_at(now)
    rests = pause.beside_a_deadline(before.table, seat) if pause is not None else ""
    spelled = before.table.spelled(former, seat) if former is not None else ""
    if moved is not None and moved != former:
        were = f" They were due {spelled}." if spelled else ""
        return f"Orders for {label} are now due {before.table.spelled(moved, seat)}.{were}{rests}"
    if not spelled:
        return ""
    if is_closed(before, notes, now):
        return f"The deadline for {label} was {spelled}; if it is moved, you are told.{rests}"
    return f"Orders for {label} are due {spelled}.{rests}"


def told_seed(turn: Place) -> bool:
    """Tell whether a turn ended the game, so that its reports hold the seed."""
    try:
        report = saves.read_json(turn / "reports" / "spectator" / "report.json")
    except WrongInput:  # it is damaged
        return False
    return fields_of(report.get("ask")).get("kind") == "over"
