"""What a corrected report says of itself: which turn was run again, and what in it is not as it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pbem.core.engine.book import Orders
from pbem.core.engine.sources import is_for_silent
from pbem.core.events import Seat
from pbem.core.interface import Json, Outcome
from pbem.core.labels import BEFORE_DEAL
from pbem.core.wording import listed
from pbem.host.run.reported import compared_facts
from pbem.play.homes.chain import short
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import objects, record_of_undone, submissions_of
from pbem.play.submissions.gate import standing
from pbem.store.errors import WrongInput
from pbem.store.place import Place
from pbem.text.reports.facts import pending
from pbem.text.schemas.codec import fields_of
from pbem.text.submission.judging import Judge

_PARTS: Final = {
    "your orders for later": ("orders", "stop_if"),
    "how the game stands": ("view", "history"),
    "who is asked and when orders are due": ("ask", "deadline"),
    "what you can do now": ("menus",),
}
"""Facts of a report but for its events, by words for the part that tells them."""

_MOST_LABELS: Final = 4


def corrected_in_words(saved: SavedGame, seat: Seat, before: Place, held: Mapping[Seat, str]) -> str:
    """Return what a seat is told above the report of a turn that was taken back and run again, in sentences.

    They tell what the seat's two reports show, and whether its own orders are others. Whose orders were the
    cause they do not tell.

    Args:
        saved: The game as the turn left it.
        seat: The seat.
        before: Where the turn lies that was taken back, and whose report they have.
        held: The seats whose orders the moderator holds back, each with the reason.
    """
    after = saved.turns.at(saved.turn)
    try:
        old, new = (compared_facts(turn, seat) for turn in (before, after))
    except WrongInput:  # it may have been taken back because it is damaged
        old, new = {}, {}
    root = record_of_undone(before).get("root")
    said = [
        f"There is a corrected report of turn {saved.turn}: the moderator took the turn back, and ran it "
        "again.",
        f"The earlier report{f', with {short(str(root))} at its foot,' if root else ''} does not count.",
    ]
    if differs := list(_differing(old, new)):
        said.append(f"These parts of it are not as they were: {listed(differs)}.")
    if not is_same_orders(before, after, seat):
        said.append("The orders of yours that counted are not those that counted before.")
    elif seat in submissions_of(after):
        said.append("The same orders of yours counted as before.")
    judged = [f"Orders of yours are held back: {held[seat]}."] if seat in held else _judged(saved, seat)
    return " ".join([*said, *judged])


def is_same_orders(before: Place, after: Place, seat: Seat) -> bool:
    """Tell whether the same orders of a seat counted in a turn before it was taken back and after."""
    ordered, orders = (submissions_of(turn).get(seat) for turn in (before, after))
    return ordered == orders or _counted(before, seat) == _counted(after, seat)


def _counted(turn: Place, seat: Seat) -> list[tuple[Json, Json, bool]]:
    """Return what was done for a seat at each ask of it in a turn, and whether its own orders gave it."""
    steps = objects(record_of_undone(turn).get("steps"))
    sources = (fields_of(step["sources"]) for step in steps)
    return [
        (step["label"], fields_of(step["moves"]).get(seat), is_for_silent(str(gave[seat])))
        for step, gave in zip(steps, sources, strict=True)
        if seat in gave
    ]


def _judged(saved: SavedGame, seat: Seat) -> Iterator[str]:
    """Say which of a seat's orders that stand now do not fit what the turn has left, each with the reason."""
    ask, now, lines = saved.ask, saved.position, standing(saved, seat).lines
    if isinstance(ask, Outcome) or ask.label in BEFORE_DEAL or not lines:
        return
    rows = objects(pending(saved.opening, saved.view(now.game, seat), ask, now.asked, seat, Orders(lines)))
    reasons = [_reason(row) for row in rows]
    if not any(reasons):
        yield "Your orders that stand now still fit, as far as can be seen."
        return
    yield "Orders of yours stand that do not fit what is so now."
    judge = Judge(saved.opening, now.game, now.asked, seat)
    for line, reason in zip(lines, reasons, strict=True):
        if reason:
            yield f"Order {line.number} ({judge.meant(line, lines)}) {reason}."


def _reason(row: Mapping[str, Json]) -> str:
    """Return why a line that stands does not fit, from its row in a report; "" if it may fit."""
    if never := row.get("never"):
        return f"can never be played: {never}"
    if wrong := row.get("now"):
        return f"could not be played as things stand: {wrong}"
    return f"does not answer {row['unfit']}: what it waits for is not so" if "unfit" in row else ""


def _differing(old: Mapping[str, Json], new: Mapping[str, Json]) -> Iterator[str]:
    """Name the parts of a report that are not as they were."""
    before, after = (_events_by_label(facts) for facts in (old, new))
    labels = list(dict.fromkeys((*after, *before)))
    if others := [label for label in labels if before.get(label) != after.get(label)]:
        is_part = all(others) and len(others) < len(labels) and len(others) <= _MOST_LABELS
        yield f"what happened at {listed(others)}" if is_part else "what happened"
    for words, names in _PARTS.items():
        if any(old.get(name) != new.get(name) for name in names):
            yield words


def _events_by_label(facts: Mapping[str, Json]) -> dict[str, list[Json]]:
    found: dict[str, list[Json]] = {}
    for event in objects(facts.get("events")):
        found.setdefault(str(event.get("at", "")), []).append(event)
    return found
