"""Reports say who may do what, in 72 columns, and keep what is secret."""

from __future__ import annotations

from pbem.core.book import Orders
from pbem.core.events import Recorded, Seat, visible
from pbem.core.opening import DealtGame, Opening
from pbem.rules.game_of_powers.state import SEATS, State
from pbem.text.reports.facts import Frame, facts
from pbem.text.reports.report import Report
from tests.subjects import subject

from .table import WHITE, deal, hold, position


def report(state: State, seat: Seat | None, events: tuple[Recorded, ...] = (), full: bool = False) -> Report:
    """Return a report of a position with three seats."""
    found = subject("game-of-powers", len(state.order))
    opening = Opening(found.rules, found.seats, found.options)
    frame = Frame(
        game="powers-1",
        rules="game-of-powers",
        turn=3,
        seat=seat,
        players={one: one.title() for one in SEATS[: len(state.order)]},
        deadline="",
        commitment="c",
        key_asked=False,
        asked={},
        orders=Orders(),
    )
    opened: DealtGame[State] = DealtGame({}, state)
    view = opening.view(opened, seat)
    assert found.environment is not None
    told = facts(opening, frame, view, opening.ask(opened), visible(events, seat))
    return Report(found.environment, {**told, "detail": "full" if full else ""})


def test_a_game_without_tasks_and_trade_explains_neither() -> None:
    shown = report(deal("plain", tasks=False, trade=False), WHITE)
    later = report(position(hold("4"), hold("", at="owidz clockwise"), tasks={}, may_trade=False), WHITE)

    for text in (shown.text, later.text, later.form):
        above, _, conditions = text.partition("# Others")
        told = above + conditions.partition("\n  # ")[2].partition("\n#")[2]
        assert not any(word in told for word in ("claim", "trade", "task")), text
