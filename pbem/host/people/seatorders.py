"""What stands for each seat: which orders count, whose they are, what is asked; and the words of letters."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pbem.core.book import BEFORE_DEAL, START, Orders
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.host.notices.queue import is_mailed
from pbem.host.people.names import former_senders
from pbem.host.run.notes import Notes, vote_outcome
from pbem.host.time.deadlines import (
    deadline_in_force,
    is_closed,
    is_late,
    owing_seats,
    present_label,
)
from pbem.play.homes.players import seats_changed_by_hand
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.gate import LodgedOrders, read_lodged_orders
from pbem.text.judging import Judge, numbered_order_text
from pbem.text.lookahead import AskContext, Lookahead

Moment = datetime.datetime

State: TypeAlias = Literal["none", "withdrawn", "left-over", "lodged", "reinstated"]
"""Of the lines that count for a seat: there are none, or none any more; they are left over of what turns
took; they were lodged and no turn has taken them; or a turn that had taken them was taken back."""


@dataclass(frozen=True, slots=True)
class SeatOrders:
    """What stands for a seat.

    Attributes:
        seat: The seat.
        is_asked: The game waits for its orders.
        state: Where the lines come from that count for the next run.
        orders: Those lines.
        owes: It is asked, and none of them answers.
        held: Why the moderator holds its orders back, or "".
        sender: Who sent them, if its player of now did not, or may not have; or "".
        later: Turns behind the next one that were taken back too, and whose orders of it wait for their runs.
    """

    seat: Seat
    is_asked: bool
    state: State
    orders: Orders
    owes: bool
    held: str
    sender: str
    later: tuple[int, ...]


def seat_orders(
    saved: SavedGame, notes: Notes, seats: Iterable[Seat] | None = None, found: LodgedOrders | None = None
) -> dict[Seat, SeatOrders]:
    """Return what stands for each seat.

    Args:
        saved: The game.
        notes: What is noted of it.
        seats: The seats; None for all.
        found: What was lodged, if that is known already.
    """
    found, ask = found or read_lodged_orders(saved), saved.ask
    asked = ask.seats if isinstance(ask, Ask) else frozenset()
    wanted = [*(saved.start.seats if seats is None else seats)]
    owing = owing_seats(saved, notes._replace(held={}), found)
    sent = former_senders(saved, notes, found, seats_changed_by_hand(saved), wanted)

    def one(seat: Seat) -> SeatOrders:
        orders, again = found.orders.get(seat, Orders()), found.again.get(seat, {})
        return SeatOrders(
            seat=seat,
            is_asked=seat in asked,
            state=_state(found, seat, orders, is_again=saved.turn + 1 in again),
            orders=orders,
            owes=seat in owing,
            held=notes.held.get(seat, ""),
            sender=sent.get(seat, ""),
            later=tuple(turn for turn in again if turn > saved.turn + 1),
        )

    return {seat: one(seat) for seat in wanted}


def _state(found: LodgedOrders, seat: Seat, orders: Orders, *, is_again: bool) -> State:
    if seat in found.submissions and seat not in found.kept:
        return "withdrawn" if not orders.lines else "reinstated" if is_again else "lodged"
    return "left-over" if orders.lines else "none"


def seat_orders_facts(
    saved: SavedGame, notes: Notes, now: Moment, stands: SeatOrders, moved: Moment | None = None
) -> dict[str, Json]:
    """Return the facts from which the template `mail/seat-orders.txt.j2` tells a player what stands.

    Args:
        saved: The game.
        notes: What is noted of it.
        now: The moment.
        stands: What stands for the seat.
        moved: Where the deadline is moved by what is told; else None.
    """
    seat, table, ask = stands.seat, saved.table, saved.ask
    deadline, rest = moved or deadline_in_force(saved, notes), notes.rest_at(now)
    others = [one for one in saved.start.seats if isinstance(ask, Ask) and one in ask.seats and one != seat]
    by_mail = is_mailed(saved.home, saved.players.address(seat))
    is_voted = vote_outcome(saved, notes) is not None
    is_due = present_label(saved) and (moved is not None or not is_voted)
    is_quoted = stands.state == "reinstated" and by_mail and not stands.sender
    return {
        "label": present_label(saved),
        "is_asked": stands.is_asked,
        "others": [*map(str, others)],
        "is_of_all": len(others) == len(saved.start.seats) - 1,
        "is_voted": is_voted,
        "state": stands.state,
        "owes": stands.owes and not is_voted,
        "held": stands.held,
        "sender": stands.sender,
        "later": [*stands.later],
        "lines": [*(_line_texts(saved, stands) if is_quoted else ())],
        "by_mail": by_mail,
        "due": table.spelled(deadline, seat) if deadline is not None and is_due else "",
        "is_moved": moved is not None,
        "is_passed": moved is None and is_closed(saved, notes, now),
        "is_open": not is_late(saved, notes, now, now),
        "rests": rest.pause_clause(table, seat) if rest is not None else "",
    }


def _line_texts(saved: SavedGame, stands: SeatOrders) -> Iterable[str]:
    """Return the lines of a seat that count again, in the words of receipts; none of a start form."""
    if not isinstance(saved.ask, Ask) or saved.ask.label in BEFORE_DEAL:
        return ()
    judge = Judge(saved.opening, saved.position.game, saved.position.asked, stands.seat)
    here = AskContext(judge.rules, judge.view, saved.ask, judge.asked, judge.seat)
    lines, chances = stands.orders.lines, Lookahead(here).chances(stands.orders.lines)
    return [numbered_order_text(line.number, judge.meant(line, chances[line.number])) for line in lines]


def missing_orders_text(label: str) -> str:
    """Return what a player is told who has nothing to answer the present ask with."""
    if label == START:
        return "No start form of yours has come: please send one."
    return f"You have no line that answers {label}: please send orders for it."
