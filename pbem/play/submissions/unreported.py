"""A seat's orders that its newest report does not know: sent since, or of a turn that was taken back."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Final

from pbem.core.book import Orders
from pbem.core.events import Seat
from pbem.core.interface import Json, Outcome
from pbem.core.labels import BEFORE_DEAL
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import sha256
from pbem.play.submissions.gate import lodged, read_taken
from pbem.play.submissions.reinstated import orders_of_next, taken_later
from pbem.store.interface import Place
from pbem.text.reports.facts import names_in, pending
from pbem.text.schemas.codec import fields_of, items_of
from pbem.text.submission.judging import Judge, numbered
from pbem.text.submission.orders import Submission, masked, open_envelope, read_lines

COUNT_AGAIN: Final = (
    "Turn {} was taken back, and the orders that it had taken of you count again: you need send nothing, "
    "unless you want to change them."
)
"""Stands above a report whose reader has such orders, with the number of the turn."""

NOT_BELOW: Final = "The report below does not know of them."
"""Ends it above a text that was made before."""


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
    if saved.turn + 1 not in saved.again:
        return {}
    told = facts_since(saved, seat, facts, held)
    return told if told and _answering(told) else {}


def facts_since(
    saved: SavedGame, seat: Seat, facts: Mapping[str, Json], held: Container[Seat]
) -> dict[str, Json]:
    """Return the facts that orders made otherwise which came after the seat's newest report.

    Args:
        saved: The game.
        seat: The seat.
        facts: What the report is made of.
        held: Seats whose orders the moderator holds back.

    Returns:
        Those facts; none unless orders with lines, or `orders: none`, wait for the next turn.
    """
    ask = saved.ask
    if isinstance(ask, Outcome) or seat in held:
        return {}
    found = lodged(saved, only=(seat,))
    if seat not in found.submissions or seat in found.kept:
        return {}
    orders, view, asked = found.orders[seat], saved.view(saved.position.game, seat), saved.position.asked
    told: dict[str, Json] = {
        "orders": pending(saved.opening, view, ask, asked, seat, orders),
        "stop_if": dict(orders.stop_if),
        "stops": saved.opening.wording.condition(orders.stop_if),
    }
    return {**told, "names": names_in(saved.opening.wording.names, {**facts, **told, "names": {}})}


def told_since(
    facts: Mapping[str, Json],
    since: Mapping[str, Json],
    sender: str = "",
    player: str = "",
    *,
    is_known: bool = False,
) -> str:
    """Say above a report what its reader's orders that came after it answer; one paragraph.

    Args:
        facts: What the report is made of.
        since: The facts that are otherwise, from `facts_since`.
        sender: Who sent those orders, if the seat was another's then; "Ann or Dora" if nobody knows; else "".
        player: Who has the seat now.
        is_known: What stands below was made with them and tells them itself, as a page of now does.
    """
    ask, game = fields_of(facts["ask"]), facts["game"]
    came = "Orders for your seat came after this report was made"
    who = sender if sender.endswith(f" or {player}") else f"{sender}, who played your seat,"
    if sender:
        came = f"{who} had sent orders after this report was made, and they stand"
    if not since["orders"]:
        came = "The orders for your seat were withdrawn after this report was made"
    if is_known and facts["turn"] != 0:
        return f"{came}."
    if not ask["mine"]:
        return f"{game}: the report below does not know which of your lines stand now. {came}."
    if facts["turn"] == 0:
        whose = f"the start form of {who}" if sender else "your start form"
        if not since["orders"]:
            return f"{game}: {whose} was withdrawn after this report was made. Please send one."
        return f"{game}: {whose} has come since. Send it again only if you want to change it."
    return f"{answer_since(facts, since, sender)} {came}."


def answer_since(facts: Mapping[str, Json], since: Mapping[str, Json], sender: str = "") -> str:
    """Say above a report which of its reader's orders answers what is asked, if it tells this otherwise.

    The arguments are those of `told_since`.
    """
    answers = _answering(since)
    line = f"your order {answers[0]} answers" if answers else "no line of yours answers"
    if sender:
        line = f"order {answers[0]} of {sender} answers" if answers else f"no line of {sender} answers"
    way = "; send others if you want others." if answers else "."
    label = fields_of(facts["ask"])["label"]
    return f"{facts['game']}: {line} {label}, whatever it says below{way}"


def _answering(told: Mapping[str, Json]) -> list[Json]:
    """Return the numbers of the orders that answer what is asked now."""
    rows = map(fields_of, items_of(told["orders"]))
    return [row["order"] for row in rows if "answers" in row]


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


def waiting_orders(saved: SavedGame, seat: Seat) -> dict[int, Orders]:
    """Return the orders of a seat that wait for later turns which were taken back, by turn.

    None if others were lodged since: those stand in their place.
    """
    if not saved.again or not orders_of_next(saved, seat, lodged_sha(saved, seat))[0]:
        return {}
    return {turn: read_taken(saved, taken).orders for turn, taken in taken_later(saved, seat)}


def lodged_sha(saved: SavedGame, seat: Seat) -> str:
    """Return the SHA-256 of what is lodged for a seat, the key masked; "" if nothing is."""
    place = saved.home.orders_file(saved.name, seat)
    if not place.is_file():
        return ""
    envelope = open_envelope(data := place.read_bytes())
    return sha256(data if isinstance(envelope, list) else masked(data, envelope))
