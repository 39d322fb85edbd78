"""A seat's orders that count again, since the turn that had taken them was taken back."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Json, Outcome
from pbem.core.labels import BEFORE_DEAL
from pbem.play.chain import sha256
from pbem.play.gate import lodged
from pbem.play.saved import SavedGame
from pbem.store.place import Place
from pbem.text.facts import names_in, pending
from pbem.text.judging import Judge
from pbem.text.orders import Submission, open_envelope, read_lines
from pbem.text.verdicts import numbered

COUNT_AGAIN: Final = (
    "Turn {} was taken back, and the orders that it had taken of you count again: you need send nothing, "
    "unless you want to change them. The report below does not know of them."
)
"""Stands above a report whose reader has such orders, with the number of the turn."""


def facts_again(
    saved: SavedGame, seat: Seat, facts: Mapping[str, Json], held: Container[Seat]
) -> dict[str, Json]:
    """Return what a report of the newest turn does not say of the seat's orders: those that count again.

    The report is made from what the turn left over, and from no more, so that it comes out the same as often
    as the turn is run.

    Args:
        saved: The game.
        seat: The seat.
        facts: What the report is made of.
        held: Seats whose orders the moderator holds back.

    Returns:
        The facts that are otherwise; none unless one of these orders answers what is asked.
    """
    ask = saved.ask
    if saved.turn + 1 not in saved.again or isinstance(ask, Outcome) or seat in held:
        return {}
    found = lodged(saved, only=(seat,))
    if seat not in found.submissions:
        return {}
    view, asked = saved.view(saved.position.game, seat), saved.position.asked
    rows = pending(saved.opening, view, ask, asked, seat, found.orders[seat])
    if not any(isinstance(row, dict) and "answers" in row for row in rows):
        return {}
    told = {**facts, "orders": rows, "names": {}}
    return {"orders": rows, "names": names_in(saved.opening.wording.names, told)}


def lines_again(before: SavedGame, seat: Seat, turn: Place, taken: str) -> tuple[str, ...]:
    """Return the orders that a turn took of a seat, in the words of receipts: a line of text for each.

    Args:
        before: The game as it stands when the turn is taken back.
        seat: The seat.
        turn: The folder of the turn.
        taken: The SHA-256 of the orders that the turn took of the seat.

    Returns:
        The lines; none of a start form, or where the turn's copy is damaged or holds no lines.
    """
    copy, ask = turn / "orders" / f"{seat}.yaml", before.ask
    data = copy.read_bytes() if copy.is_file() else b""
    if sha256(data) != taken or isinstance(ask, Outcome) or ask.label in BEFORE_DEAL:
        return ()
    envelope = open_envelope(data)
    found = envelope if isinstance(envelope, list) else read_lines(envelope, before.grammar)
    if not isinstance(found, Submission):
        return ()
    judge = Judge(before.opening, before.position.game, before.position.asked, seat)
    lines = found.orders.lines
    return tuple(numbered(line.number, judge.meant(line, lines)) for line in lines)
